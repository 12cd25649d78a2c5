/** What the chapters of the scenario language are made of. */
import { languageExamples } from "./scenario-language-examples.ts";

/** A chapter of the page. */
export function chapter(title: string, ...paragraphs: readonly string[]): string {
  return [`## ${title}`, ...paragraphs].join("\n\n");
}

/** An example of the page, in a block of code. */
export function example(name: keyof typeof languageExamples): string {
  return `\`\`\`yaml\n${languageExamples[name]}\n\`\`\``;
}

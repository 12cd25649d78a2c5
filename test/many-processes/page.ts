/** The blocks of the page about many processes, which the tests run as they stand there. */
import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../docs/many-processes.md", import.meta.url), "utf8");

/** The block of a language that has this in it. @throws where there is none, or more than one. */
export function blockWith(language: string, part: string): string {
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))];
  const [text, ...others] = blocks.map(([, code = ""]) => code).filter((code) => code.includes(part));
  if (text !== undefined && others.length === 0) return text;
  throw new Error(`The page has ${others.length + (text === undefined ? 0 : 1)} blocks of ${language} with ${part}.`);
}

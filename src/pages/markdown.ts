/** Parts of Markdown, as the pages of `docs/` are written. */

/** A word of code. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** Words of code, one after another; a dash for none. */
export function codes(words: readonly string[]): string {
  return words.length > 0 ? words.map(code).join(", ") : "–";
}

/** A table; the text of each cell is put on one line. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}

/** A block of JSON. */
export function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** A list of points. */
export function points(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** A page of paragraphs. @param source what it is written from, for those who want to change it. */
export function page(title: string, source: string, paragraphs: readonly string[]): string {
  const note = `<!-- Written by \`npm run docs\` from ${source}; a test holds it to that. -->`;
  return `${[`# ${title}`, note, ...paragraphs].join("\n\n")}\n`;
}

/** A page written by hand, with the part between two marks replaced. @throws {Error} without the marks. */
export function withBetween(text: string, begin: string, end: string, content: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`There is no place for the table, between ${begin} and ${end}.`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

/** Links to rows of the decisions; empty for none. */
export function decisionLinks(ids: readonly string[]): string {
  return ids.map((id) => `[${id}](settings.md#${id.toLowerCase()})`).join(", ");
}

/** The anchor of a heading, as Markdown renderers on the web name it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

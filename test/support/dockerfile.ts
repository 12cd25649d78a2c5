/** Reads a Dockerfile into its instructions, and a `.dockerignore` into what it leaves out. */

/** One instruction, as it stands in the file. */
export interface Instruction {
  /** Upper case: `FROM`, `COPY`, `RUN`. */
  readonly keyword: string;
  /** `--from=build` is `{ from: "build" }`. */
  readonly flags: Readonly<Record<string, string>>;
  /** What follows the keyword and its flags, lines joined. */
  readonly text: string;
  /** Line of the file, from 1. */
  readonly line: number;
}

/** The instructions of a file, in their order; comments and empty lines are none. */
export function readDockerfile(text: string): Instruction[] {
  const instructions: Instruction[] = [];
  let open: { line: number; parts: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    open ??= { line: index + 1, parts: [] };
    open.parts.push(line.replace(/\\\s*$/, "").trim());
    if (/\\\s*$/.test(line)) continue;
    instructions.push(instructionOf(open.parts.join(" "), open.line));
    open = undefined;
  }
  return instructions;
}

function instructionOf(text: string, line: number): Instruction {
  const [, keyword = "", flagText = "", rest = ""] = /^(\S+)((?:\s+--\S+)*)\s*(.*)$/.exec(text) ?? [];
  const flags = [...flagText.matchAll(/--([a-z-]+)=?(\S*)/g)].map(([, name = "", value = ""]) => [name, value]);
  return { keyword: keyword.toUpperCase(), flags: Object.fromEntries(flags), text: rest, line };
}

/** The words of a command: its JSON array, or a shell that runs its text. */
export function commandOf(text: string): string[] {
  return text.startsWith("[") ? (JSON.parse(text) as string[]) : ["/bin/sh", "-c", text];
}

/** `A=1 B=2` of an ENV. */
export function variablesOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
}

/** Whether a path of the context, relative, is left out by the patterns of a `.dockerignore`. */
export function ignoredBy(patterns: string): (path: string) => boolean {
  const lines = patterns.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const expressions = lines.map((line) => {
    const glob = line.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
    return new RegExp(`^${glob}(/|$)`);
  });
  return (path) => expressions.some((expression) => expression.test(path));
}

/** What is wrong with a scenario file: where, in one sentence, with the line itself. */

/** One fault of a file. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line itself; of a very long one, the part around the place. */
  readonly excerpt: string;
  /** The column within the excerpt. */
  readonly caret: number;
}

/** A file that is no scenario; `problems` has every fault found. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(
      problems.map((problem) => `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`).join("\n"),
    );
    this.problems = problems;
  }
}

/** Lines up to this length are shown whole. */
const SHOWN = 240;

/** The part of a line that is shown for a column, and where that column is in it. */
export function excerptOf(line: string, column: number): { excerpt: string; caret: number } {
  if (line.length <= SHOWN) return { excerpt: line, caret: column };
  const start = Math.max(0, Math.min(column - 1 - SHOWN / 2, line.length - SHOWN));
  const before = start > 0 ? "…" : "";
  const after = start + SHOWN < line.length ? "…" : "";
  return { excerpt: before + line.slice(start, start + SHOWN) + after, caret: column - start + before.length };
}

/** A word of the file as messages show it, in one line: of a very long one, the beginning. */
export function quoted(given: string): string {
  const word = given.slice(0, 100).replace(/\s*\n\s*/g, " ");
  return `"${word.length <= 60 ? word : `${word.slice(0, 59)}…`}"`;
}

/** What is wrong with a scenario file: where, in one sentence, with the line itself. */
import { counted } from "../domain/counted.ts";

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

/** A file that is no scenario. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  /** At most {@link MOST_TOLD}; the last one says how many more there are. */
  readonly problems: readonly Problem[];
  /** How many there are, told or not. */
  readonly count: number;

  /** @param untold how many there are beside. */
  constructor(problems: readonly Problem[], untold = 0) {
    const told = toldOf(problems, untold);
    super(told.map((problem) => `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`).join("\n"));
    this.problems = told;
    this.count = problems.length + untold;
  }
}

/** So many problems are told at once: who has mended them looks again. */
const MOST_TOLD = 100;

function toldOf(problems: readonly Problem[], untold: number): readonly Problem[] {
  const more = untold + Math.max(0, problems.length - MOST_TOLD);
  const told = problems.slice(0, MOST_TOLD);
  return told.map((problem, index) =>
    more > 0 && index === told.length - 1
      ? { ...problem, message: `${problem.message} (and ${counted(more, "more problem")})` }
      : problem,
  );
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

/**
 * A word of the file as messages show it, in one line: of a very long one, the beginning. What cannot be seen stands there
 * by its number.
 */
export function quoted(given: string): string {
  const word = given.slice(0, 100).replace(/\s*\n\s*/g, " ");
  const shown = word.length <= 60 ? word : `${word.slice(0, 59)}…`;
  return `"${shown.replace(/\p{Cf}|[^\P{Zs} ]/gu, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)}"`;
}

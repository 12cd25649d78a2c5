/** Problems of scenario files: the place, a sentence, and the line itself. */
import { UserError } from "../domain/user-error.ts";
import { counted } from "../domain/words/counted.ts";

/** One fault of a file. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line; if it is very long, only the part around the column. */
  readonly excerpt: string;
  /** The column within the excerpt. */
  readonly caret: number;
}

/** A file is not a valid scenario. */
export class ScenarioError extends UserError {
  override readonly name = "ScenarioError";
  /** At most {@link MOST_TOLD}; the last one says how many more there are. */
  readonly problems: readonly Problem[];
  /** How many problems there are in all. */
  readonly count: number;

  /** @param untold how many further problems there are. */
  constructor(problems: readonly Problem[], untold = 0) {
    const told = toldOf(problems, untold);
    super(told.map((problem) => `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`).join("\n"));
    this.problems = told;
    this.count = problems.length + untold;
  }
}

/** The most problems told at once: whoever has fixed them will check again. */
const MOST_TOLD = 100;

/** Ends the last one told of a file whose others are not. */
const AND_MORE = / \(and \d+ more problems?\)$/;

function toldOf(problems: readonly Problem[], untold: number): readonly Problem[] {
  const more = untold + Math.max(0, problems.length - MOST_TOLD);
  const told = problems.slice(0, MOST_TOLD);
  return told.map((problem, index) =>
    more > 0 && index === told.length - 1
      ? { ...problem, message: `${problem.message.replace(AND_MORE, "")} (and ${counted(more, "more problem")})` }
      : problem,
  );
}

/** Lines up to this length are shown whole. */
const SHOWN = 240;

/** The part of a line to show for a column, and the position of the column in it. */
export function excerptOf(line: string, column: number): { excerpt: string; caret: number } {
  if (line.length <= SHOWN) return { excerpt: line, caret: column };
  const start = Math.max(0, Math.min(column - 1 - SHOWN / 2, line.length - SHOWN));
  const before = start > 0 ? "…" : "";
  const after = start + SHOWN < line.length ? "…" : "";
  return { excerpt: before + line.slice(start, start + SHOWN) + after, caret: column - start + before.length };
}

/**
 * Quotes a word of a file for a message, on one line; a very long word is cut. Invisible characters are shown by their
 * code points.
 */
export function quoted(given: string): string {
  const word = given.slice(0, 100).replace(/\s*\n\s*/g, " ");
  const shown = word.length <= 60 ? word : `${word.slice(0, 59)}…`;
  return `"${shown.replace(/\p{Cf}|[^\P{Zs} ]/gu, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)}"`;
}

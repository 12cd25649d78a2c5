/** The type of the rows of the decisions. */
import type { Settings } from "../settings.ts";

/** One place where the specification is silent or ambiguous, and how the sandbox answers there. */
export interface Decision {
  /** Such as `D01`; tables, texts of the OpenAPI document and test titles refer to the decision by it. */
  readonly id: string;
  readonly point: string;
  /** The answer of the sandbox, in Markdown. */
  readonly answer: string;
  /** The settings that select another answer. */
  readonly settings: readonly (keyof Settings)[];
}

/** The decisions on one subject. */
export interface DecisionChapter {
  readonly title: string;
  readonly decisions: readonly Decision[];
}

/** Makes a row; line breaks and indentation in `answer` become single spaces. */
export function decide(id: string, point: string, answer: string, ...settings: (keyof Settings)[]): Decision {
  return { id, point, answer: answer.trim().replaceAll(/\s+/g, " "), settings };
}

/** What a row of the decisions is. */
import type { Settings } from "../settings.ts";

/** One place where the specification is silent or ambiguous, and how the sandbox answers there. */
export interface Decision {
  /** `D01`; what tables, messages of the OpenAPI document and titles of tests call it. */
  readonly id: string;
  readonly point: string;
  /** In Markdown. */
  readonly answer: string;
  /** The settings that choose another answer. */
  readonly settings: readonly (keyof Settings)[];
}

/** Rows of one subject. */
export interface DecisionChapter {
  readonly title: string;
  readonly decisions: readonly Decision[];
}

/** A row; its answer may be broken into lines. */
export function decide(id: string, point: string, answer: string, ...settings: (keyof Settings)[]): Decision {
  return { id, point, answer: answer.trim().replaceAll(/\s+/g, " "), settings };
}

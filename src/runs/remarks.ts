/** What is to be said of a run beside its verdict: what was expected may have come for another reason than was meant. */
import type { RunResult } from "./run.ts";

/** What came of a run, with what is to be said of it. */
export interface RemarkedResult extends RunResult {
  /** One sentence each, without its full stop. */
  readonly remarks: readonly string[];
}

/** How the run was made, as far as that is remarked on. */
interface RunManner {
  readonly postbackUrl: string | undefined;
  /** Whether the receiver was asked if its books are right. */
  readonly isVerified: boolean;
}

/** A result with all that is remarked on it. */
export function withRemarks(result: RunResult, manner: RunManner): RemarkedResult {
  const remarks = [
    ...unmatched(result),
    ...stopped(result),
    ...skipped(result),
    ...undelivered(result, manner),
    ...unverified(result, manner),
  ];
  return { ...result, remarks };
}

/** Rules that nothing came of are probably not what their author thinks. */
function unmatched({ rules }: RunResult): string[] {
  const vain = rules.filter(({ matched }) => matched === 0);
  return vain.map(({ at, name }) => `${at}: this rule never matched${name ? ` (${name})` : ""}`);
}

/** What was expected may hold without all that the rules would have done. */
function stopped({ timeline }: RunResult): string[] {
  const places = timeline.filter(({ kind }) => kind === "rule.stopped").map(({ rule }) => rule);
  return [...new Set(places)].map((at) => `${at}: this rule was stopped: it sets itself off without time passing`);
}

/** Steps that were due and never carried out: what was expected may have come without them. */
function skipped({ timeline }: RunResult): string[] {
  // Several steps may stand in one line.
  const stepOf = ({ rule, text }: RunResult["timeline"][number]) =>
    `${rule} ${/^(?:was carried out: |\()(\w+)/.exec(text.slice(`Step ${rule} `.length))?.[1]}`;
  const done = new Set(timeline.filter(({ kind }) => kind === "step").map(stepOf));
  const vain = timeline.filter((entry) => entry.kind === "step.skipped" && !done.has(stepOf(entry)));
  return [...new Set(vain.map(({ text }) => text.replace(/^Step |\.$/g, "")))];
}

/** A receiver that took nothing may have been meant to: no expectation need have been about it. */
function undelivered({ timeline }: RunResult, { postbackUrl }: RunManner): string[] {
  const attempts = timeline.filter(({ kind }) => kind === "webhook.failed").length;
  const hasTaken = timeline.some(({ kind }) => kind === "webhook.delivered");
  if (postbackUrl === undefined || hasTaken || attempts === 0) return [];
  const all = attempts === 1 ? "the one attempt" : `all ${attempts} attempts`;
  return [`${postbackUrl} took no webhook: ${all} to deliver one failed`];
}

/** A receiver that takes every webhook may yet credit an order twice. */
function unverified({ exploration }: RunResult, { isVerified }: RunManner): string[] {
  if (isVerified || exploration?.verdict !== "pass" || exploration.variations === 0) return [];
  return ["the receiver's answers alone were judged; --verify-url lets it say whether its books are right"];
}

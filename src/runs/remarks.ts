/** Remarks on a run besides its verdict: expectations may have been met for other reasons than its author meant. */
import { joined } from "../domain/words/near-name.ts";
import type { RunResult } from "./run.ts";

/** The result of a run, with remarks. */
export interface RemarkedResult extends RunResult {
  /** One sentence each, without its full stop. */
  readonly remarks: readonly string[];
}

/** The options of a run that remarks depend on. */
interface RunManner {
  readonly postbackUrl: string | undefined;
  /** Whether the receiver was asked to check its books. */
  readonly isVerified: boolean;
  /** Whether the receiver was made to forget what came before. */
  readonly isReset: boolean;
}

/** Adds all remarks to a result. */
export function withRemarks(result: RunResult, manner: RunManner): RemarkedResult {
  const remarks = [
    ...unmatched(result),
    ...stopped(result),
    ...skipped(result),
    ...undelivered(result, manner),
    ...unvaried(result),
    ...unjudged(result),
    ...unverified(result, manner),
    ...remembered(result, manner),
  ];
  return { ...result, remarks };
}

/** Remarks on rules that never matched, which are probably not what their author meant. */
function unmatched({ rules }: RunResult): string[] {
  const vain = rules.filter(({ matched }) => matched === 0);
  return vain.map(({ at, name }) => `${at}: this rule never matched${name ? ` (${name})` : ""}`);
}

/** Remarks on rules that were stopped: expectations may hold although these rules did not do all of their work. */
function stopped({ timeline }: RunResult): string[] {
  const places = timeline.filter(({ kind }) => kind === "rule.stopped").map(({ rule }) => rule);
  return [...new Set(places)].map((at) => `${at}: this rule was stopped: it sets itself off without time passing`);
}

/** Remarks on steps that were due and never carried out: expectations may have been met without them. */
function skipped({ timeline }: RunResult): string[] {
  // Several steps may stand in one line.
  const stepOf = ({ rule, action }: RunResult["timeline"][number]) => `${rule} ${action}`;
  const done = new Set(timeline.filter(({ kind }) => kind === "step").map(stepOf));
  const vain = timeline.filter((entry) => entry.kind === "step.skipped" && !done.has(stepOf(entry)));
  return [...new Set(vain.map(({ text }) => text.replace(/^Step |\.$/g, "")))];
}

/** Remarks on a receiver that accepted no webhook, as no expectation need have been about that. */
function undelivered({ timeline }: RunResult, { postbackUrl }: RunManner): string[] {
  const attempts = timeline.filter(({ kind }) => kind === "webhook.failed").length;
  const hasTaken = timeline.some(({ kind }) => kind === "webhook.delivered");
  if (postbackUrl === undefined || hasTaken || attempts === 0) return [];
  const all = attempts === 1 ? "the one attempt" : `all ${attempts} attempts`;
  return [`${postbackUrl} took no webhook: ${all} to deliver one failed`];
}

/** Remarks on an exploration that left out webhooks, as the receiver refused them, if only at first. */
function unvaried({ exploration }: RunResult): string[] {
  const refused = Object.entries(exploration?.refused ?? {}).map(([event, count]) => `${count} ${event}`);
  return refused.length === 0
    ? []
    : [`not varied, as the receiver refused them without any change: ${joined(refused)}`];
}

/** Remarks on expectations of a failing play that say nothing of the receiver. */
function unjudged({ exploration }: RunResult): string[] {
  const texts = exploration?.failure?.unjudged ?? [];
  return texts.map((text) => `not judged, as the changes themselves make it fail: ${text}`);
}

/** Remarks on an exploration that did not check the books: a receiver may accept everything and still credit twice. */
function unverified({ exploration }: RunResult, { isVerified }: RunManner): string[] {
  if (isVerified || exploration?.verdict !== "pass" || exploration.variations === 0) return [];
  return ["the receiver's answers alone were judged; --verify-url lets it say whether its books are right"];
}

/** Remarks on an exploration whose ids a receiver may remember when it is run again, and so judge otherwise. */
function remembered({ exploration }: RunResult, { isReset }: RunManner): string[] {
  if (isReset || exploration === undefined) return [];
  if (exploration.verdict === "pass" && exploration.variations === 0) return [];
  return [
    "another run has the same ids, which a receiver may remember: start it anew before, use --reset-url, or choose a --seed far from this one",
  ];
}

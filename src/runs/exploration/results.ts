/** The result of an exploration, as that of a run: with one more expectation, which reporters treat like any other. */
import { counted } from "../../domain/words/counted.ts";
import type { Bundle } from "../../history/bundle.ts";
import type { RunResult } from "../run.ts";
import type { Plan } from "./changes.ts";
import { documentOf, isAllRules } from "./document.ts";
import { arrivalWords, type Play, refusedIn } from "./play.ts";
import { describePlay, linesOf, listed, type Told } from "./telling.ts";

/** The outcome of an exploration. */
export interface Exploration {
  readonly verdict: "pass" | "fail";
  /** How many variations were played, besides the run without changes. */
  readonly variations: number;
  readonly failure: ExploredFailure | null;
  /**
   * By event, the number of webhooks that were not varied as the receiver refused an attempt in the run without
   * changes; absent if there are none, or if a play failed.
   */
  readonly refused?: Readonly<Record<string, number>>;
}

/** The smallest failing play. */
interface ExploredFailure extends Told {
  /** The number of the variation; 0 for the run without changes. */
  readonly variation: number;
  /** The scenario that reproduces it; null if rules alone cannot. */
  readonly scenario: string | null;
  /** The file of the bundle; null if there is none. */
  readonly bundle: string | null;
  /** Why a smaller failing play may exist; null if there is no such reason. */
  readonly note: string | null;
  /** The seed of that play. */
  readonly seed: number;
  /** The expectations that the changes themselves make fail, with any receiver; absent if there are none. */
  readonly unjudged?: readonly string[];
}

/** A failing play, and why it was not made smaller, if so. */
export interface Failing {
  readonly items: Plan;
  readonly outcome: Play;
  readonly note: string | null;
}

/**
 * The result if no variation failed.
 * @param how how many variations were asked for, and whether the receiver was reset between plays: if not, what it
 * remembers may hide its mistakes.
 */
export function held(plain: Play, played: number, how: { asked: number; reset: boolean }): RunResult {
  const count = played < how.asked ? `all ${ofDelivery(played)} that there are` : ofDelivery(played);
  const caveat = how.reset ? "" : ", the receiver not being reset between them";
  const exploration = { verdict: "pass", variations: played, failure: null, ...refusedByEvent(plain) } as const;
  const detail = "the receiver took every webhook that it took in the run without any change";
  return withExploration(plain.result, exploration, `holds under ${count}${caveat}`, detail);
}

function refusedByEvent(plain: Play): Pick<Exploration, "refused"> {
  const webhooks = new Set(refusedIn(plain).map(({ webhook }) => webhook));
  const byEvent = [...Map.groupBy(webhooks, ({ event }) => event)].map(([event, all]) => [event, all.length] as const);
  return byEvent.length === 0 ? {} : { refused: Object.fromEntries(byEvent) };
}

/** Stores the bundle of a failing play. @returns its file. */
type Keep = (bundle: Bundle, scenario: string) => string;

/**
 * The result if there is no webhook to vary: none that the receiver accepts each time it comes, and that the scenario
 * does not strike. A receiver that took none at all is none to explore.
 */
export function unvaried(plain: Play, keep: Keep): RunResult {
  const refused = refusedIn(plain);
  const hasTaken = plain.arrivals.some(({ taken }) => taken);
  if (refused.length > 0 && !hasTaken) return failedPlainly({ ...plain, faults: refused.map(arrivalWords) }, keep);
  const why = whyUnvaried(plain, refused.length > 0);
  const exploration = { verdict: "pass", variations: 0, failure: null, ...refusedByEvent(plain) } as const;
  return withExploration(plain.result, exploration, `there is no delivery to vary: ${why}`, why);
}

function whyUnvaried({ webhooks }: Play, wasRefused: boolean): string {
  if (webhooks.length === 0) return "no webhook goes to the receiver";
  return wasRefused ? "the receiver refused each at first" : "rules of its own strike every webhook";
}

/** The result if the run without changes fails: changes can then show nothing, and that run is the smallest failure. */
export function failedPlainly({ result, faults, bundle }: Play, keep: Keep): RunResult {
  const kept = bundle && keep(bundle, result.name);
  const { seed } = result;
  const failure = { variation: 0, changes: [], arrivals: [], faults, scenario: null, bundle: kept, note: null, seed };
  const why = [
    "nothing was varied: the run without any change fails already",
    ...listed(faults),
    ...(kept ? [keptWords(kept)] : []),
  ];
  const exploration = { verdict: "fail", variations: 0, failure } as const;
  return withExploration(result, exploration, "holds under variations of delivery", why.join("\n"));
}

/**
 * The result if a variation failed.
 * @param given its number, the name of its scenario, how many were asked for, and what stores its bundle.
 */
export function failed(
  { items: plan, outcome, note }: Failing,
  given: { variation: number; name: string; asked: number; keep: Keep },
): RunResult {
  const { variation, name, asked, keep } = given;
  const { result, bundle, unjudged } = outcome;
  const told = describePlay(plan, outcome);
  const kept = bundle && keep(bundle, result.name);
  const scenario = isAllRules(plan) ? documentOf(plan, name).text : null;
  const detail = [
    `variation ${variation} fails; ${note ?? "the smallest that does:"}`,
    ...linesOf(told),
    ...(kept ? [keptWords(kept)] : []),
    ...(scenario ? [reproducedBy(result.seed), ...indented(scenario)] : []),
  ];
  const broken = unjudged.length === 0 ? {} : { unjudged: unjudged.map(({ text }) => text) };
  const failure = { variation, ...told, scenario, bundle: kept, note, seed: result.seed, ...broken };
  const exploration = { verdict: "fail", variations: variation, failure } as const;
  return withExploration(result, exploration, `holds under ${ofDelivery(asked)}`, detail.join("\n"));
}

function reproducedBy(seed: number): string {
  // Beneath all others, as it was here: named after one, its rules would come before the rules of that.
  return `as a scenario, for another one to name first under "with" and run with --seed ${seed}:`;
}

function keptWords(file: string): string {
  return `kept as ${file}, for payments-sandbox replay`;
}

function withExploration(result: RunResult, exploration: Exploration, text: string, detail: string): RunResult {
  const { verdict } = exploration;
  const expectations = [...result.expectations, { at: result.file, text, verdict, detail }];
  return { ...result, verdict, expectations, exploration };
}

function ofDelivery(count: number): string {
  return `${counted(count, "variation")} of delivery`;
}

function indented(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => `  ${line}`);
}

/** Plays a scenario against a receiver, and finds what fails. */
import { UserError } from "../../domain/user-error.ts";
import { type Bundle, exportBundle } from "../../history/bundle.ts";
import type { LiveWorld } from "../../host/live-world.ts";
import type { FoundScenario } from "../../host/scenario-texts.ts";
import { INBOX_ANSWER } from "../../webhooks/attempts.ts";
import type { Send } from "../../webhooks/delivery.ts";
import { type JudgedExpectation, type RunOptions, type RunResult, runScenario } from "../run.ts";
import type { Plan } from "./changes.ts";
import { documentOf } from "./document.ts";
import { type Arrival, answerWords, type SeenWebhook, Witness } from "./witness.ts";

/** The receiver, with optional hooks; each hook resolves to null, or to one sentence that says what is wrong. */
export interface ReceiverSide {
  /** The destination of webhooks. */
  readonly url: string;
  /** Makes the receiver forget earlier plays. */
  readonly reset: (() => Promise<string | null>) | null;
  /** Checks the receiver's books. */
  readonly verify: (() => Promise<string | null>) | null;
}

/** The outcome of a play. */
export interface Play {
  readonly result: RunResult;
  readonly webhooks: readonly SeenWebhook[];
  readonly arrivals: readonly Arrival[];
  /** What failed, a sentence each; empty if nothing did. */
  readonly faults: readonly string[];
  /** The expectations that the changes make fail with any receiver; they are not among those of the result. */
  readonly unjudged: readonly JudgedExpectation[];
  /** The bundle if something failed or, in the play without changes, the receiver refused a webhook; else null. */
  readonly bundle: Bundle | null;
}

/** The receiver could not be reset, or its books could not be checked. */
export class ExplorationError extends UserError {
  override readonly name = "ExplorationError";
}

/** What a receiver did wrong by its answers, a sentence each. */
type Judge = (witness: Witness, live: LiveWorld) => string[];

/** Answers every webhook as a receiver should. */
const ideal: Send = async () => INBOX_ANSWER;

/** Plays a scenario over and over, each time in a fresh world. */
export class Plays {
  readonly #source: FoundScenario;
  readonly #options: RunOptions;
  readonly #receiver: ReceiverSide;
  #seed: number | undefined;
  /** How many plays have begun. */
  count = 0;

  constructor(source: FoundScenario, options: RunOptions, receiver: ReceiverSide) {
    this.#source = source;
    this.#options = options;
    this.#receiver = receiver;
    this.#seed = options.seed;
  }

  /** Plays without changes: no webhook to the receiver may be given up. */
  async plain(): Promise<Play> {
    const play = await this.#play([], "", givenUp);
    this.#seed ??= play.result.seed;
    return play;
  }

  /**
   * Plays with changes.
   * @param name the name of the plan's scenario.
   * @param plain the play without changes: webhooks that the receiver accepted then must be accepted now.
   * @throws {ExplorationError} if the receiver could not be reset.
   */
  varied(plan: Plan, name: string, plain: Play): Promise<Play> {
    return this.#play(plan, name, (witness) => refusals(witness.arrivals, plain.arrivals));
  }

  async #play(plan: Plan, name: string, judge: Judge): Promise<Play> {
    const fault = await this.#receiver.reset?.();
    if (fault) throw new ExplorationError(`The receiver could not be reset: ${fault}.`);
    const document = plan.length === 0 ? null : documentOf(plan, name);
    const options = { ...this.#options, seed: this.#nextSeed(), beneath: document ? [document] : [] };
    const another = () => new Witness(this.#receiver.url, plan, document?.file ?? null);
    const witness = another();
    const found: { faults: string[]; bundle: Bundle | null } = { faults: [], bundle: null };
    const begun = (live: LiveWorld) => witness.begin(live);
    const ended = async (live: LiveWorld, { verdict }: Pick<RunResult, "verdict">) => {
      const verified = await this.#receiver.verify?.();
      found.faults = [...judge(witness, live), ...(verified ? [`${verified}.`] : [])];
      const isRefused = plan.length === 0 && witness.arrivals.some(({ taken }) => !taken);
      if (verdict === "fail" || found.faults.length > 0 || isRefused) found.bundle = exportBundle(live.world);
    };
    const send = witness.sending(this.#options.send);
    const result = await runScenario(this.#source, { ...options, send, onWorld: { begun, ended } });
    const unjudged = plan.length === 0 ? [] : await this.#brokenAnyhow(result, another(), options);
    const expectations = result.expectations.filter((one) => !unjudged.includes(one));
    const faults = [...expectations.filter(isFailure).map(failureWords), ...found.faults];
    const { webhooks, arrivals } = witness;
    const bundle = faults.length > 0 || plan.length === 0 ? found.bundle : null;
    return { result: { ...result, expectations }, webhooks, arrivals, faults, unjudged, bundle };
  }

  /**
   * The seed of the next play. If the receiver cannot be reset, each play has its own, as the receiver would take known
   * ids for repeats; otherwise the seed, and so the world, stays the same.
   */
  #nextSeed(): number | undefined {
    const further = this.#receiver.reset === null ? this.count : 0;
    this.count++;
    return this.#seed === undefined ? undefined : seedFrom(this.#seed, further);
  }

  /** The expectations that the changes make fail even with an ideal receiver. */
  async #brokenAnyhow({ expectations, seed }: RunResult, witness: Witness, options: RunOptions) {
    if (!expectations.some(isFailure)) return [];
    const onWorld = { begun: (live: LiveWorld) => witness.begin(live) };
    const played = await runScenario(this.#source, { ...options, seed, send: witness.sending(ideal), onWorld });
    const anyhow = new Set(played.expectations.filter(isFailure).map(({ at, text }) => `${at} ${text}`));
    return expectations.filter((one) => isFailure(one) && anyhow.has(`${one.at} ${one.text}`));
  }
}

/** The seed that is so many further on; the one behind the greatest is 0. */
function seedFrom(seed: number, further: number): number {
  // Not by a sum of both: beyond the greatest, numbers are not exact.
  const beyond = further - (Number.MAX_SAFE_INTEGER - seed);
  return beyond > 0 ? beyond - 1 : seed + further;
}

/** Webhooks that were given up. That is the receiver's doing: a rule makes at most the first attempt fail. */
function givenUp({ webhooks, arrivals }: Witness, { world }: LiveWorld): string[] {
  const lost = webhooks.filter(({ webhook_id }) => world.webhooks.get(webhook_id)?.status === "exhausted");
  return lost.flatMap((webhook) => {
    const last = arrivals.findLast((arrival) => arrival.webhook === webhook);
    return last ? [`${webhook.event} ${webhook.webhook_id} was given up: the last attempt ${answerWords(last)}.`] : [];
  });
}

/** Webhooks that the receiver refused, though it accepted them in the play without changes. */
function refusals(arrivals: readonly Arrival[], before: readonly Arrival[]): string[] {
  const taken = takenBy(before);
  const isOurs = ({ target, key }: SeenWebhook) => target !== null && taken.has(key);
  const refused = arrivals.filter((arrival) => !arrival.taken && isOurs(arrival.webhook));
  const byWebhook = [...Map.groupBy(refused, ({ webhook }) => webhook).values()];
  return byWebhook.flatMap(([first]) => (first ? [arrivalWords(first)] : []));
}

/** How the receiver answered a webhook, in a sentence. */
export function arrivalWords(arrival: Arrival): string {
  const { event, webhook_id } = arrival.webhook;
  return `${event} ${webhook_id} ${answerWords(arrival)}.`;
}

/** Attempts that the receiver refused and should have taken. */
export function refusedIn({ arrivals }: Play): readonly Arrival[] {
  return arrivals.filter(({ taken, forged }) => !taken && !forged);
}

/** Keys of the webhooks that can be varied and that the receiver accepted each time they came. */
export function takenBy(arrivals: readonly Arrival[]): ReadonlySet<string> {
  const keyOf = ({ webhook }: Arrival) => webhook.key;
  const refused = new Set(arrivals.filter(({ taken }) => !taken).map(keyOf));
  const ours = arrivals.filter(({ webhook }) => webhook.target !== null);
  return new Set(ours.map(keyOf).filter((key) => !refused.has(key)));
}

function isFailure({ verdict }: JudgedExpectation): boolean {
  return verdict === "fail";
}

function failureWords({ at, text, detail }: JudgedExpectation): string {
  return `${text}: ${detail}${at === "" ? "" : ` (${at})`}.`;
}

/** Plays of one scenario against a receiver, and what fails in them. */
import { type Bundle, exportBundle } from "../../history/bundle.ts";
import type { LiveWorld } from "../../host/live-world.ts";
import type { FoundScenario } from "../../host/scenario-sources.ts";
import { INBOX_ANSWER } from "../../webhooks/attempts.ts";
import type { Send } from "../../webhooks/delivery.ts";
import { type JudgedExpectation, type RunOptions, type RunResult, runScenario } from "../run.ts";
import { type Plan, targetKey } from "./changes.ts";
import { documentOf } from "./document.ts";
import { type Arrival, answerWords, type SeenWebhook, Witness } from "./witness.ts";

/** What the receiver's owner offers beside it; each gives null, or one sentence on what is wrong. */
export interface ReceiverSide {
  /** Where webhooks go. */
  readonly url: string;
  /** Makes the receiver forget what came before. */
  readonly reset: (() => Promise<string | null>) | null;
  /** Looks whether its books are right. */
  readonly verify: (() => Promise<string | null>) | null;
}

/** What came of a play. */
export interface Play {
  readonly result: RunResult;
  readonly webhooks: readonly SeenWebhook[];
  readonly arrivals: readonly Arrival[];
  /** What failed, a sentence each; none where all held. */
  readonly faults: readonly string[];
  /** Null where all held; of a play without any change, where the receiver took all webhooks too. */
  readonly bundle: Bundle | null;
}

/** A receiver that could not be made to forget, or whose books nobody shows. */
export class ExplorationError extends Error {
  override readonly name = "ExplorationError";
}

/** Answers every webhook as a receiver should. */
const ideal: Send = async () => INBOX_ANSWER;

/** Plays a scenario over and over, each time in a fresh world. */
export class Plays {
  readonly #source: FoundScenario;
  readonly #options: RunOptions;
  readonly #receiver: ReceiverSide;
  #seed: number | undefined;
  /** Plays so far. */
  count = 0;

  constructor(source: FoundScenario, options: RunOptions, receiver: ReceiverSide) {
    this.#source = source;
    this.#options = options;
    this.#receiver = receiver;
    this.#seed = options.seed;
  }

  /** Plays without any change. */
  async plain(): Promise<Play> {
    const play = await this.#play([], "", () => []);
    this.#seed ??= play.result.seed;
    return play;
  }

  /**
   * Plays with changes.
   * @param plain what the receiver took then, it is to take now.
   * @param name of the plan's scenario.
   * @throws {ExplorationError} where the receiver could not be reset.
   */
  varied(plan: Plan, name: string, plain: Play): Promise<Play> {
    return this.#play(plan, name, (witness) => refusals(witness.arrivals, plain.arrivals));
  }

  async #play(plan: Plan, name: string, judge: (witness: Witness) => string[]): Promise<Play> {
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
      found.faults = [...judge(witness), ...(verified ? [`${verified}.`] : [])];
      const isRefused = plan.length === 0 && witness.arrivals.some(({ taken }) => !taken);
      if (verdict === "fail" || found.faults.length > 0 || isRefused) found.bundle = exportBundle(live.world);
    };
    const send = witness.sending(this.#options.send);
    const result = await runScenario(this.#source, { ...options, send, onWorld: { begun, ended } });
    const expectations =
      plan.length === 0 ? result.expectations : await this.#ofTheReceiver(result, another(), options);
    const faults = [...expectations.filter(isFailure).map(failureWords), ...found.faults];
    const { webhooks, arrivals } = witness;
    const bundle = faults.length > 0 || plan.length === 0 ? found.bundle : null;
    return { result: { ...result, expectations }, webhooks, arrivals, faults, bundle };
  }

  /**
   * Without a reset no id comes twice: a receiver that remembers would take all of it for repeats. With one, the same
   * world is played over and over.
   */
  #nextSeed(): number | undefined {
    const further = this.#receiver.reset === null ? this.count : 0;
    this.count++;
    return this.#seed === undefined ? undefined : (this.#seed + further) % Number.MAX_SAFE_INTEGER;
  }

  /** The expectations but those that changes make fail by themselves, whatever the receiver is. */
  async #ofTheReceiver({ expectations, seed }: RunResult, witness: Witness, options: RunOptions) {
    if (!expectations.some(isFailure)) return expectations;
    const onWorld = { begun: (live: LiveWorld) => witness.begin(live) };
    const played = await runScenario(this.#source, { ...options, seed, send: witness.sending(ideal), onWorld });
    const anyhow = new Set(played.expectations.filter(isFailure).map(({ at, text }) => `${at} ${text}`));
    return expectations.filter((one) => !isFailure(one) || !anyhow.has(`${one.at} ${one.text}`));
  }
}

/** Webhooks that the receiver did not take, though it took the like of them before. */
function refusals(arrivals: readonly Arrival[], before: readonly Arrival[]): string[] {
  const taken = takenBy(before);
  const refused = arrivals.filter((arrival) => !arrival.taken && taken.has(keyOf(arrival)));
  const byWebhook = [...Map.groupBy(refused, keyOf).values()];
  return byWebhook.flatMap(([first]) => (first ? [arrivalWords(first)] : []));
}

/** How the receiver answered, in a sentence. */
export function arrivalWords(arrival: Arrival): string {
  const { event, webhook_id } = arrival.webhook;
  return `${event} ${webhook_id} ${answerWords(arrival)}.`;
}

/** The webhooks of ours that the receiver took whenever they came. */
export function takenBy(arrivals: readonly Arrival[]): ReadonlySet<string> {
  const refused = new Set(arrivals.filter(({ taken }) => !taken).map(keyOf));
  const ours = arrivals.filter(({ webhook }) => webhook.target !== null);
  return new Set(ours.map(keyOf).filter((key) => !refused.has(key)));
}

function keyOf({ webhook: { target } }: Arrival): string {
  return target === null ? "" : targetKey(target);
}

function isFailure({ verdict }: JudgedExpectation): boolean {
  return verdict === "fail";
}

function failureWords({ at, text, detail }: JudgedExpectation): string {
  return `${text}: ${detail}${at === "" ? "" : ` (${at})`}.`;
}

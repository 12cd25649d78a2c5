/**
 * Explores how a receiver copes with what networks do to webhooks: plays the same scenario in fresh worlds, with
 * webhooks repeated, late and out of order, and with answers lost. A failure is shrunk, described and stored as a
 * bundle (interface, section 5).
 */
import type { Bundle } from "../history/bundle.ts";
import type { FoundScenario } from "../host/scenario-texts.ts";
import { withBeneath } from "../host/scenarios-beneath.ts";
import { loadScenario } from "../scenarios/loader.ts";
import type { Instant } from "../world/instants.ts";
import { type Change, changesOf, type Plan, simplerThan, targetKey } from "./exploration/changes.ts";
import { Plans } from "./exploration/plans.ts";
import { ExplorationError, type Play, Plays, type ReceiverSide, takenBy } from "./exploration/play.ts";
import { type Failing, failed, failedPlainly, held, unvaried } from "./exploration/results.ts";
import { smallest } from "./exploration/smallest.ts";
import type { RunOptions, RunResult } from "./run.ts";

/** How a scenario is explored. */
export interface ExploreOptions extends RunOptions {
  /** The most variations; fewer are played if there are no more. */
  readonly variations: number;
  readonly receiver: ReceiverSide;
  /** Stores the bundle of the smallest failing play. @returns its file. */
  readonly keep: (bundle: Bundle, scenario: string) => string;
  /** Called before each varied play. */
  readonly onPlay?: ((progress: { variation: number; play: number; shrinking: boolean }) => void) | undefined;
}

/** The possible changes of each webhook, by the key of its target, in order. */
type Choices = ReadonlyMap<string, readonly Change[]>;

/**
 * Explores one scenario. The timeline and expectations are those of the smallest failing play, or else of the run
 * without changes, with one more expectation for the exploration itself.
 * @throws {ExplorationError} if the receiver cannot be reset. @throws {ScenarioError} @throws {CreationError}
 */
export async function exploreScenario(source: FoundScenario, options: ExploreOptions): Promise<RunResult> {
  const plays = new Plays(source, options, options.receiver);
  const plain = await plays.plain();
  if (plain.faults.length > 0) return failedPlainly(plain, options.keep);
  const choices = choicesIn(plain);
  if (choices.size === 0) return unvaried(plain, options.keep);
  return new Explorer(plays, plain, choices, freeName(source), options).explore();
}

class Explorer {
  readonly #plays: Plays;
  readonly #plain: Play;
  readonly #choices: Choices;
  readonly #name: string;
  readonly #options: ExploreOptions;

  constructor(plays: Plays, plain: Play, choices: Choices, name: string, options: ExploreOptions) {
    this.#plays = plays;
    this.#plain = plain;
    this.#choices = choices;
    this.#name = name;
    this.#options = options;
  }

  async explore(): Promise<RunResult> {
    const { variations: asked, keep, receiver } = this.#options;
    const how = { asked, reset: receiver.reset !== null };
    const plans = new Plans(this.#plain.result.seed, [...this.#choices.values()]);
    for (let variation = 1; variation <= asked; variation++) {
      const plan = plans.draw(variation);
      if (plan === null) return held(this.#plain, variation - 1, how);
      const outcome = await this.#play(plan, variation, false);
      if (outcome.faults.length === 0) continue;
      const failing = await this.#makeSmaller({ items: plan, outcome, note: null }, variation);
      return failed(failing, { variation, name: this.#nameOf(variation), asked, keep });
    }
    return held(this.#plain, asked, how);
  }

  #play(plan: Plan, variation: number, shrinking: boolean): Promise<Play> {
    this.#options.onPlay?.({ variation, play: this.#plays.count + 1, shrinking });
    return this.#plays.varied(plan, this.#nameOf(variation), this.#plain);
  }

  /** Shrinks a failure; keeps what was found if the receiver goes away meanwhile, or stays in a wrong state. */
  async #makeSmaller(failing: Failing, variation: number): Promise<Failing> {
    let best = failing;
    try {
      const [fault] = (await this.#plays.plain()).faults;
      if (fault)
        return { ...failing, note: `now the run without any change fails too, so it was not made smaller: ${fault}` };
      await smallest(failing, simplerAmong(this.#choices), async (plan) => {
        const outcome = await this.#play(plan, variation, true);
        if (outcome.faults.length === 0) return null;
        best = { items: plan, outcome, note: null };
        return outcome;
      });
      return best;
    } catch (error) {
      if (!(error instanceof ExplorationError)) throw error;
      return { ...best, note: `it was not made smaller any further: ${error.message}` };
    }
  }

  #nameOf(variation: number): string {
    return `${this.#name}-${variation}`;
  }
}

function choicesIn({ webhooks, arrivals }: Play): Choices {
  const taken = takenBy(arrivals);
  const choices = new Map<string, readonly Change[]>();
  for (const [index, { target, at }] of webhooks.entries()) {
    if (target === null || !taken.has(targetKey(target))) continue;
    choices.set(targetKey(target), changesOf(target, at, instantsFrom(webhooks, index + 1)));
  }
  return choices;
}

function* instantsFrom(webhooks: Play["webhooks"], first: number): Generator<Instant> {
  for (let index = first; index < webhooks.length; index++) yield webhooks[index]?.at ?? 0;
}

function simplerAmong(choices: Choices): (change: Change) => Change[] {
  return (change) => simplerThan(change, choices.get(targetKey(change.target)) ?? []);
}

/** A prefix for the names of plans' scenarios with which no explored scenario's name begins. */
function freeName(source: FoundScenario): string {
  const names = withBeneath([source]).map(({ text, file }) => loadScenario(text, file).content.scenario);
  let name = "exploration";
  while (names.some((taken) => taken.startsWith(name))) name = `another-${name}`;
  return name;
}

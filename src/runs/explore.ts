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

/** Why a failing play is not made smaller where each play has a seed of its own. */
const DRAWN_ANEW = "its rules draw by chance, anew in each play without --reset-url, so it was not made smaller:";

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
  const found = { plain, choices, ...factsOf(source) };
  return new Explorer(plays, found, options).explore();
}

/** What an exploration begins with. */
interface Found {
  /** The play without changes. */
  readonly plain: Play;
  readonly choices: Choices;
  /** A prefix for the names of plans' scenarios with which no explored scenario's name begins. */
  readonly name: string;
  /** Whether rules draw by chance: plays of different seeds are then different stories. */
  readonly hasChance: boolean;
}

class Explorer {
  readonly #plays: Plays;
  readonly #found: Found;
  readonly #options: ExploreOptions;

  constructor(plays: Plays, found: Found, options: ExploreOptions) {
    this.#plays = plays;
    this.#found = found;
    this.#options = options;
  }

  async explore(): Promise<RunResult> {
    const { variations: asked, keep, receiver } = this.#options;
    const { plain, choices } = this.#found;
    const how = { asked, reset: receiver.reset !== null };
    const plans = new Plans(plain.result.seed, [...choices.values()]);
    for (let variation = 1; variation <= asked; variation++) {
      const plan = plans.draw(variation);
      if (plan === null) return held(plain, variation - 1, how);
      const outcome = await this.#play(plan, variation, false);
      if (outcome.faults.length === 0) continue;
      const failing = await this.#makeSmaller({ items: plan, outcome, note: null }, variation);
      return failed(failing, { variation, name: this.#nameOf(variation), asked, keep });
    }
    return held(plain, asked, how);
  }

  #play(plan: Plan, variation: number, shrinking: boolean): Promise<Play> {
    this.#options.onPlay?.({ variation, play: this.#plays.count + 1, shrinking });
    return this.#plays.varied(plan, this.#nameOf(variation), this.#found.plain);
  }

  /** Shrinks a failure; keeps what was found if the receiver goes away meanwhile, or stays in a wrong state. */
  async #makeSmaller(failing: Failing, variation: number): Promise<Failing> {
    if (this.#found.hasChance && this.#options.receiver.reset === null) return { ...failing, note: DRAWN_ANEW };
    let best = failing;
    try {
      const [fault] = (await this.#plays.plain()).faults;
      if (fault)
        return { ...failing, note: `now the run without any change fails too, so it was not made smaller: ${fault}` };
      await smallest(failing, simplerAmong(this.#found.choices), async (plan) => {
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
    return `${this.#found.name}-${variation}`;
  }
}

function choicesIn({ webhooks, arrivals }: Play): Choices {
  const taken = takenBy(arrivals);
  const choices = new Map<string, readonly Change[]>();
  for (const [index, { target, key, at }] of webhooks.entries()) {
    if (target === null || !taken.has(key)) continue;
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

function factsOf(source: FoundScenario): Pick<Found, "name" | "hasChance"> {
  const contents = withBeneath([source]).map(({ text, file }) => loadScenario(text, file).content);
  let name = "exploration";
  while (contents.some(({ scenario }) => scenario.startsWith(name))) name = `another-${name}`;
  const hasChance = contents.some(({ rules = [] }) => rules.some(({ chance }) => chance !== undefined));
  return { name, hasChance };
}

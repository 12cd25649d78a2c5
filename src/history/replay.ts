/**
 * Replays a bundle: makes its world anew, repeats every operation from outside in its turn, and runs the timers that
 * ran between them. The resulting journal is compared with that of the bundle.
 */
import type { AttemptError } from "../domain/attempt-error-kinds.ts";
import { sentence } from "../domain/words/near-name.ts";
import { messageOf } from "../domain/words/thrown.ts";
import { createWorld, keepSpec } from "../host/creation.ts";
import { firstReason } from "../host/kept-worlds.ts";
import { LiveWorld } from "../host/live-world.ts";
import { laterTurn } from "../runtime.ts";
import { Database } from "../store/database.ts";
import { MetaStore } from "../store/meta.ts";
import { attemptAt } from "../webhooks/attempts.ts";
import type { Instant } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import {
  type Bundle,
  type BundledEntry,
  BundleError,
  type BundleInput,
  bundledEntry,
  bytesIn,
  type InputOf,
} from "./bundle.ts";

/** How to repeat calls from outside. Callers of {@link replay} provide this, as the code here knows no HTTP. */
export interface Players {
  readonly request: (live: LiveWorld, input: InputOf<"request">) => void | Promise<void>;
  readonly control: (live: LiveWorld, input: InputOf<"control">) => void;
}

/** Where a replay first differs from the history; an entry is null if that side does not have it. */
export interface Difference {
  readonly sequence: number;
  readonly expected: BundledEntry | null;
  readonly actual: BundledEntry | null;
  /** What could not be done, if that is the reason; else null. */
  readonly reason: string | null;
}

/** The outcome of a replay. */
export interface ReplayOutcome {
  readonly identical: boolean;
  /** How many entries were the same. */
  readonly entries: number;
  readonly difference: Difference | null;
  /** The version of the program that the bundle was made by. */
  readonly made_by: string;
}

/** The outcome of a replay, and its world. */
interface ReplayResult {
  readonly outcome: ReplayOutcome;
  /** The world, as far as the replay got. */
  readonly bytes: Buffer;
}

/** How many operations are done before other work of the process gets a turn. */
const STRETCH = 128;

class Differs extends Error {
  readonly difference: Difference;

  constructor(difference: Difference) {
    super(`The replay differs at entry ${difference.sequence}.`);
    this.difference = difference;
  }
}

/** Replays a bundle. @throws {BundleError} if its world cannot be made. */
export async function replay(bundle: Bundle, players: Players): Promise<ReplayResult> {
  const database = Database.oneOfMany();
  try {
    const live = await begin(database, bundle);
    const run = new Run(live, bundle, players);
    const difference = await run.play();
    comeToRest(live.world, difference === null ? bundle.now : live.world.clock.now());
    const { made_by } = bundle;
    const outcome = { identical: difference === null, entries: run.compared, difference, made_by };
    return { outcome, bytes: database.serialize() };
  } finally {
    database.close();
  }
}

/** Makes the world as it began, except that neither its clock nor its timers go on by themselves. */
async function begin(database: Database, { world }: Bundle): Promise<LiveWorld> {
  try {
    createWorld(database, { ...world, clock: { ...world.clock, mode: "frozen" } });
  } catch (error) {
    throw new BundleError(sentence(`The world of this bundle cannot be made: ${firstReason(error)}`));
  }
  keepSpec(new MetaStore(database), world);
  const live = new LiveWorld(database, { send: null, concurrency: 1, onFault: () => {} });
  await live.runner.close();
  live.world.clock.hold();
  return live;
}

class Run {
  readonly #live: LiveWorld;
  readonly #bundle: Bundle;
  readonly #players: Players;
  /** How many entries have been found the same so far. */
  compared = 0;

  constructor(live: LiveWorld, bundle: Bundle, players: Players) {
    this.#live = live;
    this.#bundle = bundle;
    this.#players = players;
  }

  async play(): Promise<Difference | null> {
    try {
      this.#compare();
      for (const input of this.#bundle.inputs) {
        await this.#runTimersUntil(input.ordinal - 1);
        await this.#apply(input);
      }
      await this.#runTimersUntil(this.#bundle.operations);
      this.#compareEnds();
      return null;
    } catch (error) {
      if (error instanceof Differs) return error.difference;
      return this.#differs(messageOf(error)).difference;
    }
  }

  async #runTimersUntil(ordinal: number): Promise<void> {
    const { world, runner, delivery } = this.#live;
    while (world.operations < ordinal) {
      const timer = world.timers.firstBut(delivery.kind);
      if (!timer || timer.due > this.#bundle.now) throw this.#differs("a timer ran here, and there is none now");
      runner.runAgain(timer, false);
      this.#compare();
      await this.#giveWay();
    }
  }

  async #apply(input: BundleInput): Promise<void> {
    const { world } = this.#live;
    if (world.operations !== input.ordinal - 1) throw this.#differs("more came of what was before");
    world.clock.reach(input.at);
    await this.#perform(input);
    if (world.operations !== input.ordinal) throw this.#differs(`the ${input.kind} came to nothing`);
    this.#compare();
    await this.#giveWay();
  }

  /** Gives other work of the process a turn, once in a while. */
  async #giveWay(): Promise<void> {
    if (this.#live.world.operations % STRETCH === 0) await laterTurn();
  }

  #perform(input: BundleInput): void | Promise<void> {
    if (input.kind === "request") return this.#players.request(this.#live, input);
    if (input.kind === "control") return this.#players.control(this.#live, input);
    if (input.kind === "dispatch") return this.#dispatch(input);
    if (input.kind === "landing") return this.#land(input);
    if (input.kind === "timer") return this.#runEarly(input);
    if (input.kind === "rest") return comeToRest(this.#live.world, input.at);
    return this.#live.delivery.recover();
  }

  #dispatch({ due, sequence, at }: InputOf<"dispatch">): void {
    const timer = this.#live.world.timers.get(due, sequence);
    if (!timer) throw this.#differs("a webhook was sent here that waits no longer");
    this.#live.delivery.dispatch(timer, at);
  }

  #runEarly({ due, sequence }: InputOf<"timer">): void {
    const timer = this.#live.world.timers.get(due, sequence);
    if (!timer) throw this.#differs("a timer ran here that waits no longer");
    this.#live.runner.runAgain(timer, true);
  }

  #land({ attempt: position, ...answer }: InputOf<"landing">): void {
    const attempt = attemptAt(this.#live.world, position);
    if (!attempt) throw this.#differs("a receiver answered here to what was not sent");
    // A bundle of another version may have a kind of its own, which shows in its journal entry alone.
    const error = answer.error as AttemptError | null;
    const response_body = bytesIn(answer.response_body);
    this.#live.delivery.land(attempt, { ...answer, error, response_body, duration_ms: 0 });
  }

  /** Compares the new journal entries with those of the bundle. */
  #compare(): void {
    for (const entry of this.#live.world.journal.after(this.compared, Number.MAX_SAFE_INTEGER)) {
      const expected = this.#bundle.journal[this.compared] ?? null;
      const actual = bundledEntry(entry);
      if (JSON.stringify(expected) !== JSON.stringify(actual)) throw this.#differsAs(expected, actual, null);
      this.compared++;
    }
  }

  #compareEnds(): void {
    const expected = this.#bundle.journal[this.compared];
    if (expected) throw this.#differsAs(expected, null, null);
  }

  #differs(reason: string): Differs {
    return this.#differsAs(this.#bundle.journal[this.compared] ?? null, null, reason);
  }

  #differsAs(expected: BundledEntry | null, actual: BundledEntry | null, reason: string | null): Differs {
    return new Differs({ sequence: this.compared + 1, expected, actual, reason });
  }
}

/** Freezes the world where the history ends, and redirects its webhooks to its own inbox. */
function comeToRest(world: World, now: Instant): void {
  world.clock.reach(now);
  world.operate((operation) => {
    operation.keepInput("rest", {});
    world.clock.change("frozen", world.clock.speed);
    world.webhooks.redirectToInbox();
    world.accounts.redirectToInbox();
    world.transactions.redirectToInbox();
  });
}

/** Makes the bytes of fresh worlds. */
import { Database } from "../store/database.ts";
import { createWorld, type ScenarioSource, type WorldSpec } from "./creation.ts";

/** How many results are cached: test suites make the same few worlds over and over. */
const MOST_REMEMBERED = 8;

/** The bytes of a world, and everything that determined them, except its id. */
interface Made {
  /** The spec as JSON, without the scenarios: these are long, and identical strings compare at once. */
  readonly key: string;
  readonly scenarios: readonly ScenarioSource[];
  readonly bytes: Buffer;
}

/** Makes all worlds on one store, whose statements are prepared once, as worlds are made by the hundred. */
export class WorldMaker {
  /** The one used last comes last. */
  #remembered: readonly Made[] = [];
  #store: Database | null = null;

  /**
   * The bytes of a fresh world, whose id is still to be set. They are shared, and must not be changed.
   * @throws {CreationError} @throws {ScenarioError}
   */
  make(spec: WorldSpec): Buffer {
    const { id, scenarios, ...others } = spec;
    const key = JSON.stringify(others);
    const known = this.#remembered.find((made) => made.key === key && areSame(made.scenarios, scenarios));
    const made = known ?? { key, scenarios, bytes: this.#made(spec) };
    this.#remembered = [...this.#remembered.filter((other) => other !== known).slice(1 - MOST_REMEMBERED), made];
    return made.bytes;
  }

  #made(spec: WorldSpec): Buffer {
    this.#store ??= Database.inMemory();
    const store = this.#store;
    return store.sample(() => createWorld(store, spec));
  }
}

function areSame(some: readonly ScenarioSource[], others: readonly ScenarioSource[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ file, text }, index) => file === others[index]?.file && text === others[index]?.text)
  );
}

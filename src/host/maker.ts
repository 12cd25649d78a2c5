/** Makes what fresh worlds are. */
import { Database } from "../store/database.ts";
import { createWorld, type ScenarioSource, type WorldSpec } from "./creation.ts";

/** As many are remembered: suites make the same few worlds over and over. */
const MOST_REMEMBERED = 8;

/** What was made, and all that it followed from but its id. */
interface Made {
  /** As JSON, without the scenarios: they are long, and texts that are the very same as before are compared at once. */
  readonly key: string;
  readonly scenarios: readonly ScenarioSource[];
  readonly bytes: Buffer;
}

/** All on one store, whose statements are prepared once: worlds are made by the hundred, and then mostly rest. */
export class WorldMaker {
  /** The one used last comes last. */
  #remembered: readonly Made[] = [];
  #store: Database | null = null;

  /**
   * The bytes of a fresh world, which is still to be given its id. Not to be changed.
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

/** Makes what fresh worlds are. */
import { Database } from "../store/database.ts";
import { createWorld, type WorldSpec } from "./creation.ts";

/** As many are remembered: suites make the same few worlds over and over. */
const MOST_REMEMBERED = 8;

/** All on one store, whose statements are prepared once: worlds are made by the hundred, and then mostly rest. */
export class WorldMaker {
  readonly #remembered = new Map<string, Buffer>();
  #store: Database | null = null;

  /**
   * The bytes of a fresh world, which is still to be given its id. Not to be changed.
   * @throws {CreationError} @throws {ScenarioError}
   */
  make(spec: WorldSpec): Buffer {
    const key = JSON.stringify({ ...spec, id: null });
    const known = this.#remembered.get(key);
    if (known) return known;
    const bytes = this.#made(spec);
    if (this.#remembered.size === MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, bytes);
    return bytes;
  }

  #made(spec: WorldSpec): Buffer {
    this.#store ??= Database.inMemory();
    const store = this.#store;
    return store.sample(() => createWorld(store, spec));
  }
}

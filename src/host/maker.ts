/** Makes what fresh worlds are. */
import { Database, PAGE_BYTES } from "../store/database.ts";
import { MetaStore } from "../store/meta.ts";
import { createWorld, type WorldSpec } from "./creation.ts";

/** What a world's own database keeps of its time to live. */
export const TTL_KEY = "ttl";

/** All on one store, whose statements are prepared once: worlds are made by the hundred, and then mostly rest. */
export class WorldMaker {
  readonly #pageBytes: number;
  #store: Database | null = null;

  /** @param isForFiles whether the worlds go into files. */
  constructor(isForFiles: boolean) {
    this.#pageBytes = isForFiles ? PAGE_BYTES.file : PAGE_BYTES.memory;
  }

  /**
   * The bytes of a fresh world.
   * @throws {CreationError} @throws {ScenarioError} @throws {FixtureError}
   */
  make(spec: WorldSpec, ttlMs: number | null = null): Buffer {
    const store = this.#store ?? Database.inMemory(this.#pageBytes);
    this.#store = store;
    return store.sample(() => {
      createWorld(store, spec);
      new MetaStore(store).set(TTL_KEY, ttlMs);
    });
  }
}

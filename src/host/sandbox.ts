/** The worlds of a process: made, found, forked, reset and deleted; kept in files where there is a data folder. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Database, StoreError } from "../store/database.ts";
import { MetaStore } from "../store/meta.ts";
import type { WorldIdentity } from "../world/world.ts";
import { createWorld, type WorldSpec } from "./creation.ts";
import { LiveWorld, type Surroundings } from "./live-world.ts";

/** The world at the root of the address space. */
export const DEFAULT_WORLD = "default";

/** Ids of worlds and names of snapshots (interface, section 4). */
export const WORLD_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** A world that cannot be made, because its id is taken or its origin is being advanced. */
export class WorldConflict extends Error {
  override readonly name = "WorldConflict";
  readonly code: "WORLD_EXISTS" | "WORLD_BUSY";

  constructor(code: "WORLD_EXISTS" | "WORLD_BUSY", message: string) {
    super(message);
    this.code = code;
  }
}

const WORLD_FILE = /^([a-z0-9][a-z0-9-]{0,62})\.db$/;
const ORIGIN_KEY = "origin";

export class Sandbox {
  readonly #surroundings: Surroundings;
  readonly #folder: string | null;
  readonly #worlds = new Map<string, LiveWorld>();
  readonly #worldListeners: ((live: LiveWorld) => void)[] = [];
  /** What forks began as, for their reset. */
  readonly #origins = new Map<string, Buffer>();

  /** @param folder where worlds are kept; null for memory. */
  constructor(surroundings: Surroundings, folder: string | null) {
    this.#surroundings = surroundings;
    this.#folder = folder;
    if (folder) mkdirSync(folder, { recursive: true });
  }

  /**
   * Brings back the worlds of the data folder.
   * @returns what could not be opened; those files are left untouched.
   * @throws {StoreError} when the default world is among them: without it there is nothing at the root.
   */
  restoreAll(): StoreError[] {
    if (!this.#folder) return [];
    const faults: StoreError[] = [];
    for (const file of readdirSync(this.#folder).sort()) {
      const id = WORLD_FILE.exec(file)?.[1];
      if (!id) continue;
      try {
        this.#begin(id, openWorldFile(join(this.#folder, file)));
      } catch (error) {
        if (!(error instanceof StoreError) || id === DEFAULT_WORLD) throw error;
        faults.push(error);
      }
    }
    return faults;
  }

  /** Tells of every world: those there are and those to come. */
  onWorld(listener: (live: LiveWorld) => void): void {
    this.#worldListeners.push(listener);
    for (const live of this.#worlds.values()) listener(live);
  }

  get(id: string): LiveWorld | undefined {
    return this.#worlds.get(id);
  }

  all(): LiveWorld[] {
    return [...this.#worlds.values()];
  }

  /** The next free id for a world that was not given one. */
  freeId(): string {
    let count = this.#worlds.size;
    while (this.#isTaken(`world-${count}`)) count++;
    return `world-${count}`;
  }

  /** Makes a fresh world. @throws {WorldConflict} @throws {CreationError} @throws {ScenarioError} */
  create(spec: WorldSpec): LiveWorld {
    this.#refuseTaken(spec.id);
    const database = Database.inMemory();
    try {
      createWorld(database, spec);
    } catch (error) {
      database.close();
      throw error;
    }
    if (!this.#folder) return this.#begin(spec.id, database);
    const bytes = database.serialize();
    database.close();
    return this.#begin(spec.id, this.#fill(spec.id, bytes));
  }

  /** Makes a world that is all that another one is, timers in flight included. @throws {WorldConflict} */
  fork(origin: LiveWorld, id: string): LiveWorld {
    this.#refuseTaken(id);
    if (origin.runner.advancing) {
      throw new WorldConflict("WORLD_BUSY", `The world ${origin.id} is being advanced; fork it when that is done.`);
    }
    const bytes = origin.world.database.serialize();
    this.#keepOrigin(id, bytes);
    return this.#begin(id, this.#fill(id, bytes));
  }

  /** Takes a world back to the moment it was made, clock included. */
  reset(live: LiveWorld): LiveWorld {
    const { id } = live;
    const spec = live.world.meta.get<WorldSpec>("spec");
    const origin = this.#originOf(id);
    live.abandon();
    this.#worlds.delete(id);
    this.#removeFiles(id);
    if (origin) {
      this.#keepOrigin(id, origin);
      return this.#begin(id, this.#fill(id, origin));
    }
    if (!spec) throw new Error(`The world ${id} has lost what it was made from.`);
    return this.create(spec);
  }

  /** Deletes a world with all it holds; what is in the air comes to nothing. */
  delete(live: LiveWorld): void {
    live.abandon();
    this.#worlds.delete(live.id);
    this.#removeFiles(live.id);
  }

  /** Lets what is under way in every world come to its end, and closes. */
  async finish(): Promise<void> {
    await Promise.all(this.all().map((live) => live.finish()));
    this.#worlds.clear();
  }

  #begin(id: string, database: Database): LiveWorld {
    giveId(database, id);
    const live = new LiveWorld(database, this.#surroundings);
    this.#worlds.set(id, live);
    for (const listener of this.#worldListeners) listener(live);
    live.start();
    return live;
  }

  /** A database with the content of a serialized one. */
  #fill(id: string, bytes: Buffer): Database {
    if (!this.#folder) return Database.fromBytes(bytes);
    writeWhole(this.#file(id), bytes);
    return Database.inFile(this.#file(id));
  }

  #keepOrigin(id: string, bytes: Buffer): void {
    this.#origins.set(id, bytes);
    if (this.#folder) writeWhole(this.#file(id, ORIGIN_KEY), bytes);
  }

  #originOf(id: string): Buffer | undefined {
    const kept = this.#origins.get(id);
    if (kept || !this.#folder || !existsSync(this.#file(id, ORIGIN_KEY))) return kept;
    const database = Database.inFile(this.#file(id, ORIGIN_KEY));
    const bytes = database.serialize();
    database.close();
    return bytes;
  }

  #removeFiles(id: string): void {
    this.#origins.delete(id);
    if (!this.#folder) return;
    for (const suffix of ["", "-wal", "-shm"]) rmSync(this.#file(id) + suffix, { force: true });
    rmSync(this.#file(id, ORIGIN_KEY), { force: true });
  }

  #file(id: string, kind?: string): string {
    return join(this.#folder ?? "", kind ? `${id}.${kind}` : `${id}.db`);
  }

  #refuseTaken(id: string): void {
    if (this.#isTaken(id)) throw new WorldConflict("WORLD_EXISTS", `There is a world ${id} already.`);
  }

  #isTaken(id: string): boolean {
    return this.#worlds.has(id) || (this.#folder !== null && existsSync(this.#file(id)));
  }
}

/** Writes a file that is there whole or not at all, whenever the process dies. */
function writeWhole(path: string, bytes: Buffer): void {
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}

/** @throws {StoreError} when the file is no database of ours, or one without a world in it. */
function openWorldFile(path: string): Database {
  const database = Database.inFile(path);
  if (new MetaStore(database).get("world") !== undefined) return database;
  database.close();
  throw new StoreError(`${path} holds no world of payments-sandbox.`);
}

/** A fork begins with the id of its origin. */
function giveId(database: Database, id: string): void {
  const meta = new MetaStore(database);
  const identity = meta.get<WorldIdentity>("world");
  if (identity && identity.id !== id) meta.set("world", { ...identity, id });
}

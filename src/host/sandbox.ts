/** The worlds of a process: made, found, forked, reset and deleted; kept in files where there is a data folder. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Database, StoreError } from "../store/database.ts";
import { MetaStore } from "../store/meta.ts";
import type { WorldIdentity } from "../world/world.ts";
import { createWorld, type WorldSpec } from "./creation.ts";
import { writeWhole } from "./files.ts";
import { Lifetimes } from "./lifetimes.ts";
import { LiveWorld, type Surroundings } from "./live-world.ts";
import { type SnapshotInfo, Snapshots } from "./snapshots.ts";

/** The world at the root of the address space. */
export const DEFAULT_WORLD = "default";

/** Ids of worlds and names of snapshots (interface, section 4). */
export const WORLD_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** What cannot be done because a name is taken or a world is being advanced. */
export class WorldConflict extends Error {
  override readonly name = "WorldConflict";
  readonly code: "WORLD_EXISTS" | "SNAPSHOT_EXISTS" | "WORLD_BUSY";

  constructor(code: WorldConflict["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const WORLD_FILE = /^([a-z0-9][a-z0-9-]{0,62})\.db$/;
const ORIGIN_KEY = "origin";
/** What a world's own database keeps of its time to live. */
const TTL_KEY = "ttl";

export class Sandbox {
  readonly #surroundings: Surroundings;
  readonly #folder: string | null;
  readonly #worlds = new Map<string, LiveWorld>();
  readonly #worldListeners: ((live: LiveWorld) => void)[] = [];
  /** What forks began as, for their reset. */
  readonly #origins = new Map<string, Buffer>();
  readonly #snapshots: Snapshots;
  readonly #lifetimes = new Lifetimes((id) => this.#expire(id));

  /** @param folder where worlds are kept; null for memory. */
  constructor(surroundings: Surroundings, folder: string | null) {
    this.#surroundings = surroundings;
    this.#folder = folder;
    this.#snapshots = new Snapshots(folder);
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

  /** A world that a call is for: its time to live begins anew. */
  visit(id: string): LiveWorld | undefined {
    this.#lifetimes.touch(id);
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

  /**
   * Makes a fresh world.
   * @param ttlMs deleted after so long in real time without a call; null for never.
   * @throws {WorldConflict} @throws {CreationError} @throws {ScenarioError}
   */
  create(spec: WorldSpec, ttlMs: number | null = null): LiveWorld {
    this.#refuseTaken(spec.id);
    const database = Database.inMemory();
    try {
      createWorld(database, spec);
    } catch (error) {
      database.close();
      throw error;
    }
    new MetaStore(database).set(TTL_KEY, ttlMs);
    if (!this.#folder) return this.#begin(spec.id, database);
    const bytes = database.serialize();
    database.close();
    return this.#begin(spec.id, this.#fill(spec.id, bytes));
  }

  /**
   * Makes a world that is all that another one is, or was when a snapshot of it was taken, timers in flight included.
   * @throws {WorldConflict} @throws {StoreError}
   */
  fork(origin: LiveWorld, id: string, from: { snapshot?: string; ttlMs?: number | null } = {}): LiveWorld {
    this.#refuseTaken(id);
    const { snapshot, ttlMs = null } = from;
    const bytes = snapshot === undefined ? bytesOf(origin, "fork it") : this.#snapshots.bytesOf(origin.id, snapshot);
    this.#keepOrigin(id, bytes);
    return this.#begin(id, this.#fill(id, bytes), ttlMs);
  }

  /** Begins a world that was put together elsewhere, from its bytes. @throws {WorldConflict} */
  adopt(id: string, bytes: Buffer): LiveWorld {
    this.#refuseTaken(id);
    return this.#begin(id, this.#fill(id, bytes));
  }

  /** The snapshots of a world, oldest first. */
  snapshotsOf({ id }: LiveWorld): SnapshotInfo[] {
    return this.#snapshots.list(id);
  }

  /** A snapshot of a world by its name. */
  snapshot({ id }: LiveWorld, name: string): SnapshotInfo | undefined {
    return this.#snapshots.find(id, name);
  }

  /** Keeps all that a world is now. @throws {WorldConflict} */
  takeSnapshot(live: LiveWorld, name: string): SnapshotInfo {
    if (this.snapshot(live, name)) {
      const message = `There is a snapshot ${name} already; delete it or take another name.`;
      throw new WorldConflict("SNAPSHOT_EXISTS", message);
    }
    const bytes = bytesOf(live, "take the snapshot");
    const { clock, journal } = live.world;
    return this.#snapshots.keep(live.id, { name, at: clock.now(), entries: journal.last().sequence }, bytes);
  }

  /** Takes a world back to a snapshot; what is in the air comes to nothing. @throws {StoreError} */
  restore(live: LiveWorld, name: string): LiveWorld {
    return this.#replace(live, this.#snapshots.bytesOf(live.id, name));
  }

  deleteSnapshot({ id }: LiveWorld, name: string): void {
    this.#snapshots.remove(id, name);
  }

  /** Takes a world back to the moment it was made, clock included. */
  reset(live: LiveWorld): LiveWorld {
    const spec = live.world.meta.get<WorldSpec>("spec");
    const origin = this.#originOf(live.id);
    if (origin) return this.#replace(live, origin);
    if (!spec) throw new Error(`The world ${live.id} has lost what it was made from.`);
    const fresh = Database.inMemory();
    createWorld(fresh, spec);
    const bytes = fresh.serialize();
    fresh.close();
    return this.#replace(live, bytes);
  }

  /** Deletes a world with all it holds; what is in the air comes to nothing. */
  delete(live: LiveWorld): void {
    live.abandon();
    this.#worlds.delete(live.id);
    this.#lifetimes.forget(live.id);
    this.#snapshots.removeAll(live.id);
    this.#removeFiles(live.id);
  }

  /** Lets what is under way in every world come to its end, and closes. */
  async finish(): Promise<void> {
    for (const { id } of this.all()) this.#lifetimes.forget(id);
    await Promise.all(this.all().map((live) => live.finish()));
    this.#worlds.clear();
  }

  #begin(id: string, database: Database, ttlMs?: number | null): LiveWorld {
    giveId(database, id);
    const meta = new MetaStore(database);
    if (ttlMs !== undefined) meta.set(TTL_KEY, ttlMs);
    const lifeMs = meta.get<number | null>(TTL_KEY) ?? null;
    if (lifeMs !== null) this.#lifetimes.watch(id, lifeMs);
    const live = new LiveWorld(database, this.#surroundings);
    this.#worlds.set(id, live);
    for (const listener of this.#worldListeners) listener(live);
    live.start();
    return live;
  }

  /** Puts other content in a world's place; its time to live stays. */
  #replace(live: LiveWorld, bytes: Buffer): LiveWorld {
    const ttlMs = live.world.meta.get<number | null>(TTL_KEY) ?? null;
    live.abandon();
    return this.#begin(live.id, this.#fill(live.id, bytes), ttlMs);
  }

  #expire(id: string): boolean {
    const live = this.#worlds.get(id);
    if (live?.runner.advancing) return false;
    if (live) this.delete(live);
    return true;
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

/** All that a world is. @throws {WorldConflict} while it is being advanced. */
function bytesOf({ id, runner, world }: LiveWorld, what: string): Buffer {
  if (!runner.advancing) return world.database.serialize();
  throw new WorldConflict("WORLD_BUSY", `The world ${id} is being advanced; ${what} when that is done.`);
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

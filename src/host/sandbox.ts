/** The worlds of a process: made, found, forked, reset and deleted; kept in files where there is a data folder. */
import { wakeAfter, wallNow } from "../runtime.ts";
import { asStoreError } from "../store/data-files.ts";
import { Database } from "../store/database.ts";
import { lockFolder } from "../store/folder-lock.ts";
import { MetaStore } from "../store/meta.ts";
import { isOutOfFiles } from "../store/storage-fault.ts";
import { StoreError } from "../store/store-error.ts";
import { Clock } from "../world/clock.ts";
import { giveId } from "../world/identity.ts";
import type { World } from "../world/world.ts";
import { keptSpec, type WorldSpec } from "./creation.ts";
import { notBroughtBack } from "./kept-worlds.ts";
import { Lifetimes } from "./lifetimes.ts";
import { LiveWorld, type Surroundings } from "./live-world.ts";
import { WorldMaker } from "./maker.ts";
import { type SnapshotInfo, Snapshots } from "./snapshots.ts";
import { WorldFiles } from "./world-files.ts";

/** The world at the root of the address space. */
export const DEFAULT_WORLD = "default";

/** What cannot be done because a name is taken or a world is being advanced. */
export class WorldConflict extends Error {
  override readonly name = "WorldConflict";
  readonly code: "WORLD_EXISTS" | "SNAPSHOT_EXISTS" | "WORLD_BUSY";

  constructor(code: WorldConflict["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Ids that are given to worlds without one; nobody has had a billion of them. */
const FREE_ID = /^world-(\d{1,9})$/;

/**
 * All worlds of one process by their ids, with their files, snapshots and times to live; the default one is `default`.
 */
export class Sandbox {
  readonly #surroundings: Surroundings;
  readonly #worlds = new Map<string, LiveWorld>();
  /** The number of each world; what takes its place by a reset or a restore has the same. */
  readonly #numbers = new Map<string, number>();
  /** The number given last: none is given twice. */
  #lastNumber = 0;
  /** The highest of ids such as `world-2` that there ever was. */
  #lastFree = 0;
  readonly #worldListeners: ((live: LiveWorld) => void)[] = [];
  readonly #resetListeners: ((live: LiveWorld) => void)[] = [];
  readonly #files: WorldFiles;
  readonly #maker = new WorldMaker();
  readonly #snapshots: Snapshots;
  readonly #lifetimes = new Lifetimes((id) => this.#expire(id));
  readonly #unlock: () => void;

  /**
   * @param folder where worlds are kept; null for memory.
   * @throws {StoreError} where another process has the folder.
   */
  constructor(surroundings: Surroundings, folder: string | null) {
    this.#surroundings = surroundings;
    this.#files = new WorldFiles(folder);
    this.#unlock = folder === null ? () => {} : lockFolder(folder);
    this.#snapshots = new Snapshots(folder);
  }

  /**
   * Brings back the worlds of the data folder.
   * @returns what could not be opened; those files are left untouched.
   * @throws {StoreError} when the default world is among them: without it there is nothing at the root.
   */
  restoreAll(): StoreError[] {
    const faults: StoreError[] = [];
    for (const id of this.#files.ids()) {
      try {
        this.#bringBack(id);
      } catch (error) {
        const fault = isOutOfFiles(error) ? asStoreError(this.#files.path(id), error) : error;
        if (!(fault instanceof StoreError) || id === DEFAULT_WORLD) throw fault;
        faults.push(fault);
      }
    }
    return faults;
  }

  /** Removes what a process that died left half written. */
  tidy(): void {
    this.#files.removeUnfinished();
    this.#snapshots.removeUnfinished([...this.#worlds.keys()]);
  }

  /** @throws {StoreError} when the file is none, or holds what no world can be made of. */
  #bringBack(id: string): void {
    const database = this.#files.open(id);
    try {
      // A file may have been given another name.
      giveId(new MetaStore(database), id);
      this.#open(id, database);
    } catch (error) {
      this.#worlds.delete(id);
      this.#lifetimes.forget(id);
      database.close();
      throw notBroughtBack(this.#files.path(id), error);
    }
  }

  /** Tells of every world: those there are and those to come. */
  onWorld(listener: (live: LiveWorld) => void): void {
    this.#worldListeners.push(listener);
    for (const live of this.#worlds.values()) listener(live);
  }

  /** Calls back with each world that is reset, before whoever asked for that hears of it. */
  onReset(listener: (live: LiveWorld) => void): void {
    this.#resetListeners.push(listener);
  }

  get(id: string): LiveWorld | undefined {
    return this.#worlds.get(id);
  }

  /** A call for a world came: its time to live begins anew once that has ended. @returns what tells of its end. */
  attend(id: string): () => void {
    return this.#lifetimes.attend(id);
  }

  all(): LiveWorld[] {
    return [...this.#worlds.values()];
  }

  /** Counts the worlds that this process has had, from 1: the order in which they came. */
  numberOf({ id }: LiveWorld): number {
    return this.#numbers.get(id) ?? 0;
  }

  /**
   * A free id for a world that was not given one. None is given twice by one process: whoever still calls a world that
   * was deleted, or whose time to live has ended, must not come upon another one.
   */
  freeId(): string {
    let count = Math.max(this.#lastNumber, this.#lastFree + 1);
    while (this.#isTaken(`world-${count}`)) count++;
    return `world-${count}`;
  }

  /** Tells what is wrong with a world that is not made. @throws {CreationError} @throws {ScenarioError} */
  judge(spec: WorldSpec): void {
    this.#maker.make(spec);
  }

  /**
   * Makes a fresh world.
   * @param ttlMs deleted after so long in real time without a call; null for never.
   * @throws {WorldConflict} @throws {CreationError} @throws {ScenarioError}
   */
  create(spec: WorldSpec, ttlMs: number | null = null): LiveWorld {
    this.refuseTaken(spec.id);
    const bytes = this.#maker.make(spec);
    return this.#open(spec.id, this.#place(spec.id, copyOf(bytes, spec.id, ttlMs)));
  }

  /**
   * Makes a world that is all that another one is, or was when a snapshot of it was taken, timers in flight included.
   * @throws {WorldConflict} @throws {StoreError}
   */
  fork(origin: LiveWorld, id: string, from: { snapshot?: string; ttlMs?: number | null } = {}): LiveWorld {
    this.refuseTaken(id);
    const { snapshot, ttlMs = null } = from;
    // A world that is forked is in use, though its own address is not called.
    this.attend(origin.id)();
    const bytes = snapshot === undefined ? bytesOf(origin, "fork it") : this.#snapshots.bytesOf(origin.id, snapshot);
    return this.#open(id, this.#plant(id, bytes, ttlMs));
  }

  /**
   * Takes in a world that was put together elsewhere, from its bytes: to where they end it goes back with a reset.
   * @throws {WorldConflict}
   */
  adopt(id: string, bytes: Buffer, ttlMs: number | null): LiveWorld {
    this.refuseTaken(id);
    return this.#open(id, this.#plant(id, bytes, ttlMs));
  }

  /** A free name for a snapshot that was not given one, as with {@link freeId}. */
  freeSnapshotName({ id }: LiveWorld): string {
    let count = this.#snapshots.nextNumber(id);
    while (this.#snapshots.has(id, `snapshot-${count}`)) count++;
    return `snapshot-${count}`;
  }

  /** The snapshots of a world, oldest first. */
  snapshotsOf({ id }: LiveWorld): SnapshotInfo[] {
    return this.#snapshots.list(id);
  }

  hasSnapshot({ id }: LiveWorld, name: string): boolean {
    return this.#snapshots.has(id, name);
  }

  /** Keeps all that a world is now. @throws {WorldConflict} */
  takeSnapshot(live: LiveWorld, name: string): SnapshotInfo {
    if (this.hasSnapshot(live, name)) {
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
    const anew = this.#replace(live, this.#files.originOf(live.id) ?? this.#madeAgain(live));
    for (const listener of this.#resetListeners) listener(anew);
    return anew;
  }

  #madeAgain({ id, world }: LiveWorld): Buffer {
    const spec = keptSpec(world);
    if (!spec) throw new Error(`The world ${id} has lost what it was made from.`);
    return this.#maker.make(spec);
  }

  /**
   * Deletes a world with all it holds; what is in the air comes to nothing. Where its file cannot be removed it goes on:
   * after a restart it would be there again.
   */
  delete(live: LiveWorld): void {
    this.#abandonFor(live, () => this.#files.remove(live.id));
    this.#worlds.delete(live.id);
    this.#numbers.delete(live.id);
    this.#lifetimes.forget(live.id);
    this.#snapshots.removeAll(live.id);
  }

  /** Lets what is under way in every world come to its end, and closes. @param graceOver as of {@link LiveWorld.finish}. */
  async finish(graceOver?: Promise<void>): Promise<void> {
    for (const { id } of this.all()) this.#lifetimes.forget(id);
    const ends = await Promise.allSettled(this.all().map((live) => live.finish(graceOver)));
    this.#worlds.clear();
    this.#unlock();
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  #open(id: string, database: Database): LiveWorld {
    const ttlMs = ttlOf(new MetaStore(database));
    if (ttlMs !== null) this.#lifetimes.watch(id, ttlMs);
    const live = new LiveWorld(database, this.#surroundings);
    this.#worlds.set(id, live);
    if (!this.#numbers.has(id)) this.#numbers.set(id, ++this.#lastNumber);
    this.#lastFree = Math.max(this.#lastFree, Number(FREE_ID.exec(id)?.[1] ?? 0));
    for (const listener of this.#worldListeners) listener(live);
    live.start();
    restUnlessUsed(live);
    return live;
  }

  /** Puts other content in a world's place; its time to live stays. Where that fails it goes on as it was. */
  #replace(live: LiveWorld, bytes: Buffer): LiveWorld {
    const put = this.#files.layReady(live.id, copyOf(bytes, live.id, ttlOf(live.world.meta)));
    return this.#abandonFor(live, () => this.#open(live.id, put()));
  }

  /** Ends a world for what takes its place, or its file; where that fails the world is brought back. */
  #abandonFor<Result>(live: LiveWorld, work: () => Result): Result {
    live.abandon();
    try {
      return work();
    } catch (error) {
      if (this.#files.has(live.id)) this.#bringBack(live.id);
      throw error;
    }
  }

  /** The place of a new world that begins as other content, to which its reset takes it back. */
  #plant(id: string, bytes: Buffer, ttlMs: number | null): Database {
    return this.#place(id, copyOf(bytes, id, ttlMs), bytes);
  }

  /** The place of a new world; what could not be opened there does not take it up. */
  #place(id: string, content: Database, origin?: Buffer): Database {
    this.#clearPlace(id);
    try {
      if (origin) this.#files.keepOrigin(id, origin);
      return this.#files.layReady(id, content)();
    } catch (error) {
      this.#clearPlace(id);
      throw error;
    }
  }

  /** Nothing of a world that had this id before is left to a new one. */
  #clearPlace(id: string): void {
    this.#files.remove(id);
    this.#snapshots.removeAll(id);
  }

  /** @returns false where it is to be asked again later. */
  #expire(id: string): boolean {
    const live = this.#worlds.get(id);
    if (live?.runner.advancing) return false;
    try {
      if (live) this.delete(live);
      return true;
    } catch (error) {
      this.#surroundings.onFault(error);
      return false;
    }
  }

  /** @throws {WorldConflict} where there is a world of this id, or a file of one that did not come back. */
  refuseTaken(id: string): void {
    if (!this.#isTaken(id)) return;
    const unread = `The data folder has a file of a world ${id} that could not be brought back; move it away, or take another id.`;
    const why = this.#worlds.has(id) ? `There is a world ${id} already.` : unread;
    throw new WorldConflict("WORLD_EXISTS", why);
  }

  #isTaken(id: string): boolean {
    return this.#worlds.has(id) || this.#files.has(id);
  }
}

/** What most worlds are made for comes within so many milliseconds: their first calls. */
const REST_AFTER_MS = 25;

/** Of many worlds most rest; to put one away just before its first call costs as much as to make it. */
function restUnlessUsed(live: LiveWorld): void {
  const { database } = live.world;
  const { changes } = database;
  wakeAfter(REST_AFTER_MS, () => {
    if (!live.closed && database.changes === changes) database.rest();
  });
}

/** What a world's own database keeps of its time to live. */
const TTL_KEY = "ttl";

const ttlOf = (meta: MetaStore) => meta.get<number | null>(TTL_KEY) ?? null;

/** All that a world is. @throws {WorldConflict} while it is being advanced. */
function bytesOf({ id, runner, world }: LiveWorld, what: string): Buffer {
  if (runner.advancing) {
    throw new WorldConflict("WORLD_BUSY", `The world ${id} is being advanced; ${what} when that is done.`);
  }
  const isFrozen = world.clock.mode === "frozen";
  const known = isFrozen ? lastBytes.get(world) : undefined;
  if (known?.changes === world.database.changes) return known.bytes;
  world.database.transaction(() => world.clock.fix());
  const bytes = world.database.serialize();
  if (isFrozen) lastBytes.set(world, { bytes, changes: world.database.changes });
  return bytes;
}

/** What frozen worlds were when they were last forked: most are prepared once and forked for every test. */
const lastBytes = new WeakMap<World, { readonly bytes: Buffer; readonly changes: number }>();

/** A world in memory that begins as all that another one was, at the instant that it showed. */
function copyOf(bytes: Buffer, id: string, ttlMs: number | null): Database {
  const resumedAt = wallNow();
  return Database.fromBytes(bytes, (database) => {
    const meta = new MetaStore(database);
    giveId(meta, id);
    // A row more may be a page more, for which SQLite copies a database in memory once again.
    if (ttlOf(meta) !== ttlMs) meta.set(TTL_KEY, ttlMs);
    Clock.resume(meta, resumedAt);
  });
}

/** The worlds of a process: makes, finds, forks, resets and deletes them; in files if there is a data folder. */
import { required } from "../domain/required.ts";
import { asStoreError } from "../store/data-files.ts";
import type { Database } from "../store/database.ts";
import { LockedFolder } from "../store/folder-lock.ts";
import { MetaStore } from "../store/meta.ts";
import { isOutOfFiles } from "../store/storage-fault.ts";
import { StoreError } from "../store/store-error.ts";
import { giveId } from "../world/identity.ts";
import { keptSpec, type WorldSpec } from "./creation.ts";
import { makeFolder } from "./files.ts";
import { notBroughtBack } from "./kept-worlds.ts";
import { Lifetimes } from "./lifetimes.ts";
import { LiveWorld, type Surroundings } from "./live-world.ts";
import { WorldMaker } from "./maker.ts";
import { restUnlessUsed } from "./resting.ts";
import { Snapshots } from "./snapshots.ts";
import { bytesOfWorld, databaseOf, keptTtl } from "./world-bytes.ts";
import { WorldConflict } from "./world-conflict.ts";
import { WorldFiles } from "./world-files.ts";
import { WorldNumbers } from "./world-numbers.ts";

/** The id of the world whose addresses have no world prefix. */
export const DEFAULT_WORLD = "default";

/** @param before the names of the scenarios that were loaded before the reset, in their order. */
type ResetListener = (live: LiveWorld, before: readonly string[]) => void;

/** One for all sandboxes of a process: test suites start one a test, and most of them with the same default world. */
const maker = new WorldMaker();

/**
 * All worlds of one process by their ids, with their files, snapshots and times to live; the default one is `default`.
 */
export class Sandbox {
  readonly snapshots: Snapshots;
  readonly #surroundings: Surroundings;
  readonly #worlds = new Map<string, LiveWorld>();
  readonly #numbers = new WorldNumbers();
  /** Restored worlds that are still to go on. */
  readonly #waiting: LiveWorld[] = [];
  readonly #worldListeners: ((live: LiveWorld) => void)[] = [];
  readonly #resetListeners: ResetListener[] = [];
  readonly #files: WorldFiles;
  readonly #lifetimes = new Lifetimes((id) => this.#expire(id));
  readonly #folder: LockedFolder | null;

  /**
   * @param folder the data folder; null for memory.
   * @throws {StoreError} if another process uses the folder.
   */
  constructor(surroundings: Surroundings, folder: string | null) {
    this.#surroundings = surroundings;
    if (folder !== null) makeFolder(folder);
    this.#folder = folder === null ? null : new LockedFolder(folder);
    this.#files = new WorldFiles(this.#folder);
    this.snapshots = new Snapshots(this.#folder);
  }

  /**
   * Opens the worlds of the data folder, and removes half-written files of a process that died.
   * @returns the errors of those that could not be opened; their files are left untouched.
   * @throws {StoreError} if the default world is one of them.
   */
  restoreAll(): StoreError[] {
    const faults: StoreError[] = [];
    for (const id of this.#files.ids()) {
      try {
        this.#waiting.push(this.#bringBack(id));
      } catch (error) {
        const fault = isOutOfFiles(error) ? asStoreError(this.#files.path(id), error) : error;
        if (!(fault instanceof StoreError) || id === DEFAULT_WORLD) throw fault;
        faults.push(fault);
      }
    }
    this.#files.removeUnfinished();
    this.snapshots.removeUnfinished([...this.#worlds.keys()]);
    return faults;
  }

  /**
   * Has the restored worlds go on: a start that is refused before must have done nothing of what is due in them.
   * @throws {StoreError} if one of them cannot.
   */
  begin(): void {
    for (const live of this.#waiting.splice(0)) {
      try {
        this.#start(live);
      } catch (error) {
        throw notBroughtBack(this.#files.path(live.id), error);
      }
    }
  }

  /**
   * Opens a world from its file, which is still to be started.
   * @throws {StoreError} if the file is no database of a world, or no world can be made from it.
   */
  #bringBack(id: string): LiveWorld {
    const database = this.#files.open(id);
    try {
      // The file may have been renamed.
      giveId(new MetaStore(database), id);
      return this.#open(id, database);
    } catch (error) {
      this.#worlds.delete(id);
      this.#lifetimes.forget(id);
      database.close();
      throw notBroughtBack(this.#files.path(id), error);
    }
  }

  /** Calls back with every world, present and future. */
  onWorld(listener: (live: LiveWorld) => void): void {
    this.#worldListeners.push(listener);
    for (const live of this.#worlds.values()) listener(live);
  }

  /** Calls back with each world that is reset, before the caller of the reset gets it. */
  onReset(listener: ResetListener): void {
    this.#resetListeners.push(listener);
  }

  get(id: string): LiveWorld | undefined {
    return this.#worlds.get(id);
  }

  /** Notes a call to a world: its time to live begins anew when it ends. @returns a function to call when it ends. */
  attend(id: string): () => void {
    return this.#lifetimes.attend(id);
  }

  all(): LiveWorld[] {
    return [...this.#worlds.values()];
  }

  /** The number of a world in this process, from 1, in the order in which worlds were opened. */
  numberOf({ id }: LiveWorld): number {
    return this.#numbers.of(id);
  }

  /** A free id for a world that was not given one; none is given twice. */
  freeId(): string {
    return this.#numbers.freeId((id) => this.#isTaken(id));
  }

  /** Checks whether a world can be made, without opening it. @throws {CreationError} @throws {ScenarioError} */
  judge(spec: WorldSpec): void {
    maker.make(spec);
  }

  /**
   * Makes a fresh world.
   * @param ttlMs after how much real time without a call it is deleted; null for never.
   * @throws {WorldConflict} @throws {CreationError} @throws {ScenarioError}
   */
  create(spec: WorldSpec, ttlMs: number | null = null): LiveWorld {
    this.refuseTaken(spec.id);
    const bytes = maker.make(spec);
    return this.#start(this.#open(spec.id, this.#place(spec.id, databaseOf(bytes, spec.id, ttlMs))));
  }

  /**
   * Makes a full copy of a world, or of one of its snapshots, including its timers.
   * @throws {WorldConflict} @throws {StoreError}
   */
  fork(origin: LiveWorld, id: string, from: { snapshot?: string; ttlMs?: number | null } = {}): LiveWorld {
    this.refuseTaken(id);
    const { snapshot, ttlMs = null } = from;
    // A fork counts as a call to the world: its time to live begins anew.
    this.attend(origin.id)();
    const bytes =
      snapshot === undefined ? bytesOfWorld(origin, "fork it") : this.snapshots.bytesOf(origin.id, snapshot);
    return this.#start(this.#open(id, this.#plant(id, bytes, ttlMs)));
  }

  /**
   * Opens a world from bytes that were made elsewhere; a reset takes it back to these.
   * @throws {WorldConflict}
   */
  adopt(id: string, bytes: Buffer, ttlMs: number | null): LiveWorld {
    this.refuseTaken(id);
    return this.#start(this.#open(id, this.#plant(id, bytes, ttlMs)));
  }

  /** Takes a world back to a snapshot; results of deliveries in the air are lost. @throws {StoreError} */
  restore(live: LiveWorld, name: string): LiveWorld {
    return this.#replace(live, this.snapshots.bytesOf(live.id, name));
  }

  /** Takes a world back to the moment it was made, including its clock. @throws {StoreError} */
  reset(live: LiveWorld): LiveWorld {
    const { names } = live.scenarios;
    const anew = this.#replace(live, this.#files.originOf(live) ?? this.#madeAgain(live));
    for (const listener of this.#resetListeners) listener(anew, names);
    return anew;
  }

  #madeAgain({ id, world }: LiveWorld): Buffer {
    return maker.make(required(keptSpec(world), `What the world ${id} was made from`));
  }

  /**
   * Deletes a world and its snapshots; results of deliveries in the air are lost. If its file cannot be removed, the
   * world goes on, as it would be there again after a restart.
   */
  delete(live: LiveWorld): void {
    this.#abandonFor(live, () => this.#files.remove(live.id));
    this.#worlds.delete(live.id);
    this.#numbers.forget(live.id);
    this.#lifetimes.forget(live.id);
    this.snapshots.removeAll(live.id);
  }

  /** Finishes all worlds, then releases the data folder. @param graceOver see {@link LiveWorld.finish}. */
  async finish(graceOver?: Promise<void>): Promise<void> {
    for (const { id } of this.all()) this.#lifetimes.forget(id);
    const ends = await Promise.allSettled(this.all().map((live) => live.finish(graceOver)));
    this.#worlds.clear();
    this.#folder?.unlock();
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  #open(id: string, database: Database): LiveWorld {
    const ttlMs = keptTtl(new MetaStore(database));
    if (ttlMs !== null) this.#lifetimes.watch(id, ttlMs);
    const live = new LiveWorld(database, this.#surroundings);
    this.#worlds.set(id, live);
    this.#numbers.give(id);
    for (const listener of this.#worldListeners) listener(live);
    return live;
  }

  #start(live: LiveWorld): LiveWorld {
    live.start();
    restUnlessUsed(live);
    return live;
  }

  /** Replaces the content of a world, and keeps its time to live. If that fails, a world in a file is opened again. */
  #replace(live: LiveWorld, bytes: Buffer): LiveWorld {
    const put = this.#files.layReady(live.id, databaseOf(bytes, live.id, this.#lifetimes.ttlOf(live.id)));
    return this.#abandonFor(live, () => this.#start(this.#open(live.id, put())));
  }

  /** Closes a world before `work` replaces or removes its file; if that fails, the world is opened again from it. */
  #abandonFor<Result>(live: LiveWorld, work: () => Result): Result {
    // Before the world is closed: its file may be another sandbox's, from which it could not be opened again.
    this.#folder?.refuseIfGone();
    live.abandon();
    try {
      return work();
    } catch (error) {
      if (this.#files.has(live.id)) this.#start(this.#bringBack(live.id));
      throw error;
    }
  }

  /** Prepares a new world that begins as given content, to which a reset takes it back. */
  #plant(id: string, bytes: Buffer, ttlMs: number | null): Database {
    return this.#place(id, databaseOf(bytes, id, ttlMs), bytes);
  }

  /** Prepares a new world; if that fails, its files are removed, so that the id stays free. */
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

  /** Removes everything left of an earlier world with this id. */
  #clearPlace(id: string): void {
    this.#files.remove(id);
    this.snapshots.removeAll(id);
  }

  /** Deletes a world whose time to live has ended. @returns false if that is to be tried again later. */
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

  /** @throws {WorldConflict} if there is a world with this id, or the file of one that could not be opened. */
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

import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NAME_FORM } from "../domain/names.ts";
import { required } from "../domain/required.ts";
import { removeLog } from "../store/data-files.ts";
import { Database } from "../store/database.ts";
import type { LockedFolder } from "../store/folder-lock.ts";
import { MetaStore } from "../store/meta.ts";
import { StoreError } from "../store/store-error.ts";
import { holdsWorld } from "../world/identity.ts";
import { layReady, removeUnfinished, writeWhole } from "./files.ts";
import { keptWorld } from "./kept-worlds.ts";
import type { LiveWorld } from "./live-world.ts";

const WORLD_FILE = new RegExp(`^(${NAME_FORM})\\.db$`);
const ORIGIN_FILE = new RegExp(`^${NAME_FORM}\\.origin$`);

/** The key that marks, in its own database, a world whose origin is kept: its file may be moved without that. */
const HAS_ORIGIN_KEY = "has_origin";

/** Stores worlds, and the origins of forks: in files if there is a data folder, else in memory. */
export class WorldFiles {
  readonly #folder: LockedFolder | null;
  /** The origins of forks, for their reset, if there is no data folder. */
  readonly #origins = new Map<string, Buffer>();

  /** @param folder the data folder; null for memory. */
  constructor(folder: LockedFolder | null) {
    this.#folder = folder;
  }

  /** Ids of the worlds in the data folder, whether or not they can be opened. */
  ids(): string[] {
    if (!this.#folder) return [];
    const names = readdirSync(this.#folder.path).sort();
    return names.flatMap((name) => WORLD_FILE.exec(name)?.[1] ?? []);
  }

  /** Removes files that were not fully written. */
  removeUnfinished(): void {
    if (!this.#folder) return;
    removeUnfinished(this.#folder.path, (name) => WORLD_FILE.test(name) || ORIGIN_FILE.test(name));
  }

  has(id: string): boolean {
    return this.#folder !== null && lstatSync(this.path(id), { throwIfNoEntry: false }) !== undefined;
  }

  /** Opens the database of a world. @throws {StoreError} if the file is no database of ours, or holds no world. */
  open(id: string): Database {
    const database = Database.inFile(this.path(id));
    if (holdsWorld(new MetaStore(database))) return database;
    database.close();
    throw new StoreError(`${this.path(id)} holds no world of payments-sandbox.`);
  }

  /**
   * Prepares content to become that of a world, new or existing.
   * @param content a database in memory.
   * @returns a function that puts it in place atomically, and opens it; the old database must be closed by then.
   * @throws {FolderGone}
   */
  layReady(id: string, content: Database): () => Database {
    if (!this.#folder) return () => content;
    this.#folder.refuseIfGone();
    if (existsSync(this.#originPath(id))) new MetaStore(content).set(HAS_ORIGIN_KEY, true);
    const path = this.path(id);
    const put = layReady(path, content.serialize());
    content.close();
    return () => {
      // SQLite would take the log of the old file for that of the new one.
      removeLog(path);
      put();
      return Database.inFile(path);
    };
  }

  /** Stores the content that a world began as; what an earlier one left must have been removed by then. */
  keepOrigin(id: string, bytes: Buffer): void {
    if (this.#folder) writeWhole(this.#originPath(id), bytes);
    else this.#origins.set(id, bytes);
  }

  /**
   * The content that a world began as; undefined if it was made from its spec.
   * @throws {StoreError} if the content is damaged or missing.
   */
  originOf({ id, world }: LiveWorld): Buffer | undefined {
    if (!this.#folder) return this.#origins.get(id);
    const path = this.#originPath(id);
    if (existsSync(path)) return keptWorld(path).bytes;
    if (!world.meta.has(HAS_ORIGIN_KEY)) return undefined;
    throw new StoreError(`${path} is missing: the world ${id} was forked or replayed, and began as what was in it.`);
  }

  /** Removes a world and its origin. @throws {FolderGone} */
  remove(id: string): void {
    this.#origins.delete(id);
    if (!this.#folder) return;
    this.#folder.refuseIfGone();
    rmSync(this.path(id), { force: true });
    removeLog(this.path(id));
    rmSync(this.#originPath(id), { force: true });
  }

  /** The path of a world's file. */
  path(id: string): string {
    return join(required(this.#folder, "The data folder").path, `${id}.db`);
  }

  #originPath(id: string): string {
    return join(required(this.#folder, "The data folder").path, `${id}.origin`);
  }
}

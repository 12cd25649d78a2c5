import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { NAME_FORM } from "../domain/names.ts";
import { Database } from "../store/database.ts";
import { MetaStore } from "../store/meta.ts";
import { StoreError } from "../store/store-error.ts";
import { holdsWorld } from "../world/identity.ts";
import { layReady, makeFolder, removeUnfinished, writeWhole } from "./files.ts";
import { keptWorld } from "./kept-worlds.ts";

const WORLD_FILE = new RegExp(`^(${NAME_FORM})\\.db$`);
const ORIGIN_FILE = new RegExp(`^${NAME_FORM}\\.origin$`);

/** Where worlds are kept, and what forks began as: in files where there is a data folder, else in memory. */
export class WorldFiles {
  readonly #folder: string | null;
  /** In memory, where there is no folder: what forks began as, for their reset. */
  readonly #origins = new Map<string, Buffer>();

  /** @param folder the data folder; null for memory. */
  constructor(folder: string | null) {
    this.#folder = folder;
    if (folder) makeFolder(folder);
  }

  /** Ids of the worlds that are kept, sound or not. */
  ids(): string[] {
    if (!this.#folder) return [];
    const names = readdirSync(this.#folder).sort();
    return names.flatMap((name) => WORLD_FILE.exec(name)?.[1] ?? []);
  }

  /** Removes what was not written to its end. */
  removeUnfinished(): void {
    if (this.#folder) removeUnfinished(this.#folder, (name) => WORLD_FILE.test(name) || ORIGIN_FILE.test(name));
  }

  has(id: string): boolean {
    return this.#folder !== null && lstatSync(this.path(id), { throwIfNoEntry: false }) !== undefined;
  }

  /** @throws {StoreError} when the file is no database of ours, or one without a world in it. */
  open(id: string): Database {
    const database = Database.inFile(this.path(id));
    if (holdsWorld(new MetaStore(database))) return database;
    database.close();
    throw new StoreError(`${this.path(id)} holds no world of payments-sandbox.`);
  }

  /**
   * Lays a content ready to become that of a world, new or there already.
   * @param content in memory.
   * @returns what puts it in its place, at one stroke, and opens it there; whoever had the old one open has closed it.
   */
  layReady(id: string, content: Database): () => Database {
    if (!this.#folder) return () => content;
    const path = this.path(id);
    const put = layReady(path, content.serialize());
    content.close();
    return () => {
      // The log of what was there before would be taken for one of the new file.
      removeLog(path);
      put();
      return Database.inFile(path);
    };
  }

  /** Keeps what a world began as. */
  keepOrigin(id: string, bytes: Buffer): void {
    if (this.#folder) writeWhole(this.#originPath(id), bytes);
    else this.#origins.set(id, bytes);
  }

  /** What a world began as; undefined where that follows from its settings and seed. @throws {StoreError} */
  originOf(id: string): Buffer | undefined {
    const kept = this.#origins.get(id);
    if (kept || !this.#folder || !existsSync(this.#originPath(id))) return kept;
    return keptWorld(this.#originPath(id)).bytes;
  }

  /** Removes a world, and what it began as. */
  remove(id: string): void {
    this.#origins.delete(id);
    if (!this.#folder) return;
    rmSync(this.path(id), { force: true });
    removeLog(this.path(id));
    rmSync(this.#originPath(id), { force: true });
  }

  /** The file of a world. */
  path(id: string): string {
    return join(this.#folder ?? "", `${id}.db`);
  }

  #originPath(id: string): string {
    return join(this.#folder ?? "", `${id}.origin`);
  }
}

function removeLog(path: string): void {
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
}

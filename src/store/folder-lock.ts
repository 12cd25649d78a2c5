/** Allows one process per data folder: later ones are refused, whatever the first one is doing to its files. */
import { statSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { BUSY_TIMEOUT_MS, isInUse } from "./data-files.ts";
import { codeOf, FolderGone } from "./storage-fault.ts";
import { StoreError } from "./store-error.ts";

/** A file without content, for its lock alone, which ends with the process that holds it, even if that is killed. */
const LOCK_FILE = ".lock";

/** A data folder, locked against other processes. */
export class LockedFolder {
  readonly path: string;
  /** Null if the lock file cannot be opened: the folder cannot be written to either, as its first file will report. */
  readonly #lock: Sqlite.Database | null;
  readonly #lockPath: string;
  /** Of the file that is locked; as long as it is open, no other file gets the same. */
  readonly #fileNumber: string | undefined;

  /** @param path an existing folder. @throws {StoreError} if another process holds the lock. */
  constructor(path: string) {
    this.path = path;
    this.#lockPath = join(path, LOCK_FILE);
    this.#lock = lockOf(path, this.#lockPath);
    this.#fileNumber = fileNumber(this.#lockPath);
  }

  /**
   * To be called before anything is written, as the folder may have been removed since it was locked: what is at its
   * path then, if anything, may be the folder of another sandbox.
   * @throws {FolderGone}
   */
  refuseIfGone(): void {
    if (this.#lock && fileNumber(this.#lockPath) !== this.#fileNumber) throw new FolderGone(this.#lockPath);
  }

  unlock(): void {
    this.#lock?.close();
  }
}

function lockOf(folder: string, path: string): Sqlite.Database | null {
  let sqlite: Sqlite.Database | undefined;
  try {
    sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
    sqlite.exec("BEGIN EXCLUSIVE");
    return sqlite;
  } catch (error) {
    sqlite?.close();
    if (isInUse(error)) throw new StoreError(`The data folder ${folder} is in use by another sandbox.`);
    if (isNoLock(path, error)) throw new StoreError(`${path} is not the lock of a data folder; move it away.`);
    return null;
  }
}

/** Which file of this machine is at a path; undefined if none is. It is never opened: closing it would end the lock. */
function fileNumber(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** Something else has the name of the lock: a file of other content, or a folder. */
function isNoLock(path: string, error: unknown): boolean {
  if (codeOf(error) === "SQLITE_NOTADB") return true;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

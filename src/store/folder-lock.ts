/** Allows one process per data folder: later ones are refused, whatever the first one is doing to its files. */
import { statSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { BUSY_TIMEOUT_MS, isInUse } from "./data-files.ts";
import { codeOf } from "./storage-fault.ts";
import { StoreError } from "./store-error.ts";

/** A file without content, for its lock alone, which ends with the process that holds it, even if that is killed. */
const LOCK_FILE = ".lock";

/**
 * Locks a folder against other processes.
 * @returns a function that unlocks it. If the lock file cannot be opened, nothing is locked: the folder cannot be
 * written to either, and the first file of a world reports that.
 * @throws {StoreError} if another process holds the lock.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, LOCK_FILE);
  let sqlite: Sqlite.Database | undefined;
  try {
    sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
    sqlite.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    sqlite?.close();
    if (isInUse(error)) throw new StoreError(`The data folder ${folder} is in use by another sandbox.`);
    if (isNoLock(path, error)) throw new StoreError(`${path} is not the lock of a data folder; move it away.`);
    return () => {};
  }
  const lock = sqlite;
  return () => lock.close();
}

/** Something else has the name of the lock: a file of other content, or a folder. */
function isNoLock(path: string, error: unknown): boolean {
  if (codeOf(error) === "SQLITE_NOTADB") return true;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

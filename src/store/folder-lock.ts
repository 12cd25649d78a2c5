/** One process for a data folder: whoever comes later is refused, whatever the first one is doing to its files. */
import { statSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { BUSY_TIMEOUT_MS, isInUse } from "./data-files.ts";
import { StoreError } from "./store-error.ts";

/** Of no content: it is there for its lock, which ends with the process that holds it, however that ends. */
const LOCK_FILE = ".lock";

/**
 * Keeps others out of a folder.
 * @returns what lets them in again. Where no such file can be opened, nothing can be written to the folder either, and
 * whoever goes on is told so by the first file of a world.
 * @throws {StoreError} where another process has it.
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
  if ((error as { code?: unknown }).code === "SQLITE_NOTADB") return true;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

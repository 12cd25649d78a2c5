/** One process for a data folder: whoever comes later is refused, whatever the first one is doing to its files. */
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
  let sqlite: Sqlite.Database | undefined;
  try {
    sqlite = new Sqlite(join(folder, LOCK_FILE), { timeout: BUSY_TIMEOUT_MS });
    sqlite.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    sqlite?.close();
    if (isInUse(error)) throw new StoreError(`The data folder ${folder} is in use by another process.`);
    return () => {};
  }
  const lock = sqlite;
  return () => lock.close();
}

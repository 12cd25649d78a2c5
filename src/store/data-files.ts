/** Checks data files before anything is written to them: a file that is refused stays as it is. */
import { accessSync, closeSync, constants, existsSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { messageOf } from "../domain/words/thrown.ts";
import { codeOf, isOutOfFiles } from "./storage-fault.ts";
import { StoreError } from "./store-error.ts";

/** "PSBX": marks a file as a world of this product. */
export const APPLICATION_ID = 0x50534258;

/** How long to wait for a file that is in use before it is refused. */
export const BUSY_TIMEOUT_MS = 100;

const LOG = "-wal";
const SHARED_MEMORY = "-shm";
const ROLLBACK = "-journal";

/** Suffixes of the files that lie beside a database while it is open. */
const BESIDE = [LOG, SHARED_MEMORY];

/** Removes what an earlier use left beside a database that is not open. */
export function removeLog(path: string): void {
  remove([LOG, SHARED_MEMORY, ROLLBACK].map((suffix) => path + suffix));
}

const HEADER_BYTES = 100;

/** The most files that SQLite opens for one database: it, its log and, only to check it, the shared memory of the log. */
const FILES_OF_A_DATABASE = 3;

/**
 * The error to report for a file that could not be opened: that of the system if no further file can be opened for now,
 * which SQLite does not tell apart, else a {@link StoreError}.
 */
export function openingFault(path: string, error: unknown): unknown {
  if (isOutOfFiles(error)) return error;
  const code = codeOf(error);
  if (/^SQLITE_(IOERR|READONLY)/.test(code)) {
    const readOnly = [path, dirname(path)].find(isForReadingAlone);
    const what = readOnly === path ? "it" : `the folder ${readOnly}`;
    if (readOnly) return new StoreError(`${path} cannot be opened: ${what} may be read, and not written to.`);
  }
  const isSilent = code.startsWith("SQLITE_CANTOPEN");
  return (isSilent && wantOfFiles(path)) || asStoreError(path, error);
}

/** Whether this process may read a file or folder but not write to it, which SQLite reports as an error of the disk. */
function isForReadingAlone(path: string): boolean {
  return isAllowed(path, constants.R_OK) && !isAllowed(path, constants.W_OK);
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** The system's error if as many files as a database needs cannot be opened for now; else undefined. */
function wantOfFiles(path: string): unknown {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_A_DATABASE) opened.push(openSync(path, "r"));
    return undefined;
  } catch (error) {
    return isOutOfFiles(error) ? error : undefined;
  } finally {
    for (const file of opened) closeSync(file);
  }
}

/** SQLite's error about a file, with a message for users. */
export function asStoreError(path: string, error: unknown): Error {
  if (error instanceof StoreError) return error;
  if (isInUse(error)) return new StoreError(`${path} is in use by another process.`);
  return new StoreError(`${path} cannot be opened: ${messageOf(error)}.`);
}

/** Whether SQLite reports that another connection has locked a file. */
export function isInUse(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/** Refuses a file that this program cannot read. @param newest the version that it writes. @throws {StoreError} */
export function refuseForeignFile(path: string, newest: number): void {
  const header = startOf(path);
  if (header.length < HEADER_BYTES) throw new StoreError(`${path} is damaged: it ends before its header does.`);
  const ours = header.toString("latin1", 0, 15) === "SQLite format 3" && header.readUInt32BE(68) === APPLICATION_ID;
  if (!ours) throw new StoreError(`${path} is not a world of payments-sandbox.`);
  refuseNewerVersion(path, versionOf(header), newest);
}

/** Refuses a file whose content is of a later version than this program writes. @throws {StoreError} */
export function refuseNewerVersion(path: string, version: number, newest: number): void {
  if (version > newest) throw new StoreError(`${path} was written by a newer version of payments-sandbox.`);
}

/** The version of a database's content, from the header of its file: `user_version`. */
export function versionOf(header: Buffer): number {
  return header.readUInt32BE(60);
}

/**
 * Refuses a damaged file. It reads through a read-only connection: one that can write merges the log into the file when
 * it is closed.
 * @returns whether the file could be checked: on a full disk there is no room for the shared memory that a read-only
 * connection needs, and it cannot roll back what a killed process left half written.
 * @throws {StoreError} @throws SQLite's error if the file is in use.
 */
export function refuseDamagedFile(path: string): boolean {
  refuseTornEnd(path);
  const added = BESIDE.map((suffix) => path + suffix).filter((name) => !existsSync(name));
  const sqlite = new Sqlite(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    refuseDamaged(sqlite, path);
  } catch (error) {
    sqlite.close();
    if (isWithoutRoom(error) || isHalfWritten(error)) return false;
    // If another process uses the file, they belong to that process.
    if (!isInUse(error)) remove(added);
    throw error;
  }
  sqlite.close();
  remove(added);
  return true;
}

function remove(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
}

function isWithoutRoom(error: unknown): boolean {
  return /^SQLITE_(IOERR|FULL|CANTOPEN)/.test(codeOf(error));
}

/** Whether a change of the journal mode was interrupted: it is the only write that does not go through the log. */
function isHalfWritten(error: unknown): boolean {
  return codeOf(error) === "SQLITE_READONLY_ROLLBACK";
}

/** Refuses a database with a broken page behind an intact header. @throws {StoreError} */
export function refuseDamaged(sqlite: Sqlite.Database, path: string): void {
  const verdict = sqlite.pragma("quick_check(1)", { simple: true });
  if (verdict === "ok") return;
  throw new StoreError(`${path} is damaged: ${String(verdict).split("\n").at(-1)}.`);
}

/**
 * Refuses a file whose end is missing: SQLite reads what is missing of the last page as zeros. With a log or journal
 * beside it, the file need not have all pages.
 */
function refuseTornEnd(path: string): void {
  if ([LOG, ROLLBACK].some((suffix) => existsSync(path + suffix))) return;
  const header = startOf(path);
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (statSync(path).size < pageBytes * header.readUInt32BE(28)) {
    throw new StoreError(`${path} is damaged: its end is missing.`);
  }
}

/**
 * The header of a file, read alone because the whole file may not fit into memory.
 * @throws {StoreError} if it is not a regular file: a pipe is never opened.
 */
function startOf(path: string): Buffer {
  if (!statSync(path).isFile()) throw new StoreError(`${path} is not a world of payments-sandbox: it is not a file.`);
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(HEADER_BYTES);
    return start.subarray(0, readSync(file, start, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

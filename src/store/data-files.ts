/** Looks at data files before anything is written to them: what is refused stays as it is. */
import { accessSync, closeSync, constants, existsSync, openSync, readSync, rmSync, statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { isOutOfFiles } from "./storage-fault.ts";
import { StoreError } from "./store-error.ts";

/** "PSBX": marks a file as a world of this product. */
export const APPLICATION_ID = 0x50534258;

/** How long a file may be in use before it is refused for that. */
export const BUSY_TIMEOUT_MS = 100;

/** What lies beside a file while it is open. */
const BESIDE = ["-wal", "-shm"] as const;

const HEADER_BYTES = 100;

/** As many files as SQLite has of one database: itself, its log and what it shares of that. */
const FILES_OF_A_DATABASE = 3;

/**
 * What went wrong with the opening of a file: that of the system where no further file can be opened for now, which
 * SQLite does not tell apart, else a {@link StoreError}.
 */
export function openingFault(path: string, error: unknown): unknown {
  if (isOutOfFiles(error)) return error;
  const code = String((error as { code?: unknown }).code);
  if (/^SQLITE_(IOERR|READONLY)/.test(code) && isForReadingAlone(path)) {
    return new StoreError(`${path} cannot be opened: it may be read, and not written to.`);
  }
  const isSilent = code.startsWith("SQLITE_CANTOPEN");
  return (isSilent && wantOfFiles(path)) || asStoreError(path, error);
}

/** Whether a file is there for this process to read alone, which SQLite calls an error of the disk. */
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

/** What the system says of so many files; undefined where there are enough. */
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

/** What SQLite says of a file, as told to its user. */
export function asStoreError(path: string, error: unknown): Error {
  if (error instanceof StoreError) return error;
  if (isInUse(error)) return new StoreError(`${path} is in use by another process.`);
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(`${path} cannot be opened: ${reason}.`);
}

/** Whether SQLite says that another connection has a file. */
export function isInUse(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY");
}

/** @param newest the version of the content that this program writes. @throws {StoreError} */
export function refuseForeignFile(path: string, newest: number): void {
  const header = startOf(path);
  if (header.length < HEADER_BYTES) throw new StoreError(`${path} is damaged: it ends before its header does.`);
  const ours = header.toString("latin1", 0, 15) === "SQLite format 3" && header.readUInt32BE(68) === APPLICATION_ID;
  if (!ours) throw new StoreError(`${path} is not a world of payments-sandbox.`);
  if (versionOf(header) > newest) {
    throw new StoreError(`${path} was written by a newer version of payments-sandbox.`);
  }
}

/** The version of what a file of SQLite holds, from its header: `user_version`. */
export function versionOf(header: Buffer): number {
  return header.readUInt32BE(60);
}

/**
 * Looks through a connection that cannot write: one that can takes the log over into the file when it is closed.
 * @returns whether it could look: on a full disk there is no room for what such a connection shares with others, and it
 * cannot take back what a process that was killed had half written.
 * @throws {StoreError} @throws what SQLite says where the file is in use.
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
    // Where it is in use by another process, they are that one's.
    if (!isInUse(error)) for (const name of added) rmSync(name, { force: true });
    throw error;
  }
  sqlite.close();
  return true;
}

function isWithoutRoom(error: unknown): boolean {
  return /^SQLITE_(IOERR|FULL|CANTOPEN)/.test(String((error as { code?: unknown }).code));
}

/** A change of the journal mode, which is the only one that is not made by way of the log, was cut off. */
function isHalfWritten(error: unknown): boolean {
  return (error as { code?: unknown }).code === "SQLITE_READONLY_ROLLBACK";
}

/** A page that is broken behind a whole header. @throws {StoreError} */
export function refuseDamaged(sqlite: Sqlite.Database, path: string): void {
  const verdict = sqlite.pragma("quick_check(1)", { simple: true });
  if (verdict === "ok") return;
  throw new StoreError(`${path} is damaged: ${String(verdict).split("\n").at(-1)}.`);
}

/** SQLite takes zeros for what is missing of the last page; where nothing is beside the file, all pages are to be there. */
function refuseTornEnd(path: string): void {
  if (["-wal", "-journal"].some((suffix) => existsSync(path + suffix))) return;
  const header = startOf(path);
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (statSync(path).size < pageBytes * header.readUInt32BE(28)) {
    throw new StoreError(`${path} is damaged: its end is missing.`);
  }
}

/** A file may be larger than what fits into memory. @throws {StoreError} for what is none: a pipe is never opened. */
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

/**
 * A store that fails: a full disk, a folder that may not be written to any longer, a world in memory that is as large as
 * one can be, a process that has as many files open as it may, or a file that something else has damaged.
 */

import { faultText, messageOf } from "../domain/words/thrown.ts";
import { visible } from "../domain/words/visible.ts";

/** SQLite's own bound of a database in memory, 2^30 bytes, was reached; what was being written has been undone. */
export class MemoryFull extends Error {
  override readonly name = "MemoryFull";
  readonly code = "SQLITE_FULL";

  constructor() {
    super("1 GB is the most that a world in memory holds");
  }
}

/** The file of a world was damaged while it was open: cut off, or written to by something else. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
  readonly code: string;

  /** @param error what SQLite said, which does not name the file. */
  constructor(path: string, error: unknown) {
    super(`${path}: ${messageOf(error)}`);
    this.code = codeOf(error);
  }
}

const OUT_OF_FILES: readonly string[] = ["EMFILE", "ENFILE"];

/** Codes of a disk that was remounted read-only, as after a disk error, or of a folder whose permissions changed. */
const NOT_WRITABLE: readonly string[] = ["EROFS", "EACCES", "EPERM"];

const OUT_OF_ROOM: readonly string[] = ["SQLITE_FULL", "ENOSPC", "EDQUOT", "EFBIG", "EIO"];

/** Codes of a file whose content is not what SQLite has written, or not all of it. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/;

/** Whether an error says that no further file can be opened for now. */
export function isOutOfFiles(error: unknown): boolean {
  return OUT_OF_FILES.includes(codeOf(error));
}

/** Code of a data folder that was removed while in use. */
const GONE = "ENOENT";

/** The data folder was removed while in use, or its lock was; there may be those of another sandbox in their place. */
export class FolderGone extends Error {
  override readonly name = "FolderGone";
  readonly code = GONE;

  /** @param lockPath the path of its lock. */
  constructor(lockPath: string) {
    super(`${lockPath} is not the file that this sandbox locked`);
  }
}

/** Whether an error says that the content of a file is damaged. */
export function isDamage(error: unknown): boolean {
  return DAMAGED.test(codeOf(error));
}

/** Whether an error says that a store fails; what was being written has been undone. */
export function isStorageFault(error: unknown): boolean {
  const code = codeOf(error);
  const isOutOfRoom = OUT_OF_ROOM.includes(code) || code.startsWith("SQLITE_IOERR");
  return isOutOfRoom || isOutOfFiles(error) || isNotWritable(error) || isDamage(error) || code === GONE;
}

function isNotWritable(error: unknown): boolean {
  const code = codeOf(error);
  return NOT_WRITABLE.includes(code) || code.startsWith("SQLITE_READONLY");
}

/** The code of an error of SQLite or of the system; empty for what has none. */
export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}

/** What messages say about a store that fails, as parts of sentences. */
interface StorageFault {
  /** Its code in the control interface. */
  readonly code: "STORAGE_DAMAGED" | "STORAGE_FULL" | "STORAGE_READ_ONLY" | "TOO_MANY_FILES";
  readonly what: string;
  /** The calls that are refused; unless given, those that write. */
  readonly calls?: string;
  readonly until: string;
  readonly remedy: string;
}

const FULL_MEMORY: StorageFault = {
  code: "STORAGE_FULL",
  what: "a world in memory has grown to 1 GB, the most that one holds",
  until: "it is reset or deleted",
  remedy: "Reset the world, or start with --data, where the disk alone is the bound.",
};

const FULL_DISK: StorageFault = {
  code: "STORAGE_FULL",
  what: "the disk takes nothing more",
  until: "there is room",
  remedy: "Make room and repeat the call.",
};

const READ_ONLY: StorageFault = {
  code: "STORAGE_READ_ONLY",
  what: "the data folder may not be written to",
  until: "it may be",
  remedy: "Give the sandbox the right to write to it and repeat the call.",
};

const NO_FOLDER: StorageFault = {
  code: "STORAGE_READ_ONLY",
  what: "the data folder, or the file .lock in it, is not there any more",
  until: "the sandbox is started again",
  remedy: "Start the sandbox again, with a folder that stays as long as it runs.",
};

const TOO_MANY_FILES: StorageFault = {
  code: "TOO_MANY_FILES",
  what: "too many files are open",
  until: "some are closed",
  remedy: "Close connections that nobody needs, or start with a higher limit (ulimit -n), and repeat the call.",
};

const DAMAGED_FILE: StorageFault = {
  code: "STORAGE_DAMAGED",
  what: "the file of the world was damaged by something else",
  calls: "calls that need what is lost",
  until: "the world is restored or reset",
  remedy: "Restore a snapshot or reset the world; if neither works, stop the sandbox and put back a copy of the file.",
};

/** What to say about an error for which {@link isStorageFault} is true. */
export function storageFaultOf(error: unknown): StorageFault {
  if (isOutOfFiles(error)) return TOO_MANY_FILES;
  if (isDamage(error)) return DAMAGED_FILE;
  if (isNotWritable(error)) return READ_ONLY;
  if (codeOf(error) === GONE) return NO_FOLDER;
  return error instanceof MemoryFull ? FULL_MEMORY : FULL_DISK;
}

/**
 * The text for stderr, safe to print: of a storage fault, one line on what is wrong and until when, else
 * {@link faultText}.
 */
export function faultLine(error: unknown): string {
  if (!isStorageFault(error)) return visible(faultText(error));
  const { what, calls = "calls that write", until } = storageFaultOf(error);
  const reason = visible((error as Error).message);
  return `payments-sandbox: ${what}; ${calls} are answered 503 until ${until} (${reason}).\n`;
}

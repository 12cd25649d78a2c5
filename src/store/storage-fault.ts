/** A store that takes nothing more: a full disk, or a world in memory that is as large as one can be. */

/** SQLite's own bound of a database in memory, 2^30 bytes, was reached; what was being written has been undone. */
export class MemoryFull extends Error {
  override readonly name = "MemoryFull";
  readonly code = "SQLITE_FULL";

  constructor() {
    super("1 GB is the most that a world in memory holds");
  }
}

/** Whether an error says that a store takes nothing more; what was being written has been undone. */
export function isStorageFault(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  return ["SQLITE_FULL", "ENOSPC", "EDQUOT", "EFBIG", "EIO"].includes(code) || code.startsWith("SQLITE_IOERR");
}

/** What there is to be told of such an error: the parts of a sentence. */
export interface FullStore {
  readonly what: string;
  readonly until: string;
  readonly remedy: string;
}

const FULL_MEMORY: FullStore = {
  what: "a world in memory has grown to 1 GB, the most that one holds",
  until: "it is reset or deleted",
  remedy: "Reset the world, or start with --data, where the disk alone is the bound.",
};

const FULL_DISK: FullStore = {
  what: "the disk takes nothing more",
  until: "there is room",
  remedy: "Make room and repeat the call.",
};

/** @param error one that {@link isStorageFault} is true of. */
export function fullStore(error: unknown): FullStore {
  return error instanceof MemoryFull ? FULL_MEMORY : FULL_DISK;
}

/** What goes to stderr of a fault: one line, with what to do about it. */
export function faultLine(error: unknown): string {
  if (!isStorageFault(error)) return `payments-sandbox: a fault of the sandbox, please report it: ${error}\n`;
  const { what, until } = fullStore(error);
  return `payments-sandbox: ${what}; calls that write are answered 503 until ${until} (${(error as Error).message}).\n`;
}

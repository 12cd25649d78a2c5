/** Databases in memory that are opened from bytes: what worlds are made of, forked and woken from. */
import Sqlite from "better-sqlite3";
import { Connection } from "./connection.ts";
import { versionOf } from "./data-files.ts";
import { migrate, NEWEST_VERSION } from "./migrations.ts";

/**
 * SQLite's cache of pages for a database in memory. It is small, because the pages are a second copy, and a commit goes
 * through all of them whenever the tree of a table has been balanced.
 */
const CACHE_KB = 2_000;

/** Size in bytes up to which a copy that may never be taken is opened ahead. */
const MOST_AHEAD = 8_000_000;

/** A copy that nobody has taken yet. */
interface Ahead {
  readonly bytes: Buffer;
  readonly connection: Connection;
}

/** What a copy was asked of last, and whether it was the one before too; weak, because the bytes may be many. */
let last: { readonly bytes: WeakRef<Buffer>; readonly isRepeated: boolean } | undefined;
let ahead: Ahead | null = null;

/** Opens bytes as a database in memory, and migrates an older version. */
export function openBytes(bytes: Buffer): Connection {
  const sqlite = new Sqlite(bytes);
  sqlite.exec(`PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -${CACHE_KB};`);
  if (versionOf(bytes) !== NEWEST_VERSION) migrate(sqlite, "A copy");
  return new Connection(sqlite);
}

/** As {@link openBytes}, or the copy that {@link openAhead} has opened. */
export function openCopy(bytes: Buffer): Connection {
  last = { bytes: new WeakRef(bytes), isRepeated: last?.bytes.deref() === bytes };
  if (ahead?.bytes !== bytes) return openBytes(bytes);
  const { connection } = ahead;
  ahead = null;
  return connection;
}

/**
 * Opens the next copy of bytes before it is asked for, with the statements prepared that an earlier one has needed. It
 * does nothing unless the last two copies were of these bytes.
 */
export function openAhead(bytes: Buffer, earlier: Connection): void {
  const isLikely = last?.isRepeated && last.bytes.deref() === bytes && bytes.length <= MOST_AHEAD;
  if (!isLikely || ahead?.bytes === bytes) return;
  ahead?.connection.sqlite.close();
  ahead = null;
  try {
    ahead = { bytes, connection: openBytes(bytes).preparedAs(earlier) };
  } catch {
    // Whoever asks for the copy is told what is wrong.
  }
}

/** The files of a world as SQLite documents them: the log's frames and commits, and what may become of bytes. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";

/** What a world lies in; a log is not always there. */
export interface DataFiles {
  readonly db: Buffer;
  readonly wal: Buffer | null;
  readonly shm?: Buffer;
}

/** https://sqlite.org/fileformat2.html, "The Write-Ahead Log". */
export const LOG_HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;

interface Frame {
  /** Where it begins and ends in the log. */
  readonly from: number;
  readonly to: number;
  /** The last of a transaction. */
  readonly isCommit: boolean;
}

/** The frames of a log, as many as it says that it has. */
export function framesOf(wal: Buffer): Frame[] {
  const bytes = FRAME_HEADER_BYTES + pageBytesOf(wal);
  const frames: Frame[] = [];
  for (let from = LOG_HEADER_BYTES; from + bytes <= wal.length; from += bytes) {
    // A log is written again from its start: what is of an older round has other salts.
    if (!wal.subarray(from + 8, from + 16).equals(wal.subarray(16, 24))) break;
    frames.push({ from, to: from + bytes, isCommit: wal.readUInt32BE(from + 4) !== 0 });
  }
  return frames;
}

function pageBytesOf(wal: Buffer): number {
  return wal.readUInt32BE(8);
}

/** How much of a log is sound up to its last commit, where all is whole up to a byte. */
export function lastCommitBefore(wal: Buffer, byte: number): number {
  const whole = framesOf(wal).filter(({ to, isCommit }) => isCommit && to <= byte);
  return whole.at(-1)?.to ?? 0;
}

/** How many entries the journal has, by SQLite itself. */
export function entriesIn({ db, wal }: DataFiles): number {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-files-"));
  try {
    const path = join(folder, "copy.db");
    writeFileSync(path, db);
    if (wal) writeFileSync(`${path}-wal`, wal);
    const sqlite = new Sqlite(path);
    const { count } = sqlite.prepare("SELECT count(*) AS count FROM journal").get() as { count: number };
    sqlite.close();
    return count;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A copy with one bit turned over. */
export function flipped(bytes: Buffer, at: number, bit = 0): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << bit);
  return copy;
}

/** A copy with zeros in a stretch. */
export function zeroed(bytes: Buffer, from: number, to: number): Buffer {
  return Buffer.from(bytes).fill(0, from, to);
}

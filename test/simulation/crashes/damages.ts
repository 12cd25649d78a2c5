/** TABLES: what may become of a world's files. */
import type { RandomNumbers } from "../load/random.ts";
import {
  entriesIn,
  FRAME_HEADER_BYTES,
  flipped,
  framesOf,
  LOG_HEADER_BYTES,
  lastCommitBefore,
  zeroed,
} from "./data-files.ts";
import type { Damage, Sample } from "./torn-files.ts";

/** What lies beside a file is missing, worn out or no log at all: what is in the file is there, and in a log of it. */
export function strangeLogs({ files, journal, settledEntries, olderLog }: Sample): Damage[] {
  const [{ db, wal }, garbage] = [files, (bytes: number) => Buffer.alloc(bytes, 0xa5)];
  const all = journal.length;
  return [
    { what: "nothing", files, entries: all },
    { what: "a log that is gone", files: { db, wal: null }, entries: settledEntries },
    { what: "a log of an earlier time", files: { db, wal: olderLog }, entries: settledEntries },
    { what: "a log that is none", files: { db, wal: garbage(5_000) }, entries: settledEntries },
    { what: "more behind the log", files: { db, wal: Buffer.concat([wal, garbage(9_000)]) }, entries: all },
    { what: "an index of the log that is none", files: { ...files, shm: garbage(32_768) }, entries: all },
    { what: "an empty index of the log", files: { ...files, shm: garbage(0) }, entries: all },
  ];
}

/** The log ends somewhere: all up to the last commit before is there. */
export function cutLogs({ files }: Sample, random: RandomNumbers, count: number): Damage[] {
  const { db, wal } = files;
  const frames = framesOf(wal);
  const [first, last] = [frames[0], frames.at(-1)];
  const commits = frames.filter(({ isCommit }) => isCommit);
  const inner = frames.find(({ isCommit }) => !isCommit);
  const places: [string, number][] = [
    ["empty", 0],
    ["in its header", LOG_HEADER_BYTES / 2],
    ["after its header", LOG_HEADER_BYTES],
    ["in the first frame's header", LOG_HEADER_BYTES + FRAME_HEADER_BYTES / 2],
    ["after the first frame's header", LOG_HEADER_BYTES + FRAME_HEADER_BYTES],
    ["in the first frame", (first?.to ?? 0) - 100],
    ["after a frame that is no commit", inner?.to ?? 0],
    ["before the last frame", last?.from ?? 0],
    ["in the last frame's header", (last?.from ?? 0) + 10],
    ["a byte before the end", (last?.to ?? 0) - 1],
  ];
  for (const { to } of commits.filter((_, index) => index % Math.ceil(commits.length / 8) === 0)) {
    places.push([`after the commit at ${to}`, to], [`a byte before the commit at ${to}`, to - 1]);
  }
  for (let made = 0; made < count; made++) {
    const at = Math.floor(random() * wal.length);
    places.push([`at ${at}`, at]);
  }
  return places.map(([where, at]) => {
    const cut = { db, wal: wal.subarray(0, at) };
    const whole = lastCommitBefore(wal, at);
    return {
      what: `log cut ${where}`,
      files: cut,
      entries: entriesIn({ db, wal: whole ? wal.subarray(0, whole) : null }),
    };
  });
}

/** A bit of the log is turned, or a frame zeroed: all up to the last commit before it is there. */
export function spoiltLogs({ files }: Sample, random: RandomNumbers, count: number): Damage[] {
  const { db, wal } = files;
  const frames = framesOf(wal);
  const spoilt = (what: string, at: number, bytes: Buffer): Damage => {
    const whole = lastCommitBefore(wal, at);
    return { what, files: { db, wal: bytes }, entries: entriesIn({ db, wal: whole ? wal.subarray(0, whole) : null }) };
  };
  const headerFields: [string, number][] = [
    ["magic number", 0],
    ["version", 6],
    ["page size", 10],
    ["salt", 17],
    ["checksum", 27],
  ];
  const damages = headerFields.map(([field, at]) => spoilt(`bit of the log's ${field}`, at, flipped(wal, at)));
  const middle = frames[Math.floor(frames.length / 2)];
  const frameFields: [string, number][] = [
    ["page number", 3],
    ["size", 7],
    ["salt", 9],
    ["checksum", 18],
    ["page", 500],
  ];
  for (const [field, offset] of frameFields) {
    const at = (middle?.from ?? 0) + offset;
    damages.push(spoilt(`bit of a frame's ${field}`, at, flipped(wal, at)));
  }
  damages.push(spoilt("a frame of zeros", middle?.from ?? 0, zeroed(wal, middle?.from ?? 0, middle?.to ?? 0)));
  for (let made = 0; made < count; made++) {
    const at = LOG_HEADER_BYTES + Math.floor(random() * (wal.length - LOG_HEADER_BYTES));
    damages.push(spoilt(`bit of the log at ${at}`, at, flipped(wal, at, Math.floor(random() * 8))));
  }
  return damages;
}

/** The file itself is cut. */
export function cutFiles({ files, journal, settledEntries }: Sample, random: RandomNumbers, count: number): Damage[] {
  const { db, wal } = files;
  const page = db.readUInt16BE(16);
  const pages = db.length / page;
  const places = [
    0,
    50,
    100,
    512,
    page - 1,
    page,
    page + 1,
    page * 2,
    page * Math.floor(pages / 2),
    db.length - page,
    db.length - 1,
  ];
  for (let made = 0; made < count; made++) places.push(Math.floor(random() * db.length));
  return places.flatMap((at) => [
    { what: `file cut at ${at}, with its log`, files: { db: db.subarray(0, at), wal }, entries: journal.length },
    { what: `file cut at ${at}, without`, files: { db: db.subarray(0, at), wal: null }, entries: settledEntries },
  ]);
}

/**
 * Pages of the file are zeroed, or bits of it turned. SQLite has no checksums there: what is within a row may be read
 * as if it had always been so.
 */
export function spoiltFiles({ files, settledEntries }: Sample, random: RandomNumbers, count: number): Damage[] {
  const { db } = files;
  const page = db.readUInt16BE(16);
  const damages: Damage[] = [];
  const add = (what: string, bytes: Buffer) =>
    damages.push({ what, files: { db: bytes, wal: null }, entries: settledEntries });
  for (let made = 0; made < count; made++) {
    const at = Math.floor(random() * (db.length / page)) * page;
    add(`page ${at / page + 1} of zeros`, zeroed(db, at, at + page));
    add(`half of page ${at / page + 1} of zeros`, zeroed(db, at + page / 2, at + page));
    const bit = Math.floor(random() * db.length);
    add(`bit of the file at ${bit}`, flipped(db, bit, Math.floor(random() * 8)));
  }
  for (let at = 0; at < 100; at++) add(`bit of the header at ${at}`, flipped(db, at, Math.floor(random() * 8)));
  return damages;
}

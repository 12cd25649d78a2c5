/**
 * For `node --import`: ends the process with SIGKILL at one of the points where something becomes lasting, each commit
 * and each change of a file of the data folder, before it, after it or, of a file that is written, in the midst of it.
 * `CRASH_POINTS` names a file that all points are noted in, a line each; `CRASH_AT` is the number of the deadly one,
 * from 1, and `CRASH_HOW` is `before`, `half` or `after`. Without `CRASH_AT` none is.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import Sqlite from "better-sqlite3";

const { CRASH_POINTS, CRASH_AT, CRASH_HOW } = process.env;
const { appendFileSync, renameSync, rmSync, writeFileSync } = fs;
const deadly = Number(CRASH_AT ?? 0);
let count = 0;

function die(): never {
  process.kill(process.pid, "SIGKILL");
  throw new Error("It lives on.");
}

function point(what: string, work: () => unknown, half: () => void = () => {}): unknown {
  count++;
  if (CRASH_POINTS) appendFileSync(CRASH_POINTS, `${what}\n`);
  if (count !== deadly) return work();
  if (CRASH_HOW === "before") die();
  if (CRASH_HOW === "half") {
    half();
    die();
  }
  work();
  return die();
}

const { prepare } = Sqlite.prototype;

Sqlite.prototype.prepare = function deadlyPrepare(this: Sqlite.Database, source: string) {
  const statement = prepare.call(this, source);
  if (source !== "COMMIT") return statement;
  const run = statement.run.bind(statement) as () => Sqlite.RunResult;
  statement.run = () => point("commit", run) as Sqlite.RunResult;
  return statement;
} as typeof prepare;

const isOurs = (path: unknown) => /\.(db|origin|json)(-wal|-shm|\.new)?$/.test(String(path));

fs.renameSync = (from, to) => {
  point("rename", () => renameSync(from, to));
};
fs.rmSync = (path, options) => {
  if (isOurs(path) && fs.existsSync(path)) point("remove", () => rmSync(path, options));
  else rmSync(path, options);
};
fs.writeFileSync = (path, data, options) => {
  if (!isOurs(path)) return writeFileSync(path, data, options);
  const bytes = Buffer.from(data as Buffer);
  point(
    "write",
    () => writeFileSync(path, data, options),
    () => writeFileSync(path, bytes.subarray(0, bytes.length / 2), options),
  );
};
syncBuiltinESMExports();

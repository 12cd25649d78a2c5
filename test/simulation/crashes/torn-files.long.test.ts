/** Data files that are cut, overwritten or not there to be read, by the hundred in one folder (issue: crash). */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { connectSandbox } from "../../../src/index.ts";
import { asNobody, runCommand, startReady, terminate } from "../../support/command.ts";
import { testFolder } from "../../support/folder.ts";
import { generator } from "../load/random.ts";
import { cutFiles, cutLogs, spoiltFiles, spoiltLogs, strangeLogs } from "./damages.ts";
import { judge, type Sample, takeSample, type Verdict } from "./torn-files.ts";

let sample: Sample;

beforeAll(async () => {
  sample = await takeSample();
  expect(sample.settledEntries).toBeGreaterThan(100);
  expect(sample.journal.length).toBeGreaterThan(sample.settledEntries + 100);
});

const failed = (verdicts: readonly Verdict[]) => verdicts.filter(({ faults }) => faults.length > 0);
const refused = (verdicts: readonly Verdict[]) => verdicts.filter(({ outcome }) => outcome === "refused");

test("a log that is cut or overwritten anywhere: the world is back up to its last whole commit", async () => {
  const random = generator(1);
  const damages = [...strangeLogs(sample), ...cutLogs(sample, random, 15), ...spoiltLogs(sample, random, 15)];
  const verdicts = await judge(sample, damages);
  expect(failed(verdicts)).toEqual([]);
  expect(refused(verdicts)).toEqual([]);
});

test("a file that is cut anywhere is refused in one sentence and left as it is, its log too, or nothing is missing", async () => {
  const verdicts = await judge(sample, cutFiles(sample, generator(2), 15));
  expect(failed(verdicts)).toEqual([]);
  expect(refused(verdicts).length).toBeGreaterThan(verdicts.length / 2);
});

test("a file that is overwritten: it is refused in one sentence or served, and the others go on", async () => {
  // What is within a row nobody can tell from what was written there; `judge` looks after the others, and the end.
  const verdicts = await judge(sample, spoiltFiles(sample, generator(3), 30));
  expect(refused(verdicts).length).toBeGreaterThan(verdicts.length / 3);
  for (const { sentence } of refused(verdicts)) expect(sentence).toMatch(/^payments-sandbox: .*\.db .+[.?]$/);
});

test("a file of more than two gigabytes is opened like any other", async () => {
  const data = testFolder({ "large.db": sample.files.db });
  // It takes no room on the disk: what is behind its pages was never written.
  truncateSync(join(data, "large.db"), 2_300_000_000);
  const running = await startReady(["--data", data]);
  const sandbox = await connectSandbox(running.ready.base_url);
  expect(await (await sandbox.world("large")).journal()).toHaveLength(sample.settledEntries);
  expect(await terminate(running)).toMatchObject({ code: 0, stderr: "" });
});

test("what cannot be read or written as a file is refused in one sentence, and the others go on", async () => {
  const data = testFolder();
  const path = (name: string) => join(data, name);
  const { db } = sample.files;
  mkdirSync(path("folder.db"));
  symlinkSync("loop.db", path("loop.db"));
  symlinkSync("nowhere", path("nowhere.db"));
  for (const name of ["log-folder", "closed", "read-only"]) writeFileSync(path(`${name}.db`), db);
  mkdirSync(path("log-folder.db-wal"));
  chmodSync(path("closed.db"), 0o000);
  chmodSync(path("read-only.db"), 0o444);
  chmodSync(data, 0o777);
  const args = ["--port", "0", "--log", "json", "--data", data];
  const running = await startReady(args, asNobody());
  const sandbox = await connectSandbox(running.ready.base_url);
  expect((await sandbox.worlds()).map(({ world }) => world)).toEqual(["default"]);
  const { code, stderr } = await terminate(running);
  expect(code).toBe(0);
  const names = ["closed", "folder", "log-folder", "loop", "nowhere", "read-only"];
  const lines = names.map((name) => expect.stringMatching(new RegExp(`^payments-sandbox: .*/${name}\\.db .+\\.$`)));
  expect(stderr.trimEnd().split("\n")).toEqual(lines);
  expect(stderr).toContain(`${path("read-only.db")} cannot be opened: it may be read, and not written to.\n`);
  expect(readFileSync(path("read-only.db")).equals(db)).toBe(true);
});

test("a folder that may not be written to is named, around files that may be", async () => {
  const data = testFolder({ "default.db": sample.files.db });
  const path = join(data, "default.db");
  chmodSync(path, 0o666);
  chmodSync(data, 0o555);
  const { code, stderr } = await runCommand(["--port", "0", "--data", data], asNobody());
  expect(code).toBe(2);
  expect(stderr).toBe(
    `payments-sandbox: ${path} cannot be opened: the folder ${data} may be read, and not written to.\n`,
  );
  expect(readFileSync(path).equals(sample.files.db)).toBe(true);
});

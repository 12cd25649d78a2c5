/** A world that is kept in a folder, and what the options of the next start say of it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { runCommand, startReady, terminate } from "../support/command.ts";
import { startReceiver } from "../support/receiver.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kept-world-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const rule = (action: string) => `scenario: mine\nrules:\n  - on: cashin.created\n    then:\n      - ${action}: {}\n`;

test("options that a world that is there already does not go by are named", async () => {
  const cwd = newFolder();
  const first = ["--data", "data", "--clock", "frozen", "--seed", "4", "--start", "2026-01-01T00:00:00Z"];
  expect((await terminate(await startReady(first, { cwd }))).stderr).toBe("");
  expect((await terminate(await startReady(first, { cwd }))).stderr).toBe("");

  const env = { PAYMENTS_SANDBOX_POSTBACK_URL: "http://localhost:3000/hooks" };
  const second = ["--data", "data", "--clock", "frozen", "--seed", "5", "--scenario", "none"];
  const { stderr } = await terminate(await startReady(second, { cwd, env }));
  expect(stderr).toBe(
    "payments-sandbox: the world default is there already and stays as it was made: --seed, --scenario, " +
      "--postback-url made no difference; give another --data folder for another world.\n",
  );
});

test("a settings file that is in force is not named; what was edited in a scenario to no effect is, once", async () => {
  const cwd = newFolder();
  const file = join(cwd, "mine.yaml");
  const args = ["--data", "data", "--scenario", "mine.yaml", "--settings", "own.yaml"];
  writeFileSync(file, `settings: { duplicate_status: 422 }\n${rule("pay")}`);
  writeFileSync(join(cwd, "own.yaml"), "protections: off\n");
  await terminate(await startReady(args, { cwd }));
  writeFileSync(file, `settings: { unanswered_dispute: open }\nseed: 7\n${rule("pay")}`);
  expect((await terminate(await startReady(args, { cwd }))).stderr).toBe(
    "payments-sandbox: mine.yaml was loaded again, but its settings, seed made no difference: only a fresh world goes by that\n",
  );
  expect((await terminate(await startReady(args, { cwd }))).stderr).toBe("");
});

test('another order of the scenarios is named, too; not one that a changed "with" gave them', async () => {
  const cwd = newFolder();
  const args = (...files: string[]) => ["--data", "data", "--scenario", files.join(",")];
  writeFileSync(join(cwd, "a.yaml"), rule("pay").replace("mine", "a"));
  writeFileSync(join(cwd, "b.yaml"), rule("cancel").replace("mine", "b"));
  for (const _start of [1, 2]) {
    expect((await terminate(await startReady(args("a.yaml", "b.yaml"), { cwd }))).stderr).toBe("");
  }
  expect((await terminate(await startReady(args("b.yaml", "a.yaml"), { cwd }))).stderr).toContain(
    "stays as it was made: --scenario made no difference;",
  );
  writeFileSync(join(cwd, "a.yaml"), `with: [b.yaml]\n${rule("pay").replace("mine", "a")}`);
  expect((await terminate(await startReady(args("a.yaml", "b.yaml"), { cwd }))).stderr).toBe(
    "payments-sandbox: a.yaml was loaded again\n",
  );
});

test("scenarios that --scenario would add are named", async () => {
  const cwd = newFolder();
  const args = ["--data", "data", "--clock", "frozen", "--scenario", "stories"];
  mkdirSync(join(cwd, "stories"));
  writeFileSync(join(cwd, "stories", "mine.yaml"), rule("pay"));
  await terminate(await startReady(args, { cwd }));
  writeFileSync(join(cwd, "stories", "other.yaml"), rule("cancel").replace("mine", "other"));
  expect((await terminate(await startReady(args, { cwd }))).stderr).toBe(
    "payments-sandbox: the world default is there already, and --scenario loads nothing new into it: stories/other.yaml; " +
      "load it by POST /_sandbox/scenarios, a file also by saving it again.\n",
  );
  rmSync(join(cwd, "stories", "other.yaml"));
  expect((await terminate(await startReady(args, { cwd }))).stderr).toBe("");
});

test("files that came into the folder scenarios meanwhile are named, too", async () => {
  const cwd = newFolder();
  mkdirSync(join(cwd, "scenarios"));
  await terminate(await startReady(["--data", "data"], { cwd }));
  writeFileSync(join(cwd, "scenarios", "mine.yaml"), rule("pay"));
  expect((await terminate(await startReady(["--data", "data"], { cwd }))).stderr).toContain(
    "is there already, and a start loads nothing new into it: scenarios/mine.yaml; load it by POST",
  );
});

test("a start that is refused leaves no world for the next one to find", async () => {
  const cwd = newFolder();
  const taken = await startReady();
  const { port } = new URL(taken.ready.base_url);
  expect((await runCommand(["--port", port, "--data", "data", "--seed", "4"], { cwd })).code).toBe(2);
  const running = await startReady(["--data", "data", "--seed", "5"], { cwd });
  const world = await (await connectSandbox(running.ready.base_url)).defaultWorld();
  expect(await world.info()).toMatchObject({ seed: 5 });
  expect((await terminate(running)).stderr).toBe("");
});

test("a start whose port is taken leaves a file of an older version as it was, for the older program", async () => {
  const cwd = newFolder();
  await terminate(await startReady(["--data", "data"], { cwd }));
  const file = join(cwd, "data", "default.db");
  const older = new Sqlite(file);
  older.exec("DROP INDEX webhooks_put_back; ALTER TABLE webhooks DROP COLUMN put_back; PRAGMA user_version = 8");
  older.close();
  const before = readFileSync(file);
  const taken = await startReady();
  const { port } = new URL(taken.ready.base_url);
  expect((await runCommand(["--port", port, "--data", "data"], { cwd })).code).toBe(2);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect((await terminate(await startReady(["--data", "data"], { cwd }))).stderr).toBe("");
  expect(readFileSync(file).equals(before)).toBe(false);
});

test("a start that is refused sends nothing of what was under way in the worlds; the next one does", async () => {
  const cwd = newFolder();
  const { promise: came, resolve } = Promise.withResolvers<void>();
  await using receiver = await startReceiver((_request, response) => {
    // The first one is left without an answer.
    if (receiver.received.length > 1) response.writeHead(200).end();
    resolve();
  });
  const args = ["--data", "data", "--clock", "frozen", "--scenario", "none", "--postback-url", receiver.url];
  const running = await startReady(args, { cwd });
  const world = await (await connectSandbox(running.ready.base_url)).defaultWorld();
  const charge = await world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL", amount: "10.00" });
  const paid = world.transactions.pay(charge.transaction_id).catch(() => {});
  await came;
  await terminate(running, "SIGKILL");
  await paid;
  const taken = await startReady();
  const { port } = new URL(taken.ready.base_url);
  expect((await runCommand(["--port", port, "--data", "data"], { cwd })).code).toBe(2);
  expect(receiver.received).toHaveLength(1);
  const again = await startReady(["--data", "data"], { cwd });
  await (await (await connectSandbox(again.ready.base_url)).defaultWorld()).settle();
  expect(receiver.received).toHaveLength(2);
});

test("a scenario that was edited while nothing ran is served as it is now; a broken one keeps the last good", async () => {
  const cwd = newFolder();
  const file = join(cwd, "mine.yaml");
  const args = ["--data", "data", "--clock", "frozen", "--scenario", "mine.yaml"];
  writeFileSync(file, rule("pay"));
  await terminate(await startReady(args, { cwd }));
  writeFileSync(file, rule("cancel"));
  const running = await startReady(args, { cwd });
  const world = await (await connectSandbox(running.ready.base_url)).defaultWorld();
  const charge = await world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL", amount: "10.00" });
  expect(await world.call("GET", `/transactions/${charge.transaction_id}`)).toMatchObject({ status: "canceled" });
  expect((await terminate(running)).stderr).toMatch(/mine\.yaml was loaded again\n$/);
});

test.runIf(process.platform === "linux")("a data folder that cannot be made is told in one line", async () => {
  const { code, stderr } = await runCommand(["--port", "0", "--data", "/proc/nowhere/data"]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^payments-sandbox: .*\/proc\/nowhere.*\n$/)]);
});

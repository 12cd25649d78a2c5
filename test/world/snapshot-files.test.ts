/** Snapshots in a data folder: after a restart, damaged, of another world, and what a deleted world leaves behind. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type SandboxClient, startSandbox, type WorldClient } from "../../src/index.ts";
import { chargeOf, makeCharge, transactionOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { withVersion } from "../support/world-file.ts";

const openWorld = (sandbox: SandboxClient, id: string): Promise<WorldClient> => sandbox.openWorld(id, { seed: 999 });

test("snapshots, and all that is in them, are there after a restart", async () => {
  const data = testFolder();
  await using receiver = await startReceiver(500, 200);
  const first = await startSandbox({ data });
  const world = await first.createWorld({ id: "kept", scenarios: ["happy-path"], postback_url: receiver.url });
  const merchant = await Merchant.of(world);
  const id = await chargeOf(merchant);
  await world.advance("5s");
  await world.takeSnapshot("retry-to-come");
  const [journal, timers, snapshots] = [await world.journal(), await world.timers(), await world.snapshots()];
  await world.advance("1d");
  await world.act(id, "refund");
  await world.takeSnapshot("refunded");
  await first.stop();

  await using second = await startSandbox({ data });
  const back = await openWorld(second, "kept");
  expect((await back.snapshots()).map(({ name }) => name)).toEqual(["retry-to-come", "refunded"]);
  expect((await back.snapshots())[0]).toEqual(snapshots[0]);
  await back.restore("retry-to-come");
  expect([await back.journal(), await back.timers()]).toEqual([journal, timers]);
  expect((await transactionOf(back, id)).status).toBe("confirmed");
  expect(await back.advance("1s")).toMatchObject({ webhooks: { delivered: 1 } });
  const fork = await second.createWorld({ from: { world: "kept", snapshot: "refunded" } });
  expect((await transactionOf(fork, id)).status).toBe("refunded");
});

test("what was restored is what is there after the next restart, and a restore leaves its snapshot as it is", async () => {
  const data = testFolder();
  const first = await startSandbox({ data });
  const world = await first.createWorld({ id: "kept", scenarios: [] });
  const id = await makeCharge(world);
  await world.takeSnapshot("pending");
  const kept = join(data, "snapshots", "kept", "pending.db");
  const bytes = readFileSync(kept);
  await world.advance("1h");
  await world.restore("pending");
  await world.advance("10m");
  const journal = await world.journal();
  await first.stop();
  expect(readFileSync(kept).equals(bytes)).toBe(true);

  await using second = await startSandbox({ data });
  const back = await openWorld(second, "kept");
  expect(await back.journal()).toEqual(journal);
  expect((await back.clock()).now).toBe("2026-01-01T12:10:00.000Z");
  expect((await transactionOf(back, id)).status).toBe("pending");
  await back.restore("pending");
  expect((await back.clock()).now).toBe("2026-01-01T12:00:00.000Z");
});

describe("a file that is no snapshot of its world", () => {
  /** TABLE: what has become of the file, and what is said of it. */
  const damages: readonly (readonly [what: string, damage: (whole: Buffer) => Buffer, word: string])[] = [
    ["cut off within its header", (whole) => whole.subarray(0, 50), "damaged"],
    ["cut off in its middle", (whole) => whole.subarray(0, whole.length / 2), "malformed"],
    ["with a page overwritten", (whole) => Buffer.from(whole).fill(0xa5, 8192, 12_288), "damaged"],
    ["something else", () => Buffer.alloc(8192, "not a database "), "is not a world"],
    ["of a newer version", (whole) => withVersion(whole, 99), "newer version"],
  ];

  test.each(damages)(
    "%s: refused by name and left untouched, the world stays as it is",
    async (_what, damage, word) => {
      const data = testFolder();
      await using sandbox = await startSandbox({ data });
      const world = await sandbox.createWorld({ id: "kept" });
      await world.takeSnapshot("damaged");
      await world.advance("1h");
      const journal = await world.journal();
      const path = join(data, "snapshots", "kept", "damaged.db");
      const bytes = damage(readFileSync(path));
      writeFileSync(path, bytes);
      for (const [at, way, input] of [
        [world, "/snapshots/damaged/restore", {}],
        [sandbox, "/worlds", { from: { world: "kept", snapshot: "damaged" } }],
      ] as const) {
        const { status, body } = await control(at, "POST", way, input);
        expect([status, body.error.code]).toEqual([409, "UNREADABLE"]);
        expect(body.error.message).toContain(path);
        expect(body.error.message).toContain(word);
      }
      expect(readFileSync(path).equals(bytes)).toBe(true);
      expect(readdirSync(join(data, "snapshots", "kept")).sort()).toEqual(["damaged.db", "damaged.json"]);
      expect(await world.journal()).toEqual(journal);
      await world.deleteSnapshot("damaged");
      expect(await world.snapshots()).toEqual([]);
    },
  );

  test.each([
    ["after a restart", true],
    ["by the process that made it, which holds none of it in memory", false],
  ])("what a fork began as, damaged: its reset is refused by name %s, and it stays as it is", async (_when, isAnew) => {
    const data = testFolder();
    const first = await startSandbox({ data });
    await first.createWorld({ id: "fork", from: "default" });
    if (isAnew) await first.stop();
    const path = join(data, "fork.origin");
    writeFileSync(path, readFileSync(path).subarray(0, 50));

    await using second = isAnew ? await startSandbox({ data }) : first;
    const fork = await second.world("fork");
    const journal = await fork.journal();
    const { status, body } = await control(fork, "POST", "/reset");
    expect([status, body.error.code]).toEqual([409, "UNREADABLE"]);
    expect(body.error.message).toBe(`${path} is damaged: it ends before its header does.`);
    expect(await fork.journal()).toEqual(journal);
  });

  test("what a fork began as, missing beside its file: its reset is refused, even after a restore", async () => {
    const data = testFolder();
    const first = await startSandbox({ data });
    const fork = await first.createWorld({ id: "fork", from: "default" });
    await fork.takeSnapshot("one");
    await fork.reset();
    await fork.advance("1h");
    await first.stop();
    const path = join(data, "fork.origin");
    rmSync(path);

    await using second = await startSandbox({ data });
    const found = await second.world("fork");
    const message = `${path} is missing: the world fork was forked or replayed, and began as what was in it.`;
    const refusal = { status: 409, body: { error: { code: "UNREADABLE", message } } };
    const journal = await found.journal();
    expect(await control(found, "POST", "/reset")).toMatchObject(refusal);
    expect(await found.journal()).toEqual(journal);
    await found.restore("one");
    expect(await control(found, "POST", "/reset")).toMatchObject(refusal);
    expect((await control(await second.world("default"), "POST", "/reset")).status).toBe(200);
  });

  test.each([
    ["a snapshot", "snapshots/kept/whole.db", "/snapshots/whole/restore"],
    ["what a fork began as", "kept.origin", "/reset"],
  ])(
    "a scenario that cannot be read in %s: refused by name, and the world stays as it is",
    async (_what, file, call) => {
      const data = testFolder();
      const first = await startSandbox({ data, scenarios: [{ scenario: "own" }] });
      await (await first.createWorld({ id: "kept", from: "default" })).takeSnapshot("whole");
      await first.stop();
      const path = join(data, file);
      const whole = readFileSync(path, "latin1");
      writeFileSync(path, whole.replaceAll('"scenario": "own"', '"scenaria": "own"'), "latin1");

      await using second = await startSandbox({ data });
      const world = await second.world("kept");
      await world.advance("1m");
      const journal = await world.journal();
      const { status, body } = await control(world, "POST", call);
      expect([status, body.error.code]).toEqual([409, "UNREADABLE"]);
      expect(body.error.message).toBe(`${path} cannot be brought back: inline.json:1:1: scenario is missing.`);
      expect(await world.journal()).toEqual(journal);
      expect((await world.info()).scenarios).toEqual(["own"]);
    },
  );

  test("of another world: refused by name", async () => {
    const data = testFolder();
    await using sandbox = await startSandbox({ data });
    const [mine, theirs] = [await sandbox.createWorld({ id: "mine" }), await sandbox.createWorld({ id: "theirs" })];
    await theirs.takeSnapshot("foreign");
    mkdirSync(join(data, "snapshots", "mine"));
    for (const kind of ["db", "json"]) {
      const [from, to] = ["theirs", "mine"].map((id) => join(data, "snapshots", id, `foreign.${kind}`));
      copyFileSync(from ?? "", to ?? "");
    }
    const { status, body } = await control(mine, "POST", "/snapshots/foreign/restore");
    expect([status, body.error.code]).toEqual([409, "UNREADABLE"]);
    expect(body.error.message).toMatch(/mine.foreign\.db is a snapshot of the world theirs, not of mine\.$/);
  });

  test.each([
    ["torn", '{"name":"on'],
    ["without a field", "{}"],
    ["a number", "5"],
    ["a text", '"x"'],
    ["nothing", "null"],
    ["with a wrong instant", '{"name":"one","at":"x","entries":1,"number":1}'],
    ["with an instant after all time", '{"name":"one","at":1e300,"entries":1,"number":1}'],
  ])(
    "one of several whose description is %s: the others are listed, and it is not overwritten",
    async (_what, text) => {
      const data = testFolder();
      await using sandbox = await startSandbox({ data });
      const world = await sandbox.createWorld({ id: "kept" });
      for (const name of ["one", "two"]) await world.takeSnapshot(name);
      writeFileSync(join(data, "snapshots", "kept", "one.json"), text);
      expect((await world.snapshots()).map(({ name }) => name)).toEqual(["two"]);
      expect((await control(world, "POST", "/snapshots", { name: "one" })).status).toBe(409);
      expect((await control(world, "POST", "/snapshots/one/restore")).status).toBe(200);
      expect((await control(world, "DELETE", "/snapshots/one")).status).toBe(204);
      expect((await world.takeSnapshot("one")).name).toBe("one");
    },
  );
});

test("one that is not listed still has its name: none is given it by itself", async () => {
  const data = testFolder();
  await using sandbox = await startSandbox({ data });
  const world = await sandbox.createWorld({ id: "kept" });
  await world.takeSnapshot();
  writeFileSync(join(data, "snapshots", "kept", "snapshot-1.json"), "torn");
  expect((await world.takeSnapshot()).name).toBe("snapshot-2");
});

test("a snapshot has the name of its files, whatever is in them", async () => {
  const data = testFolder();
  await using sandbox = await startSandbox({ data });
  const world = await sandbox.createWorld({ id: "kept" });
  await world.takeSnapshot("one");
  writeFileSync(join(data, "snapshots", "kept", "one.json"), '{"name":"../../x","at":1,"entries":2,"number":1}');
  const at = "1970-01-01T00:00:00.001Z";
  expect(await world.snapshots()).toEqual([{ name: "one", at, entries: 2 }]);
});

describe("nothing of a world that is gone is left to a new one of the same id", () => {
  test("after a delete: neither files nor snapshots", async () => {
    const data = testFolder();
    await using sandbox = await startSandbox({ data });
    const world = await sandbox.createWorld({ id: "mortal", from: "default" });
    await world.takeSnapshot();
    await world.delete();
    expect(readdirSync(data).filter((name) => name.includes("mortal"))).toEqual([]);
    expect(existsSync(join(data, "snapshots", "mortal"))).toBe(false);
  });

  test("where the process died in the middle of a delete, or of a fork", async () => {
    const data = testFolder();
    const first = await startSandbox({ data });
    const origin = await first.createWorld({ id: "origin" });
    await makeCharge(origin);
    const fork = await first.createWorld({ id: "half", from: "origin" });
    await fork.takeSnapshot("old");
    await first.stop();
    // What is left where the world's own file was removed, and nothing else yet.
    renameSync(join(data, "half.db"), join(data, "removed"));

    await using second = await startSandbox({ data });
    const reborn = await second.createWorld({ id: "half", scenarios: [] });
    expect(await reborn.snapshots()).toEqual([]);
    await reborn.reset();
    expect(await reborn.all("/transactions")).toEqual([]);
  });
});

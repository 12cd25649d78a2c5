/** Snapshots: a world as a whole, to come back to and to fork from. */
import { describe, expect, test } from "vitest";
import type { ControlCallError, WorldClient } from "../../src/index.ts";
import { chargeOf, makeCharge, secondsOf, transactionOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { clockRule, scenario } from "../support/scenarios.ts";
import { StoppedWall } from "../support/stopped-wall.ts";

const file = useSandbox();

/** All that a world shows of itself. */
async function everythingOf(world: WorldClient) {
  const lists = [
    "/accounts",
    "/transactions",
    "/timers",
    "/journal",
    "/webhooks",
    "/ledger",
    "/requests",
    "/scenarios",
  ];
  return [await world.info(), ...(await Promise.all(lists.map((list) => world.all(list))))];
}

test("a snapshot of a running world tells the instant that is restored, even if it takes long", async () => {
  const world = await file.world({ scenarios: [], clock: { mode: "running" } });
  let hasCome = true;
  for (let reading = 1; hasCome; reading++) {
    using wall = new StoppedWall();
    const isThere = wall.passBeforeReading(reading, 60_000);
    const { at, name } = await world.takeSnapshot();
    hasCome = isThere();
    expect([reading, (await world.restore(name)).clock.now]).toEqual([reading, at]);
  }
});

describe("what is restored", () => {
  test("is the whole world: clock, money, journal, settings of accounts, scenarios, faults, rates and rate windows", async () => {
    const world = await file.world({ scenarios: ["happy-path"], postback_url: "sandbox://inbox" });
    const merchant = await Merchant.of(world);
    await chargeOf(merchant, { external_id: "before" });
    await world.advance("2s");
    await world.takeSnapshot("start");
    const [before, rates, faults] = [
      await everythingOf(world),
      await rest(world, "/rates"),
      await rest(world, "/faults"),
    ];

    await chargeOf(merchant, { external_id: "after" });
    await world.call("POST", "/accounts", { username: "initech" });
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    await world.call("PUT", "/rates", { rates: { BRL: "0.5" } });
    await world.call("PUT", "/faults", { rules: [{ request: "GET /v2/*", inject: { status: 503 } }] });
    await world.call("POST", "/scenarios", { name: "magic-values" });
    await world.advance("1d");
    expect(await everythingOf(world)).not.toEqual(before);

    expect(await world.restore("start")).toEqual(before[0]);
    expect(await everythingOf(world)).toEqual(before);
    expect([await rest(world, "/rates"), await rest(world, "/faults")]).toEqual([rates, faults]);
    expect((await merchant.cashin({ currency: "BRL", amount: "1", external_id: "after" })).status).toBe(200);
  });

  test("goes on as it went on before, to the last byte of the journal", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ scenarios: ["happy-path", "magic-values"], postback_url: receiver.url, seed: 8 });
    const merchant = await Merchant.of(world);
    await chargeOf(merchant);
    await world.advance("5s");
    await world.takeSnapshot("in-between");
    const goOn = async () => {
      await chargeOf(merchant, { currency: "BTC", amount: "0.001", external_id: "same" });
      await world.advance("1d");
      const webhooks = (await world.webhooks()).map(({ attempts, ...webhook }) => [
        webhook,
        attempts.map(({ at }) => at),
      ]);
      return JSON.stringify([await world.journal(), webhooks]);
    };
    const first = await goOn();
    for (let count = 0; count < 2; count++) {
      await world.restore("in-between");
      expect(await goOn()).toBe(first);
    }
    const times = secondsOf(receiver).slice(1);
    expect(times.slice(0, 5)).toEqual([6, 11, 41, 161, 761]);
    expect(times).toEqual(
      Array(3)
        .fill(times.slice(0, times.length / 3))
        .flat(),
    );
  });

  test("has its timers in flight again, recurring ones too", async () => {
    const daily = scenario("daily", clockRule({ every: "0 9 * * *" }, [{ note: "good morning" }]));
    const world = await file.world({ scenarios: ["happy-path", daily] });
    const id = await makeCharge(world, { currency: "MXN" });
    await world.takeSnapshot("pending");
    const timers = await world.timers();
    expect(timers.map(({ kind, recurring }) => [kind, recurring])).toEqual([
      ["scenario.step", false],
      ["charge.expiry", false],
      ["scenario.tick", true],
    ]);
    await world.advance("3d");
    expect((await transactionOf(world, id)).status).toBe("confirmed");
    await world.restore("pending");
    expect(await world.timers()).toEqual(timers);
    expect(await world.advance("3d")).toMatchObject({ timers: 1 + 3 * 2 });
    expect((await transactionOf(world, id)).status).toBe("confirmed");
  });

  test("knows nothing of a webhook that is in the air: what the receiver answers comes to nothing", async () => {
    await using receiver = await startHeld(500, 200);
    const world = await file.world({ postback_url: receiver.url });
    const id = await makeCharge(world);
    await world.takeSnapshot();
    const before = await world.journal();
    const paying = control(world, "POST", `/transactions/${id}/pay`);
    await receiver.arrived(1);
    await world.restore("snapshot-1");
    receiver.release();
    expect((await paying).body.error.code).toBe("WORLD_GONE");
    expect(await world.journal()).toEqual(before);
    expect(await world.advance("1h")).toMatchObject({ timers: 2, webhooks: { delivered: 1, failed: 0, pending: 0 } });
    expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.confirmed", "cashin.expired"]);
  });

  test("of a snapshot taken with a webhook in the air makes that attempt again", async () => {
    await using receiver = await startHeld();
    const world = await file.world({ postback_url: receiver.url });
    const paying = control(world, "POST", `/transactions/${await makeCharge(world)}/pay`);
    await receiver.arrived(1);
    await world.takeSnapshot("in-the-air");
    await world.restore("in-the-air");
    await receiver.arrived(2);
    receiver.release();
    expect((await paying).body.error.code).toBe("WORLD_GONE");
    await world.settle();
    expect(await world.webhooks({ status: "delivered" })).toHaveLength(1);
    const ids = receiver.received.map(({ headers }) => headers["x-webhook-id"]);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  test("tells an advance under way that the world went away", async () => {
    await using receiver = await startHeld();
    const world = await file.world({ postback_url: receiver.url });
    await makeCharge(world);
    await world.takeSnapshot();
    const advance = control(world, "POST", "/clock/advance", { by: "1h" });
    await receiver.arrived(1);
    expect(await world.restore("snapshot-1")).toMatchObject({ clock: { now: "2026-01-01T12:00:00.000Z" } });
    const { status, body } = await advance;
    expect([status, body.error.code]).toEqual([409, "WORLD_GONE"]);
    receiver.release();
    expect(await world.clock()).toMatchObject({ now: "2026-01-01T12:00:00.000Z", pending_timers: 1 });
  });

  test("is kept for as long as its world: restored more than once, and after a reset", async () => {
    const world = await file.world();
    await world.advance("1h");
    await world.takeSnapshot("later");
    await world.reset();
    expect((await world.clock()).now).toBe("2026-01-01T12:00:00.000Z");
    await world.restore("later");
    expect((await world.clock()).now).toBe("2026-01-01T13:00:00.000Z");
    await world.reset();
    expect((await world.clock()).now).toBe("2026-01-01T12:00:00.000Z");
    expect(await world.snapshots()).toHaveLength(1);
  });
});

describe("a running clock", () => {
  const HOUR_MS = 3_600_000;

  test("goes back to what it showed, however long ago the snapshot was taken, and flows on from there", async () => {
    using wall = new StoppedWall();
    const world = await file.world({ clock: { mode: "running" } });
    const id = await makeCharge(world);
    wall.pass(60_000);
    const { at } = await world.takeSnapshot();
    expect(at).toBe("2026-01-01T12:01:00.000Z");
    wall.pass(HOUR_MS);
    expect(await world.clock()).toMatchObject({ now: "2026-01-01T13:01:00.000Z" });
    expect(await world.restore("snapshot-1")).toMatchObject({ clock: { mode: "running", now: at, pending_timers: 1 } });
    expect((await transactionOf(world, id)).status).toBe("pending");
    wall.pass(60_000);
    expect((await world.clock()).now).toBe("2026-01-01T12:02:00.000Z");
  });

  test("of a fork begins where its origin's was, of its reset where the fork began", async () => {
    using wall = new StoppedWall();
    const origin = await file.world({ clock: { mode: "running", speed: 60 } });
    wall.pass(60_000);
    await origin.takeSnapshot("after-an-hour");
    const fork = await file.sandbox.createWorld({ from: origin.id });
    wall.pass(60_000);
    const later = await file.sandbox.createWorld({ from: { world: origin.id, snapshot: "after-an-hour" } });
    const shown = async (world: WorldClient) => (await world.clock()).now;
    expect([await shown(origin), await shown(fork)]).toEqual(Array(2).fill("2026-01-01T14:00:00.000Z"));
    expect(await shown(later)).toBe("2026-01-01T13:00:00.000Z");
    await fork.reset();
    await origin.reset();
    expect([await shown(origin), await shown(fork)]).toEqual(["2026-01-01T12:00:00.000Z", "2026-01-01T13:00:00.000Z"]);
  });
});

describe("names", () => {
  test("are snapshot-1, snapshot-2 … unless given; the list has them in the order they were taken, page by page", async () => {
    const world = await file.world();
    expect(await world.takeSnapshot()).toEqual({
      name: "snapshot-1",
      at: "2026-01-01T12:00:00.000Z",
      entries: (await world.journal()).length,
    });
    await world.advance("1h");
    for (const name of ["z", undefined, "a"]) await world.takeSnapshot(name);
    const names = (await world.snapshots()).map(({ name }) => name);
    expect(names).toEqual(["snapshot-1", "z", "snapshot-3", "a"]);
    const first = await control(world, "GET", "/snapshots?limit=3");
    const second = await control(world, "GET", `/snapshots?limit=3&cursor=${first.body.next_cursor}`);
    expect([...first.body.items, ...second.body.items]).toEqual(await world.snapshots());
    expect(second.body.next_cursor).toBeNull();
    // What is deleted meanwhile moves nothing behind the cursor.
    for (const name of ["snapshot-1", "z"]) await world.deleteSnapshot(name);
    const behind = await control(world, "GET", `/snapshots?limit=3&cursor=${first.body.next_cursor}`);
    expect(behind.body.items).toEqual(second.body.items);
  });

  test("are free again once deleted, and never given twice by themselves", async () => {
    const world = await file.world();
    for (let count = 0; count < 3; count++) await world.takeSnapshot();
    for (const name of ["snapshot-1", "snapshot-3"]) await world.deleteSnapshot(name);
    expect((await world.takeSnapshot()).name).toBe("snapshot-4");
    expect((await world.takeSnapshot("snapshot-1")).name).toBe("snapshot-1");
    const names = (await world.snapshots()).map(({ name }) => name);
    expect(names).toEqual(["snapshot-2", "snapshot-4", "snapshot-1"]);
  });

  test("belong to one world: others may have the same", async () => {
    const [left, right] = [await file.world(), await file.world()];
    await right.advance("1h");
    for (const world of [left, right]) await world.takeSnapshot("same");
    for (const world of [left, right]) await world.advance("1d");
    await left.restore("same");
    await right.restore("same");
    expect((await left.clock()).now).toBe("2026-01-01T12:00:00.000Z");
    expect((await right.clock()).now).toBe("2026-01-01T13:00:00.000Z");
  });
});

describe("a fork of a snapshot", () => {
  test("is a world of its own that begins as the snapshot, and is reset to it", async () => {
    const origin = await file.world({ scenarios: ["happy-path"] });
    const id = await makeCharge(origin);
    await origin.takeSnapshot("pending");
    await origin.advance("1h");
    const fork = await file.sandbox.createWorld({
      id: "from-snapshot",
      from: { world: origin.id, snapshot: "pending" },
    });
    expect(await fork.info()).toMatchObject({ world: "from-snapshot", clock: { now: "2026-01-01T12:00:00.000Z" } });
    expect(await fork.snapshots()).toEqual([]);
    await fork.advance("5s");
    expect((await transactionOf(fork, id)).status).toBe("confirmed");
    await origin.delete();
    await fork.reset();
    expect((await transactionOf(fork, id)).status).toBe("pending");
  });

  test.each([
    [{ world: "nowhere", snapshot: "x" }, 404, "There is no world nowhere."],
    [{ world: "default", snapshot: "nothing" }, 404, "There is no snapshot nothing of the world default."],
    [{ world: "default" }, 400, "from.snapshot is missing."],
    [{ world: "default", snapshott: "x" }, 400, 'unknown field "from.snapshott"; did you mean "snapshot"?'],
    [{ world: "default", snapshot: "../x" }, 400, "from.snapshot must match"],
    [5, 400, 'from must be the id of a world, or {"world": ID, "snapshot": NAME}.'],
    [["default"], 400, 'from must be the id of a world, or {"world": ID, "snapshot": NAME}.'],
    ["Not An Id", 400, "from must match"],
  ])("of %j is refused", async (from, status, message) => {
    const answer = await control(file.sandbox, "POST", "/worlds", { from });
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe("refusals", () => {
  test("a name that is taken: 409, and the snapshot that is there stays", async () => {
    const world = await file.world();
    await world.takeSnapshot("once");
    await world.advance("1h");
    const refused: ControlCallError = await world.takeSnapshot("once").catch((error) => error);
    expect([refused.status, refused.code]).toEqual([409, "SNAPSHOT_EXISTS"]);
    expect((await world.snapshots()).map(({ at }) => at)).toEqual(["2026-01-01T12:00:00.000Z"]);
  });

  test("an unknown name: 404, and the world stays as it is", async () => {
    const world = await file.world();
    await world.advance("1h");
    for (const [method, path] of [
      ["POST", "/snapshots/never/restore"],
      ["DELETE", "/snapshots/never"],
      ["POST", "/snapshots/..%2F..%2Fdefault/restore"],
      ["POST", "/snapshots/Upper/restore"],
    ] as const) {
      const { status, body } = await control(world, method, path);
      expect([path, status, body.error.code]).toEqual([path, 404, "NOT_FOUND"]);
    }
    expect((await world.clock()).now).toBe("2026-01-01T13:00:00.000Z");
  });

  test("a snapshot of another world: 404, which says whose it is and how to get at it", async () => {
    const [world, other] = [await file.world(), await file.world({ id: "the-other" })];
    await other.takeSnapshot("theirs");
    const { status, body } = await control(world, "POST", "/snapshots/theirs/restore");
    expect([status, body.error.message]).toEqual([404, expect.stringContaining("the world the-other has one")]);
    expect((await control(world, "DELETE", "/snapshots/theirs")).status).toBe(404);
    expect(await other.snapshots()).toHaveLength(1);
  });

  test("a world that is being advanced: 409, and the advance goes on", async () => {
    await using receiver = await startHeld();
    const world = await file.world({ postback_url: receiver.url });
    await makeCharge(world);
    const advance = world.advance("1h");
    await receiver.arrived(1);
    const { status, body } = await control(world, "POST", "/snapshots");
    expect([status, body.error.code]).toEqual([409, "WORLD_BUSY"]);
    receiver.release();
    expect(await advance).toMatchObject({ reached: true });
    expect(await world.snapshots()).toEqual([]);
  });

  test.each(["", "Upper", "-hyphen", "a".repeat(64), "../x", "a b", 5, null])("the name %j: 400", async (name) => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/snapshots", { name });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^name /)]);
    expect(await world.snapshots()).toEqual([]);
  });

  test("a deleted world takes its snapshots with it: one of the same id has none", async () => {
    const world = await file.world({ id: "mortal" });
    await world.takeSnapshot("gone");
    await world.delete();
    const reborn = await file.world({ id: "mortal" });
    expect(await reborn.snapshots()).toEqual([]);
    expect((await control(reborn, "POST", "/snapshots/gone/restore")).status).toBe(404);
  });
});

/** A part of a world that is no list. */
const rest = (world: WorldClient, path: string) => world.call<object>("GET", path);

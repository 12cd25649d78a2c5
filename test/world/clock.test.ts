/** The clock of a world: frozen or running, faster or slower, never back. */
import { describe, expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { chargeOf, makeCharge, secondsOf, transactionOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { StoppedWall } from "../support/stopped-wall.ts";
import { deposit, walletOf } from "../support/wallets.ts";

const file = useSandbox();

/** So fast that what is hours away comes at once. */
const FASTEST = 1_000_000;

describe("a frozen clock", () => {
  test("is what a world has unless asked otherwise, at noon of the first of January 2026", async () => {
    const world = await file.world();
    expect(await world.clock()).toEqual({
      mode: "frozen",
      speed: 1,
      now: "2026-01-01T12:00:00.000Z",
      pending_timers: 0,
      next_timer_at: null,
    });
  });

  test("begins where it is told to, whatever the zone it is told in", async () => {
    const world = await file.world({ clock: { start: "2030-06-30T23:30:00.250-03:00" } });
    expect((await world.clock()).now).toBe("2030-07-01T02:30:00.250Z");
  });

  test("shows what is pending and when the next of it is due", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    await makeCharge(world);
    expect(await world.clock()).toMatchObject({ pending_timers: 2, next_timer_at: "2026-01-01T12:00:05.000Z" });
    await world.advance("5s");
    expect(await world.clock()).toMatchObject({ pending_timers: 0, next_timer_at: null });
  });

  test("set to a later instant runs on the way all that an advance runs", async () => {
    await using receiver = await startReceiver(500, 200);
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    const clock = await world.call("POST", "/clock", { now: "2026-01-01T13:00:00Z" });
    expect(clock).toMatchObject({ mode: "frozen", now: "2026-01-01T13:00:00.000Z", pending_timers: 0 });
    expect(secondsOf(receiver)).toEqual([5, 6]);
  });

  test("set to the instant that it shows stays there", async () => {
    const world = await file.world();
    const clock = await world.call("POST", "/clock", { now: "2026-01-01T12:00:00Z" });
    expect(clock).toMatchObject({ now: "2026-01-01T12:00:00.000Z" });
  });

  test("is never set back", async () => {
    const world = await file.world();
    await world.advance("1h");
    const { status, body } = await control(world, "POST", "/clock", { now: "2026-01-01T12:59:59.999Z" });
    expect([status, body.error.code]).toEqual([409, "CLOCK_BACKWARDS"]);
    expect(body.error.details).toEqual({ now: "2026-01-01T13:00:00.000Z" });
    expect((await world.clock()).now).toBe("2026-01-01T13:00:00.000Z");
  });

  test.each([
    [{ mode: "running" }, " It runs by itself: freeze it first, and nothing passes while you ask for it."],
    [{ mode: "frozen" }, ""],
  ] as const)("what has passed is told with the way to be in time: %j", async (clock, way) => {
    const world = await file.world({ clock: { start: "2026-01-01T12:00:00Z", ...clock } });
    const past = "2026-01-01T11:59:59.999Z";
    for (const [path, input] of [
      ["/clock", { now: past }],
      ["/clock/advance", { to: past }],
    ] as const) {
      const { message } = (await control(world, "POST", path, input)).body.error;
      expect(message).toMatch(
        /^The clock shows 2026-\S+, past 2026-01-01T11:59:59\.999Z, and never goes back; restore/,
      );
      expect(message.split(" for that.")[1]).toBe(way);
    }
  });

  test("goes to the end of the year 9999, and no further", async () => {
    const world = await file.world();
    const last = "9999-12-31T23:59:59.999Z";
    expect(await world.advance(last)).toMatchObject({ to: last, reached: true });
    const beyond = await control(world, "POST", "/clock/advance", { by: "1ms" });
    expect([beyond.status, beyond.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
  });
});

describe("a running clock", () => {
  test("does what is due by itself, each thing at its own instant", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    for (const charge of [{ currency: "MXN" }, { currency: "BRL" }]) await chargeOf(merchant, charge);
    expect(receiver.received).toEqual([]);
    const clock = await world.call("POST", "/clock", { mode: "running", speed: FASTEST });
    expect(clock).toMatchObject({ mode: "running", speed: FASTEST });
    await receiver.arrived(2);
    expect(receiver.received.map(({ body }) => [body.data.currency, body.data.confirmed_at])).toEqual([
      ["BRL", "2026-01-01T12:00:05.000Z"],
      ["MXN", "2026-01-01T12:00:30.000Z"],
    ]);
  });

  test("stops where it is when it is frozen, and goes on from there", async () => {
    const world = await file.world({ clock: { mode: "running", speed: FASTEST } });
    await world.call("POST", "/clock", { mode: "frozen" });
    const stopped = await world.clock();
    const id = await makeCharge(world);
    expect(await world.clock()).toMatchObject({ mode: "frozen", now: stopped.now, pending_timers: 1 });
    expect((await transactionOf(world, id)).created_at).toBe(stopped.now);
    await world.advance("1s");
    expect(Date.parse((await world.clock()).now) - Date.parse(stopped.now)).toBe(1000);
  });

  test("never goes back, however its speed is changed", async () => {
    const world = await file.world({ clock: { mode: "running", speed: FASTEST } });
    const seen: string[] = [];
    for (const speed of [FASTEST, 1, 0.001, 1000, 1, FASTEST]) {
      await world.call("POST", "/clock", { speed });
      seen.push((await world.clock()).now);
    }
    expect(seen).toEqual([...seen].sort());
  });

  test("is advanced beyond what it shows, and flows on", async () => {
    const world = await file.world({ clock: { mode: "running" } });
    const id = await makeCharge(world);
    const advance = await world.advance("2h");
    expect(Date.parse(advance.to) - Date.parse(advance.from)).toBe(7_200_000);
    expect(await world.clock()).toMatchObject({ mode: "running", speed: 1, pending_timers: 0 });
    expect((await world.clock()).now >= advance.to).toBe(true);
    expect((await transactionOf(world, id)).status).toBe("expired");
  });

  test("flows on from where an advance came to, not from where it began", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url, scenarios: [] });
    const { wallet_id } = await walletOf(await Merchant.of(world), { currency: "USDT", chain: "tron" });
    await world.call("POST", "/clock", { mode: "running", speed: FASTEST });
    await world.advance("3650d");
    await deposit(world, wallet_id, { amount: "100" });
    await receiver.arrived(3);
    expect(receiver.received.map(({ body }) => body.event)).toContain("cashin.confirmed");
  });

  test("flows on from there after a restart, though the machine's clock was set back meanwhile", async () => {
    using wall = new StoppedWall();
    const data = testFolder();
    const first = await startSandbox({ data });
    const world = await first.createWorld({ id: "kept", scenarios: [], clock: { mode: "running" } });
    const { to } = await world.advance("1h");
    await first.stop();
    wall.pass(-86_400_000);
    await using second = await startSandbox({ data });
    const back = await second.openWorld("kept");
    expect((await back.clock()).now).toBe(to);
    wall.pass(60_000);
    expect(Date.parse((await back.clock()).now) - Date.parse(to)).toBe(60_000);
  });

  test("flows on though the machine's clock is set back, and does what falls due", async () => {
    using wall = new StoppedWall();
    const world = await file.world({ scenarios: ["happy-path"], clock: { mode: "running" } });
    const id = await makeCharge(world);
    const { now } = await world.clock();
    wall.pass(-86_400_000);
    expect((await world.clock()).now).toBe(now);
    wall.pass(60_000);
    expect(Date.parse((await world.clock()).now) - Date.parse(now)).toBe(60_000);
    await world.settle();
    expect((await transactionOf(world, id)).status).toBe("confirmed");
  });

  test("holds while an advance waits for a receiver", async () => {
    await using receiver = await startHeld();
    const clock = { mode: "running", speed: FASTEST } as const;
    const world = await file.world({ scenarios: [], postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    await chargeOf(merchant);
    await world.call("POST", "/clock", { mode: "frozen" });
    const waiting = world.advance("30m");
    await receiver.arrived(1);
    await world.call("POST", "/clock", clock);
    const held = await world.clock();
    expect(held).toMatchObject({ mode: "running", now: "2026-01-01T12:30:00.000Z" });
    expect((await world.clock()).now).toBe(held.now);
    receiver.release();
    expect((await waiting).to).toBe("2026-01-01T12:30:00.000Z");
  });
});

describe("what a clock refuses", () => {
  test.each([
    [{ mode: "stopped" }, "mode"],
    [{ speed: 0 }, "speed"],
    [{ speed: -1 }, "speed"],
    [{ speed: 1_000_001 }, "speed"],
    [{ speed: "fast" }, "speed"],
    [{ now: "tomorrow" }, "now"],
    [{ now: "2026-01-02" }, "now"],
    [{ now: "2026-01-02T00:00:00" }, "now"],
    [{ now: "2026-02-30T00:00:00Z" }, "now"],
    [{ now: "10000-01-01T00:00:00Z" }, "now"],
    [{ now: 1_767_268_800 }, "now"],
    [{ sped: 2 }, 'did you mean "speed"'],
    [[], "object"],
  ])("%j", async (input, named) => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/clock", input);
    expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(body.error.message).toContain(named);
    expect(await world.clock()).toMatchObject({ mode: "frozen", speed: 1, now: "2026-01-01T12:00:00.000Z" });
  });
});

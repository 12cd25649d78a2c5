/** A running clock whose process cannot run for a while: it is stopped, or the machine sleeps. */
import { describe, expect, test } from "vitest";
import { type SandboxClient, startSandbox, type WorldClient } from "../../src/index.ts";
import { chargeOf, paidWebhook, transactionOf } from "../support/charges.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { type Receiver, startHeld, startReceiver } from "../support/receiver.ts";
import { rule, scenario } from "../support/scenarios.ts";
import { StoppedWall } from "../support/stopped-wall.ts";

/** More than are run in one go, so that webhooks are sent and answered in between. */
const MANY = 150;
const HOURS_MS = 3 * 3_600_000;

/** Charges of happy-path made a hundredth of a second apart; none is due before the wall moves on. */
async function makeCharges(world: WorldClient, wall: StoppedWall): Promise<void> {
  const merchant = await Merchant.of(world);
  for (let count = 0; count < MANY; count++) {
    await chargeOf(merchant);
    wall.pass(10);
  }
}

/** All were paid when they were to be, however late that was done, and told of now. */
async function expectPaidInTime(world: WorldClient, receiver: Receiver): Promise<void> {
  await receiver.arrived(MANY);
  await world.settle();
  const { items } = await world.call<{ items: Record<string, string>[] }>("GET", `/transactions?limit=${MANY}`);
  const paid = items.map(({ status, created_at, confirmed_at }) => {
    return [status, Date.parse(confirmed_at ?? "") - Date.parse(created_at ?? "")];
  });
  expect(paid).toEqual(Array(MANY).fill(["confirmed", 5_000]));
  const now = Math.floor(Date.parse((await world.clock()).now) / 1000);
  expect(new Set(receiver.received.map(({ headers }) => Number(headers["x-webhook-timestamp"])))).toEqual(
    new Set([now]),
  );
}

const options = { scenarios: ["happy-path"], settings: { webhook_rate: 1_000, protections: "report" } } as const;

test("what came due while the process was stopped is done at its own instants, and told at the present one", async () => {
  using wall = new StoppedWall();
  await using receiver = await startReceiver();
  const data = testFolder();
  const first = await startSandbox({ data });
  const clock = { mode: "running" } as const;
  await makeCharges(await first.createWorld({ ...options, id: "kept", clock, postback_url: receiver.url }), wall);
  await first.stop();
  wall.pass(HOURS_MS);
  await using second = await startSandbox({ data });
  const back = await second.openWorld("kept");
  await expectPaidInTime(back, receiver);
  expect((await second.replay(await back.export())).identical).toBe(true);
});

test("what came due while the machine slept is so too, where a call is the first to find it", async () => {
  using wall = new StoppedWall();
  await using receiver = await startReceiver();
  await using sandbox = await startSandbox();
  const world = await sandbox.createWorld({ ...options, clock: { mode: "running" }, postback_url: receiver.url });
  await makeCharges(world, wall);
  wall.pass(HOURS_MS);
  await world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "1.00" });
  await expectPaidInTime(world, receiver);
});

test("an attempt by hand that ends while much is late is recorded before its caller is answered", async () => {
  using wall = new StoppedWall();
  const released = Promise.withResolvers<void>();
  await using receiver = await startReceiver(200, async (_request, response) => {
    await released.promise;
    response.writeHead(200).end();
  });
  await using sandbox = await startSandbox();
  const world = await sandbox.createWorld({ ...options, clock: { mode: "running" }, postback_url: receiver.url });
  const { webhook_id } = await paidWebhook(world);
  await world.call("PATCH", "/accounts/acme", { postback_url: "sandbox://inbox" });
  await makeCharges(world, wall);
  const delivered = world.redeliver(webhook_id);
  await receiver.arrived(2);
  wall.pass(HOURS_MS);
  released.resolve();
  expect((await delivered).attempts).toHaveLength(2);
});

test("D62, WH-17 a retry that is late bears the time at which it leaves, and the next one comes its delay after that", async () => {
  using wall = new StoppedWall();
  await using receiver = await startReceiver(500);
  const data = testFolder();
  const first = await startSandbox({ data });
  const clock = { mode: "running" } as const;
  const world = await first.createWorld({ id: "kept", scenarios: [], clock, postback_url: receiver.url });
  const id = await chargeOf(await Merchant.of(world));
  await world.act(id, "pay");
  await receiver.arrived(1);
  await first.stop();
  wall.pass(HOURS_MS);
  await using second = await startSandbox({ data });
  const back = await second.openWorld("kept");
  await receiver.arrived(2);
  await back.settle();
  const { now } = await back.clock();
  const [webhook] = await back.webhooks();
  const { attempts, next_attempt_at } = await back.webhook(webhook?.webhook_id ?? "");
  expect(attempts.map(({ number, at }) => [number, at === now])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(Date.parse(next_attempt_at ?? "") - Date.parse(now)).toBe(5_000);
  expect(Number(receiver.received[1]?.headers["x-webhook-timestamp"])).toBe(Math.floor(Date.parse(now) / 1000));
  expect((await transactionOf(back, id)).status).toBe("confirmed");
});

const payment = scenario("payment", rule("cashin.created", [{ after: "100s", pay: {} }]));

/** How long after their making the charges of a world were paid, in milliseconds; they are all to be paid. */
async function waitsOf(world: WorldClient): Promise<number[]> {
  const { items } = await world.call<{ items: Record<string, string>[] }>("GET", "/transactions");
  return items.map(({ created_at, confirmed_at }) => Date.parse(confirmed_at ?? "") - Date.parse(created_at ?? ""));
}

describe.each([
  ["less than counts as late", 900],
  ["longer", 2_500],
])("what comes due while the process is stopped in the midst of its work, for %s", (_long, pauseMs) => {
  test.each([
    ["inbox", async () => null],
    ["receiver", () => startReceiver()],
  ])("is done at its own instants too: webhooks to the %s", async (_place, start) => {
    await using receiver = await start();
    const postback_url = receiver?.url ?? "sandbox://inbox";
    let hasCome = true;
    for (let reading = 1; hasCome; reading++) {
      using wall = new StoppedWall();
      await using sandbox = await startSandbox();
      const world = await sandbox.createWorld({ scenarios: [payment], clock: { mode: "frozen" }, postback_url });
      const merchant = await Merchant.of(world);
      for (let count = 0; count < 3; count++) {
        await chargeOf(merchant);
        await world.advance("30s");
      }
      await world.call("POST", "/clock", { mode: "running", speed: 1_000 });
      wall.pass(10);
      const isThere = wall.passBeforeReading(reading, pauseMs);
      await chargeOf(merchant);
      await world.settle();
      hasCome = isThere();
      wall.pass(pauseMs);
      await world.settle();
      expect([reading, await waitsOf(world)]).toEqual([reading, Array(4).fill(100_000)]);
    }
  });
});

describe("while something waits for the webhook in the air, time flows on, and what comes due is done at its own instants", () => {
  /** Beyond the time-out of these tests. */
  const patient = { webhookTimeoutMs: 600_000 };

  /** A running world whose first charge is paid, and its webhook in the air; the second one's payment is due next. */
  async function heldWorld(sandbox: SandboxClient, receiver: Receiver, wall: StoppedWall): Promise<WorldClient> {
    const clock = { mode: "running" } as const;
    const world = await sandbox.createWorld({ scenarios: [payment], clock, postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    await chargeOf(merchant);
    wall.pass(50_000);
    await chargeOf(merchant);
    wall.pass(50_000);
    await world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "1.00" });
    await receiver.arrived(1);
    return world;
  }

  /** Waits until an advance is there, which refuses snapshots. */
  const advancing = (world: WorldClient) => {
    const isRefused = () =>
      world.takeSnapshot("busy").then(
        () => world.deleteSnapshot("busy"),
        () => true,
      );
    return expect.poll(isRefused).toBe(true);
  };

  test.each<[what: string, begin: (world: WorldClient) => Promise<unknown>]>([
    ["an advance", (world) => world.advance("1h")],
    ["a new instant", (world) => world.call("POST", "/clock", { now: "2026-01-01T14:00:00Z" })],
  ])("%s", async (_what, begin) => {
    using wall = new StoppedWall();
    await using receiver = await startHeld();
    await using sandbox = await startSandbox(patient);
    const world = await heldWorld(sandbox, receiver, wall);
    const done = begin(world);
    await advancing(world);
    wall.pass(60_000);
    receiver.release();
    await done;
    expect(await waitsOf(world)).toEqual([100_000, 100_000]);
  });

  /** Less than counts as late. */
  const BARELY_MS = 500;

  test("the result of an attempt by hand does not come before what is barely due", async () => {
    using wall = new StoppedWall();
    await using receiver = await startHeld();
    await using sandbox = await startSandbox(patient);
    const world = await heldWorld(sandbox, receiver, wall);
    const [webhook] = await world.webhooks();
    const delivered = world.redeliver(webhook?.webhook_id ?? "");
    await receiver.arrived(2);
    wall.pass(50_000 + BARELY_MS);
    receiver.release();
    await delivered;
    expect(await waitsOf(world)).toEqual([100_000, 100_000]);
  });

  test("an advance that has not begun does not wait with what is barely due", async () => {
    using wall = new StoppedWall();
    await using receiver = await startHeld();
    await using sandbox = await startSandbox(patient);
    const world = await heldWorld(sandbox, receiver, wall);
    const done = world.advance("1h");
    await advancing(world);
    wall.pass(50_000 + BARELY_MS);
    const settled = world.settle();
    await expect.poll(() => waitsOf(world)).toEqual([100_000, 100_000]);
    receiver.release();
    await Promise.all([done, settled]);
  });

  test("an advance until an event, which comes before it begins: it has come, and nothing else happens", async () => {
    using wall = new StoppedWall();
    await using receiver = await startHeld();
    await using sandbox = await startSandbox(patient);
    const world = await heldWorld(sandbox, receiver, wall);
    const unpaid = await chargeOf(await Merchant.of(world));
    const done = world.advance({ until: "cashin.confirmed" });
    await advancing(world);
    wall.pass(60_000);
    receiver.release();
    const { reached, from, to } = await done;
    expect({ reached, from }).toEqual({ reached: true, from: to });
    expect(await transactionOf(world, unpaid)).toMatchObject({ status: "pending" });
  });

  test("an advance until an event whose turn comes because the one before it is canceled: what comes from then on counts", async () => {
    using wall = new StoppedWall();
    await using receiver = await startHeld();
    await using sandbox = await startSandbox(patient);
    const world = await heldWorld(sandbox, receiver, wall);
    const unpaid = await chargeOf(await Merchant.of(world));
    const first = world.advance("1h");
    await advancing(world);
    const done = world.advance({ until: "cashin.confirmed" });
    const calls = async () => (await world.journal()).filter(({ kind }) => kind === "control").length;
    await expect.poll(calls).toBe(3);
    await world.cancelAdvance();
    expect(await first).toMatchObject({ reached: false, timers: 0 });
    wall.pass(60_000);
    receiver.release();
    const { reached, from, to } = await done;
    expect({ reached, from }).toEqual({ reached: true, from: to });
    expect(await transactionOf(world, unpaid)).toMatchObject({ status: "pending" });
  });

  test("an advance that is canceled meanwhile, which is answered at once", async () => {
    using wall = new StoppedWall();
    await using receiver = await startHeld();
    await using sandbox = await startSandbox(patient);
    const world = await heldWorld(sandbox, receiver, wall);
    const advance = world.advance("1h");
    await expect
      .poll(() =>
        world.cancelAdvance().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const { from, to, trace, ...rest } = await advance;
    expect({ ...rest, trace, to }).toMatchObject({ reached: false, timers: 0, trace: [], to: from });
    wall.pass(60_000);
    receiver.release();
    await world.settle();
    expect(await waitsOf(world)).toEqual([100_000, 100_000]);
  });
});

/** A running clock: its deliveries, and one in a process that is killed in the middle of an advance. */
import { describe, expect, test } from "vitest";
import { connectSandbox, type WorldClient } from "../../src/index.ts";
import { chargeOf, makeCharge, transactionOf } from "../support/charges.ts";
import { startReady } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

describe("deliveries on a running clock", () => {
  test("a retry is not held up by what waits for another, slower receiver", async () => {
    await using stuck = await startHeld();
    await using failing = await startHeld(500, 200);
    const world = await file.world({ clock: { mode: "running", speed: 1000 } });
    const merchant = await Merchant.of(world);
    const pay = async (postback_url: string) => {
      const id = await chargeOf(merchant, { postback_url });
      void world.act(id, "pay").catch(() => {});
      return id;
    };
    const failed = await pay(failing.url);
    await failing.arrived(1);
    const firstAt = Date.parse((await transactionOf(world, failed)).confirmed_at as string);
    const held = [await pay(stuck.url)];
    await stuck.arrived(1);
    // What waits behind the stuck one is due later than the retry will be, which comes one second after the failure.
    while ((await nowOf(world)) < firstAt + 2000);
    for (let count = 0; count < 2; count++) held.push(await pay(stuck.url));
    for (const id of held) await confirmed(world, id);
    failing.release();
    await failing.arrived(2);
    expect(stuck.received).toHaveLength(1);
    stuck.release();
    await stuck.arrived(3);
    expect(stuck.received.map(({ body }) => body.transaction_id)).toEqual(held);
  });
});

test("D62 what waited for a slow receiver bears the time at which it left", async () => {
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  await using slow = await startReceiver(async (_request, response, index) => {
    await answers[index]?.promise;
    response.writeHead(500).end();
  });
  const world = await file.world({ clock: { mode: "running", speed: 1_000 }, postback_url: slow.url });
  const merchant = await Merchant.of(world);
  for (let count = 0; count < 2; count++) await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
  await slow.arrived(1);
  const left = (await nowOf(world)) + 3000;
  while ((await nowOf(world)) < left);
  answers[0].resolve();
  await slow.arrived(2);
  const [, second] = await world.webhooks();
  const [attempt] = (await world.webhook(second?.webhook_id ?? "")).attempts;
  expect(Date.parse(attempt?.at ?? "")).toBeGreaterThanOrEqual(left);
  expect(Number(slow.received[1]?.headers["x-webhook-timestamp"])).toBeGreaterThanOrEqual(Math.floor(left / 1000));
  answers[1].resolve();
});

describe("settle on a running clock", () => {
  test("waits for what was due or in flight when it was asked, and not for what has come since", async () => {
    await using first = await startHeld();
    await using second = await startHeld();
    const world = await file.world({ clock: { mode: "running" } });
    const merchant = await Merchant.of(world);
    const pay = async (receiver: typeof first) => {
      const id = await chargeOf(merchant, { postback_url: receiver.url });
      void world.act(id, "pay").catch(() => {});
      await confirmed(world, id);
      await receiver.arrived(1);
    };
    // The second one waits behind the first, and leaves when it is down.
    for (let count = 0; count < 2; count++) await pay(first);
    let isSettled = false;
    const settled = world.settle().then(() => {
      isSettled = true;
    });
    const askedBy = await nowOf(world);
    while ((await nowOf(world)) <= askedBy);
    await pay(second);
    expect(isSettled).toBe(false);
    first.release();
    await settled;
    expect((await world.webhooks()).map(({ status }) => status)).toEqual(["delivered", "delivered", "pending"]);
    second.release();
  });
});

describe("a process that is killed in the middle of an advance", () => {
  test("finds its running clock where the advance had come to, and it flows on from there", async () => {
    await using receiver = await startHeld();
    const args = ["--data", testFolder(), "--start", "2026-01-01T12:00:00Z", "--postback-url", receiver.url];
    const first = await startReady([...args, "--scenario", "none"]);
    const world = await (await connectSandbox(first.ready.base_url)).defaultWorld();
    const id = await makeCharge(world);
    const advance = world.advance("365d").catch(() => "cut off");
    await receiver.arrived(1);
    first.child.kill("SIGKILL");
    expect(await advance).toBe("cut off");
    await first.ended;

    const second = await startReady([...args, "--scenario", "none"]);
    const back = await (await connectSandbox(second.ready.base_url)).defaultWorld();
    const { expires_at, status } = await transactionOf(back, id);
    expect(status).toBe("expired");
    const reached = await nowOf(back);
    expect(reached).toBeGreaterThanOrEqual(Date.parse(expires_at as string));
    expect(reached).toBeLessThan(Date.parse(expires_at as string) + 3_600_000);
    while ((await nowOf(back)) === reached);
    await receiver.arrived(2);
    receiver.release();
  });
});

async function nowOf(world: WorldClient): Promise<number> {
  return Date.parse((await world.clock()).now);
}

async function confirmed(world: WorldClient, id: string): Promise<void> {
  while ((await transactionOf(world, id)).status !== "confirmed");
}

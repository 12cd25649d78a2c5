/** Tests fake the timers and the clock of their process: a sandbox in it goes on by its own. */
import { afterEach, expect, test, vi } from "vitest";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

afterEach(() => {
  vi.useRealTimers();
});

/** What Vitest fakes unless told otherwise; without `nextTick` and `queueMicrotask` no socket of Node does anything. */
const faked = [
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"],
  ...["Date", "performance"],
] as NonNullable<Parameters<typeof vi.useFakeTimers>[0]>["toFake"];

test("a charge is made, paid and announced while timers and clock are faked; a wait fails in real time", async () => {
  await using receiver = await startReceiver();
  const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
  vi.useFakeTimers({ toFake: faked ?? [], now: new Date("2030-06-01T00:00:00Z") });
  const merchant = world.merchant();
  const charge = await merchant.call("POST /v2/transactions/cashin", { currency: "BRL", amount: "150.00" });
  expect(await world.advance("5s")).toMatchObject({ reached: true, webhooks: { delivered: 1 } });
  const hook = await world.waitForWebhook("cashin.confirmed", { transaction_id: charge.transaction_id });
  expect(hook.body.data.confirmed_at).toBe("2026-01-01T12:00:05.000Z");
  expect(await world.advance("2d")).toMatchObject({ reached: true });
  await expect(world.waitForWebhook("cashin.expired", {}, { timeoutMs: 20 })).rejects.toThrow("No cashin.expired came");
});

test("while timers are faked no webhook waits for one that a kept connection needs: each has a connection of its own", async () => {
  await using receiver = await startReceiver();
  const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
  const merchant = world.merchant();
  const deliver = async () => {
    await merchant.call("POST /v2/transactions/cashin", { currency: "BRL", amount: "150.00" });
    return (await world.advance("5s")).webhooks;
  };
  expect(await deliver()).toEqual({ delivered: 1, failed: 0, pending: 0 });
  vi.useFakeTimers({ toFake: faked ?? [], now: new Date("2030-06-01T00:00:00Z") });
  for (let count = 0; count < 3; count++) expect(await deliver()).toEqual({ delivered: 1, failed: 0, pending: 0 });
  const kept = receiver.received.map(({ headers }) => headers.connection);
  expect(kept).toEqual(["keep-alive", "close", "close", "close"]);
});

test("a running clock goes on by the machine's own, and signatures are made by it, while dates are faked", async () => {
  const world = await file.world({ scenarios: ["happy-path"], clock: { mode: "running" } });
  const before = Date.parse((await world.clock()).now);
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2031-01-01T00:00:00Z") });
  const payout = { currency: "BRL", amount: 1, key: "52998224725" } as const;
  expect(await world.merchant().call("POST /v2/transactions/cashout", payout)).toMatchObject({ status: "pending" });
  const after = Date.parse((await world.clock()).now);
  expect(after - before).toBeGreaterThanOrEqual(0);
  expect(after - before).toBeLessThan(86_400_000);
});

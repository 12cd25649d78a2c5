/** What a frozen world does by itself: nothing. */
import { expect, test } from "vitest";
import { chargeOf, makeCharge, transactionOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";

const file = useSandbox();

test("over a million simulated seconds of its neighbours a frozen world fires nothing by itself", async () => {
  await using receiver = await startReceiver();
  await using failing = await startReceiver(500);
  const frozen = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
  const neighbour = await file.world({ scenarios: ["happy-path"], postback_url: failing.url });
  const racing = await file.world({ postback_url: failing.url });
  for (const world of [frozen, neighbour, racing]) await makeCharge(world);
  await racing.call("POST", "/clock", { mode: "running", speed: 1_000_000 });
  const [journal, timers, clock] = [await frozen.journal(), await frozen.all("/timers"), await frozen.clock()];

  expect(await neighbour.advance("1000000s")).toMatchObject({ reached: true, timers: 7 });
  await failing.arrived(7);

  expect(await frozen.journal()).toEqual(journal);
  expect(await frozen.all("/timers")).toEqual(timers);
  expect(await frozen.clock()).toEqual(clock);
  expect(receiver.received).toEqual([]);
});

test("advanced by a million seconds it fires what was due, and without a scenario that is expiry alone", async () => {
  await using receiver = await startReceiver();
  const world = await file.world({ postback_url: receiver.url });
  const merchant = await Merchant.of(world);
  for (const currency of ["BRL", "MXN", "BTC"]) await chargeOf(merchant, { currency, amount: "1" });
  const advance = await world.advance("1000000s");
  expect(advance).toMatchObject({ to: "2026-01-13T01:46:40.000Z", timers: 4, webhooks: { delivered: 1 } });
  expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.expired"]);
  expect(await world.advance("1000000s")).toMatchObject({ timers: 0, trace: [] });
});

test("reading it, calling its service and settling it move no time and fire nothing that is not due", async () => {
  const world = await file.world({ scenarios: ["happy-path"] });
  const id = await makeCharge(world);
  const merchant = await Merchant.of(world);
  for (const path of ["/", "/clock", "/timers", "/journal", "/webhooks", "/accounts", "/ledger/check"]) {
    expect((await control(world, "GET", path)).status).toBe(200);
  }
  for (let count = 0; count < 5; count++) await merchant.balance("BRL");
  await world.settle();
  expect((await world.clock()).now).toBe("2026-01-01T12:00:00.000Z");
  expect((await transactionOf(world, id)).status).toBe("pending");
});

test("what falls due at the present instant is done at once, its delivery included", async () => {
  await using receiver = await startReceiver();
  const world = await file.world({ postback_url: receiver.url });
  await world.act(await makeCharge(world), "pay");
  expect(receiver.received).toHaveLength(1);
  expect(await world.clock()).toMatchObject({ now: "2026-01-01T12:00:00.000Z", pending_timers: 0 });
});

test("what comes of calls is the same however long a receiver takes", async () => {
  await using receiver = await startHeld();
  const paid = scenario("paid-at-once", rule("cashin.created", [{ pay: {} }]));
  const world = await file.world({ scenarios: [paid], postback_url: receiver.url });
  const merchant = await Merchant.of(world);
  await chargeOf(merchant);
  await receiver.arrived(1);
  const second = await chargeOf(merchant);
  expect((await merchant.balance("BRL")).balance).toBe("10297.00");
  const third = await chargeOf(merchant);
  expect((await transactionOf(world, third)).status).toBe("confirmed");
  expect((await transactionOf(world, second)).status).toBe("confirmed");
  const { items } = (await merchant.call("POST", "/v2/account/transactions/list", {})).body.data;
  expect(items.map(({ status }: { status: string }) => status)).toEqual(["confirmed", "confirmed", "confirmed"]);
  expect(receiver.received).toHaveLength(1);
  const advancing = world.advance("1h");
  await world.clock();
  expect((await transactionOf(world, await chargeOf(merchant))).status).toBe("confirmed");
  receiver.release();
  await advancing;
  expect((await world.webhooks()).map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
});

test("an advance begins when what is due has been delivered: the next timer is one to come", async () => {
  await using receiver = await startHeld();
  const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
  const merchant = await Merchant.of(world);
  const id = await chargeOf(merchant);
  for (const currency of ["BRL", "MXN"]) await merchant.call("POST", "/v2/transactions/wallet", { currency });
  await receiver.arrived(1);
  const advancing = world.advance("next");
  await world.clock();
  receiver.release();
  expect(await advancing).toMatchObject({ to: "2026-01-01T12:00:05.000Z", reached: true, timers: 2 });
  expect((await transactionOf(world, id)).status).toBe("confirmed");
});

/** Faults injected into deliveries: what the receiver sees of each, and what becomes of the webhook. */
import { describe, expect, test } from "vitest";
import { startSandbox, type WebhookInfo, type WorldClient } from "../../src/index.ts";
import { chargeOf, externalIdsOf, paidWebhook, secondsOf, webhookOf } from "../support/charges.ts";
import { paidCharge } from "../support/disputes.ts";
import { countsOf, inject, removeFaults, strikesOf, WRONG_ADDRESS } from "../support/faults.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { startAt } from "../support/odd-receivers.ts";
import { type Receiver, startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";
import { SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

const CONFIRMED = "cashin.confirmed";

/** Pays charges one after another; their external ids are `order-0` and so on. */
async function payCharges(world: WorldClient, count: number, from = 0): Promise<void> {
  const merchant = await Merchant.of(world);
  for (let index = from; index < from + count; index++) {
    await paidCharge(world, merchant, { external_id: `order-${index}` });
  }
}

function idsOf(receiver: Receiver): (string | undefined)[] {
  return receiver.received.map(({ headers }) => headers["x-webhook-id"]);
}

/** What is told of each attempt of a webhook. */
function attemptsOf({ attempts }: WebhookInfo) {
  return attempts.map(({ number, duplicate, manual, outcome }) => ({ number, duplicate, manual, outcome }));
}

describe("drop", () => {
  test("the webhook is not sent, however far the clock goes, and shows as dropped", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { drop: true } });
    const webhook = await paidWebhook(world);
    expect(webhook).toMatchObject({
      status: "dropped",
      next_attempt_at: null,
      attempts: [],
      destination: receiver.url,
    });
    expect(await world.webhooks({ status: "dropped" })).toHaveLength(1);
    expect(await world.all("/timers")).toEqual([]);
    const advance = await world.advance("30d");
    expect(advance.webhooks).toEqual({ delivered: 0, failed: 0, pending: 0 });
    expect(receiver.received).toEqual([]);
  });

  test("WH-19 it can be delivered by hand, with its first bytes", async () => {
    await using receiver = await startReceiver(500, 200);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { drop: true } });
    const { webhook_id, body } = await paidWebhook(world);
    await world.advance("1h");
    expect(await world.redeliver(webhook_id)).toMatchObject({ status: "dropped", next_attempt_at: null });
    expect(await world.redeliver(webhook_id)).toMatchObject({ status: "delivered" });
    await world.advance("1d");
    expect(idsOf(receiver)).toEqual([webhook_id, webhook_id]);
    expect(receiver.received.map((received) => received.body)).toEqual([body, body]);
    expect(secondsOf(receiver)).toEqual([3600, 3600]);
  });

  test("the inbox gets nothing either", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    await inject(world, { delivery: "*", inject: { drop: true } });
    expect((await paidWebhook(world)).status).toBe("dropped");
    expect(await world.all("/inbox")).toEqual([]);
  });

  test("WH-23 with all webhooks dropped the list alone shows every cash-in and cash-out as it ended", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ scenarios: ["happy-path", "magic-values"], postback_url: receiver.url });
    await inject(world, { delivery: "*", inject: { drop: true } });
    const merchant = await SigningMerchant.ofAccount(world);
    await chargeOf(merchant, { external_id: "paid", amount: "150.00" });
    await chargeOf(merchant, { external_id: "magic-expire-1" });
    await chargeOf(merchant, { external_id: "pesos", currency: "MXN", amount: "70.00" });
    for (const [external_id, key] of [
      ["settled", "12345678909"],
      ["refused", "12345678909"],
    ] as const) {
      expect((await merchant.cashout({ currency: "BRL", amount: "40.00", key, external_id })).status).toBe(202);
    }
    const refused = await merchant.call("POST", "/v2/account/transactions/list", { external_id: "refused" });
    await world.act(refused.body.data.items[0].transaction_id, "fail", { error_code: "PIX_KEY_NOT_FOUND" });
    await world.advance("31m");

    const list = await merchant.call("POST", "/v2/account/transactions/list", {});
    const items: Record<string, string>[] = list.body.data.items;
    const shown = items.map(({ external_id, status, amount, amount_net }) => [external_id, status, amount, amount_net]);
    expect(Object.fromEntries(shown.map(([id, ...rest]) => [id, rest]))).toEqual({
      paid: ["confirmed", "150.00", "148.50"],
      "magic-expire-1": ["expired", "150.00", expect.any(String)],
      pesos: ["confirmed", "70.00", expect.any(String)],
      settled: ["confirmed", "40.00", expect.any(String)],
      refused: ["failed", "40.00", expect.any(String)],
    });
    expect(receiver.received).toEqual([]);
    const statuses = (await world.webhooks()).map(({ status }) => status);
    expect(statuses).toEqual(Array(statuses.length).fill("dropped"));
    expect(statuses.length).toBeGreaterThanOrEqual(5);
  });
});

describe("duplicate", () => {
  test.each([1, 2, 100])(
    "WH-20 %i more copies, with the same id and bytes, at the instant of the event",
    async (copies) => {
      await using receiver = await startReceiver();
      const world = await file.world({ postback_url: receiver.url, settings: { webhook_rate: 1000 } });
      await inject(world, { delivery: CONFIRMED, inject: { duplicate: copies } });
      const webhook = await paidWebhook(world);
      expect(receiver.received).toHaveLength(1 + copies);
      expect(new Set(idsOf(receiver))).toEqual(new Set([webhook.webhook_id]));
      expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
      expect(new Set(secondsOf(receiver))).toEqual(new Set([0]));
      expect(webhook.status).toBe("delivered");
      expect(await world.webhooks()).toHaveLength(1);
      await world.advance("1d");
      expect(receiver.received).toHaveLength(1 + copies);
    },
  );

  test("copies are no attempts of their own: each has the number of the one it copies", async () => {
    await using receiver = await startReceiver(500, 500, 500, 200);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { duplicate: 2 } });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("idle");
    const webhook = await world.webhook(webhook_id);
    expect(attemptsOf(webhook)).toEqual([
      { number: 1, duplicate: false, manual: false, outcome: "refused" },
      { number: 1, duplicate: true, manual: false, outcome: "refused" },
      { number: 1, duplicate: true, manual: false, outcome: "refused" },
      { number: 2, duplicate: false, manual: false, outcome: "delivered" },
    ]);
    expect(webhook.status).toBe("delivered");
  });

  test("WH-17 WH-18 copies are not repeated: six attempts on the schedule, whatever comes of the copies", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { duplicate: 3 } });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("idle");
    expect(secondsOf(receiver)).toEqual([0, 0, 0, 0, 1, 6, 36, 156, 756]);
    expect(await world.webhook(webhook_id)).toMatchObject({ status: "exhausted" });
  });

  test("a copy that arrives does not stand for the webhook: what failed is tried again", async () => {
    await using receiver = await startReceiver(500, 200);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { duplicate: 1 } });
    const webhook = await paidWebhook(world);
    expect(webhook).toMatchObject({ status: "pending", next_attempt_at: "2026-01-01T12:00:01.000Z" });
    await world.advance("idle");
    expect(secondsOf(receiver)).toEqual([0, 0, 1]);
  });

  test("WH-21 WH-22 D61 copies count towards the 100 per minute, and are put back like any other", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { duplicate: 100 }, times: 1 });
    await payCharges(world, 2);
    expect(receiver.received).toHaveLength(100);
    expect((await world.webhooks()).map(({ status }) => status)).toEqual(["delivered", "throttled"]);
    await world.advance("idle");
    expect(externalIdsOf(receiver).slice(100)).toEqual(["order-0", "order-1"]);
    expect(secondsOf(receiver).slice(100)).toEqual([120, 120]);
  });

  test("a re-delivery by hand that succeeds ends what waits, copies too", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url, settings: { webhook_rate: 1 } });
    await inject(world, { delivery: CONFIRMED, inject: { duplicate: 3 } });
    const { webhook_id } = await paidWebhook(world);
    expect((await world.redeliver(webhook_id)).status).toBe("delivered");
    await world.advance("idle");
    expect(receiver.received).toHaveLength(2);
  });

  test("the inbox gets them all", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    await inject(world, { delivery: CONFIRMED, inject: { duplicate: 2 } });
    await paidWebhook(world);
    expect(await world.all("/inbox")).toHaveLength(3);
  });
});

describe("delay", () => {
  test("the first attempt leaves so much later, and what happens meanwhile overtakes it", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { delay: "40s" } });
    const webhook = await paidWebhook(world);
    expect(webhook).toMatchObject({ status: "pending", next_attempt_at: "2026-01-01T12:00:40.000Z", attempts: [] });
    await world.act(webhook.transaction_id, "refund");
    await world.advance("39999ms");
    expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.refunded"]);
    await world.advance("1ms");
    expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.refunded", CONFIRMED]);
    expect(secondsOf(receiver)).toEqual([0, 40]);
    // It is the delivery that is late, not the event.
    expect(receiver.received[1]?.body.timestamp).toBe("2026-01-01T12:00:00.000+00:00");
  });

  test.each(["previous", "first"])(
    "D60 with retry_base: %s retries count from the delayed attempt",
    async (retry_base) => {
      await using receiver = await startReceiver(500);
      const world = await file.world({ postback_url: receiver.url, settings: { retry_base } });
      await inject(world, { delivery: CONFIRMED, inject: { delay: "2h" } });
      await paidWebhook(world);
      await world.advance("idle");
      const waits = secondsOf(receiver).map((second) => second - 7200);
      expect(waits).toEqual(retry_base === "first" ? [0, 1, 5, 30, 120, 600] : [0, 1, 6, 36, 156, 756]);
    },
  );

  test("0s is none; a time beyond the calendar is its last instant", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { delay: "0s" } });
    expect((await paidWebhook(world)).status).toBe("delivered");
    await inject(world, { delivery: CONFIRMED, inject: { delay: "14000000w" } });
    expect((await paidWebhook(world)).next_attempt_at).toBe("9999-12-31T23:59:59.999Z");
    await world.advance("idle");
    expect(receiver.received).toHaveLength(2);
  });

  test("a re-delivery by hand overtakes it, and nothing comes afterwards", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { delay: "1h" } });
    const { webhook_id } = await paidWebhook(world);
    expect((await world.redeliver(webhook_id)).status).toBe("delivered");
    await world.advance("2h");
    expect(receiver.received).toHaveLength(1);
  });
});

describe("shuffle", () => {
  /** Pays charges in a world with a seed that shuffles. @returns the order in which they came. */
  async function orderOf(seed: number, charges = 8): Promise<string[]> {
    await using receiver = await startReceiver();
    const world = await file.world({ seed, postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: charges } });
    await payCharges(world, charges);
    await world.settle();
    return externalIdsOf(receiver);
  }

  test("all of a group come at once, in an order that falls by the seed: the same every run", async () => {
    const inOrder = Array.from({ length: 8 }, (_, index) => `order-${index}`);
    const [first, again, other] = [await orderOf(1), await orderOf(1), await orderOf(2)];
    expect([...first].sort()).toEqual(inOrder);
    expect([...other].sort()).toEqual(inOrder);
    expect(first).not.toEqual(inOrder);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test("nothing leaves before the last of a group; then it begins anew", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 3 } });
    await payCharges(world, 2);
    await world.advance("10s");
    expect(receiver.received).toEqual([]);
    await payCharges(world, 1, 2);
    await world.settle();
    expect(externalIdsOf(receiver).sort()).toEqual(["order-0", "order-1", "order-2"]);
    expect(secondsOf(receiver)).toEqual([10, 10, 10]);
    expect((await world.webhooks()).map(({ status }) => status)).toEqual(["delivered", "delivered", "delivered"]);
    await payCharges(world, 2, 3);
    await world.settle();
    expect(receiver.received).toHaveLength(3);
  });

  test("what is let go is due at once, also while the one before it is in the air", async () => {
    await using receiver = await startHeld();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 3 } });
    const paid = payCharges(world, 3);
    await receiver.arrived(1);
    const due = (await world.webhooks()).map(({ next_attempt_at }) => next_attempt_at);
    expect(due).toEqual(Array(3).fill((await world.clock()).now));
    receiver.release();
    await paid;
  });

  test("a group that does not fill is let go 60 s after its first, on the clock", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 4 } });
    await payCharges(world, 1);
    await world.advance("20s");
    await payCharges(world, 1, 1);
    const waiting = { status: "pending", next_attempt_at: "2026-01-01T12:01:00.000Z" };
    expect(await world.webhooks()).toMatchObject([waiting, waiting]);
    await world.advance("39999ms");
    expect(receiver.received).toEqual([]);
    await world.advance("1ms");
    expect(secondsOf(receiver)).toEqual([60, 60]);
    expect(await world.all("/timers")).toEqual([]);
    // The next group has its own 60 s.
    await world.advance("10s");
    await payCharges(world, 1, 2);
    await world.advance("idle");
    expect(secondsOf(receiver)).toEqual([60, 60, 130]);
  });

  test("each rule holds its own, whatever the other does", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(
      world,
      { delivery: CONFIRMED, inject: { shuffle: 2 } },
      { delivery: "cashin.refunded", inject: { shuffle: 2 } },
    );
    const merchant = await Merchant.of(world);
    const [first, second] = [await paidCharge(world, merchant), await chargeOf(merchant)];
    await world.act(first, "refund");
    await world.settle();
    expect(receiver.received).toEqual([]);
    await world.act(second, "pay");
    await world.settle();
    expect(receiver.received.map(({ body }) => body.event)).toEqual([CONFIRMED, CONFIRMED]);
    await world.act(second, "refund");
    await world.settle();
    expect(receiver.received.slice(2).map(({ body }) => body.event)).toEqual(["cashin.refunded", "cashin.refunded"]);
  });

  test("other rules that are set meanwhile do not touch what is held", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 5 } });
    await payCharges(world, 2);
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 2 } });
    await payCharges(world, 2, 2);
    await world.settle();
    expect(externalIdsOf(receiver).sort()).toEqual(["order-2", "order-3"]);
    await removeFaults(world);
    await world.advance("idle");
    expect(externalIdsOf(receiver).sort()).toEqual(["order-0", "order-1", "order-2", "order-3"]);
    expect(secondsOf(receiver)).toEqual([0, 0, 60, 60]);
  });

  test("the 60 s of a group count from its own first, whenever the one before was let go", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 2 } });
    await payCharges(world, 2);
    await world.advance("30s");
    await payCharges(world, 1, 2);
    await world.advance("idle");
    expect(secondsOf(receiver)).toEqual([0, 0, 90]);
  });

  test("what is delivered by hand meanwhile does not come again", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 3 } });
    await payCharges(world, 2);
    const [held] = await world.webhooks();
    expect(await world.redeliver(held?.webhook_id ?? "")).toMatchObject({ status: "delivered", next_attempt_at: null });
    await world.advance("idle");
    expect(externalIdsOf(receiver)).toEqual(["order-0", "order-1"]);
  });

  test("a group of which all are delivered by hand is let go without a word", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 2 } });
    await payCharges(world, 1);
    const [held] = await world.webhooks();
    await world.redeliver(held?.webhook_id ?? "");
    await world.advance("idle");
    expect(receiver.received).toHaveLength(1);
    expect((await world.journal()).map(({ kind }) => kind)).not.toContain("webhook.released");
  });

  test("WH-17 what fails after the shuffle is tried again like any other", async () => {
    await using receiver = await startReceiver(500, 500, 200);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 2 } });
    await payCharges(world, 2);
    await world.advance("idle");
    expect(secondsOf(receiver)).toEqual([0, 0, 1, 1]);
    expect(externalIdsOf(receiver).slice(0, 2)).toEqual(externalIdsOf(receiver).slice(2));
  });

  test("what is held is let go in a fork of the world, and after a restart", async () => {
    await using receiver = await startReceiver();
    const data = testFolder();
    {
      await using sandbox = await startSandbox({ data, scenarios: [], postbackUrl: receiver.url });
      const world = await sandbox.defaultWorld();
      await inject(world, { delivery: CONFIRMED, inject: { shuffle: 3 } });
      await payCharges(world, 2);
      const fork = await sandbox.createWorld({ from: "default" });
      await payCharges(fork, 1, 7);
      await fork.settle();
      expect(externalIdsOf(receiver).sort()).toEqual(["order-0", "order-1", "order-7"]);
    }
    await using sandbox = await startSandbox({ data });
    const world = await sandbox.defaultWorld();
    await world.advance("idle");
    expect(externalIdsOf(receiver).slice(3).sort()).toEqual(["order-0", "order-1"]);
    expect(secondsOf(receiver).length).toBe(5);
    expect((await world.clock()).now).toBe("2026-01-01T12:01:00.000Z");
  });
});

describe("source", () => {
  test("the first attempt leaves from the wrong address and counts as failed though it was answered 200", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { source: WRONG_ADDRESS } });
    const webhook = await paidWebhook(world);
    expect(receiver.sources).toEqual([WRONG_ADDRESS]);
    expect(webhook).toMatchObject({ status: "pending", next_attempt_at: "2026-01-01T12:00:01.000Z" });
    expect(webhook.attempts).toMatchObject([
      { number: 1, outcome: "refused", source: WRONG_ADDRESS, response: { status: 200 } },
    ]);

    await world.advance("idle");
    expect(receiver.sources).toEqual([WRONG_ADDRESS, "127.0.0.1"]);
    const { status, attempts } = await world.webhook(webhook.webhook_id);
    expect(status).toBe("delivered");
    expect(attempts.map(({ source, outcome, at }) => [source, outcome, at])).toEqual([
      [WRONG_ADDRESS, "refused", "2026-01-01T12:00:00.000Z"],
      [null, "delivered", "2026-01-01T12:00:01.000Z"],
    ]);
  });

  test("AUTH-07 a receiver that answers it 403 gets the webhook from the right address 1 s later", async () => {
    await using receiver = await startAt("127.0.0.1", 403, 200);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { source: WRONG_ADDRESS } });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("1s");
    expect(receiver.sources).toEqual([WRONG_ADDRESS, "127.0.0.1"]);
    expect((await world.webhook(webhook_id)).status).toBe("delivered");
    const tried = (await world.journal()).filter(({ kind }) => /^webhook\.(failed|delivered)$/.test(kind));
    expect(tried.map(({ kind, data }) => [kind, data.status, data.source])).toEqual([
      ["webhook.failed", 403, WRONG_ADDRESS],
      ["webhook.delivered", 200, undefined],
    ]);
  });

  test.each(["203.0.113.9", "2001:db8::1"])(
    "from %s, which this machine cannot send from, the attempt fails",
    async (source) => {
      await using receiver = await startAt("127.0.0.1", 200);
      const world = await file.world({ postback_url: receiver.url });
      await inject(world, { delivery: CONFIRMED, inject: { source } });
      const webhook = await paidWebhook(world);
      expect(webhook.attempts).toMatchObject([
        { outcome: "failed", response: null, error: { kind: "source_not_available" } },
      ]);
      await world.advance("idle");
      expect(receiver.sources).toEqual(["127.0.0.1"]);
      expect((await world.webhook(webhook.webhook_id)).status).toBe("delivered");
    },
  );

  test("D64 the right address is the one that webhooks of this sandbox come from", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    await using sandbox = await startSandbox({ webhookSourceIpv4: "127.0.0.2" });
    const world = await sandbox.createWorld({ scenarios: [], postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { source: WRONG_ADDRESS } });
    await paidWebhook(world);
    await world.advance("idle");
    expect(receiver.sources).toEqual([WRONG_ADDRESS, "127.0.0.2"]);
  });

  test("AUTH-06 an attempt from a wrong address that was taken is told to have been taken wrongly", async () => {
    await using receiver = await startReceiver(200, 200);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: "*", inject: { source: "127.0.0.77" }, times: 1 });
    const id = await paidCharge(world, await Merchant.of(world));
    const { history } = await world.explain((await webhookOf(world, id)).webhook_id);
    expect(history.map(({ text }) => text)).toContain(
      "Attempt 1 to deliver cashin.confirmed from the wrong address 127.0.0.77 was answered 200, where 403 is right: it counts as failed.",
    );
  });

  test("put back by the rate, it still comes from the wrong address first", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    const world = await file.world({ postback_url: receiver.url, settings: { webhook_rate: 1 } });
    await paidWebhook(world);
    await inject(world, { delivery: CONFIRMED, inject: { source: WRONG_ADDRESS } });
    expect((await paidWebhook(world)).status).toBe("throttled");
    await world.advance("idle");
    expect(receiver.sources).toEqual(["127.0.0.1", WRONG_ADDRESS, "127.0.0.1"]);
  });

  test("a re-delivery by hand comes from the right address", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { source: WRONG_ADDRESS } });
    const { webhook_id } = await paidWebhook(world);
    expect((await world.redeliver(webhook_id)).status).toBe("delivered");
    await world.advance("idle");
    expect(receiver.sources).toEqual([WRONG_ADDRESS, "127.0.0.1"]);
  });

  test("WH-18 it is one of the six attempts", async () => {
    await using receiver = await startAt("127.0.0.1", 500);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { source: WRONG_ADDRESS } });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("idle");
    expect(receiver.sources).toEqual([WRONG_ADDRESS, ...Array(5).fill("127.0.0.1")]);
    expect((await world.webhook(webhook_id)).status).toBe("exhausted");
  });
});

describe("which deliveries are struck", () => {
  /** Drops what the filters let through. @returns the external ids of those dropped, of six paid charges. */
  async function droppedOf(filters: object, seed = 1): Promise<unknown[]> {
    const world = await file.world({ seed, postback_url: "sandbox://inbox" });
    await inject(world, { delivery: CONFIRMED, inject: { drop: true }, ...filters });
    const merchant = await Merchant.of(world);
    for (let index = 0; index < 6; index++) {
      const payer = { name: index % 2 === 0 ? "Maria Silva" : "João Souza", document: "52998224725" };
      await paidCharge(world, merchant, { external_id: `order-${index}`, amount: `${index + 1}0.00`, payer });
      await world.advance("10s");
    }
    const dropped = await world.webhooks({ status: "dropped" });
    return dropped.map(({ body }) => body.data.external_id.slice("order-".length));
  }

  test.each([
    [{}, ["0", "1", "2", "3", "4", "5"]],
    [{ skip: 2, times: 3 }, ["2", "3", "4"]],
    [{ times: 1 }, ["0"]],
    [{ chance: "0%" }, []],
    [{ chance: "100%", skip: 5 }, ["5"]],
    [{ from: "+20s" }, ["2", "3", "4", "5"]],
    [{ until: "+20s" }, ["0", "1"]],
    [{ from: "2026-01-01T12:00:10Z", until: "2026-01-01T09:00:30-03:00" }, ["1", "2"]],
    [{ for: "30s" }, ["0", "1", "2"]],
    [{ for: "30s", from: "+10s" }, ["1", "2"]],
    [{ where: { amount: { gte: 30, lt: "50" } } }, ["2", "3"]],
    [{ where: { "payer.name": "Maria *" } }, ["0", "2", "4"]],
    [{ where: { external_id: { in: ["order-1", "order-4"] } } }, ["1", "4"]],
    [{ where: { username: "acme", event: CONFIRMED, external_id: { not: "order-1" } }, times: 2 }, ["0", "2"]],
    [{ where: { username: "globex" } }, []],
    [{ where: { amount: 10 }, skip: 1 }, []],
    [{ delivery: "*" }, ["0", "1", "2", "3", "4", "5"]],
    [{ delivery: "*.confirmed", times: 1 }, ["0"]],
    [{ delivery: "cashout.*" }, []],
  ])("%j", async (filters, dropped) => {
    expect(await droppedOf(filters)).toEqual(dropped);
  });

  test("a chance falls by the seed: the same every run, another way with another seed", async () => {
    const chance = { chance: "50%" };
    const runs = [];
    for (const seed of [1, 2, 3, 4]) runs.push(await droppedOf(chance, seed));
    expect(await droppedOf(chance, 1)).toEqual(runs[0]);
    expect(new Set(runs.map((run) => run.join())).size).toBeGreaterThan(1);
  });

  test("an amount of a hundred-millionth is held against its very digits", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const where = { amount: { lte: 0.00000001 } };
    await inject(world, { delivery: CONFIRMED, inject: { drop: true }, where: { amount: { lte: "0.01500000" } } });
    const bitcoin = { currency: "BTC", amount: "0.01500000" };
    expect((await paidWebhook(world, bitcoin)).status).toBe("dropped");
    const literal = JSON.stringify({ rules: [{ delivery: CONFIRMED, inject: { drop: true }, where }] });
    const body = literal.replace("1e-8", "0.00000001");
    const headers = { "Content-Type": "application/json" };
    await fetch(`${world.baseUrl}/_sandbox/faults`, { method: "PUT", headers, body });
    expect((await paidWebhook(world, bitcoin)).status).toBe("delivered");
    expect(await countsOf(world)).toEqual([[0, 0]]);
    await fetch(`${world.baseUrl}/_sandbox/faults`, { method: "PUT", headers, body: body.replace("lte", "gt") });
    expect((await paidWebhook(world, bitcoin)).status).toBe("dropped");
  });

  test("the receiver of a cash-out", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, { delivery: "cashout.*", inject: { drop: true }, where: { "receiver.bank": "* do Brasil" } });
    for (const bank of ["Banco do Brasil", "Banco Inter"]) {
      const answer = await merchant.cashout({ currency: "BRL", amount: "10.00", key: "12345678909" });
      await world.act(answer.body.data.transaction_id, "confirm", { receiver: { bank } });
    }
    expect((await world.webhooks()).map(({ status }) => status)).toEqual(["dropped", "delivered"]);
  });

  test("D46 the credential whose event it is", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const merchant = await SigningMerchant.second(world);
    const where = { client_id: merchant.clientId };
    await inject(world, { delivery: "*", inject: { drop: true }, where });
    const [own, other] = [await paidCharge(world, merchant), await paidWebhook(world)];
    expect((await webhookOf(world, own)).status).toBe("dropped");
    expect(other.status).toBe("delivered");
  });

  test("of several rules the first that strikes; one that does not leaves it to the next", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    await inject(
      world,
      { delivery: CONFIRMED, inject: { drop: true }, times: 1 },
      { delivery: "cashin.*", inject: { delay: "1m" }, skip: 1, times: 1 },
      { delivery: "*", inject: { duplicate: 1 } },
    );
    await payCharges(world, 4);
    const statuses = (await world.webhooks()).map(({ status }) => status);
    expect(statuses).toEqual(["dropped", "delivered", "pending", "delivered"]);
    expect(await countsOf(world)).toEqual([
      [4, 1],
      [3, 1],
      [2, 2],
    ]);
  });

  test("D65 what has nowhere to go is no delivery", async () => {
    const world = await file.world();
    await inject(world, { delivery: "*", inject: { drop: true } });
    expect((await paidWebhook(world)).status).toBe("undeliverable");
    expect(await countsOf(world)).toEqual([[0, 0]]);
  });

  test("D55 the events of the older names too, each on its own", async () => {
    const settings = { legacy_refund_events: true };
    const world = await file.world({ postback_url: "sandbox://inbox", settings });
    await inject(world, { delivery: "refund_*", inject: { drop: true } });
    const merchant = await Merchant.of(world);
    const id = await paidCharge(world, merchant);
    await world.act(id, "dispute");
    await world.advance("8d");
    const statuses = (await world.webhooks()).map(({ event, status }) => [event, status]);
    expect(statuses).toContainEqual(["refund_confirmed", "dropped"]);
    expect(statuses).toContainEqual(["chargeback.confirmed", "delivered"]);
  });

  test("a webhook is struck once, when its event happens: neither its retries nor a re-delivery", async () => {
    await using receiver = await startReceiver(500, 200);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await inject(world, { delivery: "*", inject: { drop: true } });
    await world.advance("idle");
    await world.redeliver(webhook_id);
    expect(receiver.received).toHaveLength(3);
    expect(await countsOf(world)).toEqual([[0, 0]]);
  });
});

describe("what is told of it", () => {
  test("a journal entry with the webhook, after its event and before what became of it", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    await inject(world, { delivery: CONFIRMED, inject: { delay: "5s" } });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("idle");
    const journal = await world.journal();
    const created = journal.find(({ kind }) => kind === "webhook.created");
    const [strike] = await strikesOf(world);
    expect(strike).toMatchObject({
      subject: webhook_id,
      cause: created?.sequence,
      rule: null,
      data: { event: CONFIRMED, inject: { delay: "5s" } },
    });
    const delivered = journal.find(({ kind }) => kind === "webhook.delivered");
    expect(delivered?.cause).toBe(strike?.sequence);
    const { chain } = await world.explain(webhook_id);
    expect(JSON.stringify(chain)).toContain("delay 5s");
  });

  test("of a shuffle, which webhooks were let go, and in what order", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: CONFIRMED, inject: { shuffle: 4 } });
    await payCharges(world, 4);
    await world.settle();
    const released = (await world.journal()).filter(({ kind }) => kind === "webhook.released");
    expect(released.map(({ data }) => data.webhooks)).toEqual([idsOf(receiver)]);
  });
});

test("the same seed and calls give the same journal with every fault; a bundle replays to it", async () => {
  async function play() {
    await using receiver = await startReceiver(200, 500, 200, 404, 200);
    const scenarios = ["happy-path", scenario("late", rule("cashin.confirmed", [{ after: "1m", refund: {} }]))];
    const world = await file.world({ scenarios, postback_url: receiver.url, seed: 5 });
    await inject(
      world,
      { request: "POST /v2/transactions/cashin", inject: { disconnect: "after" }, chance: "20%" },
      { request: "POST /v2/transactions/cashin", inject: { status: 503 }, chance: "20%" },
      { delivery: "cashin.refunded", inject: { source: WRONG_ADDRESS }, times: 2 },
      { delivery: "cashin.*", inject: { duplicate: 2 }, chance: "25%" },
      { delivery: "cashin.*", inject: { shuffle: 3 }, chance: "50%" },
      { delivery: "cashin.*", inject: { delay: "7s" }, chance: "50%" },
      { delivery: "cashin.*", inject: { drop: true }, chance: "30%" },
    );
    const merchant = await Merchant.of(world);
    for (let index = 0; index < 12; index++) {
      await merchant.cashin({ currency: "BRL", amount: "10.00", external_id: `order-${index}` }).catch(() => {});
      await world.advance("3s");
    }
    await world.advance("idle");
    return { world, journal: JSON.stringify(await world.journal()), texts: receiver.received.map(({ text }) => text) };
  }
  const [first, second] = [await play(), await play()];
  expect(second.journal).toBe(first.journal);
  expect(second.texts).toEqual(first.texts);
  const strikes = await strikesOf(first.world);
  expect(new Set(strikes.map(({ data }) => JSON.stringify(data.inject))).size).toBe(7);

  const bundle = await first.world.call("GET", "/export");
  const root = await file.sandbox.defaultWorld();
  const answer = await root.call<{ replay: object }>("POST", "/worlds", { replay: bundle });
  expect(answer.replay).toMatchObject({ identical: true, difference: null });
});

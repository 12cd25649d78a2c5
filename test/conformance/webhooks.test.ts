/** Webhooks as the specification's "Delivery" has them, with D60 to D65 where it is silent. */
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { chargeOf, externalIdsOf, makeCharge, paidWebhook, START_S, secondsOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { AT_ONCE_S, allAtOnce } from "../support/scenarios.ts";

const file = useSandbox();

describe("the request", () => {
  test("WH-01 WH-02 WH-03 each kind of event is a POST of JSON whose X-Webhook-Event is the event", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    const [paid, left] = [await chargeOf(merchant), await chargeOf(merchant)];
    await world.act(paid, "pay");
    await world.act(paid, "refund");
    await world.act(left, "expire");

    expect(receiver.received.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill("POST /hook"));
    expect(receiver.received.map(({ headers }) => headers["content-type"])).toEqual(Array(3).fill("application/json"));
    const kinds = ["cashin.confirmed", "cashin.refunded", "cashin.expired"];
    expect(receiver.received.map(({ headers }) => headers["x-webhook-event"])).toEqual(kinds);
    expect(receiver.received.map(({ body }) => body.event)).toEqual(kinds);
  });

  test("WH-04 X-Webhook-Id is evt_ and a random part, another one for every event", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    for (let count = 0; count < 5; count++) await paidWebhook(world);
    const ids = receiver.received.map(({ headers }) => headers["x-webhook-id"]);
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^evt_[0-9a-z]{16,}$/);
  });

  test("WH-05 X-Webhook-Timestamp is the clock's instant in whole Unix seconds", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url, clock: { start: "2026-03-01T00:00:00.999Z" } });
    await paidWebhook(world);
    await world.advance("1d");
    await paidWebhook(world);
    const seconds = Date.UTC(2026, 2, 1) / 1000;
    const stamps = receiver.received.map(({ headers }) => headers["x-webhook-timestamp"]);
    expect(stamps).toEqual([String(seconds), String(seconds + 86_400)]);
  });

  test("WH-06 WH-07 every webhook names the sender, version 2.0, and says that it comes from a sandbox", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const webhook = await paidWebhook(world);
    await world.act(webhook.transaction_id, "refund");
    const senders = new Set(receiver.received.map(({ headers }) => headers["user-agent"]));
    expect([...senders]).toEqual([expect.stringContaining("2.0")]);
    expect(receiver.received.map(({ headers }) => headers["x-sandbox"])).toEqual(["1", "1"]);
  });

  test("AUTH-07 nothing in a webhook signs it or carries a secret", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await paidWebhook(world);
    expect(receiver.received).toHaveLength(1);
    const headers = receiver.received[0]?.headers ?? {};
    expect(Object.keys(headers).filter((name) => /signature|hmac|digest|auth|token|cookie/.test(name))).toEqual([]);
    const { clientSecret, signingKey } = world.credentials;
    const all = JSON.stringify(receiver.received);
    expect(all).not.toContain(clientSecret);
    expect(all).not.toContain(signingKey);
  });

  test("WH-09 WH-10 WH-12 the envelope has event, timestamp, transaction_id and data, in this order", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const webhook = await paidWebhook(world);
    await world.act(webhook.transaction_id, "refund");
    await world.act(await makeCharge(world), "expire");
    expect(receiver.received.map(({ body }) => Object.keys(body))).toEqual(
      Array(3).fill(["event", "timestamp", "transaction_id", "data"]),
    );
    for (const { body } of receiver.received) expect(body.event).toMatch(/^cashin\.(confirmed|refunded|expired)$/);
    for (const { body } of receiver.received) expect(body.transaction_id).toBe(body.data.transaction_id);
  });

  test("WH-11 D27 the timestamp is the instant of the event with an offset, on retries too", async () => {
    await using receiver = await startReceiver(500, 500, 200);
    const world = await file.world({ postback_url: receiver.url });
    await world.advance("1500ms");
    await paidWebhook(world);
    await world.advance("idle");
    expect(receiver.received.map(({ body }) => body.timestamp)).toEqual(Array(3).fill("2026-01-01T12:00:01.500+00:00"));
  });
});

describe("success and failure", () => {
  test.each([200, 201, 202, 204, 299])("WH-15 an answer of %i ends the delivery", async (status) => {
    await using receiver = await startReceiver(status);
    const world = await file.world({ postback_url: receiver.url });
    const webhook = await paidWebhook(world);
    await world.advance("1h");
    expect(receiver.received).toHaveLength(1);
    expect(webhook).toMatchObject({ status: "delivered", next_attempt_at: null });
  });

  test.each([300, 304, 400, 404, 410, 429, 500, 503])("WH-15 an answer of %i leads to a retry", async (status) => {
    await using receiver = await startReceiver(status, 200);
    const world = await file.world({ postback_url: receiver.url });
    const webhook = await paidWebhook(world);
    expect(webhook).toMatchObject({ status: "pending", next_attempt_at: "2026-01-01T12:00:01.000Z" });
    expect(webhook.attempts[0]).toMatchObject({ outcome: "refused", response: { status } });
    const advance = await world.advance("1s");
    expect(advance.webhooks).toEqual({ delivered: 1, failed: 0, pending: 0 });
    expect(receiver.received).toHaveLength(2);
  });

  test.each([301, 302, 307, 308])("WH-15 D63 a redirect of %i is a failure and is not followed", async (status) => {
    await using elsewhere = await startReceiver();
    await using receiver = await startReceiver((_request, response) => {
      response.writeHead(status, { Location: elsewhere.url }).end();
    });
    const world = await file.world({ postback_url: receiver.url });
    const webhook = await paidWebhook(world);
    await world.advance("idle");
    expect(webhook.attempts[0]).toMatchObject({ outcome: "refused", response: { status } });
    expect(receiver.received).toHaveLength(6);
    expect(elsewhere.received).toEqual([]);
  });
});

describe("retries", () => {
  test("WH-17 WH-18 D60 six attempts, each counted from the one before, then none however far the clock goes", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    await world.advance("7s");
    await paidWebhook(world);
    const advance = await world.advance("30d");
    expect(secondsOf(receiver).map((second) => second - 7)).toEqual([0, 1, 6, 36, 156, 756]);
    expect(advance.webhooks).toEqual({ delivered: 0, failed: 1, pending: 0 });
    const [webhook] = await world.webhooks();
    expect(webhook).toMatchObject({ status: "exhausted", next_attempt_at: null });
  });

  test("WH-17 D60 with retry_base: first the delays count from the first attempt", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url, settings: { retry_base: "first" } });
    await paidWebhook(world);
    await world.advance("idle");
    expect(secondsOf(receiver)).toEqual([0, 1, 5, 30, 120, 600]);
  });

  test("D60 with retry_base: first one that is late is made as soon as it may be, and never back in time", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url, settings: { retry_base: "first", webhook_rate: 1 } });
    await paidWebhook(world);
    await world.advance("idle");
    expect(secondsOf(receiver)).toEqual([0, 121, 241, 361, 481, 600]);
  });

  test.each([1, 2, 3, 4, 5, 6])("WH-18 a success at attempt %i ends the series", async (attempt) => {
    await using receiver = await startReceiver(...Array<number>(attempt - 1).fill(500), 200);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("1d");
    expect(receiver.received).toHaveLength(attempt);
    const webhook = await world.webhook(webhook_id);
    expect(webhook.status).toBe("delivered");
    expect(webhook.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6].slice(0, attempt));
  });

  test("WH-17 nothing is attempted before its instant", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    await paidWebhook(world);
    for (const [step, attempts] of [
      ["999ms", 1],
      ["1ms", 2],
      ["4999ms", 2],
      ["1ms", 3],
      ["29999ms", 3],
    ] as const) {
      await world.advance(step);
      expect(receiver.received).toHaveLength(attempts);
    }
  });

  test("D62 id and body are the same byte for byte over six attempts and a re-delivery, the time is the attempt's", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world, { external_id: "não-€-😀" });
    await world.advance("1h");
    receiver.answerWith(200);
    await world.redeliver(webhook_id);
    expect(receiver.received).toHaveLength(7);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-webhook-id"]))).toEqual(new Set([webhook_id]));
    expect(secondsOf(receiver)).toEqual([0, 1, 6, 36, 156, 756, 3600]);
    expect(receiver.received[0]?.body.data.external_id).toBe("não-€-😀");
  });

  test("the control interface tells of every attempt: request, response, outcome", async () => {
    await using receiver = await startReceiver((_request, response, index) => {
      response.writeHead(index === 0 ? 500 : 200, { "X-Answer": String(index) }).end(`answer ${index}`);
    });
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("1s");
    const webhook = await world.webhook(webhook_id);
    expect(webhook.attempts).toMatchObject([
      { number: 1, manual: false, at: "2026-01-01T12:00:00.000Z", outcome: "refused" },
      { number: 2, manual: false, at: "2026-01-01T12:00:01.000Z", outcome: "delivered" },
    ]);
    const [first, second] = webhook.attempts;
    expect(first?.request).toMatchObject({ method: "POST", url: receiver.url, body: receiver.received[0]?.text });
    expect(first?.request.headers).toMatchObject({ "X-Webhook-Id": webhook_id, "X-Sandbox": "1" });
    expect(first?.response).toMatchObject({ status: 500, body: "answer 0", headers: { "x-answer": "0" } });
    expect(second?.response).toMatchObject({ status: 200, body: "answer 1", truncated: false });
  });
});

describe("re-delivery by hand", () => {
  test("WH-19 an exhausted webhook reaches the receiver once more, and the answer tells how that went", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("idle");
    const failed = await world.redeliver(webhook_id);
    expect(failed).toMatchObject({ status: "exhausted" });
    expect(failed.attempts.at(-1)).toMatchObject({ manual: true, outcome: "refused", response: { status: 500 } });
    receiver.answerWith(200);
    const delivered = await world.redeliver(webhook_id);
    expect(delivered).toMatchObject({ status: "delivered" });
    expect(delivered.attempts.at(-1)).toMatchObject({ manual: true, number: 8, outcome: "delivered" });
    await world.advance("1d");
    expect(receiver.received).toHaveLength(8);
  });

  test("WH-19 it is one attempt beside the schedule: a failure changes nothing of it, a success ends it", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    const webhook = await world.redeliver(webhook_id);
    expect(webhook).toMatchObject({ status: "pending", next_attempt_at: "2026-01-01T12:00:01.000Z" });
    await world.advance("6s");
    receiver.answerWith(200);
    await world.redeliver(webhook_id);
    await world.advance("1d");
    expect(secondsOf(receiver)).toEqual([0, 0, 1, 6, 6]);
  });

  test("WH-19 a success ends it while an attempt that then fails is in the air", async () => {
    await using receiver = await startHeld(500, 200);
    const world = await file.world({ postback_url: receiver.url });
    const paid = world.act(await makeCharge(world), "pay");
    await receiver.arrived(1);
    const [webhook] = await world.webhooks();
    const id = webhook?.webhook_id ?? "";
    expect((await world.redeliver(id)).status).toBe("delivered");
    receiver.release();
    await paid;
    await world.advance("1d");
    expect(await world.webhook(id)).toMatchObject({ status: "delivered", next_attempt_at: null });
    expect(receiver.received).toHaveLength(2);
  });

  test("WH-20 the same event can arrive more than once, to be told by X-Webhook-Id and transaction_id", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id, transaction_id } = await paidWebhook(world);
    await world.redeliver(webhook_id);
    expect(receiver.received.map(({ headers }) => headers["x-webhook-id"])).toEqual([webhook_id, webhook_id]);
    expect(receiver.received.map(({ body }) => body.transaction_id)).toEqual([transaction_id, transaction_id]);
    expect(await world.webhooks()).toHaveLength(1);
  });

  test.each(["", ", also where the world is another copy meanwhile"])(
    "D61 it is outside the rate, and does not use it up%s",
    async (copied) => {
      await using receiver = await startReceiver();
      const world = await file.world({ postback_url: receiver.url, settings: { webhook_rate: 2 } });
      const first = await paidWebhook(world);
      for (let count = 0; count < 5; count++) await world.redeliver(first.webhook_id);
      if (copied) await world.restore((await world.takeSnapshot()).name);
      const second = await paidWebhook(world);
      const third = await paidWebhook(world);
      expect([second.status, third.status]).toEqual(["delivered", "throttled"]);
      expect((await world.redeliver(third.webhook_id)).status).toBe("delivered");
      await world.advance("1d");
      expect(receiver.received).toHaveLength(8);
    },
  );
});

test("each further attempt is caused by what made it necessary: a failure, or the rate", async () => {
  await using receiver = await startReceiver(500, 200);
  const world = await file.world({ postback_url: receiver.url, settings: { webhook_rate: 1 } });
  await paidWebhook(world);
  await world.advance("idle");
  const entries = (await world.journal()).filter(({ kind }) => kind.startsWith("webhook."));
  expect(entries.map(({ kind }) => kind)).toEqual([
    "webhook.created",
    "webhook.failed",
    "webhook.throttled",
    "webhook.delivered",
  ]);
  expect(entries.slice(1).map(({ cause }) => cause)).toEqual(entries.slice(0, -1).map(({ sequence }) => sequence));
});

describe("the outbound rate", () => {
  test("WH-21 WH-22 D61 of 250 events at one instant 100 go out, the rest 120 s later and 240 s later, in order", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url, scenarios: [allAtOnce] });
    const merchant = await Merchant.of(world);
    const names = Array.from({ length: 250 }, (_, index) => `order-${index}`);
    for (const external_id of names) await chargeOf(merchant, { external_id });
    await world.advance("idle");
    const waits = secondsOf(receiver).map((second) => second - AT_ONCE_S);
    expect(waits).toEqual([...Array(100).fill(0), ...Array(100).fill(120), ...Array(50).fill(240)]);
    expect(externalIdsOf(receiver)).toEqual(names);
    expect(new Set((await world.webhooks()).map(({ status }) => status))).toEqual(new Set(["delivered"]));
  });

  test("WH-22 D61 what was put back first comes first, also where it is put back again", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url, settings: { webhook_rate: 1, protections: "off" } });
    for (const wait of ["0s", "61s", "1s", "58s"]) {
      await paidWebhook(world);
      await world.advance(wait);
    }
    await world.advance("idle");
    const webhooks = await world.webhooks();
    expect(webhooks.map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
    const order = receiver.received.map(({ headers }) =>
      webhooks.findIndex((one) => one.webhook_id === headers["x-webhook-id"]),
    );
    expect(order).toEqual([0, 2, 1, 3]);
    expect(secondsOf(receiver)).toEqual([0, 61, 240, 360]);
  });

  test("WH-22 D61 of several bursts the ones that were put back arrive in the order they were put back in", async () => {
    await using receiver = await startReceiver();
    const settings = { webhook_rate: 10, protections: "off" } as const;
    const world = await file.world({ postback_url: receiver.url, settings });
    const back: string[] = [];
    for (let burst = 0; burst < 4; burst++) {
      for (let count = 0; count < 13; count++) {
        const { status, webhook_id } = await paidWebhook(world);
        if (status === "throttled") back.push(webhook_id);
      }
      await world.advance("61s");
    }
    await world.advance("idle");
    const ids = receiver.received.map(({ headers }) => String(headers["x-webhook-id"]));
    expect(ids).toHaveLength(52);
    expect(ids.filter((id) => back.includes(id))).toEqual(back);
  });

  test("WH-22 D61 what only waits for the order goes out with the one before it, and says so", async () => {
    await using receiver = await startReceiver();
    const settings = { webhook_rate: 10, protections: "off" } as const;
    const world = await file.world({ postback_url: receiver.url, settings });
    for (let count = 0; count < 25; count++) await paidWebhook(world);
    await world.advance("90s");
    for (let count = 0; count < 11; count++) await paidWebhook(world);
    const { webhook_id: id } = (await world.webhooks()).at(-1) ?? { webhook_id: "" };
    await world.advance("idle");
    const counts = Map.groupBy(secondsOf(receiver), (second) => second);
    expect([...counts].map(([second, { length }]) => [second, length])).toEqual([
      [0, 10],
      [90, 10],
      [240, 10],
      [360, 6],
    ]);
    const texts = (await world.explain(id)).history.map(({ text }) => text).filter((text) => text.includes("put back"));
    expect(texts[1]).toMatch(/was put back behind evt_\w+, which had been put back before it\.$/);
  });

  test("WH-21 D46 another credential, of the same account or not, is not held back", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ scenarios: [allAtOnce], settings: { webhook_rate: 3 } });
    await world.setPostbackUrl("acme", receiver.url);
    await world.setPostbackUrl("globex", receiver.url);
    const merchants = await threeMerchants(world);
    for (const [name, merchant] of Object.entries(merchants)) {
      for (let count = 0; count < 3; count++) await chargeOf(merchant, { external_id: `${name}-${count}` });
    }
    await chargeOf(merchants.first, { external_id: "first-3" });
    await world.advance("idle");
    const late = receiver.received.filter((_, index) => (secondsOf(receiver)[index] ?? 0) > AT_ONCE_S);
    expect(late.map(({ body }) => body.data.external_id)).toEqual(["first-3"]);
    expect(receiver.received).toHaveLength(10);
  });

  test("D61 retries count: with a failing receiver and a burst no 60 s hold more than the rate", async () => {
    await using receiver = await startReceiver(500);
    const settings = { webhook_rate: 10 };
    const world = await file.world({ postback_url: receiver.url, scenarios: [allAtOnce], settings });
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 15; count++) await chargeOf(merchant);
    await world.advance("idle");
    const seconds = secondsOf(receiver);
    const busiest = Math.max(
      ...seconds.map((begin) => seconds.filter((second) => second >= begin && second < begin + 60).length),
    );
    expect(busiest).toBe(10);
    expect(seconds).toHaveLength(15 * 6);
    expect(new Set((await world.webhooks()).map(({ status }) => status))).toEqual(new Set(["exhausted"]));
  });

  test("WH-21 the window slides: exactly 60 s after the first request there is room again", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url, settings: { webhook_rate: 1 } });
    await paidWebhook(world);
    await world.advance("59999ms");
    expect((await paidWebhook(world)).status).toBe("throttled");
    await world.advance("1ms");
    expect((await paidWebhook(world)).status).toBe("delivered");
    expect(secondsOf(receiver)).toEqual([0, 60]);
  });

  test("WH-22 a webhook that is put back shows as throttled, with the instant it comes again, and uses up no attempt", async () => {
    await using receiver = await startReceiver(200, 500);
    const world = await file.world({ postback_url: receiver.url, settings: { webhook_rate: 1 } });
    await paidWebhook(world);
    const webhook = await paidWebhook(world);
    expect(webhook).toMatchObject({ status: "throttled", next_attempt_at: "2026-01-01T12:02:00.000Z", attempts: [] });
    await world.advance("idle");
    const { attempts, status } = await world.webhook(webhook.webhook_id);
    expect(attempts).toHaveLength(6);
    expect(status).toBe("exhausted");
  });
});

describe("where webhooks go", () => {
  test("TX-22 the account's default destination, the credential's own before it", async () => {
    await using ofAccount = await startReceiver();
    await using ofCredential = await startReceiver();
    const world = await file.world({ postback_url: ofAccount.url });
    await paidWebhook(world);
    const path = `/credentials/${world.credentials.clientId}`;
    await world.call("PATCH", path, { postback_url: ofCredential.url });
    await paidWebhook(world);
    await world.call("PATCH", path, { postback_url: null });
    await paidWebhook(world);
    expect([ofAccount.received.length, ofCredential.received.length]).toEqual([2, 1]);
  });

  test("TX-23 the transaction's own destination before both, for all its events", async () => {
    await using usual = await startReceiver();
    await using own = await startReceiver();
    const world = await file.world({ postback_url: usual.url });
    const { transaction_id } = await paidWebhook(world, { postback_url: own.url });
    await world.act(transaction_id, "refund");
    expect(usual.received).toEqual([]);
    expect(own.received.map(({ body }) => body.event)).toEqual(["cashin.confirmed", "cashin.refunded"]);
  });

  test("interface 1: what goes to the inbox does not overtake what goes over the network", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ scenarios: ["happy-path"] });
    const merchant = await Merchant.of(world);
    const inbox = "sandbox://inbox";
    for (const postback_url of [receiver.url, inbox, receiver.url, inbox, inbox]) {
      await merchant.cashin({ currency: "BRL", amount: 5, postback_url });
    }
    await world.advance("5s");
    const journal = await world.journal();
    const idsOf = (kind: string) => journal.filter((entry) => entry.kind === kind).map(({ data }) => data.webhook_id);
    expect(idsOf("webhook.delivered")).toEqual(idsOf("webhook.created"));
  });

  test("WH-22 one destination is served in the order of the events, over connections that are kept alive", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url, scenarios: [allAtOnce] });
    const merchant = await Merchant.of(world);
    const names = Array.from({ length: 20 }, (_, index) => `order-${index}`);
    for (const external_id of names) await chargeOf(merchant, { external_id });
    await world.advance("1h");
    expect(externalIdsOf(receiver)).toEqual(names);
    // One is still being given back when the next request leaves: two take turns.
    expect(receiver.connections).toBeLessThanOrEqual(2);
  });

  test("D65 without a destination the event is kept as undeliverable and can be delivered by hand later", async () => {
    await using receiver = await startReceiver();
    const world = await file.world();
    const webhook = await paidWebhook(world);
    expect(webhook).toMatchObject({ status: "undeliverable", destination: null, next_attempt_at: null, attempts: [] });
    expect(webhook.body).toMatchObject({ event: "cashin.confirmed" });
    const refused = await control(world, "POST", `/webhooks/${webhook.webhook_id}/redeliver`);
    expect([refused.status, refused.body.error.code]).toEqual([409, "UNDELIVERABLE"]);

    const unheard = "http://127.0.0.1:1/hook";
    await world.setPostbackUrl("acme", unheard);
    const failed = await world.redeliver(webhook.webhook_id);
    expect(failed).toMatchObject({ status: "undeliverable", destination: unheard, attempts: [{ outcome: "failed" }] });

    await world.setPostbackUrl("acme", receiver.url);
    await world.advance("1d");
    expect(receiver.received).toEqual([]);
    const later = await world.redeliver(webhook.webhook_id);
    expect(later).toMatchObject({ status: "delivered", destination: receiver.url });
    expect(receiver.received[0]?.headers["x-webhook-id"]).toBe(webhook.webhook_id);
  });

  test("D65 one that was tried in vain goes there again by hand, where no destination is left by then", async () => {
    await using receiver = await startReceiver(500, 200);
    const world = await file.world();
    const { webhook_id } = await paidWebhook(world);
    await world.setPostbackUrl("acme", receiver.url);
    await world.redeliver(webhook_id);
    await world.setPostbackUrl("acme", null);
    expect(await world.redeliver(webhook_id)).toMatchObject({ status: "delivered", destination: receiver.url });
    expect(receiver.received).toHaveLength(2);
  });

  test("D63 an inbox of the sandbox stores what it gets and answers 200", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const webhook = await paidWebhook(world);
    expect(webhook).toMatchObject({
      status: "delivered",
      attempts: [{ outcome: "delivered", response: { status: 200 } }],
    });
    await world.advance("90s");
    await world.redeliver(webhook.webhook_id);
    const inbox = await world.all<{ at: string; headers: Record<string, string>; body: { event: string } }>("/inbox");
    expect(inbox).toHaveLength(2);
    expect(inbox[0]).toMatchObject({ at: "2026-01-01T12:00:00.000Z", body: webhook.body });
    expect(inbox[0]?.headers).toMatchObject({
      "X-Webhook-Id": webhook.webhook_id,
      "X-Webhook-Event": "cashin.confirmed",
      "X-Webhook-Timestamp": String(START_S),
      "X-Sandbox": "1",
    });
    expect(inbox[1]).toMatchObject({
      at: "2026-01-01T12:01:30.000Z",
      headers: { "X-Webhook-Timestamp": String(START_S + 90) },
      body: webhook.body,
    });
  });
});

describe("WH-13 D63 what may be a destination", () => {
  const local = [
    "http://127.0.0.1:9/hook",
    "http://127.1.2.3/hook",
    "http://[::1]:9/hook",
    "http://10.0.0.7/hook",
    "http://172.16.0.1/hook",
    "http://192.168.1.2/hook",
    "http://localhost:9/hook",
    "http://shop.localhost/hook",
    "http://shop.internal/hook",
    "http://host.docker.internal/hook",
    "http://host.containers.internal/hook",
    "http://merchant-app:3000/hook",
  ];
  const publicHttp = ["http://merchant.example/hook", "http://93.184.216.34/hook", "http://172.32.0.1/hook"];
  const always = ["https://merchant.example/hook", "sandbox://inbox"];
  const never = [
    "merchant.example/hook",
    "ftp://127.0.0.1/hook",
    "sandbox://outbox",
    "https://user:pw@merchant.example/",
  ];

  test("local, the default: plain http to the machine and its private networks only", async () => {
    const world = await file.world();
    expect(await refusedOf(world, [...local, ...always])).toEqual([]);
    expect(await refusedOf(world, [...publicHttp, ...never])).toEqual([...publicHttp, ...never]);
  });

  test("a name below localhost is the machine itself, though its resolver may not know it", async () => {
    await using receiver = await startReceiver();
    const postback_url = receiver.url.replace("127.0.0.1", "shop.localhost");
    const webhook = await paidWebhook(await file.world({ postback_url }));
    expect(webhook).toMatchObject({ status: "delivered", destination: postback_url });
    expect(receiver.received[0]?.headers.host).toBe(new URL(postback_url).host);
  });

  test.each(["localhost.", "shop.localhost.", "[::ffff:127.0.0.1]"])(
    "%s is this machine and is reached",
    async (host) => {
      await using receiver = await startReceiver();
      const postback_url = receiver.url.replace("127.0.0.1", host);
      const webhook = await paidWebhook(await file.world({ postback_url }));
      expect(webhook).toMatchObject({ status: "delivered", destination: postback_url });
      expect(receiver.received).toHaveLength(1);
    },
  );

  test("strict: https and the inbox only", async () => {
    const world = await file.world({ settings: { webhook_targets: "strict" } });
    expect(await refusedOf(world, always)).toEqual([]);
    const refused = [...local, ...publicHttp, ...never];
    expect(await refusedOf(world, refused)).toEqual(refused);
  });

  test("any: plain http everywhere", async () => {
    const world = await file.world({ settings: { webhook_targets: "any" } });
    expect(await refusedOf(world, [...local, ...publicHttp, ...always])).toEqual([]);
    expect(await refusedOf(world, never)).toEqual(never);
  });

  test("a refused destination of a charge is INVALID_REQUEST and makes no charge", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const answer = await merchant.cashin({ currency: "BRL", amount: 5, postback_url: "http://merchant.example/hook" });
    expect([answer.status, answer.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.body.error.message).toContain("postback_url");
    expect(await world.all("/transactions")).toEqual([]);
  });

  test("a refused destination of a credential, a new account or a new world is refused by the control interface", async () => {
    const world = await file.world();
    const postback_url = "http://merchant.example/hook";
    const calls = [
      control(world, "PATCH", `/credentials/${world.credentials.clientId}`, { postback_url }),
      control(world, "POST", "/accounts", { username: "initech", postback_url }),
      control(file.sandbox, "POST", "/worlds", { postback_url }),
      control(file.sandbox, "POST", "/worlds", { accounts: [{ username: "initech", postback_url }] }),
    ];
    for (const answer of await Promise.all(calls)) {
      expect([answer.status, answer.body.error.code]).toEqual([422, "INVALID_REQUEST"]);
      expect(answer.body.error.message).toContain("postback_url");
    }
  });
});

async function refusedOf(world: WorldClient, urls: readonly string[]): Promise<string[]> {
  const refused: string[] = [];
  for (const postback_url of urls) {
    const answer = await control(world, "PATCH", "/accounts/acme", { postback_url });
    if (answer.status === 422) refused.push(postback_url);
    else expect([answer.status, answer.body.postback_url]).toEqual([200, postback_url]);
  }
  return refused;
}

/** Two credentials of `acme` and the one of `globex`. */
async function threeMerchants(world: WorldClient) {
  const second = await world.call<{ client_id: string; client_secret: string }>("POST", "/accounts/acme/credentials");
  const globex = (await world.info()).accounts.find(({ username }) => username === "globex")?.credentials[0];
  const merchants = {
    first: new Merchant(world, world.credentials),
    second: new Merchant(world, { clientId: second.client_id, clientSecret: second.client_secret }),
    other: new Merchant(world, { clientId: globex?.client_id ?? "", clientSecret: globex?.client_secret ?? "" }),
  };
  for (const merchant of Object.values(merchants)) await merchant.authenticate();
  return merchants;
}

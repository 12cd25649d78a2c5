/** Readiness check by check: how the merchant's receiver takes webhooks, and what is not held against it. */
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { startSandbox, type WebhookInfo, type WorldClient } from "../../src/index.ts";
import { chargeOf, paidWebhook, transactionOf, webhookOf } from "../support/charges.ts";
import { decide, infractionsOf, openedDispute, paidCharge, pdfOf, REPLY_PATH, reply } from "../support/disputes.ts";
import { inject, removeFaults, WRONG_ADDRESS } from "../support/faults.ts";
import { Merchant } from "../support/merchant.ts";
import { startRaw, startSelfSigned, unreachableUrl } from "../support/odd-receivers.ts";
import { checkIn, judgedOf, verdictOf } from "../support/readiness.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { deposit, walletOf } from "../support/wallets.ts";

const file = useSandbox();

/** An answer that is broken off within its body, where the connection closes after it. */
const OK_WITHIN = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/** The ids of the webhooks of a kind, oldest first. */
async function idsOf(world: WorldClient, event: string): Promise<string[]> {
  const all = await world.all<WebhookInfo>(`/webhooks?event=${event}`);
  return all.map(({ webhook_id }) => webhook_id);
}

describe("WH-15 receiver-accepts", () => {
  test("what is taken at a retry is warned of, what is refused for what it is fails", async () => {
    await using receiver = await startReceiver(200, 503, 200, 404);
    const world = await file.world({ postback_url: receiver.url });
    await paidWebhook(world);
    expect(await verdictOf(world, "receiver-accepts")).toBe("pass");
    const late = await paidWebhook(world);
    expect(await judgedOf(world, "receiver-accepts")).toEqual(["warn", [late.webhook_id]]);
    await world.advance("1s");
    expect(await judgedOf(world, "receiver-accepts")).toEqual(["warn", [late.webhook_id]]);
    const refused = await paidWebhook(world);
    expect(await judgedOf(world, "receiver-accepts")).toEqual(["fail", [refused.webhook_id]]);
    const { detail } = checkIn(await world.report(), "receiver-accepts");
    expect(detail).toBe("2 webhooks not answered with 2xx at first, 1 of them not so far (503, 404).");
  });

  test("what is answered 500 may be taken yet, where others are taken", async () => {
    await using receiver = await startReceiver(200, 500, 200);
    const world = await file.world({ postback_url: receiver.url });
    await paidWebhook(world);
    const late = await paidWebhook(world);
    expect(await judgedOf(world, "receiver-accepts")).toEqual(["warn", [late.webhook_id]]);
  });

  test("what is answered 500 until it is given up is lost, where others are taken", async () => {
    await using receiver = await startReceiver(200, 500, 500, 500, 500, 500, 500);
    const world = await file.world({ postback_url: receiver.url });
    await paidWebhook(world);
    const lost = await paidWebhook(world);
    await world.advance("idle");
    expect(await judgedOf(world, "receiver-accepts")).toEqual(["fail", [lost.webhook_id]]);
  });

  test("a receiver that is not there fails, the inbox is none, and no destination says nothing", async () => {
    const away = await file.world({ postback_url: await unreachableUrl() });
    const { webhook_id } = await paidWebhook(away);
    expect(await judgedOf(away, "receiver-accepts")).toEqual(["fail", [webhook_id]]);
    expect(checkIn(await away.report(), "receiver-accepts").detail).toContain(
      "1 of them not so far (nothing listens there).",
    );
    for (const postback_url of ["sandbox://inbox", null]) {
      const world = await file.world({ postback_url });
      await paidWebhook(world);
      expect(await verdictOf(world, "receiver-accepts")).toBe("not_observed");
    }
  });

  test("what came from a wrong address, or again, is another matter", async () => {
    await using receiver = await startReceiver(403, 200, 409);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: "*", inject: { source: WRONG_ADDRESS }, times: 1 });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("1s");
    await world.redeliver(webhook_id);
    expect(await verdictOf(world, "receiver-accepts")).toBe("pass");
    expect(await judgedOf(world, "duplicates")).toEqual(["fail", [webhook_id]]);
    expect(await judgedOf(world, "wrong-source")).toEqual(["pass", [webhook_id]]);
  });

  test.each([
    [200, "pass"],
    [409, "fail"],
  ])(
    "whoever took a forged copy is judged by the genuine one all the same: answered %i, %s",
    async (status, verdict) => {
      await using receiver = await startReceiver(200, status);
      const world = await file.world({ postback_url: receiver.url });
      await inject(world, { delivery: "*", inject: { source: WRONG_ADDRESS }, times: 1 });
      const { webhook_id } = await paidWebhook(world);
      await world.advance("1s");
      expect(await judgedOf(world, "receiver-accepts")).toEqual([verdict, [webhook_id]]);
      expect(await judgedOf(world, "wrong-source")).toEqual(["fail", [webhook_id]]);
    },
  );
});

test("WH-16 receiver-quick: a time-out that was set to be short says nothing of two seconds", async () => {
  await using sandbox = await startSandbox({ webhookTimeoutMs: 50 });
  await using receiver = await startRaw(() => {});
  const world = await sandbox.createWorld({ scenarios: [], postback_url: receiver.url });
  await paidWebhook(world);
  expect(await verdictOf(world, "receiver-quick")).toBe("not_observed");
  expect(await verdictOf(world, "receiver-accepts")).toBe("fail");
});

test("WH-15 WH-20 a receiver that breaks off its answer of 200 has taken nothing, and nothing comes to it again", async () => {
  await using receiver = await startRaw((socket) => socket.once("data", () => socket.end(OK_WITHIN)));
  const world = await file.world({ postback_url: receiver.url });
  const { webhook_id } = await paidWebhook(world);
  await world.advance("idle");
  expect(checkIn(await world.report(), "receiver-accepts")).toMatchObject({
    verdict: "fail",
    evidence: [webhook_id],
    detail: expect.stringContaining("(the connection was closed before the answer was complete)"),
  });
  expect(await verdictOf(world, "duplicates")).toBe("not_observed");
});

describe("WH-20 duplicates", () => {
  test("a copy that is taken passes; a receiver that is gone refuses nothing", async () => {
    const receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: "*", inject: { duplicate: 1 } });
    const { webhook_id } = await paidWebhook(world);
    expect(await judgedOf(world, "duplicates")).toEqual(["pass", [webhook_id]]);
    await receiver.close();
    await world.redeliver(webhook_id);
    expect(await judgedOf(world, "duplicates")).toEqual(["pass", [webhook_id]]);
  });
});

/** Answers as many webhooks as are given, and breaks off over all others. */
async function startBreaking(taken: number) {
  let count = 0;
  return startRaw((socket) => {
    socket.once("data", () => {
      if (++count > taken) socket.destroy();
      else socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
  });
}

test("WH-20 a receiver that breaks over a webhook that it had taken before has not acknowledged it", async () => {
  await using receiver = await startBreaking(1);
  const world = await file.world({ postback_url: receiver.url });
  const { webhook_id } = await paidWebhook(world);
  await world.redeliver(webhook_id);
  expect(await judgedOf(world, "duplicates")).toEqual(["fail", [webhook_id]]);
});

describe("WH-22 out-of-order", () => {
  /** A paid charge that is refunded before its confirmation has arrived. */
  async function overtaken(world: WorldClient): Promise<[confirmed: string, refunded: string]> {
    await inject(world, { delivery: "cashin.confirmed", inject: { delay: "10s" }, times: 1 });
    const id = await paidCharge(world, await Merchant.of(world));
    await world.act(id, "refund");
    await world.advance("10s");
    const [confirmed = ""] = await idsOf(world, "cashin.confirmed");
    const [refunded = ""] = await idsOf(world, "cashin.refunded");
    return [confirmed, refunded];
  }

  test("both the early and the late one must be taken", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const [confirmed, refunded] = await overtaken(world);
    expect(await judgedOf(world, "out-of-order")).toEqual(["pass", [refunded, confirmed]]);
  });

  test.each([
    ["early", [422, 200], 1],
    ["late", [200, 422], 0],
  ])("the %s one that is refused fails", async (_which, answers, refused) => {
    await using receiver = await startReceiver(...answers);
    const world = await file.world({ postback_url: receiver.url });
    const ids = await overtaken(world);
    expect(await judgedOf(world, "out-of-order")).toEqual(["fail", [ids[refused]]]);
  });

  test("one that the receiver was not up to, and took when it came again out of order, is acknowledged", async () => {
    await using receiver = await startReceiver(503, 200);
    const world = await file.world({ postback_url: receiver.url });
    const [confirmed, refunded] = await overtaken(world);
    expect(await judgedOf(world, "out-of-order")).toEqual(["pass", [refunded, confirmed]]);
  });

  test("one over which the receiver breaks is not acknowledged", async () => {
    await using receiver = await startBreaking(0);
    const world = await file.world({ postback_url: receiver.url });
    const [, refunded] = await overtaken(world);
    expect(await judgedOf(world, "out-of-order")).toEqual(["fail", expect.arrayContaining([refunded])]);
  });

  test("all that come after a later one are out of order, though they be in order among themselves", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const late = (delivery: string, delay: string) => ({ delivery, inject: { delay }, times: 1 });
    await inject(world, late("cashin.confirmed", "20s"), late("chargeback.opened", "40s"));
    const { infractionId } = await openedDispute(world, await Merchant.of(world));
    await decide(world, infractionId, "win");
    await world.advance("1m");
    const { verdict, detail } = checkIn(await world.report(), "out-of-order");
    expect([verdict, detail]).toEqual(["pass", "3 deliveries that came out of order: all answered with 2xx."]);
  });

  /** A paid charge that is refunded at once, and an hour in which what was not taken comes again. */
  async function refunded(world: WorldClient): Promise<string> {
    const id = await paidCharge(world, await Merchant.of(world));
    await world.act(id, "refund");
    await world.advance("1h");
    const [confirmed = ""] = await idsOf(world, "cashin.confirmed");
    return confirmed;
  }

  test.each([
    [200, "pass"],
    [409, "fail"],
  ])(
    "one that the receiver broke over at first, and answered %i after it took a later one: %s",
    async (late, verdict) => {
      await using receiver = await startReceiver(500, 200, 500, late);
      const world = await file.world({ postback_url: receiver.url });
      const confirmed = await refunded(world);
      expect(await judgedOf(world, "out-of-order")).toEqual([verdict, [confirmed]]);
    },
  );

  test.each([
    ["refused", [409, 200, 409]],
    ["broken over", [500, 200, 500]],
    ["broken over, before any later one was taken, and refused", [500, 500, 409]],
  ])("what was %s in its turn, and again after the next one, is so for another reason", async (_how, answers) => {
    await using receiver = await startReceiver(...answers);
    const world = await file.world({ postback_url: receiver.url });
    await refunded(world);
    expect(await verdictOf(world, "out-of-order")).toBe("not_observed");
  });

  test("events of different resources, and of different accounts, have no order", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await world.setPostbackUrl("globex", receiver.url);
    await inject(world, { delivery: "*", inject: { shuffle: 4 } });
    const merchant = await Merchant.of(world);
    await paidCharge(world, merchant);
    await paidCharge(world, merchant);
    await merchant.call("POST", "/v2/internal_transfers/payment", {
      username: "globex",
      currency: "BRL",
      amount: "1.00",
    });
    await world.settle();
    expect(receiver.received).toHaveLength(4);
    expect(await verdictOf(world, "out-of-order")).toBe("not_observed");
  });
});

describe("AUTH-06 wrong-source", () => {
  test.each([
    [200, "fail", "1 webhook from a wrong address taken."],
    [403, "pass", "1 webhook from a wrong address answered 403."],
    [401, "warn", "What came from a wrong address was refused with 401 instead of 403."],
    [500, "warn", "1 webhook from a wrong address answered 500, which refuses nothing."],
    [302, "warn", "1 webhook from a wrong address answered 302, which refuses nothing."],
  ])("a receiver that answers %i: %s", async (status, verdict, detail) => {
    await using receiver = await startReceiver(status);
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: "*", inject: { source: WRONG_ADDRESS } });
    const { webhook_id } = await paidWebhook(world);
    const check = checkIn(await world.report(), "wrong-source");
    expect(check).toMatchObject({ verdict, evidence: [webhook_id], detail });
  });

  test.each([
    [200, "fail", "1 webhook from a wrong address taken."],
    [403, "pass", "1 webhook from a wrong address answered 403."],
    [503, "warn", "1 webhook from a wrong address answered 503, which refuses nothing."],
  ])("a webhook that comes from there twice is one webhook: answered %i, %s", async (status, verdict, detail) => {
    await using receiver = await startReceiver(200, 200, status, 200, 200, status, 200);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await world.probe();
    const check = checkIn(await world.probe(), "wrong-source");
    expect(receiver.received).toHaveLength(7);
    expect(check).toMatchObject({ verdict, evidence: [webhook_id], detail });
  });

  test.each([
    ["at once", ""],
    ["within an answer of 200", OK_WITHIN],
    ["within an answer of 403", OK_WITHIN.replace("200 OK", "403 No")],
  ])("a receiver that drops the connection %s has not answered", async (_when, answer) => {
    await using receiver = await startRaw((socket) => socket.once("data", () => socket.end(answer)));
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: "*", inject: { source: WRONG_ADDRESS } });
    await paidWebhook(world);
    expect(checkIn(await world.report(), "wrong-source")).toMatchObject({
      verdict: "not_observed",
      detail: "What came from a wrong address got no whole answer.",
    });
  });
});

describe("WH-23 reconciliation", () => {
  test("a webhook that was missed is warned of for a day, fails then, and is made good by the list", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    await inject(world, { delivery: "*", inject: { drop: true } });
    const id = await paidCharge(world, merchant);
    const { webhook_id } = await webhookOf(world, id);
    expect(checkIn(await world.report(), "reconciliation")).toMatchObject({
      verdict: "warn",
      evidence: [webhook_id],
      detail: "1 webhook was not taken, and the list has not shown its transaction since.",
    });
    await world.advance("1d");
    expect(await judgedOf(world, "reconciliation")).toEqual(["fail", [webhook_id]]);
    await merchant.authenticate();
    await merchant.call("POST", "/v2/account/transactions/list", {});
    expect(await verdictOf(world, "reconciliation")).toBe("pass");
    await paidCharge(world, merchant);
    expect(await verdictOf(world, "reconciliation")).toBe("pass");
    await world.advance("1d");
    expect(await verdictOf(world, "reconciliation")).toBe("fail");
  });

  test("a list whose answer is held back shows what was missed all the same, one that is lost does not", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const dropped = { delivery: "*", inject: { drop: true } };
    await inject(world, dropped);
    await paidCharge(world, await Merchant.of(world));
    await world.advance("1d");
    const merchant = await Merchant.of(world);
    const listed = async (injected: object) => {
      await inject(world, dropped, { request: "* /v2/account/*", inject: injected });
      await merchant.call("POST", "/v2/account/transactions/list", {}).catch(() => null);
      return verdictOf(world, "reconciliation");
    };
    expect(await listed({ disconnect: "after" })).toBe("fail");
    expect(await listed({ latency: "5ms" })).toBe("pass");
  });

  test("a list that was narrowed so that it could not show what was missed makes nothing good", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: "*", inject: { drop: true } });
    await paidCharge(world, await Merchant.of(world), { external_id: "order-1" });
    await world.advance("1d");
    const merchant = await Merchant.of(world);
    const list = (filter: object) => merchant.call("POST", "/v2/account/transactions/list", filter);
    for (const filter of [
      { type: "cashout" },
      { currency: "MXN" },
      { external_id: "order-2" },
      { created_to: "2020-01-01T00:00:00Z" },
      { created_from: "2026-01-02T00:00:00Z" },
      { status: "pending" },
      { page: 2 },
    ]) {
      expect((await list(filter)).status).toBe(200);
      expect(await verdictOf(world, "reconciliation")).toBe("fail");
    }
    await list({ type: "cashin", currency: "BRL", status: "confirmed", created_from: "2026-01-01T00:00:00Z" });
    expect(await verdictOf(world, "reconciliation")).toBe("pass");
  });

  test.each(["created_from", "created_to"])(
    "a list with %s at the very instant shows what was made then",
    async (name) => {
      await using receiver = await startReceiver();
      const world = await file.world({ postback_url: receiver.url });
      await inject(world, { delivery: "*", inject: { drop: true } });
      const id = await paidCharge(world, await Merchant.of(world));
      await world.advance("1d");
      expect(await verdictOf(world, "reconciliation")).toBe("fail");
      const { created_at } = await transactionOf(world, id);
      const merchant = await Merchant.of(world);
      await merchant.call("POST", "/v2/account/transactions/list", { [name]: created_at });
      expect(await verdictOf(world, "reconciliation")).toBe("pass");
    },
  );

  test("a list whose answer was lost has shown nothing", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await inject(world, { request: "POST /v2/account/transactions/list", inject: { disconnect: "after" }, times: 1 });
    await expect(merchant.call("POST", "/v2/account/transactions/list", {})).rejects.toThrow();
    expect(await verdictOf(world, "reconciliation")).toBe("not_observed");
    await merchant.call("POST", "/v2/account/transactions/list", {});
    expect(await verdictOf(world, "reconciliation")).toBe("pass");
  });

  test.each([
    [200, 404, "not_observed"],
    [404, 404, "fail"],
  ])("D44 a deposit is known by either of its events: answered %i and %i, %s", async (confirmed, flat, verdict) => {
    await using receiver = await startReceiver((request, response) => {
      const answers: Record<string, number> = { "cashin.confirmed": confirmed, wallet_deposit: flat };
      response.writeHead(answers[request.headers["x-webhook-event"] ?? ""] ?? 200).end();
    });
    const world = await file.world({ postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    const { wallet_id } = await walletOf(merchant, { currency: "BRL" });
    await deposit(world, wallet_id, { amount: "5.00", instant: true });
    await world.advance("2d");
    expect(await verdictOf(world, "reconciliation")).toBe(verdict);
  });

  test("what the list does not show, and what has nowhere to go, is not missed", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    await inject(world, { delivery: "*", inject: { drop: true } });
    await merchant.call("POST", "/v2/internal_transfers/payment", {
      username: "globex",
      currency: "BRL",
      amount: "1.00",
    });
    await world.setPostbackUrl("acme", null);
    await paidCharge(world, merchant);
    await world.advance("2d");
    expect(checkIn(await world.report(), "reconciliation")).toMatchObject({
      verdict: "not_observed",
      detail: "The list was not read, and no receiver is known to have missed what became of a cash-in or cash-out.",
    });
  });
});

describe("INF-07 disputes-answered", () => {
  test("one that is answered passes, one that is ignored fails at its deadline", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    const { infractionId } = await openedDispute(world, merchant);
    await reply(merchant, { infraction_id: infractionId, text: "It was delivered." });
    const second = await openedDispute(world, merchant);
    const [answered, ignored] = await idsOf(world, "chargeback.opened");
    await world.advance({ until: { deadline: second.infractionId, offset: "-1s" } });
    expect(await judgedOf(world, "disputes-answered")).toEqual(["pass", [answered]]);
    await world.advance("1s");
    expect(await judgedOf(world, "disputes-answered")).toEqual(["fail", [ignored]]);
  });

  test("who takes its webhooks from the inbox was told, unless they never came there", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const merchant = await Merchant.of(world);
    await inject(world, { delivery: "chargeback.opened", inject: { drop: true }, times: 1 });
    await openedDispute(world, merchant);
    await world.advance("7d");
    const [lost] = await idsOf(world, "chargeback.opened");
    expect(await judgedOf(world, "disputes-answered")).toEqual(["warn", [lost]]);
    await merchant.authenticate();
    await openedDispute(world, merchant);
    await world.advance("7d");
    const [, told] = await idsOf(world, "chargeback.opened");
    expect(await judgedOf(world, "disputes-answered")).toEqual(["fail", [told]]);
  });

  test("one that was decided or withdrawn before its deadline asked for nothing", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const merchant = await Merchant.of(world);
    for (const decision of ["cancel", "lose"]) {
      const { infractionId } = await openedDispute(world, merchant);
      await world.call("POST", `/disputes/${infractionId}/${decision}`, {});
    }
    await world.advance("8d");
    expect(await verdictOf(world, "disputes-answered")).toBe("not_observed");
  });

  test("a reply that trigger made in the merchant's place is none of its own", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    await world.trigger("chargeback.responded");
    expect(await verdictOf(world, "disputes-answered")).toBe("not_observed");
    // On a frozen clock, both come at one instant.
    const merchant = await Merchant.of(world);
    const { infractionId } = await openedDispute(world, merchant);
    expect((await reply(merchant, { infraction_id: infractionId, text: "It was delivered." })).status).toBe(200);
    const opened = await idsOf(world, "chargeback.opened");
    expect(opened).toHaveLength(2);
    expect(await judgedOf(world, "disputes-answered")).toEqual(["pass", opened.slice(1)]);
  });

  test("whoever was never told is warned, unless it looked at its disputes", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await openedDispute(world, merchant);
    const [opened] = await idsOf(world, "chargeback.opened");
    const fork = await file.sandbox.createWorld({ from: world.id });
    const stranger = await SigningMerchant.ofAccount(world, "globex");
    expect((await stranger.call("GET", "/v2/account/infractions")).status).toBe(200);
    await world.advance("8d");
    expect(await judgedOf(world, "disputes-answered")).toEqual(["warn", [opened]]);
    await (await Merchant.of(fork)).call("GET", "/v2/account/infractions");
    await fork.advance("8d");
    expect(await judgedOf(fork, "disputes-answered")).toEqual(["fail", [opened]]);
  });

  describe("whoever is told or looks only after the deadline is warned", () => {
    const late = async (inject: object) => {
      const receiver = await startReceiver();
      const world = await file.world({ postback_url: receiver.url });
      const merchant = await Merchant.of(world);
      await world.call("PUT", "/faults", { rules: [{ delivery: "chargeback.opened", inject }] });
      await openedDispute(world, merchant);
      await world.advance("7d");
      const [opened = ""] = await idsOf(world, "chargeback.opened");
      expect(await judgedOf(world, "disputes-answered")).toEqual(["warn", [opened]]);
      return { world, merchant, receiver, opened };
    };

    test.each(["7d", "8d"])("by a webhook that comes after %s", async (delay) => {
      const { world, receiver, opened } = await late({ delay });
      await using _closed = receiver;
      await world.advance("2d");
      expect(receiver.received.some(({ headers }) => headers["x-webhook-id"] === opened)).toBe(true);
      expect(await judgedOf(world, "disputes-answered")).toEqual(["warn", [opened]]);
    });

    test("by a webhook that is delivered again, or by the list of disputes", async () => {
      const { world, merchant, receiver, opened } = await late({ drop: true });
      await using _closed = receiver;
      await world.redeliver(opened);
      expect(await judgedOf(world, "disputes-answered")).toEqual(["warn", [opened]]);
      await merchant.authenticate();
      expect((await merchant.call("GET", "/v2/account/infractions")).status).toBe(200);
      expect(await judgedOf(world, "disputes-answered")).toEqual(["warn", [opened]]);
    });
  });

  describe("whoever could not reply for what the sandbox did is warned", () => {
    const REPLY = "POST /v2/account/infractions/reply";
    const opened = async () => {
      const world = await file.world({ postback_url: "sandbox://inbox" });
      const merchant = await Merchant.of(world);
      const { infractionId: infraction_id } = await openedDispute(world, merchant);
      // Larger than the text of a call that is read when many are examined.
      const files = [{ name: "proof.pdf", content: pdfOf(70_000), type: "application/pdf" }];
      return { world, merchant, send: () => reply(merchant, { infraction_id, text: "It was delivered.", files }) };
    };
    const repliesIn = async (world: WorldClient) => {
      const calls = await world.all<{ request_id: string; path: string }>("/requests");
      return calls.filter(({ path }) => path === REPLY_PATH).map(({ request_id }) => request_id);
    };

    test.each([
      { status: 503 },
      { error: "PROVIDER_ERROR" },
      { error: "RATE_LIMIT_EXCEEDED" },
      { disconnect: "before" },
    ])("by a rule that injects %j", async (injected) => {
      const { world, merchant, send } = await opened();
      await inject(world, { request: REPLY, inject: injected });
      for (let day = 1; day <= 8; day++) {
        await merchant.authenticate();
        await send().catch(() => null);
        await world.advance("1d");
      }
      const { verdict, evidence, detail } = checkIn(await world.report(), "disputes-answered");
      expect([verdict, evidence]).toEqual(["warn", (await repliesIn(world)).slice(0, 7)]);
      expect(detail).toBe(
        "1 of 1 dispute passed the deadline without an answer; 7 replies in time came to nothing through no fault of the merchant's.",
      );
    });

    test.each([
      ["a review of the account", "PATCH", "/accounts/acme", { status: "under_review" }, 423],
      ["a block of its address", "PUT", "/blocked-ips", { ips: ["127.0.0.1"] }, 403],
    ])("by %s", async (_what, method, path, body, status) => {
      const { world, send } = await opened();
      await world.call(method, path, body);
      expect((await send()).status).toBe(status);
      await world.advance("8d");
      expect(await judgedOf(world, "disputes-answered")).toEqual(["warn", await repliesIn(world)]);
    });

    test("but not whoever replied wrongly, or to another dispute", async () => {
      const { world, merchant, send } = await opened();
      const [webhook] = await idsOf(world, "chargeback.opened");
      merchant.token = "wrong";
      expect((await send()).status).toBe(401);
      await merchant.authenticate();
      await inject(world, { request: REPLY, inject: { status: 503 } });
      const [dispute] = await infractionsOf(merchant);
      const text = `It was delivered, as that of ${dispute.infraction_id} was.`;
      await reply(merchant, { infraction_id: `inf_${"0".repeat(24)}`, text });
      const wrong = () => reply(merchant, { infraction_id: dispute.infraction_id, text: "" });
      await inject(world, { request: REPLY, inject: { latency: "1ms" } });
      expect((await wrong()).status).toBe(400);
      await inject(world, { request: REPLY, inject: { malformed: true } });
      await expect(wrong()).rejects.toThrow("JSON");
      await world.advance("8d");
      expect(await judgedOf(world, "disputes-answered")).toEqual(["fail", [webhook]]);
    });
  });
});

describe("WH-13 https", () => {
  test.each([
    ["http://localhost:9/hook", "warn"],
    ["http://[::1]:9/hook", "warn"],
    ["http://[::ffff:127.0.0.1]:9/hook", "warn"],
    ["http://localhost.:9/hook", "warn"],
    ["http://host.docker.internal:9/hook", "warn"],
    ["http://10.1.2.3/hook", "fail"],
    ["http://merchant:3000/hook", "fail"],
    ["https://shop.example/hook", "pass"],
  ])("%s: %s", async (postback_url, verdict) => {
    const world = await file.world({ postback_url });
    await inject(world, { delivery: "*", inject: { drop: true } });
    const { webhook_id } = await paidWebhook(world);
    expect(await judgedOf(world, "https")).toEqual([verdict, [webhook_id]]);
  });

  test("WH-14 a certificate that nobody vouches for fails", async () => {
    await using receiver = await startSelfSigned();
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    expect(await judgedOf(world, "https")).toEqual(["fail", [webhook_id]]);
  });

  test("WH-14 where nobody looks at certificates, that is told", async () => {
    await using receiver = await startSelfSigned();
    const world = await file.world({ postback_url: receiver.url, settings: { webhook_targets: "any" } });
    const { webhook_id, status } = await paidWebhook(world);
    expect(status).toBe("delivered");
    expect(await judgedOf(world, "https")).toEqual(["warn", [webhook_id]]);
  });

  test("WH-14 plain http behind an https URL fails too, and is not told to have a certificate", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url.replace("http:", "https:") });
    const { webhook_id } = await paidWebhook(world);
    expect(await judgedOf(world, "https")).toEqual(["fail", [webhook_id]]);
    const { checks } = await world.report();
    const { detail } = checks.find(({ id }) => id === "https") ?? {};
    expect(detail).toBe("An https destination has no certificate that is valid.");
  });
});

test.each([500, 302])("WH-08 a receiver of production that answers %i has not refused anything", async (status) => {
  await using receiver = await startReceiver(status);
  const world = await file.world({ postback_url: receiver.url, settings: { receiver_environment: "production" } });
  const { webhook_id } = await paidWebhook(world);
  await world.advance("1s");
  expect(receiver.received).toHaveLength(2);
  expect(checkIn(await world.report(), "sandbox-refused-in-production")).toMatchObject({
    verdict: "warn",
    evidence: [webhook_id],
    detail: `1 event with X-Sandbox: 1 answered ${status}, which refuses nothing.`,
  });
});

test("WH-08 what a receiver of production is to refuse is not held against it: order, list, disputes", async () => {
  await using receiver = await startReceiver(403);
  const world = await file.world({ postback_url: receiver.url, settings: { receiver_environment: "production" } });
  const merchant = await Merchant.of(world);
  await inject(world, { delivery: "cashin.confirmed", inject: { delay: "1m" } });
  await openedDispute(world, merchant);
  await world.advance("8d");
  for (const id of ["out-of-order", "reconciliation", "disputes-answered"]) {
    expect([id, await verdictOf(world, id)]).toEqual([id, "not_observed"]);
  }
});

test.each([
  [403, "not_observed", "pass"],
  [200, "fail", "fail"],
])(
  "WH-08 a receiver of production that answers %i to all shows no more than that it does",
  async (status, source, whole) => {
    await using receiver = await startReceiver(status);
    const world = await file.world({ postback_url: receiver.url, settings: { receiver_environment: "production" } });
    await inject(world, { delivery: "*", inject: { source: WRONG_ADDRESS } });
    await paidWebhook(world);
    await world.advance("1s");
    const report = await world.probe();
    expect(checkIn(report, "wrong-source").verdict).toBe(source);
    expect(checkIn(report, "unknown-transaction").verdict).toBe("not_observed");
    expect(checkIn(report, "sandbox-refused-in-production").verdict).toBe(whole);
  },
);

describe("a replay is judged as the world that it was made of, but for the time that answers took", () => {
  const replayed = async (world: WorldClient) => {
    const { identical, world: again } = await file.sandbox.replay(await world.export());
    expect(identical).toBe(true);
    return again;
  };
  const others = async (world: WorldClient) => {
    const { checks } = await world.report();
    return checks.filter(({ id }) => id !== "receiver-quick");
  };

  test("WH-13 WH-16 WH-23 INF-07 of webhooks that were refused, dropped, taken by the inbox", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    await openedDispute(world, merchant);
    await inject(world, { delivery: "cashin.confirmed", inject: { drop: true }, times: 1 });
    await paidCharge(world, merchant);
    await paidCharge(world, merchant, { postback_url: "sandbox://inbox" });
    await world.advance("8d");
    const again = await replayed(world);
    expect(await judgedOf(again, "reconciliation")).toEqual(["fail", expect.anything()]);
    expect(await others(again)).toEqual(await others(world));
    expect(checkIn(await again.report(), "receiver-quick")).toMatchObject({
      verdict: "not_observed",
      detail: "A replay does not hold how long answers took.",
    });
  });

  test("WH-15 WH-20 what a receiver took while its answer was kept back, as explorations do, it took and took again", async () => {
    let came = 0;
    const answer = (socket: Socket) => (++came > 1 ? socket.end(OK) : socket.destroy());
    await using receiver = await startRaw((socket) => void socket.once("data", () => answer(socket)));
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("1h");
    expect(await judgedOf(world, "receiver-accepts")).toEqual(["warn", [webhook_id]]);
    expect(await verdictOf(world, "duplicates")).toBe("not_observed");
    const kept = JSON.stringify(await world.export()).replaceAll("connection_closed", "answer_lost");
    const { identical, world: again } = await file.sandbox.replay(JSON.parse(kept));
    expect(identical).toBe(true);
    for (const id of ["receiver-accepts", "duplicates"]) {
      expect([id, await judgedOf(again, id)]).toEqual([id, ["pass", [webhook_id]]]);
    }
  });

  test("INF-07 of what the inbox took", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    await openedDispute(world, await Merchant.of(world));
    await world.advance("8d");
    const again = await replayed(world);
    expect(await verdictOf(again, "disputes-answered")).toBe("fail");
    expect(await again.report()).toEqual(await world.report());
  });

  test("of what never went out, nothing is told that a replay cannot hold", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await inject(world, { delivery: "*", inject: { drop: true } });
    await paidWebhook(world);
    const report = await (await replayed(world)).report();
    expect(["reconciliation", "https"].map((id) => checkIn(report, id).detail)).toEqual([
      "The list was not read, and no receiver is known to have missed what became of a cash-in or cash-out.",
      "No webhook is known to have a destination of the merchant's.",
    ]);
  });
});

test("nothing is said of a world in which nothing has happened", async () => {
  const world = await file.world();
  const report = await world.report();
  expect(report.verdict).toBe("not_observed");
  expect(new Set(report.checks.map(({ verdict }) => verdict))).toEqual(new Set(["not_observed"]));
  for (const { id, title, detail, source, advice, evidence } of report.checks) {
    expect([id, title, detail, source].every((text) => text.length > 0)).toBe(true);
    expect([advice, evidence]).toEqual(["", []]);
  }
  await chargeOf(await Merchant.of(world));
  await removeFaults(world);
  expect((await world.report()).verdict).toBe("fail");
});

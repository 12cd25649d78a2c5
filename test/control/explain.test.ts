/** `GET /explain/{id}`: the chain of causes of anything, down to the call or the scenario file's line. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { INBOX } from "../../src/domain/destinations.ts";
import type { ExplanationInfo, JournalEntryInfo, WebhookInfo, WorldClient } from "../../src/index.ts";
import { chargeOf, makeCharge, paidWebhook, transactionOf, webhookOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { openedDispute, paidCharge, pdf, reply } from "../support/disputes.ts";
import { inject } from "../support/faults.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";
import { SigningMerchant } from "../support/signing.ts";
import { deposit, walletOf } from "../support/wallets.ts";
import { kindsOf, textsOf } from "./explanations.ts";

const file = useSandbox();

const TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

/** The line of a scenario file that `file:line` names. */
function lineAt(place: string | null | undefined): string {
  const [, path = "", line = ""] = /^(.+):(\d+)$/.exec(place ?? "") ?? [];
  return readFileSync(path, "utf8").split("\n")[Number(line) - 1] ?? "";
}

/** Where an inline document goes on from the place that causes name: that line and the two after it. */
function inlineAt(document: object, place: string | null | undefined): string {
  const line = Number(/^inline\.json:(\d+)$/.exec(place ?? "")?.[1]);
  return JSON.stringify(document, null, 2)
    .split("\n")
    .slice(line - 1, line + 2)
    .join(" ");
}

test("D35 D44 what a payment brings with it is told to come of the payment: wallet_deposit, a split", async () => {
  const world = await file.world({ postback_url: INBOX });
  const merchant = await Merchant.of(world);
  const wallet = await walletOf(merchant, { currency: "USDT", chain: "tron" });
  await deposit(world, wallet.wallet_id, { amount: "7.00" });
  const split = [{ username: "globex", percentage: 30 }];
  await world.act(await chargeOf(merchant, { split }), "pay");
  await world.advance("1h");
  const lastBefore = async (event: string) => {
    const [webhook] = await world.all<WebhookInfo>(`/webhooks?event=${event}`);
    const explained = textsOf(await world.explain(webhook?.webhook_id ?? ""));
    return explained[explained.findIndex((text) => text.startsWith("The event")) - 1];
  };
  expect(await lastBefore("wallet_deposit")).toBe(
    "The payer paid 7.000000 USDT: the deposit has all it had to wait for.",
  );
  const [sent] = await world.transfers.list();
  expect(textsOf(await world.explain(sent?.transaction_id ?? "")).slice(-2)[0]).toBe("The payer paid 150.00 BRL.");
});

describe("down to the line of a scenario file", () => {
  test("a charge that the happy path pays", async () => {
    const world = await file.world({ scenarios: ["happy-path"], postback_url: INBOX });
    const merchant = await Merchant.of(world);
    const answer = await merchant.cashin({ currency: "BRL", amount: "150.00" });
    const id = answer.body.data.transaction_id;
    await world.advance("5s");
    const explanation = await world.explain(id);
    const [called, , fired, stepped] = explanation.chain;
    expect(explanation).toMatchObject({ id, type: "cashin", summary: "Cash-in of 150.00 BRL by PIX: confirmed." });
    expect(textsOf(explanation)).toEqual([
      `POST /v2/transactions/cashin by ${world.credentials.clientId} was answered 200.`,
      "The charge was created.",
      `Rule "a PIX charge is paid after five seconds" at ${fired?.rule} fired on cashin.created.`,
      `Step ${stepped?.rule} was carried out: pay.`,
      "The payer paid 150.00 BRL.",
    ]);
    expect(explanation.chain.map(({ at }) => at.slice(17, 19))).toEqual(["00", "00", "00", "05", "05"]);
    expect(called).toMatchObject({
      cause: null,
      call: "POST /v2/transactions/cashin",
      request_id: answer.headers.get("x-request-id"),
    });
    expect(lineAt(fired?.rule)).toContain("a PIX charge is paid");
    expect(lineAt(stepped?.rule)).toContain("pay: {}");
  });

  test("a dispute that a scenario loses", async () => {
    const document = scenario(
      "lost",
      rule("cashin.created", [
        { after: "5s", pay: {} },
        { after: "2d", dispute: { reason: "Never ordered" } },
      ]),
      rule("chargeback.opened", [{ after: "1d", lose: {} }]),
    );
    const world = await file.world({ scenarios: [document], postback_url: INBOX });
    const id = await makeCharge(world);
    await world.advance("idle");
    const [dispute] = await world.all<{ infraction_id: string }>("/disputes");
    const explanation = await world.explain(dispute?.infraction_id ?? "");
    expect(explanation).toMatchObject({
      type: "dispute",
      summary: `Dispute over 150.00 BRL of the cash-in ${id}: lost.`,
      pending: [],
    });
    const steps = explanation.chain.filter(({ kind }) => kind === "step");
    expect(steps.map((entry) => inlineAt(document, entry.rule))).toEqual([
      expect.stringMatching(/"after": "5s", +"pay"/),
      expect.stringMatching(/"after": "2d", +"dispute"/),
      expect.stringMatching(/"after": "1d", +"lose"/),
    ]);
    const rules = explanation.chain.filter(({ kind }) => kind === "rule.fired");
    expect(rules.map((entry) => inlineAt(document, entry.rule))).toEqual([
      expect.stringContaining('"on": "cashin.created"'),
      expect.stringContaining('"on": "chargeback.opened"'),
    ]);
    expect(textsOf(explanation).filter((text) => !/^(Rule|Step|POST)/.test(text))).toEqual([
      "The charge was created.",
      "The dispute was opened and 150.00 BRL blocked.",
      "The merchant lost the dispute.",
      "The chargeback is final.",
    ]);
    const lose = steps.at(-1);
    expect(lose?.text).toBe(`Step ${lose?.rule} was carried out: lose.`);
    const decided = explanation.history.find(({ text }) => text === "The merchant lost the dispute.");
    expect(decided?.root).toBe(lose?.rule);
  });

  test("a step that was skipped says why", async () => {
    const document = scenario(
      "late",
      rule("cashin.created", [
        { after: "5s", cancel: {} },
        { after: "5s", pay: {} },
      ]),
    );
    const world = await file.world({ scenarios: [document] });
    const id = await makeCharge(world);
    await world.advance("idle");
    const { history } = await world.explain(id);
    const skipped = history.find(({ kind }) => kind === "step.skipped");
    expect(skipped?.text).toMatch(
      /^Step inline\.json:\d+ \(pay\) was skipped: A cashin that is canceled does not allow/,
    );
  });
});

describe("down to the call", () => {
  test("a charge that is paid by hand", async () => {
    const world = await file.world({ postback_url: INBOX });
    const id = await makeCharge(world);
    await world.act(id, "pay", { payer: { name: "Maria" } });
    const explanation = await world.explain(id);
    expect(kindsOf(explanation)).toEqual(["request", "transition", "control", "transition"]);
    const call = `POST /transactions/${id}/pay`;
    expect(explanation.chain[2]).toMatchObject({
      cause: null,
      call,
      rule: null,
      text: `Control call ${call} with {"payer":{"name":"Maria"}}.`,
    });
    expect(explanation.chain[3]).toMatchObject({ cause: explanation.chain[2]?.sequence });
    expect(explanation.history.map(({ kind, root }) => [kind, root])).toEqual([
      ["transition", "POST /v2/transactions/cashin"],
      ["control", call],
      ["transition", call],
      ["webhook.created", call],
      ["webhook.delivered", call],
    ]);
  });

  test("a charge that expired by itself, and what was to come before", async () => {
    const world = await file.world({ postback_url: INBOX });
    const id = await makeCharge(world);
    expect((await world.explain(id)).pending).toEqual([
      {
        id: expect.stringMatching(/^\d+-\d+$/),
        at: "2026-01-01T12:30:00.000Z",
        kind: "charge.expiry",
        text: "The charge expires unless it is paid before.",
        rule: null,
        cause: expect.any(Number),
      },
    ]);
    await world.advance("31m");
    const explanation = await world.explain(id);
    expect(textsOf(explanation).slice(1)).toEqual([
      "The charge was created.",
      "The cash-in expired unpaid: its time was up.",
    ]);
    expect(explanation.chain.at(-1)?.at).toBe("2026-01-01T12:30:00.000Z");
    expect(explanation.history.at(-1)?.root).toBe("POST /v2/transactions/cashin");
    expect(explanation.pending).toEqual([]);
  });

  test("a charge that is made to expire does not blame the time", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    await world.act(id, "expire");
    expect(textsOf(await world.explain(id)).at(-1)).toBe("The cash-in expired unpaid.");
  });

  test("a deposit that never came is not called a charge", async () => {
    const world = await file.world();
    const wallet = await walletOf(await Merchant.of(world), { currency: "MXN" });
    const ends = [
      ["expire", "The cash-in expired unpaid."],
      ["cancel", "The system canceled the cash-in."],
      ["fail", "The cash-in failed."],
    ] as const;
    for (const [action, text] of ends) {
      const { transaction_id: id } = await deposit(world, wallet.wallet_id, { amount: "50.00" });
      await world.act(id, action);
      expect(textsOf(await world.explain(id)).at(-1)).toBe(text);
    }
  });

  test("a dispute that nobody answered", async () => {
    const world = await file.world({ postback_url: INBOX });
    const { infractionId, transactionId } = await openedDispute(world, await Merchant.of(world));
    await world.advance("7d");
    const explanation = await world.explain(infractionId);
    expect(textsOf(explanation)).toContain(
      "The merchant lost the dispute: nobody had answered it when its deadline came.",
    );
    expect(explanation.chain.some(({ call }) => call === `POST /transactions/${transactionId}/dispute`)).toBe(true);
  });

  test("a request that a fault rule struck", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const fault = { request: "POST /v2/transactions/wallet", inject: { error: "PROVIDER_ERROR" } };
    await world.call("PUT", "/faults", { rules: [{ name: "no wallets", ...fault }, fault] });
    const answer = await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
    const explanation = await world.explain(answer.headers.get("x-request-id") ?? "");
    expect(textsOf(explanation)).toEqual([
      expect.stringMatching(/^Control call PUT \/faults with /),
      `POST /v2/transactions/wallet by ${world.credentials.clientId} was answered 502 PROVIDER_ERROR.`,
      'Fault rule fault_1 "no wallets" set by hand struck POST /v2/transactions/wallet: error PROVIDER_ERROR.',
    ]);
  });

  test("a webhook that a fault rule dropped, down to the call that set the rule", async () => {
    const world = await file.world({ postback_url: INBOX });
    await world.call("PUT", "/faults", { rules: [{ delivery: "cashin.confirmed", inject: { drop: true } }] });
    const id = await makeCharge(world);
    await world.act(id, "pay");
    const explanation = await world.explain((await webhookOf(world, id)).webhook_id);
    expect(explanation.chain.map(({ call }) => call)).toContain("PUT /faults");
    expect(explanation.summary).toMatch(/: dropped\.$/);
    expect(textsOf(explanation)).toContain("Fault rule fault_1 set by hand struck cashin.confirmed: drop.");
  });
});

describe("webhooks", () => {
  test("the third attempt, with those before it", async () => {
    await using receiver = await startReceiver(500, 503, 200);
    const world = await file.world({ postback_url: receiver.url });
    const id = await makeCharge(world);
    await world.act(id, "pay");
    const before = await world.explain((await webhookOf(world, id)).webhook_id);
    expect(before.pending).toMatchObject([{ at: "2026-01-01T12:00:01.000Z", kind: "webhook.attempt" }]);
    await world.advance("10s");
    const { webhook_id } = await webhookOf(world, id);
    const explanation = await world.explain(webhook_id);
    expect(explanation).toMatchObject({
      type: "webhook",
      summary: `Webhook cashin.confirmed about the cash-in ${id}: delivered.`,
      pending: [],
    });
    expect(textsOf(explanation)).toEqual([
      `Control call POST /transactions/${id}/pay.`,
      "The payer paid 150.00 BRL.",
      `The event cashin.confirmed became the webhook ${webhook_id}.`,
      "Attempt 1 to deliver cashin.confirmed failed: it was answered 500.",
      "Attempt 2 to deliver cashin.confirmed failed: it was answered 503.",
      "Attempt 3 to deliver cashin.confirmed was answered 200.",
    ]);
    expect(explanation.chain.map(({ at }) => at.slice(17, 19))).toEqual(["00", "00", "00", "00", "01", "06"]);
  });

  test("one that was given up, and sent again by hand", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    const id = await makeCharge(world);
    await world.act(id, "pay");
    await world.advance("idle");
    const { webhook_id } = await webhookOf(world, id);
    const { summary } = await world.explain(webhook_id);
    expect(summary).toMatch(/: exhausted\. It went to http:\S+\. The last attempt was answered 500\.$/);
    receiver.answerWith(200);
    await world.redeliver(webhook_id);
    expect(textsOf(await world.explain(webhook_id)).slice(-3)).toEqual([
      "The delivery of cashin.confirmed was given up after attempt 6.",
      `Control call POST /webhooks/${webhook_id}/redeliver.`,
      "Attempt 7 to deliver cashin.confirmed, made by hand, was answered 200.",
    ]);
  });

  test("one that has nowhere to go", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    await world.act(id, "pay");
    const { webhook_id } = await webhookOf(world, id);
    expect(textsOf(await world.explain(webhook_id)).at(-1)).toBe(
      `The event cashin.confirmed became the webhook ${webhook_id}, which has nowhere to go: there is no postback_url.`,
    );
  });
});

describe("what a payment is known by outside", () => {
  test("TX-17 the e2e_id of a PIX payment", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    await world.act(id, "pay");
    const e2e_id = String((await transactionOf(world, id)).e2e_id);
    const [byPayment, byId] = [await world.explain(e2e_id), await world.explain(id)];
    expect(byPayment).toEqual({ ...byId, id: e2e_id });
  });

  test("the tx_hash that two payments came by", async () => {
    const world = await file.world();
    const body = { currency: "USDT", chain: "tron", amount: "5.00" };
    const charges = [await makeCharge(world, body), await makeCharge(world, body)];
    const tx_hash = "ab".repeat(32);
    for (const id of charges) await world.act(id, "pay", { tx_hash });
    const { chain, also } = await world.explain(tx_hash);
    expect(chain.at(-1)?.subject).toBe(charges[1]);
    expect(also).toEqual([{ type: "cashin", id: charges[0] }]);
  });

  test("of nobody's payment: 404", async () => {
    const world = await file.world();
    await expect(world.explain("cd".repeat(32))).rejects.toMatchObject({ status: 404 });
  });
});

describe("requests", () => {
  test("tell what they led to, other resources included", async () => {
    const disputed = scenario("disputed", rule("cashin.confirmed", [{ after: "1d", dispute: {} }]));
    const world = await file.world({ scenarios: ["happy-path", disputed], postback_url: INBOX });
    const merchant = await Merchant.of(world);
    const split = [{ username: "globex", percentage: 10 }];
    const answer = await merchant.cashin({ currency: "BRL", amount: "150.00", split });
    await chargeOf(merchant, { amount: "7.00" });
    await world.advance("idle");
    const explanation = await world.explain(answer.headers.get("x-request-id") ?? "");
    const led = explanation.led_to ?? [];
    expect(explanation).toMatchObject({ type: "request", summary: explanation.chain[0]?.text, pending: [] });
    expect(led.map(({ text }) => text).filter((text) => !/^(Rule|Step|The event|Attempt)/.test(text))).toEqual([
      "The charge was created.",
      "The payer paid 150.00 BRL.",
      "14.85 BRL went from acme to globex.",
      "The payer disputed the payment.",
      "The dispute was opened and 150.00 BRL blocked.",
      "The merchant lost the dispute: nobody had answered it when its deadline came.",
      expect.stringMatching(/^The disputed 150\.00 BRL went back to the payer/),
      "The chargeback is final.",
    ]);
    expect(explanation.led_to_truncated).toBeUndefined();
    const journal = await world.journal();
    const below = descendants(journal, explanation.chain[0]?.sequence ?? 0);
    expect(led.map(({ sequence }) => sequence)).toEqual(below);
  });

  test("show the first hundred effects", async () => {
    const notes = Array.from({ length: 120 }, (_, index) => ({ note: `note ${index}` }));
    const world = await file.world({ scenarios: [scenario("talks", rule("cashin.created", notes))] });
    const merchant = await Merchant.of(world);
    const answer = await merchant.cashin({ currency: "BRL", amount: "1.00" });
    const { led_to = [], led_to_truncated } = await world.explain(answer.headers.get("x-request-id") ?? "");
    expect([led_to.length, led_to_truncated]).toEqual([100, true]);
    expect(led_to.at(-1)?.text).toMatch(/note 97\.$/);
  });

  test("lead to nothing where they are refused or ask for what is there", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const body = { currency: "BRL", amount: "1.00", external_id: "once" };
    await merchant.cashin(body);
    for (const again of [body, { ...body, amount: "2.00" }, { currency: "EUR", amount: 1 }]) {
      const answer = await merchant.cashin(again);
      const explanation = await world.explain(answer.headers.get("x-request-id") ?? "");
      expect(explanation.led_to).toEqual([]);
      expect(explanation.summary).toContain(`was answered ${answer.status}`);
    }
  });
});

/** The sequences of all entries whose chain goes through one. */
function descendants(journal: readonly JournalEntryInfo[], root: number): number[] {
  const found = new Set([root]);
  for (const { sequence, cause } of journal) if (cause !== null && found.has(cause)) found.add(sequence);
  return [...found].slice(1);
}

/** A world in which everything has happened once. */
async function busyWorld() {
  const receiver = await startReceiver(500, 200, 500, 500, 200);
  const scenarios = [
    "happy-path",
    "magic-values",
    scenario("talks", rule("webhook.failed", [{ note: "failed" }], { also: true })),
  ];
  const world = await file.world({ scenarios, postback_url: receiver.url, settings: { protections: "off" } });
  const merchant = await SigningMerchant.ofAccount(world);
  const cashin = (body: object) => chargeOf(merchant, body);
  await world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "1.00" });
  const charge = await cashin({
    external_id: "order-1",
    split: [{ username: "globex", type: "fixed", amount: "1.00" }],
  });
  for (const magic of ["expire", "fail", "cancel", "refund"]) await cashin({ external_id: `magic-${magic}` });
  await cashin({ currency: "BTC", amount: "0.01" });
  await cashin({ currency: "MXN", amount: "100.00" });
  const cashout = await merchant.cashout({ currency: "BRL", amount: "10.00", key: "maria@example.com" });
  await merchant.cashout({ currency: "USDT", amount: "20", chain: "tron", key: "nowhere" });
  const converted = await merchant.convert({ amount: 100, base_currency: "BRL", destination_currency: "USDT" });
  const transferred = await merchant.transfer({ username: "globex", currency: "BRL", amount: "5.00" });
  const wallet = await walletOf(merchant, { currency: "USDT", chain: "tron" });
  const sent = await deposit(world, wallet.wallet_id, { amount: "30" });
  await merchant.cashin({ currency: "EUR", amount: 1 });
  const [pending] = await world.all<{ id: string; kind: string }>("/timers");
  await world.advance("1d");
  await merchant.authenticate();
  await world.call("POST", `/conversions/${converted.body.data.conversion_id}/refund`, {});
  await world.act(charge, "refund", { amount: "5.00" });
  await world.act(cashout.body.data.transaction_id, "refund");
  const { infractionId } = await openedDispute(world, merchant);
  await reply(merchant, { infraction_id: infractionId, text: "Delivered.", files: [{ name: "a.pdf", content: pdf }] });
  await world.call("POST", `/disputes/${infractionId}/win`, {});
  const lost = await paidCharge(world, merchant);
  await world.act(lost, "dispute");
  await world.call("PUT", "/rates", { rates: { BRL: "0.2" } });
  await world.call("POST", "/scenarios", scenario("more"));
  await world.advance("idle");
  const [webhook] = await world.webhooks();
  await world.redeliver(webhook?.webhook_id ?? "");
  await merchant.authenticate();
  const waiting = await cashin({ external_id: "waits" });
  const timer = (await world.all<{ id: string; subject: string }>("/timers")).find(
    ({ subject }) => subject === waiting,
  );
  const refundOf = async (
    event: string,
    data: (hook: { body: { data: Record<string, string> } }) => string | undefined,
  ) =>
    (await world.all<Parameters<typeof data>[0]>(`/webhooks?event=${event}`))
      .map(data)
      .find((id) => id !== undefined) ?? "";
  const ids = {
    charge,
    cashout: cashout.body.data.transaction_id,
    deposit: sent.transaction_id,
    refund: await refundOf("cashin.refunded", ({ body }) =>
      body.data.original_transaction_id === charge ? body.data.transaction_id : undefined,
    ),
    chargeback: await refundOf("cashin.refunded", ({ body }) =>
      body.data.reason === "MED_CHARGEBACK" ? body.data.transaction_id : undefined,
    ),
    reversal: await refundOf("cashout.refunded", ({ body }) => body.data.transaction_id),
    reversion: await refundOf("conversion.refunded", ({ body }) => body.data.conversion_id),
    conversion: converted.body.data.conversion_id,
    transfer: transferred.body.data.transaction_id,
    wallet: String(wallet.wallet_id),
    dispute: infractionId,
    webhook: webhook?.webhook_id ?? "",
    request: transferred.headers.get("x-request-id") ?? "",
    client: merchant.clientId,
    timer: timer?.id ?? "",
    gone: pending?.id ?? "",
  };
  await receiver.close();
  return { world, ids };
}

describe("every id", () => {
  test("of a resource, a record, somebody who takes part, or a journal entry", async () => {
    const { world, ids } = await busyWorld();
    const journal = await world.journal();
    const expected: readonly (readonly [id: string, type: string, summary: RegExp])[] = [
      [ids.charge, "cashin", /^Cash-in of 150\.00 BRL by PIX: refunded\.$/],
      ["order-1", "cashin", /^Cash-in of 150\.00 BRL by PIX: refunded\.$/],
      [ids.cashout, "cashout", /^Cash-out of 10\.00 BRL by PIX: refunded\.$/],
      [ids.deposit, "cashin", /^Deposit of 30\.000000 USDT by TRC20 into the fixed wallet 1001: confirmed\.$/],
      [ids.refund, "refund", new RegExp(`^Refund of 5\\.00 BRL of the cash-in ${ids.charge}: MANUAL_REFUND\\.$`)],
      [ids.chargeback, "refund", /^Refund of 150\.00 BRL of the cash-in \w+: MED_CHARGEBACK\.$/],
      [ids.reversal, "refund", /^Refund of 10\.00 BRL of the cash-out \w+: PROVIDER_REVERSAL\.$/],
      [ids.reversion, "refund", /^Refund of 100\.00 BRL of the conversion \w+: SUPPORT_MANUAL_REVERSAL\.$/],
      [
        ids.conversion,
        "conversion",
        /^Conversion of 100\.00 BRL into \d+\.\d{6} USDT at a rate of [\d.]+: refunded\.$/,
      ],
      [ids.transfer, "transfer", /^Transfer of 5\.00 BRL from acme to globex: confirmed\.$/],
      [ids.wallet, "wallet", /^Fixed wallet 1001 of acme for USDT by tron: provisioned\.$/],
      [`wallet_${ids.wallet}`, "wallet", /^Fixed wallet 1001 /],
      [ids.dispute, "dispute", /^Dispute over 150\.00 BRL of the cash-in \w+: won\.$/],
      [
        "1",
        "reply",
        new RegExp(`^Reply 1 to the dispute ${ids.dispute}, registered at 2026-01-02T12:00:00\\.000Z\\.$`),
      ],
      ["reply_1", "reply", /^Reply 1 to the dispute /],
      [ids.webhook, "webhook", /^Webhook [a-z_.]+ about the [a-z-]+ \w+: delivered\.$/],
      [ids.request, "request", /^POST \/v2\/internal_transfers\/payment by \S+ was answered 200\.$/],
      ["acme", "account", /^Account acme of .+: active\.$/],
      [ids.client, "credential", /^Credential \S+ of the account acme\.$/],
      [ids.timer, "timer", /^Due at 2026-\S+Z: (The charge expires|Step )/],
      ["20", "entry", /\.$/],
      ["entry_1", "entry", /^The world was made with seed 1 and the scenarios happy-path, magic-values, talks\.$/],
    ];
    for (const [id, type, summary] of expected) {
      const explanation = await world.explain(id);
      expect([id, explanation.id, explanation.type]).toEqual([id, id, type]);
      expect(explanation.summary).toMatch(summary);
      expect(explanation.chain.length).toBeGreaterThan(0);
      expect(explanation.chain[0]).toMatchObject({ cause: null });
      expectInOrder(explanation, journal);
    }
  });

  test("a number that stands for several things tells of the others", async () => {
    const { world } = await busyWorld();
    expect((await world.explain("1")).also).toEqual([{ type: "entry", id: "entry_1" }]);
    expect((await world.explain("entry_1")).also).toBeUndefined();
    expect((await world.explain("reply_1")).also).toBeUndefined();
  });

  test("a number is an external_id before it is that of an entry", async () => {
    const { world } = await busyWorld();
    await (await Merchant.of(world)).cashin({ currency: "BRL", amount: 5, external_id: "3" });
    expect(await world.explain("3")).toMatchObject({ type: "cashin", also: [{ type: "entry", id: "entry_3" }] });
    expect(await world.explain("entry_3")).toMatchObject({ type: "entry" });
  });

  test("an external_id of two accounts tells of both", async () => {
    const world = await file.world();
    const merchants = [await SigningMerchant.ofAccount(world), await SigningMerchant.ofAccount(world, "globex")];
    const ids = [];
    for (const merchant of merchants) ids.push(await chargeOf(merchant, { external_id: "order-7" }));
    const explanation = await world.explain("order-7");
    expect([explanation.chain.at(-1)?.subject, explanation.also]).toEqual([ids[0], [{ type: "cashin", id: ids[1] }]]);
  });

  test.each(["nope", "0", "1-1", "evt_x", "req_x", "wallet_7", "reply_7", "entry_99999", "a b%c/d", "x".repeat(300)])(
    "%s, which nothing has: 404",
    async (id) => {
      const world = await file.world();
      const { status, body } = await control(world, "GET", `/explain/${encodeURIComponent(id)}`);
      const message = `Nothing in the world ${world.id} has the id ${JSON.stringify(id)}.`;
      expect([status, body]).toEqual([404, { error: { code: "NOT_FOUND", message, details: {} } }]);
    },
  );

  test("a timer that has run is gone", async () => {
    const { world, ids } = await busyWorld();
    expect((await control(world, "GET", `/explain/${ids.gone}`)).status).toBe(404);
  });

  test("asking leaves no trace", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const before = await world.journal();
    await world.explain(id);
    await control(world, "GET", "/explain/nope");
    expect(await world.journal()).toEqual(before);
  });
});

/** Links are entries of the journal, in its order, and each but a root has its cause among them. */
function expectInOrder({ chain, history, led_to = [] }: ExplanationInfo, journal: readonly JournalEntryInfo[]): void {
  for (const entries of [chain, history, led_to]) {
    const sequences = entries.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].sort((left, right) => left - right));
    for (const { sequence, at, kind, subject, cause, rule: place } of entries) {
      expect(journal[sequence - 1]).toMatchObject({ sequence, at, kind, subject, cause, rule: place });
    }
  }
  const known = new Set(chain.map(({ sequence }) => sequence));
  for (const { cause } of chain) expect(cause === null || known.has(cause)).toBe(true);
}

/** Every entry of the journal has a chain from a root to itself and a plain sentence. @returns the kinds of roots. */
async function expectExplained(world: WorldClient): Promise<string[]> {
  const journal = await world.journal();
  const roots = new Set<string>();
  for (const entry of journal) {
    const explanation = await world.explain(`entry_${entry.sequence}`);
    const [root] = explanation.chain;
    expect(explanation.chain.at(-1)).toMatchObject({ sequence: entry.sequence });
    expect(root?.cause).toBeNull();
    roots.add(root?.kind ?? "");
    expect(explanation.summary).toMatch(/^[A-Z0-9].*\.$/);
    expect(explanation.summary).not.toMatch(/undefined|null|\[object|NaN/);
    expectInOrder(explanation, journal);
  }
  return [...roots].sort();
}

describe("the whole journal of a busy world", () => {
  test("every entry's chain goes down to a call or the making of the world, in plain sentences", async () => {
    const { world } = await busyWorld();
    const journal = await world.journal();
    expect(new Set(journal.map(({ kind }) => kind)).size).toBeGreaterThan(15);
    expect(await expectExplained(world)).toEqual(["control", "request", "world.created"]);
  });

  test("so it is where fault rules strike and rules stand on the clock", async () => {
    const clock = {
      scenario: "clock",
      rules: [
        rule("webhook.failed", [{ note: "failed" }]),
        // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
        { every: "0 * * * *", times: 3, then: [{ note: "another hour" }, { after: "1m", set_rate: { BRL: "0.2" } }] },
        { delivery: "cashin.confirmed", inject: { shuffle: 2 } },
        { delivery: "cashin.refunded", inject: { duplicate: 2 } },
        { delivery: "cashin.expired", inject: { drop: true } },
      ],
    };
    await using receiver = await startReceiver(500, 200);
    const settings = { webhook_rate: 4 };
    const world = await file.world({ scenarios: [clock], postback_url: receiver.url, settings });
    const merchant = await Merchant.of(world);
    const ids = [
      await chargeOf(merchant),
      await chargeOf(merchant),
      await chargeOf(merchant),
      await chargeOf(merchant),
    ];
    for (const id of ids.slice(0, 3)) {
      await world.act(id, "pay");
      await world.act(id, "refund");
    }
    await world.advance("5h");
    const journal = await world.journal();
    const seen = new Set(journal.map(({ kind }) => kind));
    for (const kind of ["fault.injected", "webhook.released", "webhook.throttled", "webhook.failed", "rates.changed"]) {
      expect(seen).toContain(kind);
    }
    const roots = await expectExplained(world);
    expect(roots).toEqual(["control", "request", "world.created"]);
  });

  test("what an entry led to is all whose chain goes through it", async () => {
    const { world } = await busyWorld();
    const journal = await world.journal();
    for (const { sequence } of journal) {
      const { led_to = [] } = await world.explain(`entry_${sequence}`);
      expect(led_to.map((entry) => entry.sequence)).toEqual(descendants(journal, sequence).slice(0, 100));
    }
  });
});

test("an account tells who put it under review, and who took it out", async () => {
  const steps = [{ set_account: { status: "under_review" } }, { set_account: { status: "under_review" } }];
  const release = { after: "1m", set_account: { status: "active" } };
  const world = await file.world({ scenarios: [scenario("review", rule("cashin.created", [...steps, release]))] });
  await makeCharge(world);
  const { summary, chain } = await world.explain("acme");
  expect(summary).toMatch(/^Account acme of .+: under_review\.$/);
  expect(chain.slice(-4).map(({ kind }) => kind)).toEqual(["transition", "rule.fired", "step", "account.changed"]);
  expect(chain.at(-1)?.text).toBe("The account acme came under review.");
  expect(chain.at(-2)?.rule).toMatch(/^inline\.json:\d+$/);

  await world.advance("1m");
  expect(textsOf(await world.explain("acme")).at(-1)).toBe("The review of the account acme ended.");
});

test("a webhook that is held to be shuffled tells when it is let go, be it alone", async () => {
  const shuffle = scenario("shuffled", { delivery: "cashin.*", inject: { shuffle: 3 } });
  const world = await file.world({ scenarios: [shuffle], postback_url: INBOX });
  const id = await makeCharge(world);
  await world.act(id, "pay");
  await world.settle();
  const { webhook_id } = await webhookOf(world, id);
  const { pending } = await world.explain(webhook_id);
  const [timer] = await world.timers({ limit: 1 });
  expect(pending.map((waiting) => [waiting.id, waiting.text])).toEqual([
    [timer?.id, "Webhooks that are held to be shuffled are let go."],
  ]);

  await world.advance("1m");
  const later = await world.explain(webhook_id);
  expect(later.pending).toEqual([]);
  expect(textsOf(later)).toContain("The webhook that was held was let go.");
});

test("a webhook that was delivered by hand waits no longer for those that it is held with", async () => {
  const world = await file.world({ postback_url: INBOX });
  await inject(world, { delivery: "cashin.*", inject: { shuffle: 3 } });
  const { webhook_id } = await paidWebhook(world);
  expect((await world.explain(webhook_id)).pending).toHaveLength(1);
  await world.redeliver(webhook_id);
  expect((await world.explain(webhook_id)).pending).toEqual([]);
});

test("D61 a further copy that waits for the rate is told as a copy, not as the webhook", async () => {
  const world = await file.world({ postback_url: INBOX, settings: { webhook_rate: 1 } });
  await inject(world, { delivery: "cashin.confirmed", inject: { duplicate: 1 } });
  const { webhook_id } = await paidWebhook(world);
  const { summary, pending } = await world.explain(webhook_id);
  expect(summary).toMatch(/: delivered\.$/);
  expect(pending.map(({ text }) => text)).toEqual([`A further copy of the webhook ${webhook_id} is sent.`]);
});

test("a webhook whose attempt is under way says so", async () => {
  await using receiver = await startHeld();
  const world = await file.world({ postback_url: receiver.url });
  const id = await makeCharge(world);
  const paid = world.act(id, "pay");
  await receiver.arrived(1);
  const { webhook_id } = await webhookOf(world, id);
  const { summary } = await world.explain(webhook_id);
  receiver.release();
  await paid;
  expect(summary).toMatch(/: pending\. It goes to \S+\. Attempt 1 has been sent, and its answer is awaited\.$/);
});

test("a further copy that is under way is not taken for the attempt that failed before", async () => {
  const copyArrived = Promise.withResolvers<void>();
  await using receiver = await startReceiver(500, (_request, response) => {
    void copyArrived.promise.then(() => response.writeHead(200).end());
  });
  const world = await file.world({ postback_url: receiver.url });
  await inject(world, { delivery: "cashin.confirmed", inject: { duplicate: 1 } });
  const paid = paidWebhook(world);
  await receiver.arrived(2);
  const [webhook] = await world.webhooks();
  const { summary } = await world.explain(webhook?.webhook_id ?? "");
  copyArrived.resolve();
  await paid;
  expect(summary).toMatch(/: pending\. It goes to \S+\. A further copy has been sent, and its answer is awaited\.$/);
});

test("a chain of hundreds of links shows both of its ends", async () => {
  const refunds = Array.from({ length: 300 }, () => ({ refund: { amount: "0.01" } }));
  const world = await file.world({ scenarios: [scenario("drip", rule("cashin.created", [{ pay: {} }, ...refunds]))] });
  const { chain, chain_truncated } = await world.explain(await makeCharge(world));
  expect(chain).toHaveLength(500);
  expect(kindsOf({ chain } as ExplanationInfo).slice(0, 5)).toEqual([
    "request",
    "transition",
    "rule.fired",
    "step",
    "transition",
  ]);
  expect(chain_truncated).toEqual({ after: chain[99]?.sequence, links: 3 + 2 * 301 - 500 });
  expect(chain.at(-1)?.text).toBe("0.01 BRL went back to the payer.");
});

test("a webhook and a refund are explained, however much has come of their subject since", async () => {
  const refunds = Array.from({ length: 300 }, () => ({ refund: { amount: "0.01" } }));
  const drip = scenario("drip", rule("cashin.created", [{ pay: {} }, ...refunds]));
  const world = await file.world({ postback_url: INBOX, scenarios: [drip], settings: { webhook_rate: 1000 } });
  const id = await makeCharge(world);
  await world.advance("1s");
  const [confirmed, refunded] = await world.webhooks({ transaction_id: id });
  expect((await world.explain(id)).history_truncated).toBe(true);
  const ofWebhook = await world.explain(confirmed?.webhook_id ?? "");
  expect(kindsOf(ofWebhook)).toEqual([
    ...["request", "transition", "rule.fired", "step", "transition"],
    ...["webhook.created", "webhook.delivered"],
  ]);
  const ofRefund = await world.explain(String(refunded?.body.transaction_id));
  const kinds = ofRefund.history.map(({ kind }) => kind);
  expect(kinds).toEqual(["transition", "webhook.created", "webhook.delivered"]);
});

test("a reply and a conversion are explained, however many steps have come since", async () => {
  const notes = Array.from({ length: 1_001 }, () => ({ note: "again" }));
  const rules = ["chargeback.responded", "conversion.confirmed"].map((on) => rule(on, notes));
  const world = await file.world({ postback_url: INBOX, scenarios: [scenario("notes", ...rules)] });
  const merchant = await SigningMerchant.ofAccount(world);
  const { infractionId } = await openedDispute(world, merchant);
  await reply(merchant, { infraction_id: infractionId, text: "Delivered." });
  await world.rates.set({ BRL: "0.25" });
  const pair = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
  const { body } = await merchant.convert({ ...pair, external_id: "conversion-1" });
  await world.advance("1s");

  const ofReply = await world.explain("reply_1");
  expect(ofReply.history.map(({ kind }) => kind)).toEqual(["transition", "webhook.created", "webhook.delivered"]);
  const ofConversion = await world.explain(body.data.conversion_id);
  expect(ofConversion.history_truncated).toBe(true);
  expect(textsOf(ofConversion)).toContain("The rates changed: BRL 0.25.");
  expect(ofConversion.chain.flatMap(({ call }) => call ?? [])).toEqual(["PUT /rates", "POST /v2/conversions/new"]);
});

test("an answer in full, field by field", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const answer = await merchant.cashin({ currency: "EUR", amount: 1 });
  const id = answer.headers.get("x-request-id");
  const { status, body } = await control(world, "GET", `/explain/${id}`);
  const text = `POST /v2/transactions/cashin by ${merchant.clientId} was answered 422 INVALID_CURRENCY.`;
  const entry = {
    sequence: expect.any(Number),
    at: "2026-01-01T12:00:00.000Z",
    kind: "request",
    subject: id,
    cause: null,
    text,
    rule: null,
    call: "POST /v2/transactions/cashin",
    request_id: id,
  };
  expect([status, body]).toEqual([
    200,
    {
      id,
      type: "request",
      summary: `${text} It was told: The currency EUR is not supported. There are BRL, MXN, USDT, USDC, BTC, ETH, SOL, BNB.`,
      chain: [entry],
      history: [{ ...entry, root: "POST /v2/transactions/cashin" }],
      pending: [],
      led_to: [],
    },
  ]);
});

test("what failed by a scenario tells why, in its summary", async () => {
  const world = await file.world({
    scenarios: [
      scenario(
        "failing",
        rule("cashin.created", [{ fail: { reason: "The bank is shut." } }]),
        rule("cashout.created", [{ fail: { error_code: "PIX_KEY_NOT_FOUND" } }]),
      ),
    ],
  });
  const merchant = await SigningMerchant.ofAccount(world);
  const charge = await chargeOf(merchant);
  const { body } = await merchant.cashout({ currency: "BRL", amount: "10.00", key: "maria@example.com" });
  const summaries = [await world.explain(charge), await world.explain(body.data.transaction_id)];
  expect(summaries.map(({ summary }) => summary)).toEqual([
    "Cash-in of 150.00 BRL by PIX: failed. The reason given: The bank is shut.",
    "Cash-out of 10.00 BRL by PIX: failed. PIX_KEY_NOT_FOUND: PIX key not found in the central directory.",
  ]);
});

test("a reason that ends with a mark of its own gets no full stop", async () => {
  const world = await file.world();
  const id = await makeCharge(world);
  await world.act(id, "fail", { reason: "What? Yes!" });
  expect((await world.explain(id)).summary).toMatch(/ The reason given: What\? Yes!$/);
});

test("a refused call is told with what its caller was told: the message and the hint", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const refused = await merchant.cashin({ currency: "BRL", amout: 5 });
  const { summary } = await world.explain(refused.headers.get("x-request-id") ?? "");
  expect(summary).toMatch(
    /was answered 400 INVALID_REQUEST\. It was told: amount is missing\. The field "amout" .* did you mean amount\?$/,
  );
});

test("D24 a call that names an external id again is told with the call that had used it", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const body = { currency: "BRL", amount: "1.00", external_id: "once" };
  const first = await merchant.cashin(body);
  for (const again of [body, { ...body, amount: "2.00" }]) {
    const { chain } = await world.explain((await merchant.cashin(again)).headers.get("x-request-id") ?? "");
    expect(chain.map(({ kind }) => kind)).toEqual(["request", "transition", "request"]);
    expect(chain[0]?.request_id).toBe(first.headers.get("x-request-id"));
  }
  const list = await merchant.call("POST", "/v2/account/transactions/list", { external_id: "once" });
  for (const alone of [first, await merchant.cashin({ ...body, currency: "EUR", external_id: "new" }), list]) {
    expect(kindsOf(await world.explain(alone.headers.get("x-request-id") ?? ""))).toEqual(["request"]);
  }
});

describe("what an answer came of beside its call", () => {
  const explainCall = (world: WorldClient, { headers }: Answer) => world.explain(headers.get("x-request-id") ?? "");

  test.each([{ latency: "5ms" }, { disconnect: "after" }])(
    "D24 a fault that only delays or loses an answer does not hide the call that had used the external id: %j",
    async (injected) => {
      const world = await file.world();
      const merchant = await Merchant.of(world);
      const body = { currency: "BRL", amount: "1.00", external_id: "once" };
      const first = await merchant.cashin(body);
      await inject(world, { request: "POST /v2/transactions/cashin", inject: injected });
      await merchant.cashin({ ...body, amount: "2.00" }).catch(() => null);
      const told = await world.explain((await world.requests()).at(-1)?.request_id ?? "");
      expect(told.chain[0]?.request_id).toBe(first.headers.get("x-request-id"));
      expect(kindsOf(told)).toEqual(["request", "transition", "control", "request", "fault.injected"]);
    },
  );

  test("an external_id whose calls were all refused leads to the last of them", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (const amount of ["0.00", "-1"]) await merchant.cashin({ currency: "BRL", amount, external_id: "refused-1" });
    await merchant.cashin({ currency: "BRL", amount: "0.00", external_id: "refused-10" });
    const told = await world.explain("refused-1");
    expect(told).toMatchObject({
      id: "refused-1",
      type: "request",
      summary: expect.stringContaining("INVALID_REQUEST"),
    });
    expect(told.chain[0]?.request_id).toBe((await world.requests())[2]?.request_id);
    await expect(world.explain("refused-2")).rejects.toThrow('has the id "refused-2"');
  });

  test("D40 a conversion: the simulation that promised its rate, and the change of rates before that", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const pair = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
    await world.rates.set({ BRL: "0.20" });
    const simulated = await merchant.call("POST", "/v2/conversions/simulate", pair);
    await world.rates.set({ BRL: "0.30" });
    await world.rates.set({ BTC: "90000" });
    const atQuote = await merchant.convert({ ...pair, external_id: "at-quote" });
    const atSpot = await merchant.convert({ ...pair, external_id: "at-spot" });
    const quoted = await world.explain(atQuote.body.data.conversion_id);
    expect(quoted.chain.flatMap(({ call }) => call ?? [])).toEqual([
      "PUT /rates",
      "POST /v2/conversions/simulate",
      "POST /v2/conversions/new",
    ]);
    expect(quoted.chain[1]?.text).toBe("The rates changed: BRL 0.20.");
    expect(quoted.chain[2]?.request_id).toBe(simulated.headers.get("x-request-id"));
    const spot = await world.explain(atSpot.body.data.conversion_id);
    expect(spot.chain.map(({ text }) => text)[1]).toBe("The rates changed: BRL 0.30.");
    expect(spot.chain.flatMap(({ call }) => call ?? [])).toEqual(["PUT /rates", "POST /v2/conversions/new"]);
  });

  test("D40 a conversion: the last change of the rate of each of its currencies, once if one call changed both", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const changesBehind = async (external_id: string) => {
      const pair = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
      const { body } = await merchant.convert({ ...pair, external_id });
      return textsOf(await world.explain(body.data.conversion_id)).filter((text) => text.startsWith("The rates"));
    };
    for (const rates of [{ BRL: "0.4" }, { BRL: "0.5" }, { USDT: "0.9" }]) await world.rates.set(rates);
    expect(await changesBehind("each")).toEqual(["The rates changed: BRL 0.5.", "The rates changed: USDT 0.9."]);
    await world.rates.set({ BRL: "0.2", USDT: "1" });
    expect(await changesBehind("both")).toEqual(["The rates changed: BRL 0.2, USDT 1."]);
  });

  test("D40 a quote that another conversion has used, or that is not gone by, is not what a rate came of", async () => {
    const pair = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
    const [used, ignored] = [await file.world(), await file.world({ settings: { quotes: "ignore" } })];
    const callsBehind = async (world: WorldClient, times: number) => {
      const merchant = await SigningMerchant.ofAccount(world);
      await merchant.call("POST", "/v2/conversions/simulate", pair);
      await world.rates.set({ BRL: "0.25" });
      if (times > 1) await merchant.convert({ ...pair, external_id: "first" });
      if (times > 1) await merchant.convert({ ...pair, external_id: "first" });
      await world.rates.set({ BRL: "0.185" });
      const last = await merchant.convert({ ...pair, external_id: "last" });
      const { chain } = await world.explain(last.body.data.conversion_id);
      return [chain[1]?.text, ...chain.flatMap(({ call }) => call ?? [])];
    };
    const bySpot = ["The rates changed: BRL 0.185.", "PUT /rates", "POST /v2/conversions/new"];
    expect(await callsBehind(used, 2)).toEqual(bySpot);
    expect(await callsBehind(ignored, 1)).toEqual(bySpot);
  });

  test("D40 a quote that had ended is not what a rate came of", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const pair = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
    await merchant.call("POST", "/v2/conversions/simulate", pair);
    await world.advance("25h");
    await merchant.authenticate();
    const { body } = await merchant.convert({ ...pair, external_id: "later" });
    const { chain } = await world.explain(body.data.conversion_id);
    expect(chain.flatMap(({ call }) => call ?? [])).toEqual(["POST /v2/conversions/new"]);
  });

  test("D02 a cash-out whose fee is all of it", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const [least, more] = ["1.00", "10.00"].map((amount) => ({ currency: "USDT", network: "tron", amount, key: TRON }));
    const settled = async (body: unknown) => {
      const { transaction_id } = (await merchant.cashout(body)).body.data;
      await world.act(transaction_id, "confirm");
      return textsOf(await world.explain(transaction_id)).at(-1);
    };
    expect(await settled(least)).toBe("The cash-out settled: its fee took all of it.");
    expect(await settled(more)).toBe("The cash-out settled: 8.950000 USDT left.");
  });

  test("D34 a charge that was paid with another amount: what it was made over", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const usdt = { currency: "USDT", chain: "tron", amount: "30" };
    const [less, same] = [await chargeOf(merchant, usdt), await chargeOf(merchant, usdt)];
    await world.act(less, "pay", { amount: "20" });
    await world.act(same, "pay");
    await world.advance("1h");
    expect((await world.explain(less)).summary).toMatch(/^Cash-in of 20\.0+ USDT .* It was made over 30\.0+ USDT\.$/);
    expect((await world.explain(same)).summary).toMatch(/^Cash-in of 30\.0+ USDT by \S+: confirmed\.$/);
  });

  test("a webhook that does not arrive: where it goes, and the call that said so", async () => {
    await using receiver = await startReceiver(404);
    const world = await file.world({ postback_url: INBOX });
    await world.setPostbackUrl("acme", `${receiver.url}wrong`);
    const id = await makeCharge(world);
    await world.act(id, "pay");
    const webhook = await webhookOf(world, id);
    const told = await world.explain(webhook.webhook_id);
    expect(told.summary).toContain(`It goes to ${receiver.url}wrong.`);
    expect(textsOf(told)[0]).toMatch(/^Control call PATCH \/accounts\/acme with \{"postback_url":"…\/\S*wrong"\}\.$/);
    expect((await world.explain(id)).webhooks).toEqual([
      { webhook_id: webhook.webhook_id, event: "cashin.confirmed", status: "pending" },
    ]);
  });

  test("D46 of the destinations of account, credential and charge the one that counts is told", async () => {
    const world = await file.world();
    const told = async (body: object = {}) => {
      const id = await makeCharge(world, { currency: "BRL", amount: "5.00", ...body });
      await world.act(id, "pay");
      return (await world.explain((await webhookOf(world, id)).webhook_id)).chain
        .map(({ call }) => call)
        .filter(Boolean);
    };
    const refusing = "http://127.0.0.1:9/";
    const credential = `/credentials/${world.credentials.clientId}`;
    await control(world, "PATCH", credential, { postback_url: `${refusing}credential` });
    await world.setPostbackUrl("acme", `${refusing}account`);
    expect((await told())[0]).toBe(`PATCH ${credential}`);
    expect((await told({ postback_url: `${refusing}own` }))[0]).toBe("POST /v2/transactions/cashin");
    await control(world, "PATCH", credential, { postback_url: null });
    expect((await told())[0]).toBe("PATCH /accounts/acme");
  });

  test("D46 D50 the webhook of a dispute goes where its charge said, not its account", async () => {
    const world = await file.world();
    await world.setPostbackUrl("acme", "http://127.0.0.1:9/account");
    const merchant = await Merchant.of(world);
    await openedDispute(world, merchant, {}, { postback_url: "http://127.0.0.1:9/own" });
    const [opened] = await world.all<WebhookInfo>("/webhooks?event=chargeback.opened");
    const { summary, chain } = await world.explain(opened?.webhook_id ?? "");
    expect(summary).toContain("It goes to http://127.0.0.1:9/own.");
    const calls = chain.map(({ call }) => call).filter(Boolean);
    expect(calls).toEqual(["POST /v2/transactions/cashin", expect.stringMatching(/dispute$/)]);
  });

  test("a webhook of a credential whose destination was changed twice: the call that changed it last", async () => {
    const world = await file.world();
    const { clientId } = world.credentials;
    for (const path of ["first", "last"]) {
      await control(world, "PATCH", `/credentials/${clientId}`, { postback_url: `http://localhost:9/${path}` });
    }
    const { webhook_id } = await paidWebhook(world);
    const { chain } = await world.explain(webhook_id);
    const changes = chain.filter(({ call }) => call?.startsWith("PATCH"));
    expect(changes.map(({ text }) => text)).toEqual([expect.stringContaining("/last")]);
  });

  test("rules of scenarios without a file are told with their scenario, and faults of any with their names", async () => {
    const fault = { name: "no lists", request: "POST /v2/account/transactions/list", inject: { status: 503 } };
    const world = await file.world({
      scenarios: [scenario("outage", rule("cashin.created", [{ after: "5s", pay: {} }]), fault)],
    });
    const merchant = await Merchant.of(world);
    const id = await chargeOf(merchant);
    await world.advance("5s");
    expect(textsOf(await world.explain(id)).join(" ")).toMatch(/Rule inline\.json:\d+ of the scenario outage fired on/);
    const refused = await explainCall(world, await merchant.call("POST", "/v2/account/transactions/list", {}));
    const expiring = rule("cashin.created", [{ after: "1s", expire: {} }], { where: { amount: "7.00" } });
    await control(world, "POST", "/scenarios", scenario("added", expiring));
    const other = await chargeOf(merchant, { amount: "7.00" });
    await world.advance("5s");
    expect(kindsOf(await world.explain(other))).toContain("scenario.loaded");
    expect((await world.explain(other)).chain[0]?.call).toBe("POST /scenarios");
    expect(textsOf(refused).at(-1)).toMatch(
      /^Fault rule "no lists" inline\.json:\d+ of the scenario outage struck POST/,
    );
  });
});

/** The events of a cash-in and the states behind them: paid, expired, refunded, failed, canceled. */
import { readFileSync } from "node:fs";
import { isValidCpf } from "@brazilian-utils/brazilian-utils";
import { describe, expect, test } from "vitest";
import { eventDefinitions, type WorldClient } from "../../src/index.ts";
import { chargeOf, confirmedFields, makeCharge, paidWebhook, secondsOf, transactionOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { judgeRfc } from "../support/rfc-judge.ts";
import { useSandbox } from "../support/sandbox.ts";
import { deposit, walletOf } from "../support/wallets.ts";

const file = useSandbox();

const PIX = { currency: "BRL", amount: "150.00" };
const SPEI = { currency: "MXN", amount: "2500.00" };
const TRON = { currency: "USDT", amount: "100.000000", chain: "tron" };

/** Charges of every currency on every chain, with the label that its events carry. */
const rails = [
  [PIX, "PIX", undefined],
  [SPEI, "SPEI", undefined],
  [TRON, "TRC20", "tron"],
  [{ currency: "USDT", amount: "10", chain: "ethereum" }, "ERC20", "ethereum"],
  [{ currency: "USDT", amount: "10", chain: "bsc" }, "BEP20", "bsc"],
  [{ currency: "USDT", amount: "10", chain: "polygon" }, "POLYGON", "polygon"],
  [{ currency: "USDT", amount: "10", chain: "arbitrum" }, "ARBITRUM", "arbitrum"],
  [{ currency: "USDC", amount: "10", chain: "base" }, "BASE", "base"],
  [{ currency: "USDC", amount: "10", chain: "optimism" }, "OPTIMISM", "optimism"],
  [{ currency: "BTC", amount: "0.01" }, "BITCOIN", "bitcoin"],
  [{ currency: "ETH", amount: "0.5", chain: "ethereum" }, "ERC20", "ethereum"],
  [{ currency: "SOL", amount: "3" }, "SOLANA", "solana"],
  [{ currency: "BNB", amount: "1" }, "BEP20", "bsc"],
] as const;

describe("cashin.confirmed", () => {
  test("EVT-21 the fields of a paid PIX charge, exactly and in order", async () => {
    const { data } = await confirmed(PIX);
    expect(Object.keys(data)).toEqual(confirmedFields.fiat);
    expect(Object.keys(data.payer)).toEqual(["name", "document"]);
    expect(data).toMatchObject({
      external_id: null,
      type: "cashin",
      currency: "BRL",
      currency_type: "fiat",
      amount: "150.00",
      fee: "1.50",
      amount_net: "148.50",
      status: "confirmed",
      source: "dynamic_qr",
      network: "PIX",
      old_balance: "10000.00",
      new_balance: "10148.50",
      confirmed_at: "2026-01-01T12:00:00.000Z",
    });
  });

  test("EVT-21 D67 a SPEI charge has the same fields, its clave de rastreo in e2e_id", async () => {
    const { data } = await confirmed(SPEI);
    expect(Object.keys(data)).toEqual(Object.keys((await confirmed(PIX)).data));
    expect(data).toMatchObject({ currency: "MXN", currency_type: "fiat", network: "SPEI", amount: "2500.00" });
    expect(data.e2e_id).toMatch(/^[0-9A-Z]{1,30}$/);
  });

  test("D67 a payer who is made up is of the country of the rail: a CPF for PIX, an RFC for SPEI", async () => {
    const [brazilian, mexican] = [(await confirmed(PIX)).data.payer, (await confirmed(SPEI)).data.payer];
    expect(isValidCpf(brazilian.document)).toBe(true);
    expect(judgeRfc(mexican.document)).toMatchObject({ isValid: true, type: "person" });
    expect(mexican.name.split(" ").length).toBeGreaterThanOrEqual(3);
  });

  test("D67 a crypto charge has chain, tx_hash, confirmations after network, and neither e2e_id nor payer", async () => {
    const { data } = await confirmed(TRON);
    expect(Object.keys(data)).toEqual(confirmedFields.crypto);
    expect(data).toMatchObject({
      currency: "USDT",
      currency_type: "crypto",
      amount: "100.000000",
      network: "TRC20",
      chain: "tron",
      confirmations: 20,
      old_balance: "10000.000000",
      new_balance: "10099.000000",
    });
    expect(data.tx_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(rails)("CUR-09 CUR-10 TX-15 %o: the label %s, the chain %s", async (charge, network, chain) => {
    const { data } = await confirmed(charge);
    expect([data.network, data.chain]).toEqual([network, chain]);
  });

  test("EVT-01 on its arrival the balance includes amount_net already, for PIX, SPEI and crypto", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const seen: string[] = [];
    await using receiver = await startReceiver(async (request, response) => {
      const { currency, new_balance } = request.body.data;
      seen.push(currency);
      expect((await merchant.balance(currency)).balance).toBe(new_balance);
      response.writeHead(200).end();
    });
    await world.setPostbackUrl("acme", receiver.url);
    for (const charge of [PIX, SPEI, TRON]) await world.act(await chargeOf(merchant, charge), "pay");
    expect(seen).toEqual(["BRL", "MXN", "USDT"]);
  });

  test("TX-02 TX-03 TX-11 the ids are the answer's, old and new balance differ by amount_net", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    const ids: string[] = [];
    for (const external_id of ["order-1", "order-2"]) ids.push(await chargeOf(merchant, { external_id }));
    for (const id of ids) await world.act(id, "pay");
    const data = receiver.received.map(({ body }) => body.data);
    expect(data.map(({ transaction_id }) => transaction_id)).toEqual(ids);
    expect(data.map(({ external_id }) => external_id)).toEqual(["order-1", "order-2"]);
    expect(data.map(({ old_balance }) => old_balance)).toEqual(["10000.00", "10148.50"]);
    expect(data.map(({ new_balance }) => new_balance)).toEqual(["10148.50", "10297.00"]);
  });

  test("TX-17 e2e_id is E, ISPB, the minute of payment in UTC, eleven characters; null while pending", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const id = await makeCharge(world);
    expect((await transactionOf(world, id)).e2e_id).toBeNull();
    await world.advance("17m");
    await world.act(id, "pay");
    expect(receiver.received[0]?.body.data.e2e_id).toMatch(/^E[0-9A-Z]{8}202601011217[0-9A-Za-z]{11}$/);
  });

  test("CIN-07 TX-18 the payer is the action's, else the charge's, else made up", async () => {
    const named = { name: "Maria Silva", document: "52998224725" };
    const other = { name: "Ana Souza", document: "11144477735" };
    expect((await confirmed(PIX, { payer: named })).data.payer).toEqual(named);
    expect((await confirmed({ ...PIX, payer: named }, { payer: other })).data.payer).toEqual(other);
    expect((await confirmed({ ...PIX, payer: named })).data.payer).toEqual(named);
    const partly = (await confirmed(PIX, { payer: { name: "Maria Silva" } })).data.payer;
    expect(partly).toEqual({ name: "Maria Silva", document: expect.stringMatching(/^\d{11}$/) });
    const made = (await confirmed(PIX)).data.payer;
    expect(made).toEqual({ name: expect.stringMatching(/\S+ \S+/), document: expect.stringMatching(/^\d{11}$/) });
  });

  test("D34 a chain brings what it brings: what arrived is credited, the fee is on it", async () => {
    const { data } = await confirmed(TRON, { amount: "40", tx_hash: "a".repeat(64) });
    expect(data).toMatchObject({
      amount: "40.000000",
      fee: "0.500000",
      amount_net: "39.500000",
      new_balance: "10039.500000",
      tx_hash: "a".repeat(64),
    });
  });

  test.each([PIX, SPEI])("D34 a charge of $currency takes its own amount only", async (charge) => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const id = await makeCharge(world, charge);
    for (const amount of ["1.00", charge.amount.replace(".00", ".01")]) {
      const refused = await control(world, "POST", `/transactions/${id}/pay`, { amount });
      expect([refused.status, refused.body.error.code]).toEqual([422, "INVALID_REQUEST"]);
    }
    expect((await transactionOf(world, id)).status).toBe("pending");
    await world.act(id, "pay", { amount: charge.amount });
    expect(receiver.received).toHaveLength(1);
  });

  test("D34 nor does a deposit by SPEI take another, and it is not called a charge", async () => {
    const world = await file.world();
    const wallet = await walletOf(await Merchant.of(world), { currency: "MXN" });
    const { transaction_id: id } = await deposit(world, wallet.wallet_id, { amount: "50.00" });
    const refused = await control(world, "POST", `/transactions/${id}/pay`, { amount: "60.00" });
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      "amount must be 50.00: a deposit by SPEI takes its own amount only.",
    ]);
  });
});

describe("cashin.expired", () => {
  test("EVT-23 the fields, exactly and in order", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const id = await makeCharge(world, { external_id: "order-1" });
    await world.advance("idle");
    const [webhook] = receiver.received;
    expect(Object.entries(webhook?.body.data)).toEqual([
      ["transaction_id", id],
      ["external_id", "order-1"],
      ["currency", "BRL"],
      ["amount", "150.00"],
      ["status", "expired"],
      ["expired_at", "2026-01-01T12:30:00.000Z"],
    ]);
    expect(webhook?.body).toMatchObject({ event: "cashin.expired", transaction_id: id });
  });

  test("EVT-03 STATE-05 CONST-04 D26a it comes at 30 minutes and not before, and leaves the balance alone", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const id = await makeCharge(world);
    await world.advance("1799999ms");
    expect([receiver.received.length, (await transactionOf(world, id)).status]).toEqual([0, "pending"]);
    await world.advance("1ms");
    expect([receiver.received.length, (await transactionOf(world, id)).status]).toEqual([1, "expired"]);
    const merchant = await Merchant.of(world);
    expect((await merchant.balance("BRL")).balance).toBe("10000.00");
  });

  test("EVT-03 it does not come for a charge that was paid", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await paidWebhook(world);
    const advance = await world.advance("1d");
    expect([advance.timers, receiver.received.length]).toEqual([0, 1]);
  });

  test("D32 SPEI and crypto charges expire without an event, unless expired_event: all", async () => {
    for (const [setting, events] of [
      ["pix", ["BRL"]],
      ["all", ["BRL", "MXN", "USDT"]],
    ] as const) {
      await using receiver = await startReceiver();
      const world = await file.world({ postback_url: receiver.url, settings: { expired_event: setting } });
      const merchant = await Merchant.of(world);
      const ids: string[] = [];
      for (const charge of [PIX, SPEI, TRON]) ids.push(await chargeOf(merchant, charge));
      await world.advance("idle");
      for (const id of ids) expect((await transactionOf(world, id)).status).toBe("expired");
      expect(receiver.received.map(({ body }) => body.data.currency)).toEqual(events);
    }
  });
});

describe("cashin.refunded", () => {
  test("EVT-22 D54a the fields, exactly and in order, with an id of its own", async () => {
    const { world, receiver, id } = await paid({ external_id: "order-1" });
    await using _ = receiver;
    await world.act(id, "refund");
    const { data, transaction_id } = receiver.received[1]?.body ?? {};
    expect(Object.entries(data)).toEqual([
      ["transaction_id", expect.stringMatching(/^[0-9a-f]{32}$/)],
      ["original_transaction_id", id],
      ["external_id", "order-1"],
      ["currency", "BRL"],
      ["amount", "150.00"],
      ["amount_refunded", "150.00"],
      ["status", "refunded"],
      ["reason", "MANUAL_REFUND"],
      ["old_balance", "10148.50"],
      ["new_balance", "9998.50"],
      ["refunded_at", "2026-01-01T12:00:00.000Z"],
    ]);
    expect(data.transaction_id).not.toBe(id);
    expect(transaction_id).toBe(data.transaction_id);
  });

  test("EVT-02 STATE-06 the gross amount is debited, the fee is kept, a further refund is refused", async () => {
    const { world, receiver, id } = await paid();
    await using _ = receiver;
    await world.act(id, "refund");
    const merchant = await Merchant.of(world);
    expect(await merchant.balance("BRL")).toMatchObject({ balance: "9998.50", balance_locked: "0.00" });
    expect((await transactionOf(world, id)).status).toBe("refunded");
    const again = await control(world, "POST", `/transactions/${id}/refund`);
    expect([again.status, again.body.error.code]).toEqual([422, "INVALID_REQUEST"]);
    expect(receiver.received).toHaveLength(2);
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("STATE-06 D54a partial refunds until the gross amount is used up, refunded from the first on", async () => {
    const { world, receiver, id } = await paid();
    await using _ = receiver;
    await world.act(id, "refund", { amount: "100.00" });
    expect(await transactionOf(world, id)).toMatchObject({ status: "refunded", amount_refunded: "100.00" });
    const tooMuch = await control(world, "POST", `/transactions/${id}/refund`, { amount: "50.01" });
    expect([tooMuch.status, tooMuch.body.error.message]).toEqual([422, expect.stringContaining("50.00")]);
    await world.act(id, "refund");
    const refunds = receiver.received.slice(1).map(({ body }) => body.data);
    expect(refunds.map(({ amount_refunded }) => amount_refunded)).toEqual(["100.00", "50.00"]);
    expect(refunds.map(({ old_balance, new_balance }) => [old_balance, new_balance])).toEqual([
      ["10148.50", "10048.50"],
      ["10048.50", "9998.50"],
    ]);
    expect(new Set(refunds.map(({ transaction_id }) => transaction_id)).size).toBe(2);
  });

  test("STATE-07 EVT-02 a failure of the provider is named as the reason", async () => {
    const { world, receiver, id } = await paid();
    await using _ = receiver;
    await world.act(id, "refund", { reason: "PROVIDER_FAILURE" });
    expect(receiver.received[1]?.body.data.reason).toBe("PROVIDER_FAILURE");
    expect((await transactionOf(world, id)).status).toBe("refunded");
  });

  test("D52 D54a a refund may take the balance below zero", async () => {
    await using receiver = await startReceiver();
    const accounts = [{ username: "poor" }];
    const world = await file.world({ accounts, postback_url: receiver.url });
    const { transaction_id } = await paidWebhook(world);
    await world.act(transaction_id, "refund");
    expect(receiver.received[1]?.body.data).toMatchObject({ old_balance: "148.50", new_balance: "-1.50" });
    expect((await world.checkLedger()).ok).toBe(true);
  });
});

describe("states of a cash-in", () => {
  test("STATE-01 STATE-02 charges are pending with ids and payment data of their own, each paid at most once", async () => {
    const { world, receiver, id } = await paid();
    await using _ = receiver;
    const merchant = await Merchant.of(world);
    const [first, second] = [await merchant.cashin(PIX), await merchant.cashin(PIX)].map(({ body }) => body.data);
    expect([first.status, second.status]).toEqual(["pending", "pending"]);
    expect(first.transaction_id).not.toBe(second.transaction_id);
    expect(first.qr_code).not.toBe(second.qr_code);
    const again = await control(world, "POST", `/transactions/${id}/pay`);
    expect([again.status, again.body.error.code]).toEqual([409, "INVALID_TRANSITION"]);
    expect(receiver.received).toHaveLength(1);
  });

  test("STATE-03 STATE-26 a paid charge is confirmed, never paid in the words of events", async () => {
    const { world, receiver, id } = await paid();
    await using _ = receiver;
    expect(await transactionOf(world, id)).toMatchObject({
      status: "confirmed",
      confirmed_at: "2026-01-01T12:00:00.000Z",
    });
    expect(receiver.received[0]?.body.data.status).toBe("confirmed");
  });

  test.each(["fail", "cancel"])(
    "STATE-15 D33 after %s the charge has its state, no event, no credit",
    async (action) => {
      await using receiver = await startReceiver();
      const world = await file.world({ postback_url: receiver.url });
      const id = await makeCharge(world);
      await world.act(id, action);
      await world.advance("1d");
      expect((await transactionOf(world, id)).status).toBe(action === "fail" ? "failed" : "canceled");
      expect(receiver.received).toEqual([]);
      expect(await world.webhooks()).toEqual([]);
      const merchant = await Merchant.of(world);
      expect((await merchant.balance("BRL")).balance).toBe("10000.00");
    },
  );

  test("a state refuses what it does not allow, and says what it does", async () => {
    const allowed: Record<string, readonly string[]> = {
      pending: ["pay", "expire", "cancel", "fail"],
      expired: [],
      failed: [],
      canceled: [],
      confirmed: ["refund"],
      refunded: ["refund"],
    };
    const ways = {
      expired: ["expire"],
      failed: ["fail"],
      canceled: ["cancel"],
      confirmed: ["pay"],
      refunded: ["pay", "refund"],
    };
    for (const [state, actions] of Object.entries({ pending: [], ...ways })) {
      const world = await file.world();
      const id = await makeCharge(world);
      for (const action of actions) await world.act(id, action, action === "refund" ? { amount: "1.00" } : {});
      for (const action of ["pay", "expire", "cancel", "fail", "refund"]) {
        if (allowed[state]?.includes(action)) continue;
        const { status, body } = await control(world, "POST", `/transactions/${id}/${action}`);
        expect([state, action, status, body.error.code]).toEqual([state, action, 409, "INVALID_TRANSITION"]);
        expect(body.error.details.state).toBe(state);
        expect(body.error.details.allowed).toEqual(expect.arrayContaining([...(allowed[state] ?? [])]));
        expect(body.error.details.allowed).not.toContain(action);
      }
      expect((await transactionOf(world, id)).status).toBe(state);
    }
  });
});

describe("what all payloads share", () => {
  test("EVT-38 EVT-39 amounts are decimal strings of the full scale, *_at instants of the clock in UTC", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    await world.advance("1234ms");
    for (const charge of [{ currency: "BRL", amount: 7 }, SPEI, TRON, { currency: "BTC", amount: "0.001" }]) {
      const id = await chargeOf(merchant, charge);
      await world.act(id, "pay");
      await world.act(id, "refund");
    }
    await world.act(await chargeOf(merchant, { amount: 1 }), "expire");
    const scales: Record<string, number> = { BRL: 2, MXN: 2, USDT: 6, BTC: 8 };
    expect(receiver.received).toHaveLength(9);
    for (const { body } of receiver.received) {
      for (const [name, value] of Object.entries(body.data)) {
        if (/amount|fee|balance/.test(name)) {
          expect(value).toMatch(new RegExp(`^-?\\d+\\.\\d{${scales[body.data.currency]}}$`));
        }
        if (name.endsWith("_at")) expect(value).toBe("2026-01-01T12:00:01.234Z");
      }
    }
  });

  test("each of these payloads is what the exported definition of its kind says", async () => {
    const { world, receiver, id } = await paid();
    await using _ = receiver;
    await world.act(id, "refund");
    await world.act(await makeCharge(world), "expire");
    expect(receiver.received).toHaveLength(3);
    for (const { body } of receiver.received) {
      const definition = eventDefinitions[body.event as keyof typeof eventDefinitions];
      expect(JSON.stringify(definition.data.parse(body.data))).toBe(JSON.stringify(body.data));
    }
  });
});

describe("the scenario happy-path", () => {
  const paces = [
    [PIX, 5],
    [SPEI, 30],
    [TRON, 60],
    [{ currency: "USDT", amount: "10", chain: "ethereum" }, 144],
    [{ currency: "USDT", amount: "10", chain: "bsc" }, 45],
    [{ currency: "USDT", amount: "10", chain: "polygon" }, 200],
    [{ currency: "USDT", amount: "10", chain: "arbitrum" }, 5],
    [{ currency: "USDC", amount: "10", chain: "base" }, 64],
    [{ currency: "USDC", amount: "10", chain: "optimism" }, 64],
    [{ currency: "SOL", amount: "3" }, 12],
  ] as const;

  test.each(paces)("D06 pays %o after %i s", async (charge, seconds) => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url, scenarios: ["happy-path"] });
    await makeCharge(world, charge);
    await world.advance("next");
    expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.confirmed"]);
    expect(secondsOf(receiver)).toEqual([seconds]);
  });

  test("D06 pays a SPEI after the settlement time of the world's data, as a wallet's deposit is credited", async () => {
    const shipped = JSON.parse(readFileSync(new URL("../../fixtures/currencies.json", import.meta.url), "utf8"));
    const quick = { settlement_ms: 5_000 };
    const currencies = shipped.map((row: { method: string }) => ({ ...row, ...(row.method === "SPEI" ? quick : {}) }));
    await using receiver = await startReceiver();
    const settings = { fixtures: { currencies } };
    const world = await file.world({ postback_url: receiver.url, scenarios: ["happy-path"], settings });
    await makeCharge(world, SPEI);
    await deposit(world, (await walletOf(await Merchant.of(world), { currency: "MXN" })).wallet_id, { amount: "10" });
    await world.advance("1m");
    const paid = receiver.received.filter(({ body }) => body.event === "cashin.confirmed");
    expect(paid.map(({ body }) => body.data.confirmed_at)).toEqual(Array(2).fill("2026-01-01T12:00:05.000Z"));
  });
});

/** A charge that is paid in a world of its own. @returns the body of its webhook. */
async function confirmed(charge: object, input: object = {}) {
  await using receiver = await startReceiver();
  const world = await file.world({ postback_url: receiver.url });
  await world.act(await makeCharge(world, charge), "pay", input);
  expect(receiver.received).toHaveLength(1);
  return receiver.received[0]?.body;
}

/** A world with a paid PIX charge and its receiver. */
async function paid(body: object = {}): Promise<{ world: WorldClient; receiver: Receiver; id: string }> {
  const receiver = await startReceiver();
  const world = await file.world({ postback_url: receiver.url });
  const id = await makeCharge(world, body);
  await world.act(id, "pay");
  return { world, receiver, id };
}

/** What is set of an event is told by it, to the last digit, or refused; what is not set can be paid. */
import { describe, expect, test } from "vitest";
import { paidAmountOf } from "../../src/client/recipes.ts";
import { formatAmount, parseAmount } from "../../src/domain/money.ts";
import { TriggerError } from "../../src/index.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

describe("D09 the amount of a conversion is sent digit by digit", () => {
  test.each([
    ["10.000000000000000001", "amount must have at most 15 significant digits as a JSON number"],
    ["10.001", "amount must have at most 2 decimals"],
    ["010.000000000000000001", "amount must be a JSON number"],
    [" 10", "amount must be a JSON number"],
    ["abc", "amount must be a JSON number"],
    ["", "amount must be a JSON number"],
  ])("%j is refused, and nothing changes", async (amount_from, words) => {
    const world = await file.world();
    const before = await world.journal();
    await expect(world.trigger("conversion.confirmed", { set: { amount_from } })).rejects.toThrow(words);
    expect(await world.journal()).toEqual(before);
  });

  test("as it is written it is taken", async () => {
    const world = await file.world();
    for (const amount_from of ["10.10", "1e1", "0.3e2"]) {
      const { body } = await world.trigger("conversion.confirmed", { set: { amount_from } });
      expect(Number(body.data.amount_from)).toBe(Number(amount_from));
    }
    const sent = (await world.requests({ call: "POST /v2/conversions/new" })).map(({ body }) => body);
    expect(sent.map((text) => /"amount":([^,}]+)/.exec(text)?.[1])).toEqual(["10.10", "1e1", "0.3e2"]);
  });
});

describe("what an account pays unless that is set", () => {
  const small = ["BTC", "ETH", "BNB"];

  test.each([
    ...[...small, "BRL", "MXN", "SOL"].map((currency) => ["transfer.confirmed", { currency }] as const),
    ...["BTC", "BNB", "BRL", "MXN", "SOL"].map((currency) => ["cashout.confirmed", { currency }] as const),
    ["cashout.confirmed", { currency: "ETH", network: "ethereum" }] as const,
    ["cashout.failed", { currency: "BTC" }] as const,
    ["cashout.refunded", { currency: "BTC" }] as const,
    ...[...small, "BRL", "USDT", "SOL"].map((from) => ["conversion.confirmed", { currency_from: from }] as const),
    ["conversion.confirmed", { currency_from: "BTC", currency_to: "BRL" }] as const,
    ["conversion.refunded", { currency_from: "ETH" }] as const,
  ])("%s of %j can be paid by a fresh account", async (kind, set) => {
    const world = await file.world();
    expect(await world.trigger(kind, { set: { ...set } })).toMatchObject({ event: kind });
    expect(await world.checkLedger()).toMatchObject({ ok: true });
  });

  test.each(small)("of %s it is a hundredth of what there is", async (currency) => {
    const { accounts } = await (await file.world()).info();
    const balance = accounts[0]?.balances.find((each) => each.currency === currency)?.balance ?? "";
    const scale = balance.split(".")[1]?.length ?? 0;
    const hundredth = formatAmount(parseAmount(balance, scale) / 100n, scale);
    const { amount = "" } = paidAmountOf("transfer", { currency });
    expect(formatAmount(parseAmount(amount, scale), scale)).toBe(hundredth);
  });

  test("what others pay stays as it is, and so does what is set", async () => {
    const world = await file.world();
    const { body } = await world.trigger("cashin.confirmed", { set: { currency: "BTC" } });
    expect(body.data.amount).toBe("100.00000000");
    const sent = await world.trigger("transfer.confirmed", { set: { currency: "BTC", amount: "0.5" } });
    expect(sent.body.data.amount).toBe("0.50000000");
  });
});

describe("a path that is not within the data of an event", () => {
  test.each([
    [
      "chargeback.responded",
      "amount",
      'chargeback.responded tells no "amount": make a cash-in that has it, and trigger',
    ],
    ["chargeback.responded", "reason", "trigger the event on that; there is nothing to set."],
    ["chargeback.won", "external_id", "the event on that; what can be set is currency, amount."],
    [
      "chargeback.won",
      "reason",
      'tells no "reason": give it to the action dispute of a cash-in, and trigger the event on',
    ],
    ["chargeback.opened", "payer.name", "what can be set is currency, amount, reason."],
    ["cashin.refunded", "tx_hash", "what can be set is currency, amount, external_id, chain, amount_refunded, reason."],
    ["cashout.refunded", "receiver.name", '"receiver.name": give it to the action confirm of a cash-out'],
    ["conversion.refunded", "external_id", "make a conversion that has it"],
    ["cashin.confirmed", "toString", 'cashin.confirmed has no "toString" that can be set'],
  ])("%s: %s is refused, and nothing changes", async (kind, path, words) => {
    const world = await file.world();
    const before = await world.journal();
    const refusal = world.trigger(kind, { set: { [path]: "1" } });
    await expect(refusal).rejects.toThrow(words);
    await expect(refusal).rejects.toMatchObject({ name: "TriggerError", isWrongInput: true });
    expect(await world.journal()).toEqual(before);
  });

  test("is there where the currency needs it, and of what was converted", async () => {
    const world = await file.world({ settings: { expired_event: "all" } });
    const set = { currency: "USDT", chain: "tron" };
    expect((await world.trigger("cashin.refunded", { set })).body.data.currency).toBe("USDT");
    expect(await world.trigger("cashin.expired", { set })).toMatchObject({ event: "cashin.expired" });
    const failed = await world.trigger("cashout.failed", { set: { wallet: "ana@example.com", key_type: "EMAIL" } });
    expect(failed.body.data.wallet).toBe("ana@example.com");
    const refunded = await world.trigger("conversion.refunded", { set: { amount_from: "50", currency_to: "USDC" } });
    expect(refunded.body.data).toMatchObject({ amount_returned_to: "50.00", currency_reverted_from: "USDC" });
  });
});

describe("what a program without types gives", () => {
  test.each([
    [{ sets: { amount: "1" } }, 'There is no option of trigger "sets"; did you mean "set"?'],
    [null, "The options of trigger must be an object of on and set, not null."],
    ["id", 'must be an object of on and set, not "id".'],
    [{ set: null }, 'set must be an object such as { amount: "12.50" }, not null.'],
    [{ set: new Map() }, "not a Map."],
    [{ set: { amount: 12.5 } }, "set.amount must be a text, not 12.5."],
    [{ set: { external_id: undefined } }, "set.external_id must be a text, not undefined."],
    [{ on: null }, "on must be a text, not null."],
  ])("%o is refused, and nothing changes", async (options, words) => {
    const world = await file.world();
    const before = await world.journal();
    await expect(world.trigger("cashin.confirmed", options as never)).rejects.toThrow(words);
    expect(await world.journal()).toEqual(before);
  });

  test("an event that was never set is told with those that there are", async () => {
    const refusal = (await file.world()).trigger(undefined as never);
    await expect(refusal).rejects.toThrow(TriggerError);
    await expect(refusal).rejects.toThrow('There is no event "undefined"; known are cashin.confirmed');
  });
});

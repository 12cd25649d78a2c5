/** Cash-outs: what they take, where the money is meanwhile, how they end, and what is told of it. */
import { describe, expect, test } from "vitest";
import banks from "../../fixtures/banks.json" with { type: "json" };
import type { WorldOptions } from "../../src/index.ts";
import { control } from "../support/control.ts";
import { chains } from "../support/rails.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { refusal, type SigningMerchant, setStage } from "../support/signing.ts";
import { dataOf } from "./webhooks-of-tests.ts";

const file = useSandbox();

const CPF = "12345678909";
const CLABE = "032180000118359719";
const EVM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const BITCOIN = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const SOLANA = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const PIX = { currency: "BRL", amount: "150.00", key: CPF };
const SPEI = { currency: "MXN", amount: "2500.00", key: CLABE };
const USDT = { currency: "USDT", amount: "100", key: TRON, network: "tron" };

/** The currencies of the overview: chains, labels, an amount, a destination. */
const rails = [
  ["CUR-01", { currency: "BRL", amount: "10.00", key: CPF }, "PIX", undefined],
  ["CUR-02", { currency: "MXN", amount: "100.00", key: CLABE }, "SPEI", undefined],
  ...[
    ["tron", "TRC20", TRON],
    ["ethereum", "ERC20", EVM],
    ["bsc", "BEP20", EVM],
    ["polygon", "POLYGON", EVM],
    ["arbitrum", "ARBITRUM", EVM],
  ].map(([chain, label, key]) => ["CUR-03", { currency: "USDT", amount: "10", key, chain }, label, chain] as const),
  ...[
    ["ethereum", "ERC20"],
    ["bsc", "BEP20"],
    ["polygon", "POLYGON"],
    ["arbitrum", "ARBITRUM"],
    ["base", "BASE"],
    ["optimism", "OPTIMISM"],
  ].map(([chain, label]) => ["CUR-04", { currency: "USDC", amount: "10", key: EVM, chain }, label, chain] as const),
  ["CUR-05", { currency: "BTC", amount: "0.01", key: BITCOIN, chain: "bitcoin" }, "BITCOIN", "bitcoin"],
  ...[
    ["ethereum", "ERC20"],
    ["arbitrum", "ARBITRUM"],
    ["base", "BASE"],
    ["optimism", "OPTIMISM"],
  ].map(([chain, label]) => ["CUR-06", { currency: "ETH", amount: "0.5", key: EVM, chain }, label, chain] as const),
  ["CUR-07", { currency: "SOL", amount: "3", key: SOLANA, chain: "solana" }, "SOLANA", "solana"],
  ["CUR-08", { currency: "BNB", amount: "1", key: EVM, chain: "bsc" }, "BEP20", "bsc"],
] as const;

/** Asks for a cash-out. @returns its id. */
async function cashoutOf(merchant: SigningMerchant, body: object): Promise<string> {
  const answer = await merchant.cashout(body);
  if (answer.status !== 202) throw new Error(`The cash-out was refused: ${answer.text}`);
  return answer.body.data.transaction_id;
}

describe("the request", () => {
  test("STATE-09 D36 TX-01 TX-07 TX-08 TX-09 TX-10 the answer of a PIX cash-out, exactly and in order", async () => {
    await using stage = await setStage(file);
    const { status, body } = await stage.merchant.cashout({ ...PIX, external_id: "payout-1", transaction_id: "mine" });
    expect(status).toBe(202);
    expect(Object.keys(body)).toEqual(["success", "data", "request_id", "timestamp"]);
    expect(Object.entries(body.data)).toEqual([
      ["transaction_id", expect.stringMatching(/^[0-9a-f]{32}$/)],
      ["external_id", "payout-1"],
      ["type", "cashout"],
      ["currency", "BRL"],
      ["currency_type", "fiat"],
      ["network", "PIX"],
      ["amount", "150.00"],
      ["fee", "1.05"],
      ["amount_net", "148.95"],
      ["status", "pending"],
      ["wallet", CPF],
      ["key_type", "cpf"],
      ["created_at", "2026-01-01T12:00:00.000Z"],
    ]);
  });

  test("D36 TX-15 a crypto cash-out has its chain after network, and null without external_id", async () => {
    await using stage = await setStage(file);
    const { data } = (await stage.merchant.cashout(USDT)).body;
    expect(Object.keys(data)).toEqual([
      "transaction_id",
      "external_id",
      "type",
      "currency",
      "currency_type",
      "network",
      "chain",
      "amount",
      "fee",
      "amount_net",
      "status",
      "wallet",
      "key_type",
      "created_at",
    ]);
    expect(data).toMatchObject({
      external_id: null,
      currency_type: "crypto",
      network: "TRC20",
      chain: "tron",
      amount: "100.000000",
      fee: "1.500000",
      amount_net: "98.500000",
      key_type: "tron",
    });
  });

  test.each([
    ["BRL", "12345678909", "cpf"],
    ["BRL", "11222333000181", "cnpj"],
    ["BRL", "12ABC34501DE35", "cnpj"],
    ["BRL", "maria@example.com", "email"],
    ["BRL", "+5511987654321", "phone"],
    ["BRL", "123e4567-e12b-12d1-a456-426655440000", "evp"],
    ["MXN", CLABE, "clabe"],
    ["USDT", EVM, "polygon"],
    ["SOL", SOLANA, "solana"],
  ])("D36 TX-20 in %s the key %s is a %s", async (currency, key, keyType) => {
    await using stage = await setStage(file);
    const body = { currency, amount: "10", key, ...(currency === "USDT" ? { chain: "polygon" } : {}) };
    const inferred = (await stage.merchant.cashout(body)).body.data;
    expect([inferred.wallet, inferred.key_type]).toEqual([key, keyType]);
    expect((await stage.merchant.cashout({ ...body, key_type: keyType })).body.data.key_type).toBe(keyType);
    expect((await stage.merchant.cashout({ ...body, key_type: keyType.toUpperCase() })).status).toBe(202);
    const other = keyType === "cpf" ? "email" : "cpf";
    expect(refusal(await stage.merchant.cashout({ ...body, key_type: other }))).toEqual([400, "INVALID_REQUEST"]);
  });

  test.each([
    ["BRL", "???"],
    ["BRL", "12345678900"],
    ["BRL", "11222333000180"],
    ["BRL", "12ABC34501DE36"],
    ["BRL", "11987654321"],
    ["BRL", "123.456.789-09"],
    ["MXN", "03218000011835971"],
    ["MXN", "032180000118359718"],
    ["MXN", CPF],
  ])("D36 in %s the key %s fits no format: INVALID_REQUEST, and nothing moves", async (currency, key) => {
    await using stage = await setStage(file);
    const before = await stage.merchant.money(currency);
    const answer = await stage.merchant.cashout({ currency, amount: "10", key });
    expect(refusal(answer)).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.body.error.message).toContain("key");
    expect(await stage.merchant.money(currency)).toEqual(before);
  });

  test("D20 D36 the refusal of a key that fits no format says which formats there are", async () => {
    await using stage = await setStage(file);
    const answer = await stage.merchant.cashout({ ...PIX, key: "11987654321" });
    expect(answer.body.error.message).toBe(
      "key must be a PIX key: a CPF or CNPJ with its check digits and no punctuation, an e-mail in lower case, " +
        "a mobile number such as +5511987654321, or an EVP in lower case.",
    );
  });

  test.each(["currency", "amount", "key"])(
    "COUT-02 D20 without %s it is refused, and the field is named",
    async (field) => {
      await using stage = await setStage(file);
      const answer = await stage.merchant.cashout({ ...PIX, [field]: undefined });
      expect(refusal(answer)).toEqual([400, "INVALID_REQUEST"]);
      expect(answer.body.error.message).toContain(field);
      expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
    },
  );

  test("COUT-02 all five inputs are echoed", async () => {
    await using stage = await setStage(file);
    const body = { currency: "USDT", amount: 25.5, key: TRON, network: "TRC20", external_id: "payout-5" };
    expect((await stage.merchant.cashout(body)).body.data).toMatchObject({
      currency: "USDT",
      amount: "25.500000",
      wallet: TRON,
      network: "TRC20",
      external_id: "payout-5",
    });
  });

  test.each(["0", 0, "-1", -1, "10.001", 10.001, "1e2", "ten", "", true, null, "100,00"])(
    "D01 the amount %j is INVALID_REQUEST",
    async (amount) => {
      await using stage = await setStage(file);
      expect(refusal(await stage.merchant.cashout({ ...PIX, amount }))).toEqual([400, "INVALID_REQUEST"]);
    },
  );

  test("D01 D09 a number of more than 15 digits is refused, never rounded; a string and a number are alike", async () => {
    await using stage = await setStage(file);
    const raw = (amount: string) => `{"currency":"BRL","key":"${CPF}","amount":${amount}}`;
    expect(refusal(await stage.merchant.cashout(raw("100.00000000000000001")))).toEqual([400, "INVALID_REQUEST"]);
    const answers = [await stage.merchant.cashout(raw("100.50")), await stage.merchant.cashout(raw('"100.5"'))];
    expect(answers.map(({ body }) => body.data.amount)).toEqual(["100.50", "100.50"]);
  });

  test("TX-06 D25 an unknown currency is INVALID_CURRENCY", async () => {
    await using stage = await setStage(file);
    for (const currency of ["XYZ", "POL", "brl"]) {
      expect(refusal(await stage.merchant.cashout({ ...PIX, currency }))).toEqual([422, "INVALID_CURRENCY"]);
    }
  });

  test.each<[object, string]>([
    [{ network: "tron" }, "tron"],
    [{ network: "TRC20" }, "tron"],
    [{ network: "trc20" }, "tron"],
    [{ chain: "tron" }, "tron"],
    [{ chain: "TRON", network: "Trc20" }, "tron"],
    [{ chain: null, network: "BEP20" }, "bsc"],
  ])("D05 USDT with %j goes over %s", async (named, chain) => {
    await using stage = await setStage(file);
    const body = { currency: "USDT", amount: "10", key: TRON, ...named };
    expect((await stage.merchant.cashout(body)).body.data.chain).toBe(chain);
  });

  test("D05 a missing chain is the only one, or UNSUPPORTED_CHAIN; contradicting ones are INVALID_REQUEST", async () => {
    await using stage = await setStage(file);
    const { merchant } = stage;
    const bitcoin = await merchant.cashout({ currency: "BTC", amount: "0.01", key: BITCOIN });
    expect(bitcoin.body.data.chain).toBe("bitcoin");
    const missing = await merchant.cashout({ currency: "USDT", amount: "10", key: TRON });
    expect(refusal(missing)).toEqual([422, "UNSUPPORTED_CHAIN"]);
    const label = await merchant.cashout({ currency: "USDT", amount: "10", key: TRON, chain: "TRC20" });
    expect(refusal(label)).toEqual([422, "UNSUPPORTED_CHAIN"]);
    const contradicting = await merchant.cashout({ ...USDT, chain: "tron", network: "ERC20" });
    expect(refusal(contradicting)).toEqual([400, "INVALID_REQUEST"]);
  });

  test("CUR-03 to CUR-08 D02 each crypto currency goes over its chains and no other", async () => {
    await using stage = await setStage(file);
    const offered = rails.map(([, { currency }, , chain]) => `${currency} ${chain}`);
    for (const currency of ["USDT", "USDC", "BTC", "ETH", "SOL", "BNB"]) {
      for (const chain of chains) {
        const answer = await stage.merchant.cashout({ currency, amount: "1", key: EVM, chain });
        const why = `${currency} on ${chain}: ${answer.text}`;
        if (offered.includes(`${currency} ${chain}`)) expect(answer.status, why).toBe(202);
        else expect(refusal(answer), why).toEqual([422, "UNSUPPORTED_CHAIN"]);
      }
    }
  });

  test("D02 with currencies: extended POL and USDT on base go out too", async () => {
    await using stage = await setStage(file, { settings: { currencies: "extended" } });
    await stage.world.call("POST", "/accounts/acme/fund", { currency: "POL", amount: "100" });
    const pol = await stage.merchant.cashout({ currency: "POL", amount: "10", key: EVM });
    expect([pol.status, pol.body.data.chain, pol.body.data.network]).toEqual([202, "polygon", "POLYGON"]);
    const usdt = await stage.merchant.cashout({ ...USDT, key: EVM, network: "base" });
    expect([usdt.status, usdt.body.data.network]).toEqual([202, "BASE"]);
  });

  test("TX-22 TX-23 its own postback_url overrides the default one; one that may not be is INVALID_REQUEST", async () => {
    await using other = await startReceiver();
    await using stage = await setStage(file);
    const id = await cashoutOf(stage.merchant, { ...PIX, postback_url: other.url });
    await stage.world.act(id, "confirm");
    expect([stage.receiver.received.length, other.received.length]).toEqual([0, 1]);
    const refused = await stage.merchant.cashout({ ...PIX, postback_url: "http://example.com/hook" });
    expect(refusal(refused)).toEqual([400, "INVALID_REQUEST"]);
  });
});

describe("the money", () => {
  test("D37 BAL-03 it moves to balance_locked at 202 and leaves on confirmation", async () => {
    await using stage = await setStage(file);
    const id = await cashoutOf(stage.merchant, PIX);
    expect(await stage.merchant.money("BRL")).toEqual(["9850.00", "150.00"]);
    await stage.world.act(id, "confirm");
    expect(await stage.merchant.money("BRL")).toEqual(["9850.00", "0.00"]);
    expect((await stage.world.checkLedger()).ok).toBe(true);
  });

  test("D37 STATE-13 EVT-05 BAL-03 it returns on failure", async () => {
    await using stage = await setStage(file);
    const id = await cashoutOf(stage.merchant, PIX);
    await stage.world.act(id, "fail", { error_code: "UNKNOWN" });
    expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
    expect((await stage.merchant.item(id)).status).toBe("failed");
  });

  test("BAL-02 the whole balance can go, one minor unit more cannot, however much is locked", async () => {
    await using stage = await setStage(file);
    await cashoutOf(stage.merchant, { ...PIX, amount: "4000.00" });
    const tooMuch = await stage.merchant.cashout({ ...PIX, amount: "6000.01" });
    expect(tooMuch.status).toBe(422);
    expect(tooMuch.body.error).toMatchObject({
      code: "INSUFFICIENT_BALANCE",
      message: "The balance of BRL is not sufficient: 6000.00 is available, 6000.01 is needed.",
      group: "BUSINESS",
      retryable: false,
    });
    await cashoutOf(stage.merchant, { ...PIX, amount: "6000.00" });
    expect(await stage.merchant.money("BRL")).toEqual(["0.00", "10000.00"]);
  });

  test.each([
    ["deducted", "150.00", ["9850.00", "150.00"]],
    ["added", "151.05", ["9848.95", "151.05"]],
  ] as const)(
    "D08 with cashout_fee: %s BRL %s is debited, and is what comes back",
    async (cashout_fee, debit, pending) => {
      await using stage = await setStage(file, { settings: { cashout_fee } });
      const { merchant, world } = stage;
      const { data } = (await merchant.cashout(PIX)).body;
      expect([data.amount, data.fee, data.amount_net]).toEqual(["150.00", "1.05", "148.95"]);
      expect(await merchant.money("BRL")).toEqual(pending);
      await world.act(data.transaction_id, "fail", { error_code: "PIX_KEY_NOT_FOUND" });
      expect(await dataOf(stage, "cashout.failed")).toMatchObject({ amount: "150.00", refunded_amount: debit });
      expect(await merchant.money("BRL")).toEqual(["10000.00", "0.00"]);

      const second = await cashoutOf(merchant, PIX);
      await world.act(second, "confirm");
      expect(await merchant.money("BRL")).toEqual([pending[0], "0.00"]);
      await world.act(second, "refund");
      expect(await dataOf(stage, "cashout.refunded")).toMatchObject({ amount: "150.00", amount_refunded: debit });
      expect(await merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
      expect((await world.checkLedger()).ok).toBe(true);
    },
  );

  test("D08 with the fee added the balance must cover both", async () => {
    await using stage = await setStage(file, { settings: { cashout_fee: "added" } });
    const all = await stage.merchant.cashout({ ...PIX, amount: "10000.00" });
    expect(refusal(all)).toEqual([422, "INSUFFICIENT_BALANCE"]);
    // 9949.95 + 50.05 are the whole balance.
    expect((await stage.merchant.cashout({ ...PIX, amount: "9949.95" })).status).toBe(202);
    expect(await stage.merchant.money("BRL")).toEqual(["0.00", "10000.00"]);
  });

  test("TX-09 TX-10 D03 fees are those of GET fees, half-up; fee and amount_net make the amount", async () => {
    await using stage = await setStage(file);
    const { data } = (await stage.merchant.call("GET", "/v2/account/fees")).body;
    const row = data.fees.find((fee: Record<string, string>) => fee.currency === "BRL" && fee.operation === "cashout");
    expect(row).toMatchObject({ percentage: "0.50", fixed: "0.30", minimum: "0.30" });
    const figures = [];
    for (const amount of ["1.00", "3.00", "33.33", "99.99"]) {
      const { fee, amount_net } = (await stage.merchant.cashout({ ...PIX, amount })).body.data;
      figures.push([fee, amount_net]);
    }
    // 0.5 % of 1.00 and 3.00 falls on half a cent.
    expect(figures).toEqual([
      ["0.31", "0.69"],
      ["0.32", "2.68"],
      ["0.47", "32.86"],
      ["0.80", "99.19"],
    ]);
  });

  test("D49 a failed cash-out gives its limits back, in the windows of the day it was made on", async () => {
    await using stage = await setStage(file, { clock: { start: "2026-01-31T23:59:00Z" } });
    const { merchant, world } = stage;
    const used = async () => {
      const { daily_used, monthly_used } = await merchant.limit("BRL", "cashout");
      return [daily_used, monthly_used];
    };
    const first = await cashoutOf(merchant, PIX);
    await cashoutOf(merchant, { ...PIX, amount: "50.00" });
    expect(await used()).toEqual(["200.00", "200.00"]);
    await world.act(first, "fail", { error_code: "UNKNOWN" });
    expect(await used()).toEqual(["50.00", "50.00"]);
    const late = await cashoutOf(merchant, PIX);
    await world.advance("2m");
    await cashoutOf(merchant, { ...PIX, amount: "7.00" });
    await world.act(late, "fail", { error_code: "UNKNOWN" });
    expect(await used()).toEqual(["7.00", "7.00"]);
  });
});

describe("cashout.confirmed", () => {
  test("EVT-24 TX-19 TX-20 COUT-03 the fields of a PIX cash-out, exactly and in order", async () => {
    await using stage = await setStage(file);
    const id = await cashoutOf(stage.merchant, { ...PIX, external_id: "payout-1" });
    const receiver = { name: "Maria Silva", document: "52998224725", bank: "Banco do Povo" };
    await stage.world.advance("17m");
    await stage.world.act(id, "confirm", { receiver });
    const [webhook] = await stage.events("cashout.confirmed");
    expect(webhook?.body).toMatchObject({ event: "cashout.confirmed", transaction_id: id });
    expect(Object.entries(webhook?.body.data)).toEqual([
      ["transaction_id", id],
      ["external_id", "payout-1"],
      ["type", "cashout"],
      ["currency", "BRL"],
      ["currency_type", "fiat"],
      ["network", "PIX"],
      ["amount", "150.00"],
      ["fee", "1.05"],
      ["status", "confirmed"],
      ["wallet", CPF],
      ["key_type", "cpf"],
      ["hash", expect.stringMatching(/^E[0-9A-Z]{8}202601011217[0-9A-Za-z]{11}$/)],
      ["receiver", receiver],
      ["confirmed_at", "2026-01-01T12:17:00.000Z"],
    ]);
    expect(Object.keys(webhook?.body.data.receiver)).toEqual(["name", "document", "bank"]);
  });

  test("D67 COUT-04 SPEI has the clave de rastreo in hash and a receiver, made up unless given", async () => {
    await using stage = await setStage(file);
    await stage.world.act(await cashoutOf(stage.merchant, SPEI), "confirm");
    const data = await dataOf(stage, "cashout.confirmed");
    expect(data).toMatchObject({ network: "SPEI", wallet: CLABE, key_type: "clabe" });
    expect(data.hash).toMatch(/^[0-9A-Z]{1,30}$/);
    const text = expect.stringMatching(/\S/);
    expect(data.receiver).toEqual({ name: text, document: text, bank: banks.spei.name });
  });

  test.each([
    ["52998224725", /^(?!.* Ltda$)\S+ \S/],
    ["11222333000181", /\S Ltda$/],
  ])("D67 TX-19 who is paid by the tax id %s is its owner: a person, or a company", async (key, name) => {
    await using stage = await setStage(file);
    await stage.world.act(await cashoutOf(stage.merchant, { ...PIX, key }), "confirm");
    const { receiver } = await dataOf(stage, "cashout.confirmed");
    expect(receiver).toMatchObject({ document: key, name: expect.stringMatching(name) });
  });

  test("D67 TX-19 of a PIX what is not given of the receiver is made up too, its bank is one of PIX", async () => {
    await using stage = await setStage(file);
    const id = await cashoutOf(stage.merchant, PIX);
    await stage.world.act(id, "confirm", { receiver: { name: "Maria Silva" } });
    const { receiver } = await dataOf(stage, "cashout.confirmed");
    expect(receiver).toEqual({
      name: "Maria Silva",
      document: expect.stringMatching(/^\d{11}$/),
      bank: banks.pix.name,
    });
  });

  test.each([
    [{ currency: "USDT", amount: "10", key: TRON, chain: "tron" }, /^[0-9a-f]{64}$/],
    [{ currency: "ETH", amount: "1", key: EVM, chain: "base" }, /^0x[0-9a-f]{64}$/],
    [{ currency: "BTC", amount: "0.1", key: BITCOIN }, /^[0-9a-f]{64}$/],
    [{ currency: "SOL", amount: "1", key: SOLANA }, /^[1-9A-HJ-NP-Za-km-z]{80,90}$/],
  ])("D67 COUT-05 %j has the transaction hash in hash and no receiver", async (body, hash) => {
    await using stage = await setStage(file);
    await stage.world.act(await cashoutOf(stage.merchant, body), "confirm");
    const data = await dataOf(stage, "cashout.confirmed");
    expect(Object.keys(data)).toEqual([
      "transaction_id",
      "external_id",
      "type",
      "currency",
      "currency_type",
      "network",
      "amount",
      "fee",
      "status",
      "wallet",
      "key_type",
      "hash",
      "confirmed_at",
    ]);
    expect(data).toMatchObject({ external_id: null, currency_type: "crypto", wallet: body.key });
    expect(data.hash).toMatch(hash);
  });

  test.each(rails)("%s CUR-09 CUR-10 D04 D06 %j settles over %s (chain %s)", async (_clause, body, network, chain) => {
    await using stage = await setStage(file, { scenarios: ["happy-path"] });
    const { data } = (await stage.merchant.cashout(body)).body;
    expect([data.network, data.chain]).toEqual([network, chain]);
    await stage.world.advance("idle");
    expect(await dataOf(stage, "cashout.confirmed")).toMatchObject({ network, wallet: body.key });
  });

  test.each([
    ["STATE-10", PIX, "2s"],
    ["STATE-12", SPEI, "30s"],
    ["STATE-11", USDT, "10s"],
  ])("%s happy-path: %j settles after %s, and not before", async (_clause, body, after) => {
    await using stage = await setStage(file, { scenarios: ["happy-path"] });
    const id = await cashoutOf(stage.merchant, body);
    await stage.world.advance(`${Number.parseInt(after, 10) * 1000 - 1}ms`);
    expect([(await stage.merchant.item(id)).status, stage.receiver.received.length]).toEqual(["pending", 0]);
    await stage.world.advance("1ms");
    const instant = `2026-01-01T12:00:${after.slice(0, -1).padStart(2, "0")}.000Z`;
    expect(await dataOf(stage, "cashout.confirmed")).toMatchObject({ confirmed_at: instant });
    expect(await stage.merchant.item(id)).toMatchObject({ status: "confirmed", confirmed_at: instant });
  });

  test("TX-02 TX-05 TX-16 TX-17 the list: pending without hash, then with the event's", async () => {
    await using stage = await setStage(file);
    const ids = [await cashoutOf(stage.merchant, PIX), await cashoutOf(stage.merchant, USDT)];
    const items = async () => Promise.all(ids.map((id) => stage.merchant.item(id)));
    const [pix, usdt] = await items();
    expect(pix).toMatchObject({ type: "cashout", status: "pending", e2e_id: null, hash: null, confirmed_at: null });
    expect(usdt).toMatchObject({ type: "cashout", status: "pending", tx_hash: null, chain: "tron" });
    for (const id of ids) await stage.world.act(id, "confirm");
    const events = (await stage.events("cashout.confirmed")).map(({ body }) => body.data);
    expect(events.map(({ transaction_id }) => transaction_id)).toEqual(ids);
    const [paid, broadcast] = await items();
    expect(paid).toMatchObject({ status: "confirmed", e2e_id: events[0].hash, hash: events[0].hash });
    expect(broadcast).toMatchObject({ status: "confirmed", tx_hash: events[1].hash });
  });

  test("EVT-04 on its arrival neither balance nor balance_locked holds the amount", async () => {
    await using stage = await setStage(file);
    const seen: unknown[] = [];
    stage.receiver.answerWith(async (_request, response) => {
      seen.push(await stage.merchant.money("BRL"));
      response.writeHead(200).end();
    });
    await stage.world.act(await cashoutOf(stage.merchant, PIX), "confirm");
    expect(seen).toEqual([["9850.00", "0.00"]]);
  });

  test("COUT-06 every cash-out ends in exactly one of confirmed and failed", async () => {
    await using stage = await setStage(file, { scenarios: ["happy-path"] });
    const ids: string[] = [];
    for (const body of [PIX, SPEI, USDT, { ...USDT, key: "nowhere" }, PIX, { ...USDT, key: EVM }]) {
      ids.push(await cashoutOf(stage.merchant, body));
    }
    await stage.world.advance("idle");
    const outcomes = stage.receiver.received.map(({ body }) => [body.transaction_id, body.event]);
    expect(outcomes.map(([id]) => id).sort()).toEqual([...ids].sort());
    const failed = outcomes.filter(([, event]) => event === "cashout.failed").map(([id]) => id);
    expect(failed).toEqual([ids[3], ids[5]]);
    expect((await stage.world.checkLedger()).ok).toBe(true);
  });
});

describe("cashout.failed", () => {
  test("EVT-25 the fields, exactly and in order", async () => {
    await using stage = await setStage(file);
    const id = await cashoutOf(stage.merchant, { ...PIX, external_id: "payout-1" });
    await stage.world.act(id, "fail", { error_code: "PIX_KEY_NOT_FOUND", error_message: "No such key." });
    const [webhook] = await stage.events("cashout.failed");
    expect(webhook?.body).toMatchObject({ event: "cashout.failed", transaction_id: id });
    expect(Object.entries(webhook?.body.data)).toEqual([
      ["transaction_id", id],
      ["external_id", "payout-1"],
      ["type", "cashout"],
      ["currency", "BRL"],
      ["network", "PIX"],
      ["amount", "150.00"],
      ["status", "failed"],
      ["wallet", CPF],
      ["error_code", "PIX_KEY_NOT_FOUND"],
      ["error_message", "No such key."],
      ["refunded_amount", "150.00"],
      ["failed_at", "2026-01-01T12:00:00.000Z"],
    ]);
  });

  test.each([
    ["FAIL-01", "TRON_ENERGY_FAIL", USDT],
    ["FAIL-02", "INSUFFICIENT_BALANCE", USDT],
    ["FAIL-03", "NO_HOT_WALLET", USDT],
    ["FAIL-04", "INVALID_ADDRESS", USDT],
    ["FAIL-05", "BLACKLISTED", USDT],
    ["FAIL-06", "BLOCKCHAIN_REVERT", USDT],
    ["FAIL-07", "BROADCAST_FAIL", USDT],
    ["FAIL-08", "PIX_KEY_NOT_FOUND", PIX],
    ["FAIL-09", "PROVIDER_TIMEOUT", PIX],
    ["FAIL-09", "PROVIDER_TIMEOUT", SPEI],
    ["FAIL-10", "UNKNOWN", PIX],
  ])(
    "%s EVT-05 %s comes with a message, the balance being back on its arrival: %j",
    async (_clause, error_code, body) => {
      await using stage = await setStage(file);
      const { merchant, receiver, world } = stage;
      const before = await merchant.money(body.currency);
      const seen: unknown[] = [];
      receiver.answerWith(async (_request, response) => {
        seen.push(await merchant.money(body.currency));
        response.writeHead(200).end();
      });
      const id = await cashoutOf(merchant, body);
      await world.act(id, "fail", { error_code });
      const data = await dataOf(stage, "cashout.failed");
      expect(data).toMatchObject({ transaction_id: id, error_code, status: "failed" });
      expect(data.error_message).toMatch(/\S/);
      expect(seen).toEqual([before]);
    },
  );

  test("FAIL-10 an error code of none of the ten is refused, and leaves the cash-out pending", async () => {
    await using stage = await setStage(file);
    const id = await cashoutOf(stage.merchant, PIX);
    const refused = await control(stage.world, "POST", `/transactions/${id}/fail`, { error_code: "NO_IDEA" });
    expect([refused.status, refused.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect((await stage.merchant.item(id)).status).toBe("pending");
  });

  test.each([
    ["USDT", "tron", EVM],
    ["USDT", "tron", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"],
    ["USDT", "ethereum", "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["USDT", "bsc", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe"],
    ["USDT", "polygon", TRON],
    ["USDT", "arbitrum", "nowhere"],
    ["USDC", "base", "maria@example.com"],
    ["USDC", "optimism", BITCOIN],
    ["BTC", "bitcoin", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
    ["BTC", "bitcoin", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
    ["SOL", "solana", EVM],
  ])("FAIL-04 D36 in %s on %s the gateway refuses %s a second after the 202", async (currency, chain, key) => {
    await using stage = await setStage(file, { scenarios: ["happy-path"] });
    const { merchant, world } = stage;
    const before = await merchant.money(currency);
    const answer = await merchant.cashout({ currency, amount: "1", key, chain });
    expect([answer.status, answer.body.data.status]).toEqual([202, "pending"]);
    await world.advance("999ms");
    expect(stage.receiver.received).toEqual([]);
    await world.advance("1ms");
    expect(await dataOf(stage, "cashout.failed")).toMatchObject({
      error_code: "INVALID_ADDRESS",
      wallet: key,
      failed_at: "2026-01-01T12:00:01.000Z",
    });
    expect(await merchant.money(currency)).toEqual(before);
    await world.advance("idle");
    expect(stage.receiver.received).toHaveLength(1);
  });

  test.each([
    ["confirm", {}],
    ["fail", { error_code: "UNKNOWN" }],
  ])("D36 after %s the gateway has nothing to look at any more", async (action, input) => {
    await using stage = await setStage(file);
    const body = { currency: "USDT", amount: "10", key: SOLANA, chain: "tron" };
    const id = await cashoutOf(stage.merchant, body);
    expect(await stage.world.timers()).toMatchObject([{ kind: "cashout.gateway", subject: id }]);
    await stage.world.act(id, action, input);
    await stage.world.settle();
    expect(await stage.world.timers()).toEqual([]);
  });

  test.each([
    ["ethereum", EVM],
    ["ethereum", EVM.toLowerCase()],
    ["ethereum", `0x${EVM.slice(2).toUpperCase()}`],
    ["tron", TRON],
  ])("D36 on %s the gateway lets %s pass", async (chain, key) => {
    await using stage = await setStage(file);
    const id = await cashoutOf(stage.merchant, { currency: "USDT", amount: "10", key, chain });
    await stage.world.advance("50m");
    expect((await stage.merchant.item(id)).status).toBe("pending");
  });

  test("D36 at the instant at which the gateway looks a scenario's step comes first, however late it was put there", async () => {
    const then = [
      { after: "400ms", note: "on its way" },
      { after: "600ms", fail: { error_code: "BLACKLISTED" } },
    ];
    const scenarios = [{ scenario: "in-time", rules: [{ on: "cashout.created", then }] }];
    await using stage = await setStage(file, { scenarios });
    await cashoutOf(stage.merchant, { ...USDT, key: "nowhere" });
    await stage.world.advance("idle");
    expect(await dataOf(stage, "cashout.failed")).toMatchObject({
      error_code: "BLACKLISTED",
      failed_at: "2026-01-01T12:00:01.000Z",
    });
  });

  test("D36 what was decided before the gateway looked stays decided", async () => {
    await using stage = await setStage(file);
    const confirmed = await cashoutOf(stage.merchant, { ...USDT, key: "nowhere" });
    const failed = await cashoutOf(stage.merchant, { ...USDT, key: "nowhere" });
    await stage.world.act(confirmed, "confirm");
    await stage.world.act(failed, "fail", { error_code: "BLACKLISTED" });
    await stage.world.advance("1m");
    expect(stage.receiver.received.map(({ body }) => body.event)).toEqual(["cashout.confirmed", "cashout.failed"]);
  });
});

describe("cashout.refunded", () => {
  const confirmed = async (options: WorldOptions = {}) => {
    const stage = await setStage(file, options);
    const id = await cashoutOf(stage.merchant, { ...PIX, external_id: "payout-1" });
    await stage.world.act(id, "confirm");
    return { stage, id };
  };

  test("EVT-26 EVT-41 EVT-06 STATE-14 a full one: its fields, exactly and in order, and the balance", async () => {
    const { stage, id } = await confirmed();
    await using _stage = stage;
    await stage.world.advance("50m");
    await stage.world.act(id, "refund");
    const [webhook] = await stage.events("cashout.refunded");
    const { data } = webhook?.body ?? {};
    expect(Object.entries(data)).toEqual([
      ["transaction_id", expect.stringMatching(/^[0-9a-f]{32}$/)],
      ["original_transaction_id", id],
      ["external_id", "payout-1"],
      ["currency", "BRL"],
      ["network", "PIX"],
      ["amount", "150.00"],
      ["amount_refunded", "150.00"],
      ["status", "refunded"],
      ["reason", "PROVIDER_REVERSAL"],
      ["refunded_at", "2026-01-01T12:50:00.000Z"],
    ]);
    expect(data.transaction_id).not.toBe(id);
    expect(webhook?.body.transaction_id).toBe(data.transaction_id);
    expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
    expect((await stage.merchant.item(id)).status).toBe("refunded");
  });

  test("D54a EVT-06 partial ones until all that was debited is back, each with an id of its own", async () => {
    const { stage, id } = await confirmed();
    await using _stage = stage;
    await stage.world.act(id, "refund", { amount: "100.00", reason: "WRONG_ACCOUNT" });
    expect((await stage.merchant.item(id)).status).toBe("refunded");
    expect(await stage.merchant.money("BRL")).toEqual(["9950.00", "0.00"]);
    const tooMuch = await control(stage.world, "POST", `/transactions/${id}/refund`, { amount: "50.01" });
    expect([tooMuch.status, tooMuch.body.error.code]).toEqual([422, "INVALID_REQUEST"]);
    await stage.world.act(id, "refund");
    const nothingLeft = await control(stage.world, "POST", `/transactions/${id}/refund`, {});
    expect([nothingLeft.status, nothingLeft.body.error]).toEqual([
      422,
      { code: "INVALID_REQUEST", message: "Nothing is left to be refunded: all 150.00 BRL went back.", details: {} },
    ]);

    const data = (await stage.events("cashout.refunded")).map(({ body }) => body.data);
    expect(data.map((one) => [one.original_transaction_id, one.amount_refunded, one.reason])).toEqual([
      [id, "100.00", "WRONG_ACCOUNT"],
      [id, "50.00", "PROVIDER_REVERSAL"],
    ]);
    expect(new Set([id, ...data.map((one) => one.transaction_id)]).size).toBe(3);
    expect(await stage.merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
    expect((await stage.world.checkLedger()).ok).toBe(true);
  });
});

test.each([
  ["pending", [], ["confirm", "fail"]],
  ["confirmed", ["confirm"], ["refund"]],
  ["failed", ["fail"], []],
  ["refunded", ["confirm", "refund"], ["refund"]],
] as const)(
  "STATE-10 STATE-13 STATE-14 TX-12 a %s cash-out allows, after %j, %j and nothing else",
  async (status, path, allowed) => {
    await using stage = await setStage(file);
    const inputs = { confirm: {}, fail: { error_code: "UNKNOWN" }, refund: { amount: "1.00" } };
    const id = await cashoutOf(stage.merchant, PIX);
    for (const action of path) await stage.world.act(id, action, inputs[action]);
    expect((await stage.merchant.item(id)).status).toBe(status);
    const before = await stage.merchant.money("BRL");
    for (const action of ["confirm", "fail", "refund"] as const) {
      if ((allowed as readonly string[]).includes(action)) continue;
      const refused = await control(stage.world, "POST", `/transactions/${id}/${action}`, inputs[action]);
      expect([refused.status, refused.body.error.code]).toEqual([409, "INVALID_TRANSITION"]);
      expect(refused.body.error.details).toMatchObject({ allowed });
    }
    expect(await stage.merchant.money("BRL")).toEqual(before);
  },
);

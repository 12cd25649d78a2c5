/** Fixed wallets: what is offered, what is answered, what is refused. Deposits into them: deposits.test.ts. */
import { clabe as judge } from "clabe-validator";
import { describe, expect, test } from "vitest";
import { expectRefusal, expectSuccess, INSTANT, stateOf } from "../support/answers.ts";
import { Merchant } from "../support/merchant.ts";
import { addressForm, chains, cryptoCurrencies, cryptoRails } from "../support/rails.ts";
import { useSandbox } from "../support/sandbox.ts";
import { type Credential, SigningMerchant, setStage } from "../support/signing.ts";
import { deposit, provision, walletOf } from "../support/wallets.ts";
import { fieldsOf } from "./pix-text.ts";

const file = useSandbox();
const NOW = "2026-01-01T12:00:00.000Z";
const EVP = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("a wallet for crypto", () => {
  test.each(cryptoRails)(
    "WAL-02 WAL-13 WAL-14 WAL-18 WAL-20 WAL-21 WAL-22 WAL-23 D02 D06 $currency on $chain needs $confirmations confirmations",
    async ({ currency, chain, confirmations }) => {
      const merchant = await Merchant.of(await file.world());
      const data = expectSuccess(await provision(merchant, { currency, chain }));
      expect(Object.keys(data)).toEqual([
        "wallet_id",
        "address",
        "currency",
        "chain",
        "min_confirmations",
        "created_at",
      ]);
      expect(data).toEqual({
        wallet_id: expect.any(Number),
        address: expect.stringMatching(addressForm(chain)),
        currency,
        chain,
        min_confirmations: confirmations,
        created_at: NOW,
      });
      expect(Number.isInteger(data.wallet_id)).toBe(true);
    },
  );

  test("WAL-19 USDC on its six chains takes its confirmations out of the five listed values, all of which occur", async () => {
    const merchant = await Merchant.of(await file.world());
    const own = cryptoRails.filter((rail) => rail.currency === "USDC");
    const wallets = await Promise.all(own.map(({ currency, chain }) => walletOf(merchant, { currency, chain })));
    const values = new Set(wallets.map((wallet) => wallet.min_confirmations));
    expect([...values].sort((a, b) => a - b)).toEqual([12, 15, 20, 32, 100]);
  });

  test("WAL-01 WAL-02 wallets of one currency and chain have ids and addresses of their own", async () => {
    const merchant = await Merchant.of(await file.world());
    const wallets = await Promise.all([1, 2, 3].map(() => walletOf(merchant, { currency: "USDT", chain: "tron" })));
    expect(new Set(wallets.map((wallet) => wallet.wallet_id)).size).toBe(3);
    expect(new Set(wallets.map((wallet) => wallet.address)).size).toBe(3);
  });

  test.each(cryptoCurrencies)("WAL-11 %s without chain is refused and creates nothing", async (currency) => {
    await using stage = await setStage(file);
    const before = await stateOf(stage.world);
    expectRefusal(await provision(stage.merchant, { currency }), 400, "INVALID_REQUEST", "chain");
    expectRefusal(await provision(stage.merchant, { currency, chain: null }), 400, "INVALID_REQUEST", "chain");
    expectRefusal(await provision(stage.merchant, { currency, chain: "" }), 400, "INVALID_REQUEST", "chain");
    expect(await stateOf(stage.world)).toEqual(before);
    expect(await stage.world.all("/wallets")).toEqual([]);
  });

  test.each(cryptoCurrencies)("WAL-13 ERR-06 %s is refused on every chain that it does not have", async (currency) => {
    await using stage = await setStage(file);
    const own: string[] = cryptoRails.filter((rail) => rail.currency === currency).map((rail) => rail.chain);
    for (const chain of [...chains.filter((name) => !own.includes(name)), "dogechain"]) {
      expectRefusal(await provision(stage.merchant, { currency, chain }), 422, "UNSUPPORTED_CHAIN", currency, chain);
    }
    expect(await stage.events("wallet.created")).toEqual([]);
  });

  test("WAL-13 a label, and a name in capitals, is no chain here; the refusal names the one that is meant", async () => {
    const merchant = await Merchant.of(await file.world());
    for (const chain of ["TRC20", "Tron", "TRON"]) {
      const refused = await provision(merchant, { currency: "USDT", chain });
      expectRefusal(refused, 422, "UNSUPPORTED_CHAIN");
      expect(refused.body.error.message).toBe(`USDT has no chain ${chain}; it is tron here.`);
    }
  });
});

describe("a wallet for BRL and MXN", () => {
  test("WAL-07 D31 D42 BRL answers an EVP as static PIX key and its QR without amount", async () => {
    const merchant = await Merchant.of(await file.world());
    const data = expectSuccess(await provision(merchant, { currency: "BRL" }));
    expect(Object.keys(data)).toEqual([
      "wallet_id",
      "address",
      "currency",
      "network",
      "min_confirmations",
      "created_at",
      "key_type",
      "qr_code",
    ]);
    expect(data).toMatchObject({
      currency: "BRL",
      network: "PIX",
      min_confirmations: 0,
      created_at: NOW,
      key_type: "evp",
    });
    expect(data.address).toMatch(EVP);
    const fields = Object.fromEntries(fieldsOf(data.qr_code));
    expect(data.qr_code).toMatch(/^00020126/);
    const account = Object.fromEntries(fieldsOf(fields["26"] ?? ""));
    expect(account).toMatchObject({ "00": "br.gov.bcb.pix", "01": data.address });
    expect(fields).toMatchObject({ "53": "986", "58": "BR", "62": "0503***" });
    expect(fields).not.toHaveProperty("54");
    expect(fields).not.toHaveProperty("01");
  });

  test("WAL-07 D42 MXN answers a permanent CLABE with a right check digit", async () => {
    const merchant = await Merchant.of(await file.world());
    const data = expectSuccess(await provision(merchant, { currency: "MXN" }));
    expect(Object.keys(data)).toEqual([
      "wallet_id",
      "address",
      "currency",
      "network",
      "min_confirmations",
      "created_at",
    ]);
    expect(data).toMatchObject({ currency: "MXN", network: "SPEI", min_confirmations: 0, created_at: NOW });
    expect(data.address).toMatch(/^\d{18}$/);
    expect(judge.validate(data.address).ok).toBe(true);
  });

  test.each([["BRL"], ["MXN"]])("WAL-12 %s: a chain that is sent plays no part", async (currency) => {
    await using stage = await setStage(file);
    const data = expectSuccess(await provision(stage.merchant, { currency, chain: "tron" }));
    expect(data).not.toHaveProperty("chain");
    expectSuccess(await provision(stage.merchant, { currency, chain: "" }));
    const [created] = await stage.events("wallet.created");
    expect(created?.body.data).toMatchObject({ currency, chain: null });
  });
});

describe("what a wallet request needs", () => {
  test("WAL-09 ERR-03 a token, and no signature", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const before = await stateOf(world);
    for (const Authorization of [undefined, "Bearer forged", "Basic abc"]) {
      const answer = await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" }, { Authorization });
      expectRefusal(answer, 401, "UNAUTHORIZED");
    }
    expect(await stateOf(world)).toEqual(before);
    expectSuccess(await provision(merchant, { currency: "BRL" }));
  });

  test.each([
    [{}, "currency"],
    [{ currency: null }, "currency"],
    [{ currency: 7 }, "currency"],
    [{ currency: "" }, "currency"],
    [{ currency: "USDT", chain: 7 }, "chain"],
  ])("WAL-10 D20 %j is refused by the name of its field", async (body, field) => {
    const merchant = await Merchant.of(await file.world());
    expectRefusal(await provision(merchant, body), 400, "INVALID_REQUEST", field);
  });

  test.each([["XYZ"], ["brl"], ["EUR"]])("WAL-17 ERR-04 D25 %s is no currency", async (currency) => {
    await using stage = await setStage(file);
    expectRefusal(await provision(stage.merchant, { currency, chain: "tron" }), 422, "INVALID_CURRENCY", currency);
    expect(await stage.events("wallet.created")).toEqual([]);
  });

  test("ERR-07 D25 POL is named by the service and not offered for wallets", async () => {
    await using stage = await setStage(file);
    const answer = await provision(stage.merchant, { currency: "POL", chain: "polygon" });
    expectRefusal(answer, 422, "UNSUPPORTED_CURRENCY", "POL");
    expect(await stage.events("wallet.created")).toEqual([]);
  });

  test("D02 with currencies: extended POL has wallets on polygon and USDT on base; the table stays as it is", async () => {
    const plain = await Merchant.of(await file.world());
    expectRefusal(await provision(plain, { currency: "USDT", chain: "base" }), 422, "UNSUPPORTED_CHAIN");
    const world = await file.world({ settings: { currencies: "extended" } });
    const merchant = await Merchant.of(world);
    expect(await walletOf(merchant, { currency: "POL", chain: "polygon" })).toMatchObject({ min_confirmations: 100 });
    expect(await walletOf(merchant, { currency: "USDT", chain: "base" })).toMatchObject({ min_confirmations: 32 });
    expectRefusal(await provision(merchant, { currency: "POL", chain: "base" }), 422, "UNSUPPORTED_CHAIN");
    expectRefusal(await provision(merchant, { currency: "USDT", chain: "optimism" }), 422, "UNSUPPORTED_CHAIN");
    expectSuccess(await provision(merchant, { currency: "USDT", chain: "tron" }));
  });

  test("D02 with currencies: extended POL works in cash-in, cash-out and conversion, USDT on base in the first two", async () => {
    const world = await file.world({ settings: { currencies: "extended" } });
    const merchant = await SigningMerchant.ofAccount(world);
    await world.call("POST", "/accounts/acme/fund", { currency: "POL", amount: "1000" });
    const usdt = { currency: "USDT", amount: 50, chain: "base" };
    const pol = { currency: "POL", amount: 50, chain: "polygon" };
    const key = (await walletOf(merchant, { currency: "USDT", chain: "base" })).address;
    expect(expectSuccess(await merchant.cashin(usdt))).toMatchObject({ chain: "base", network: "BASE" });
    expect(expectSuccess(await merchant.cashin(pol))).toMatchObject({ chain: "polygon", network: "POLYGON" });
    expect(expectSuccess(await merchant.cashout({ ...usdt, key }), 202)).toMatchObject({ network: "BASE" });
    expect(expectSuccess(await merchant.cashout({ ...pol, key }), 202)).toMatchObject({ network: "POLYGON" });
    expectSuccess(await merchant.convert({ amount: 50, base_currency: "POL", destination_currency: "BRL" }));
    expectSuccess(await merchant.convert({ amount: 50, base_currency: "BRL", destination_currency: "POL" }));
  });

  test("WAL-16 a payer that is sent is without effect: a wallet cannot identify the payer", async () => {
    await using stage = await setStage(file);
    const payer = { name: "Maria Silva", document: "52998224725" };
    const answer = await provision(stage.merchant, { currency: "BRL", payer });
    expectSuccess(answer);
    expect(answer.text).not.toContain("Maria");
    const [created] = await stage.events("wallet.created");
    expect(created?.text).not.toContain("Maria");
  });
});

/** Requests, and what their events say beyond what was asked for. */
const announced: readonly (readonly [object, object])[] = [
  [{ currency: "BRL" }, { currency_type: "fiat", chain: null, network: "PIX", min_confirmations: 0 }],
  [{ currency: "MXN" }, { currency_type: "fiat", chain: null, network: "SPEI", min_confirmations: 0 }],
  ...cryptoRails.map(
    ({ currency, chain, network, confirmations }) =>
      [
        { currency, chain },
        { currency_type: "crypto", chain, network, min_confirmations: confirmations },
      ] as const,
  ),
];

describe("wallet.created", () => {
  test.each(announced)("EVT-10 EVT-30 EVT-40 WAL-01 WAL-05 WAL-06 D04 for %j", async (body, expected) => {
    await using stage = await setStage(file);
    const before = await stage.world.info();
    const wallet = await walletOf(stage.merchant, body);
    const events = await stage.events("wallet.created");
    expect(events).toHaveLength(1);
    const { data, ...envelope } = events[0]?.body ?? {};
    expect(envelope).toEqual({
      event: "wallet.created",
      timestamp: "2026-01-01T12:00:00.000+00:00",
      transaction_id: `wallet_${wallet.wallet_id}`,
    });
    expect(Object.keys(data)).toEqual([
      "wallet_id",
      "currency",
      "currency_type",
      "chain",
      "network",
      "address",
      "min_confirmations",
      "created_at",
    ]);
    const { wallet_id, address, created_at } = wallet;
    expect(data).toEqual({ ...body, ...expected, wallet_id, address, created_at });
    expect(created_at).toMatch(INSTANT);
    expect((await stage.world.info()).accounts.map((account) => account.balances)).toEqual(
      before.accounts.map((account) => account.balances),
    );
  });

  test("D46 it goes to the destination of the credential that made the wallet", async () => {
    await using stage = await setStage(file);
    const second = await stage.world.call<Credential>("POST", "/accounts/acme/credentials", {});
    await stage.world.call("PATCH", `/credentials/${second.client_id}`, { postback_url: "sandbox://inbox" });
    const merchant = await SigningMerchant.ofCredential(stage.world, second);
    await walletOf(merchant, { currency: "BRL" });
    await walletOf(stage.merchant, { currency: "MXN" });
    const currencies = (await stage.events("wallet.created")).map((webhook) => webhook.body.data.currency);
    expect(currencies).toEqual(["MXN"]);
    const hooks = await stage.world.webhooks({ event: "wallet.created" });
    expect(hooks.map((hook) => hook.destination)).toEqual(["sandbox://inbox", stage.receiver.url]);
  });
});

describe("how many wallets", () => {
  test("D43 ERR-10 D46 twenty per credential; the next is refused, another credential is not", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    await Promise.all(Array.from({ length: 20 }, () => walletOf(merchant, { currency: "BRL" })));
    const before = await world.all("/wallets");
    expectRefusal(await provision(merchant, { currency: "BRL" }), 409, "WALLET_LIMIT_REACHED");
    const refused = await provision(merchant, { currency: "BTC", chain: "bitcoin" });
    expectRefusal(refused, 409, "WALLET_LIMIT_REACHED", "limit of 20 fixed wallets");
    expect(await world.all("/wallets")).toEqual(before);
    expect(before).toHaveLength(20);
    expectSuccess(await provision(await SigningMerchant.second(world), { currency: "BRL" }));
    expectSuccess(await provision(await SigningMerchant.ofAccount(world, "globex"), { currency: "BRL" }));
  });

  test("D43 replacing the figure moves the bound", async () => {
    const terms = { conversion_spread_percentage: "0.50", wallets_per_credential: 2 };
    const merchant = await Merchant.of(await file.world({ settings: { fixtures: { terms } } }));
    await walletOf(merchant, { currency: "BRL" });
    await walletOf(merchant, { currency: "BRL" });
    expectRefusal(await provision(merchant, { currency: "BRL" }), 409, "WALLET_LIMIT_REACHED");
    // What no wallet could be made of is told before.
    expectRefusal(await provision(merchant, { currency: "BTC" }), 400, "INVALID_REQUEST", "chain");
    expectRefusal(await provision(merchant, { currency: "BTC", chain: "tron" }), 422, "UNSUPPORTED_CHAIN");
  });

  test("WAL-08 STATE-19 a wallet belongs to the account that made it: a deposit changes that balance alone", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const other = await SigningMerchant.ofAccount(world, "globex");
    const wallet = await walletOf(merchant, { currency: "BRL" });
    expect(await world.call("GET", `/wallets/${wallet.wallet_id}`)).toMatchObject({
      status: "provisioned",
      username: "acme",
      actions: ["deposit"],
    });
    await deposit(world, wallet.wallet_id, { amount: "100.00" });
    expect(await merchant.money("BRL")).toEqual(["10099.00", "0.00"]);
    expect(await other.money("BRL")).toEqual(["10000.00", "0.00"]);
  });
});

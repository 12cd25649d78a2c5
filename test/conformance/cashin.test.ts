/** `POST /v2/transactions/cashin`: what may be charged, what is answered, what a payer is shown. */
import { isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import { clabe as clabeJudge } from "clabe-validator";
import { hasError, isDynamicPix, parsePix } from "pix-utils";
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { loadFixtures } from "../../src/world/fixtures.ts";
import { expectRefusal, expectSuccess, stateOf } from "../support/answers.ts";
import { Merchant } from "../support/merchant.ts";
import { addressForm, chains, cryptoCurrencies, cryptoRails } from "../support/rails.ts";
import { useSandbox } from "../support/sandbox.ts";
import { fieldsOf } from "./pix-text.ts";
import { EXTENDED, UNPROTECTED } from "./unprotected.ts";

const file = useSandbox();

const START = "2026-01-01T12:00:00.000Z";

const SCALE: Readonly<Record<string, number>> = { BRL: 2, MXN: 2, USDT: 6, USDC: 6 };
const SOME = 10;
const foreign = cryptoCurrencies.map((currency) => {
  const own = chainsOf(currency);
  return { currency, own, others: chains.filter((chain) => !own.includes(chain)) };
});

/** The chains that a currency is on. */
function chainsOf(currency: string): string[] {
  return cryptoRails.filter((rail) => rail.currency === currency).map(({ chain }) => chain);
}

async function charge(world: WorldClient, body: object) {
  return expectSuccess(await (await Merchant.of(world)).cashin(body));
}

describe("the answer", () => {
  const before = [
    ...["transaction_id", "external_id", "type", "currency", "currency_type"],
    ...["amount", "fee", "amount_net", "status", "source", "network"],
  ];
  const after = ["expires_at", "created_at"];

  test("CIN-02 CIN-04 D30 CUR-01 a charge in BRL: these fields, in this order", async () => {
    const data = await charge(await file.world(), { currency: "BRL", amount: 150 });
    expect(Object.keys(data)).toEqual([...before, "qr_code", ...after]);
    expect(data).toStrictEqual({
      transaction_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      external_id: null,
      type: "cashin",
      currency: "BRL",
      currency_type: "fiat",
      amount: "150.00",
      fee: "1.50",
      amount_net: "148.50",
      status: "pending",
      source: "dynamic_qr",
      network: "PIX",
      qr_code: expect.stringMatching(/^00020126/),
      expires_at: "2026-01-01T12:30:00.000Z",
      created_at: START,
    });
  });

  test("CIN-02 CIN-06 D30 CUR-02 a charge in MXN: a CLABE, no QR, no address, no chain", async () => {
    const data = await charge(await file.world(), { currency: "MXN", amount: "1000.00", external_id: "order-1" });
    expect(Object.keys(data)).toEqual([...before, "clabe", ...after]);
    expect(data).toMatchObject({
      external_id: "order-1",
      type: "cashin",
      currency: "MXN",
      currency_type: "fiat",
      amount: "1000.00",
      fee: "10.00",
      amount_net: "990.00",
      status: "pending",
      source: "dynamic_qr",
      network: "SPEI",
    });
    expect(data.clabe).toMatch(/^\d{18}$/);
    expect(clabeJudge.computeChecksum(data.clabe.slice(0, 17))).toBe(Number(data.clabe.at(-1)));
    expect(clabeJudge.validate(data.clabe).valid.format).toBe(true);
  });

  test.each(cryptoRails)(
    "CUR-03 to CUR-09 CIN-05 D04 D30 $currency on $chain: an address of the chain, the label $network",
    async ({ currency, chain, network }) => {
      const address = addressForm(chain);
      const data = await charge(await file.world(), { currency, amount: SOME, chain });
      expect(Object.keys(data)).toEqual([...before, "chain", "address", ...after]);
      expect(data).toMatchObject({ type: "cashin", currency, currency_type: "crypto", status: "pending" });
      expect(data).toMatchObject({ source: "dynamic_qr", network, chain, address: expect.stringMatching(address) });
      expect(data.amount).toBe(`10.${"0".repeat(SCALE[currency] ?? 8)}`);
    },
  );

  test("TX-01 TX-03 R4 what the caller sends under names of the answer is without effect", async () => {
    const world = await file.world();
    const own = { transaction_id: "f".repeat(32), status: "confirmed", fee: "0.00", source: "static", type: "cashout" };
    const data = await charge(world, { currency: "BRL", amount: 150, ...own, username: "globex", created_at: "2020" });
    expect(data).toMatchObject({ status: "pending", fee: "1.50", source: "dynamic_qr", type: "cashin" });
    expect(data.created_at).toBe(START);
    expect(data.transaction_id).not.toBe(own.transaction_id);
    expect(await world.transaction(data.transaction_id)).toMatchObject({ username: "acme", status: "pending" });
  });

  test("TX-01 CIN-03 STATE-02 equal requests give charges of their own, with ids and instruments of their own", async () => {
    const merchant = await Merchant.of(await file.world());
    const seen = new Set<string>();
    const requests = [
      { currency: "BRL" },
      { currency: "MXN" },
      { currency: "BTC" },
      { currency: "USDT", chain: "tron" },
    ];
    for (const request of requests) {
      for (let count = 0; count < 5; count++) {
        const data = expectSuccess(await merchant.cashin({ ...request, amount: 10 }));
        for (const value of [data.transaction_id, data.qr_code ?? data.clabe ?? data.address]) seen.add(value);
      }
    }
    expect(seen.size).toBe(requests.length * 5 * 2);
  });

  test("CIN-02 the charge is pending, of the account that asked, and changes no balance", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const before = await stateOf(world);
    const data = expectSuccess(await merchant.cashin({ currency: "BRL", amount: 10 }));
    const after = await stateOf(world);
    expect(after).toMatchObject({ balances: before.balances, postings: before.postings, webhooks: [], sound: true });
    expect(after.transactions).toMatchObject([{ transaction_id: data.transaction_id, status: "pending" }]);
    expect(after.timers).toMatchObject([{ subject: data.transaction_id, at: "2026-01-01T12:30:00.000Z" }]);
  });

  test("D30 created_at and expires_at are the clock's, in milliseconds", async () => {
    const world = await file.world({ clock: { start: "2027-12-31T23:45:00.123Z" } });
    const data = await charge(world, { currency: "BTC", amount: 1 });
    expect([data.created_at, data.expires_at]).toEqual(["2027-12-31T23:45:00.123Z", "2028-01-01T00:15:00.123Z"]);
  });

  test("D20 null for an optional field is the same as leaving it out", async () => {
    const optional = { external_id: null, payer: null, chain: null, network: null, postback_url: null, split: null };
    const data = await charge(await file.world(), { currency: "BRL", amount: 10, ...optional });
    expect(data).toMatchObject({ external_id: null, network: "PIX" });
  });
});

describe("D31 CIN-04 the PIX text", () => {
  test.each(["1.00", "150.00", "1000000.00", "7.07"])("of %s", async (amount) => {
    const { qr_code, transaction_id } = await charge(await file.world(), { currency: "BRL", amount });

    const fields = fieldsOf(qr_code);
    expect(qr_code.startsWith("00020126")).toBe(true);
    expect([...fields.keys()]).toEqual(["00", "26", "52", "53", "54", "58", "59", "60", "62", "63"]);
    expect(fields.get("54")).toBe(amount);
    expect(fieldsOf(fields.get("62") ?? "").get("05")).toBe("***");
    const account = fieldsOf(fields.get("26") ?? "");
    expect([...account.keys()]).toEqual(["00", "25"]);
    expect(account.get("25")).toMatch(new RegExp(`^[a-z0-9.-]+/.*${transaction_id}$`));

    const judged = parsePix(qr_code);
    expect(!hasError(judged) && isDynamicPix(judged) && judged.url).toBe(account.get("25"));
    expect(isValidPixPayload(qr_code)).toBe(true);
  });

  test("a judge finds a changed character", async () => {
    const { qr_code } = await charge(await file.world(), { currency: "BRL", amount: 150 });
    expect(isValidPixPayload(qr_code.replace("150.00", "950.00"))).toBe(false);
    expect(hasError(parsePix(qr_code.replace("150.00", "950.00")))).toBe(true);
  });
});

describe("currencies", () => {
  test.each(["XYZ", "EUR", "USD", "brl", "Brl", "BRL ", " BRL", "BR", "BRLL", "POL", "tron", "PIX", "__proto__", "💸"])(
    "TX-06 D25 ERR-04 %j is INVALID_CURRENCY",
    async (currency) => {
      const world = await file.world();
      const merchant = await Merchant.of(world);
      const before = await stateOf(world);
      expectRefusal(await merchant.cashin({ currency, amount: 10 }), 422, "INVALID_CURRENCY");
      expect(await stateOf(world)).toEqual(before);
    },
  );

  test("D02 with currencies: extended POL is charged on polygon, USDT on base", async () => {
    const merchant = await Merchant.of(await file.world(EXTENDED));
    const pol = expectSuccess(await merchant.cashin({ currency: "POL", amount: 10 }));
    expect(pol).toMatchObject({ currency: "POL", amount: "10.00000000", chain: "polygon", network: "POLYGON" });
    const usdt = expectSuccess(await merchant.cashin({ currency: "USDT", amount: 10, chain: "base" }));
    expect(usdt).toMatchObject({ chain: "base", network: "BASE", address: expect.stringMatching(addressForm("base")) });
  });
});

describe("D05 chains", () => {
  test.each(foreign)("CUR-03 to CUR-08 D02 $currency has none of $others", async ({ currency, own, others }) => {
    const world = await file.world(UNPROTECTED);
    const merchant = await Merchant.of(world);
    for (const chain of [...others, "dogecoin", "PIX", "constructor", `${own[0]} `]) {
      for (const body of [{ chain }, { network: chain }]) {
        expectRefusal(await merchant.cashin({ currency, amount: SOME, ...body }), 422, "UNSUPPORTED_CHAIN");
      }
    }
    expect((await stateOf(world)).transactions).toEqual([]);
  });

  test.each([
    { network: "trc20" },
    { network: "TRC20" },
    { network: "Tron" },
    { network: "tron" },
    { chain: "TRON" },
    { chain: "tron", network: "TRC20" },
    { chain: "tron", network: null },
  ])("USDT with %j is on tron", async (input) => {
    const data = await charge(await file.world(), { currency: "USDT", amount: 10, ...input });
    expect(data).toMatchObject({ chain: "tron", network: "TRC20" });
  });

  describe("where a world gives several chains one label", () => {
    const chains = loadFixtures().chains.map((row) => (row.chain === "arbitrum" ? { ...row, network: "ERC20" } : row));
    const SHARED = { settings: { fixtures: { chains } } };

    test("D05 the label alone leaves several to choose from, which the refusal names", async () => {
      const merchant = await Merchant.of(await file.world(SHARED));
      const answer = await merchant.cashin({ currency: "USDC", amount: 10, network: "ERC20" });
      expectRefusal(answer, 422, "UNSUPPORTED_CHAIN");
      expect(answer.body.error?.message).toBe("Name a chain for USDC: ethereum, arbitrum.");
    });

    test("D05 what is the name of one chain and the label of another means the one of that name", async () => {
      const renamed = chains.map((row) => (row.chain === "arbitrum" ? { ...row, network: "ETHEREUM" } : row));
      const world = await file.world({ settings: { fixtures: { chains: renamed } } });
      const data = await charge(world, { currency: "USDC", amount: 10, network: "ethereum" });
      expect(data).toMatchObject({ chain: "ethereum", network: "ERC20" });
    });

    test("D05 a chain that a currency names twice is one", async () => {
      const currencies = loadFixtures().currencies.map((row) => ({ ...row, chains: [...row.chains, ...row.chains] }));
      const data = await charge(await file.world({ settings: { fixtures: { currencies } } }), {
        currency: "BTC",
        amount: 1,
      });
      expect(data).toMatchObject({ chain: "bitcoin" });
    });

    test.each(["ethereum", "arbitrum"])("D05 the label beside %s does not contradict it", async (chain) => {
      const data = await charge(await file.world(SHARED), { currency: "USDC", amount: 10, chain, network: "ERC20" });
      expect(data).toMatchObject({ chain, network: "ERC20" });
    });
  });

  test.each(["USDT", "USDC", "ETH"])(
    "%s without a chain has several to choose from: UNSUPPORTED_CHAIN",
    async (currency) => {
      const merchant = await Merchant.of(await file.world());
      expectRefusal(await merchant.cashin({ currency, amount: 10 }), 422, "UNSUPPORTED_CHAIN");
    },
  );

  test.each(["BTC", "SOL", "BNB"])("%s without a chain is on its only one", async (currency) => {
    const data = await charge(await file.world(), { currency, amount: 1 });
    expect(data.chain).toBe(chainsOf(currency)[0]);
  });

  test.each([{ chain: "TRC20" }, { chain: "trc20", network: "TRC20" }])(
    "USDT with %j is UNSUPPORTED_CHAIN: labels are for network; the chain that is meant is told",
    async (named) => {
      const merchant = await Merchant.of(await file.world());
      const answer = await merchant.cashin({ currency: "USDT", amount: 10, ...named });
      expectRefusal(answer, 422, "UNSUPPORTED_CHAIN");
      expect(answer.body.error?.message).toBe(`USDT has no chain ${named.chain}; it is tron here.`);
    },
  );

  test("chain and network that contradict each other are INVALID_REQUEST", async () => {
    const merchant = await Merchant.of(await file.world());
    for (const network of ["ERC20", "ethereum", "bsc"]) {
      const answer = await merchant.cashin({ currency: "USDT", amount: 10, chain: "tron", network });
      expectRefusal(answer, 400, "INVALID_REQUEST", "chain", "network");
    }
  });

  test.each([
    ["BTC", { chain: "bitcoin", network: "ethereum" }, 400, "INVALID_REQUEST"],
    ["ETH", { chain: "tron", network: "ERC20" }, 400, "INVALID_REQUEST"],
    ["ETH", { chain: "bsc", network: "TRC20" }, 400, "INVALID_REQUEST"],
    ["ETH", { chain: "tron", network: "TRC20" }, 422, "UNSUPPORTED_CHAIN"],
    ["ETH", { chain: "ethereum", network: "dogecoin" }, 422, "UNSUPPORTED_CHAIN"],
  ] as const)("D05 %s with %j contradicts itself, whatever chains the currency has: %i %s", async (...row) => {
    const [currency, named, status, code] = row;
    const merchant = await Merchant.of(await file.world());
    expectRefusal(await merchant.cashin({ currency, amount: 1, ...named }), status, code);
  });

  test.each(["BRL", "MXN"])("TX-15 a chain for %s is without effect", async (currency) => {
    const data = await charge(await file.world(), { currency, amount: 10, chain: "tron", network: "ERC20" });
    expect(data).not.toHaveProperty("chain");
    expect(data.network).toBe(currency === "BRL" ? "PIX" : "SPEI");
  });
});

describe("CIN-07 the payer", () => {
  test.each([
    [{ name: "Maria Silva" }, ["payer.document"]],
    [{ document: "11144477735" }, ["payer.name"]],
    [{}, ["payer.name", "payer.document"]],
    [{ name: null, document: null }, ["payer.name", "payer.document"]],
    [{ name: "", document: "" }, ["payer.name", "payer.document"]],
    [{ name: 5, document: 11144477735 }, ["payer.name", "payer.document"]],
    [{ name: "a".repeat(100_000), document: "1" }, ["payer.name"]],
    ["Maria Silva", ["payer"]],
    [["Maria Silva", "11144477735"], ["payer"]],
    [7, ["payer"]],
    [true, ["payer"]],
  ])("%j is INVALID_REQUEST and names what is wrong", async (payer, fields) => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const answer = await merchant.cashin({ currency: "BRL", amount: 10, payer });
    expectRefusal(answer, 400, "INVALID_REQUEST", ...fields);
    expect((await stateOf(world)).transactions).toEqual([]);
  });

  test("a name in any script is kept as it is", async () => {
    const world = await file.world();
    const payer = {
      name: "José 李明 👩‍👩‍👧 \u202Egnirts\u0000\n'; DROP TABLE transactions; --",
      document: "111.444.777-35",
    };
    const { transaction_id } = await charge(world, { currency: "BRL", amount: 10, payer });
    expect((await world.transaction(transaction_id)).payer).toEqual(payer);
  });
});

describe("CIN-10 CONST-04 a charge is paid once, in its 30 minutes", () => {
  const requests = [
    { currency: "BRL", amount: 10 },
    { currency: "MXN", amount: 10 },
    { currency: "BTC", amount: 1 },
  ];

  test.each(requests)("$currency: a second payment is not credited", async (request) => {
    const world = await file.world();
    const { transaction_id } = await charge(world, request);
    await world.act(transaction_id, "pay");
    const before = await stateOf(world);
    await expect(world.act(transaction_id, "pay")).rejects.toMatchObject({ status: 409, code: "INVALID_TRANSITION" });
    expect(await stateOf(world)).toEqual(before);
  });

  test.each(requests)(
    "D26a $currency: a millisecond before its end it is paid, at its end it has expired",
    async (request) => {
      const world = await file.world();
      const [first, second] = [await charge(world, request), await charge(world, request)];
      await world.advance({ to: "2026-01-01T12:29:59.999Z" });
      expect(await world.act(first.transaction_id, "pay")).toMatchObject({ status: "confirmed" });
      await world.advance({ to: first.expires_at });
      expect(await world.transaction(second.transaction_id)).toMatchObject({ status: "expired" });
      const before = await stateOf(world);
      await expect(world.act(second.transaction_id, "pay")).rejects.toMatchObject({ status: 409 });
      await world.advance("7d");
      expect(await stateOf(world)).toEqual(before);
    },
  );
});

describe("postback_url", () => {
  test.each([5, true, {}, [], "", " ", "merchant", "/hook", "//host/hook", "https://", "http://", "ftp://localhost/"])(
    "D63 %j is INVALID_REQUEST",
    async (postback_url) => {
      const world = await file.world();
      const merchant = await Merchant.of(world);
      const answer = await merchant.cashin({ currency: "BRL", amount: 10, postback_url });
      expectRefusal(answer, 400, "INVALID_REQUEST", "postback_url");
      expect((await stateOf(world)).transactions).toEqual([]);
    },
  );

  test.each(["https://merchant.example/hook", "http://localhost:3000/hook", "sandbox://inbox"])(
    "TX-23 %s is taken",
    async (postback_url) => {
      const world = await file.world();
      const { transaction_id } = await charge(world, { currency: "BRL", amount: 10, postback_url });
      expect(await world.transaction(transaction_id)).toMatchObject({ postback_url });
    },
  );
});

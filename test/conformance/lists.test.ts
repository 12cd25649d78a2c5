/** What an account reads of itself: transactions, disputes, profile, fees; and every currency on every chain. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DEFAULT_WORLD } from "../../src/host/sandbox.ts";
import { connectSandbox } from "../../src/index.ts";
import { expectRefusal, expectSuccess, INSTANT } from "../support/answers.ts";
import { startBareServer } from "../support/bare-server.ts";
import { chargeOf } from "../support/charges.ts";
import { infractionsOf, openedDispute, paidCharge, reply } from "../support/disputes.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { addressForm, chains, cryptoCurrencies, cryptoRails, fairAmount } from "../support/rails.ts";
import { useSandbox } from "../support/sandbox.ts";
import { refusal, SigningMerchant, type Stage, setStage } from "../support/signing.ts";
import { deposit, provision, walletOf } from "../support/wallets.ts";

const file = useSandbox();
const PATH = "/v2/account/transactions/list";
const DISPUTES = "/v2/account/infractions";
const CPF = "52998224725";
const HEX_ID = /^[0-9a-f]{32}$/;
const NOW = "2026-01-01T12:00:00.000Z";

type Item = Record<string, unknown>;

const listed = (merchant: Merchant, body: object = {}): Promise<Answer> => merchant.call("POST", PATH, body);

async function itemsOf(merchant: Merchant, body: object = {}): Promise<Item[]> {
  return expectSuccess(await listed(merchant, body)).items;
}

async function idsOf(merchant: Merchant, body: object = {}): Promise<unknown[]> {
  return (await itemsOf(merchant, body)).map((item) => item.transaction_id);
}

const SHARED = [
  "transaction_id",
  "external_id",
  "type",
  "currency",
  "currency_type",
  "amount",
  "fee",
  "amount_net",
  "status",
];
const DATES = ["postback_url", "created_at", "confirmed_at"];

/** TABLE: kinds of transactions, how each is made and settled, and the fields of its item. */
const kinds: readonly {
  readonly kind: string;
  readonly make: (stage: Stage) => Promise<string>;
  readonly settle: string;
  readonly fields: readonly string[];
  readonly always: Item;
  readonly pending: Item;
  readonly confirmed: Item;
}[] = [
  {
    kind: "a PIX charge",
    make: ({ merchant }) => chargeOf(merchant, { external_id: "order-1", payer: { name: "Maria", document: CPF } }),
    settle: "pay",
    fields: ["source", "network", "e2e_id", "payer"],
    always: {
      external_id: "order-1",
      type: "cashin",
      currency: "BRL",
      currency_type: "fiat",
      amount: "150.00",
      fee: "1.50",
      amount_net: "148.50",
      source: "dynamic_qr",
      network: "PIX",
      payer: { name: "Maria", document: CPF },
    },
    pending: { e2e_id: null },
    confirmed: { e2e_id: expect.stringMatching(/^E\d{8}202601011200[0-9A-Za-z]{11}$/) },
  },
  {
    kind: "a SPEI charge",
    make: ({ merchant }) => chargeOf(merchant, { currency: "MXN", amount: 1000 }),
    settle: "pay",
    fields: ["source", "network", "e2e_id", "payer"],
    always: {
      external_id: null,
      type: "cashin",
      currency_type: "fiat",
      amount: "1000.00",
      source: "dynamic_qr",
      network: "SPEI",
    },
    pending: { e2e_id: null, payer: null },
    confirmed: { e2e_id: expect.any(String), payer: { name: expect.any(String), document: expect.any(String) } },
  },
  {
    kind: "a crypto charge",
    make: ({ merchant }) => chargeOf(merchant, { currency: "USDT", amount: "100", chain: "tron" }),
    settle: "pay",
    fields: ["source", "network", "chain", "tx_hash"],
    always: {
      type: "cashin",
      currency_type: "crypto",
      amount: "100.000000",
      source: "dynamic_qr",
      network: "TRC20",
      chain: "tron",
    },
    pending: { tx_hash: null },
    confirmed: { tx_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  },
  {
    kind: "a deposit into a fixed wallet",
    make: async ({ world, merchant }) => {
      const { wallet_id } = await walletOf(merchant, { currency: "MXN" });
      return (await deposit(world, wallet_id, { amount: "500.00" })).transaction_id;
    },
    settle: "pay",
    fields: ["source", "network", "e2e_id", "payer"],
    always: { type: "cashin", currency: "MXN", amount: "500.00", source: "static", network: "SPEI", payer: null },
    pending: { e2e_id: null },
    confirmed: { e2e_id: expect.any(String) },
  },
  {
    kind: "a PIX cash-out",
    make: ({ merchant }) => cashoutOf(merchant, { currency: "BRL", amount: "100.00", key: CPF, external_id: "out-1" }),
    settle: "confirm",
    fields: ["network", "e2e_id", "receiver", "wallet", "key_type", "hash"],
    always: {
      external_id: "out-1",
      type: "cashout",
      currency_type: "fiat",
      amount: "100.00",
      fee: "0.80",
      amount_net: "99.20",
      network: "PIX",
      wallet: CPF,
      key_type: "cpf",
    },
    pending: { e2e_id: null, receiver: null, hash: null },
    confirmed: {
      e2e_id: expect.stringMatching(/^E\d{8}202601011200[0-9A-Za-z]{11}$/),
      receiver: { name: expect.any(String), document: expect.any(String), bank: expect.any(String) },
      hash: expect.stringMatching(/^E/),
    },
  },
  {
    kind: "a crypto cash-out",
    make: async ({ merchant }) => {
      const key = (await walletOf(merchant, { currency: "USDT", chain: "tron" })).address;
      return cashoutOf(merchant, { currency: "USDT", amount: "100", network: "tron", key });
    },
    settle: "confirm",
    fields: ["network", "chain", "tx_hash", "wallet", "key_type", "hash"],
    always: { type: "cashout", currency_type: "crypto", network: "TRC20", chain: "tron", key_type: "tron" },
    pending: { tx_hash: null, hash: null },
    confirmed: { tx_hash: expect.stringMatching(/^[0-9a-f]{64}$/), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  },
];

async function cashoutOf(merchant: SigningMerchant, body: object): Promise<string> {
  return expectSuccess(await merchant.cashout(body), 202).transaction_id;
}

describe("the items of the transaction list", () => {
  test.each(kinds)(
    "TX-01 TX-03 TX-05 TX-06 TX-07 TX-08 TX-09 TX-10 TX-12 TX-13 TX-14 TX-15 TX-16 TX-17 TX-18 TX-19 TX-20 D29 D47 $kind",
    async ({ make, settle, fields, always, pending, confirmed }) => {
      await using stage = await setStage(file);
      const id = await make(stage);
      const shared = { transaction_id: id, created_at: NOW, postback_url: null, ...always };
      const before = await stage.merchant.item(id);
      const order = [...SHARED, ...fields, ...DATES];
      expect(Object.keys(before)).toEqual(order);
      expect(before).toMatchObject({ ...shared, ...pending, status: "pending", confirmed_at: null });
      await stage.world.act(id, settle);
      const after = await stage.merchant.item(id);
      expect(Object.keys(after)).toEqual(order);
      expect(after).toMatchObject({ ...shared, ...confirmed, status: "confirmed", confirmed_at: NOW });
      expect(id).toMatch(HEX_ID);
      for (const item of [before, after]) expect(netOf(item)).toBe(item.amount_net);
    },
  );

  test("TX-23 D47 postback_url is the transaction's own", async () => {
    await using stage = await setStage(file);
    const id = await chargeOf(stage.merchant, { postback_url: "sandbox://inbox" });
    expect(await stage.merchant.item(id)).toMatchObject({ postback_url: "sandbox://inbox" });
  });

  test("TX-12 STATE-05 STATE-06 STATE-13 STATE-14 STATE-15 every status is shown in its word", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    for (const action of ["expire", "cancel", "fail"]) await world.act(await chargeOf(merchant), action);
    await world.act(await paidCharge(world, merchant), "refund");
    await world.act(await cashoutOf(merchant, { currency: "BRL", amount: 10, key: CPF }), "fail", {
      error_code: "UNKNOWN",
    });
    expect((await itemsOf(merchant)).map((item) => item.status)).toEqual([
      "failed",
      "refunded",
      "failed",
      "canceled",
      "expired",
    ]);
  });

  test("D48 status_words: glossary says paid; a filter takes either word in either world", async () => {
    for (const [status_words, word] of [
      ["lifecycle", "confirmed"],
      ["glossary", "paid"],
    ]) {
      await using stage = await setStage(file, { settings: { status_words } });
      const { world, merchant } = stage;
      await chargeOf(merchant);
      const id = await paidCharge(world, merchant);
      for (const status of ["paid", "confirmed"]) {
        expect(await itemsOf(merchant, { status })).toMatchObject([{ transaction_id: id, status: word }]);
      }
      expect(await itemsOf(merchant, { status: "pending" })).toMatchObject([{ status: "pending" }]);
      const [event] = await stage.events("cashin.confirmed");
      expect(event?.body.data.status).toBe("confirmed");
    }
  });
});

/** amount minus fee, exactly. */
function netOf({ amount, fee }: Item): string {
  const [gross = "", charged = ""] = [String(amount), String(fee)];
  const scale = gross.length - gross.indexOf(".") - 1;
  const minor = (text: string) => BigInt(text.replace(".", ""));
  const net = (minor(gross) - minor(charged)).toString().padStart(scale + 1, "0");
  return `${net.slice(0, -scale)}.${net.slice(-scale)}`;
}

describe("the transaction list", () => {
  test("LIST-01 shows the account's own, needs a token, and is empty at first", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    const other = await SigningMerchant.ofAccount(world, "globex");
    const empty = expectSuccess(await listed(merchant));
    expect(Object.entries(empty)).toEqual([
      ["items", []],
      ["page", 1],
      ["page_size", 20],
      ["has_next", false],
      ["has_prev", false],
    ]);
    const mine = await chargeOf(merchant);
    const theirs = await chargeOf(other);
    expect(await idsOf(merchant)).toEqual([mine]);
    expect(await idsOf(other)).toEqual([theirs]);
    expect(await idsOf(merchant, { transaction_id: theirs })).toEqual([]);
    expectRefusal(await merchant.call("POST", PATH, {}, { Authorization: undefined }), 401, "UNAUTHORIZED");
  });

  test("D47 newest first, also of one instant; no transfers and no conversions", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    const ids = [await chargeOf(merchant), await chargeOf(merchant)];
    await world.advance("1s");
    ids.push(await chargeOf(merchant), await cashoutOf(merchant, { currency: "BRL", amount: 10, key: CPF }));
    await merchant.transfer({ username: "globex", currency: "BRL", amount: 10 });
    await merchant.convert({ amount: 10, base_currency: "BRL", destination_currency: "USDT" });
    expect(await idsOf(merchant)).toEqual(ids.reverse());
  });

  test("D47 every filter narrows, alone and with others; null is as good as none", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    const pix = await chargeOf(merchant, { external_id: "order-1" });
    await world.advance("1m");
    const tron = await chargeOf(merchant, { currency: "USDT", amount: 50, chain: "tron" });
    const { wallet_id } = await walletOf(merchant, { currency: "BRL" });
    const fixed = (await deposit(world, wallet_id, { amount: "10.00" })).transaction_id;
    await world.advance("1m");
    const out = await cashoutOf(merchant, { currency: "BRL", amount: 10, key: CPF });
    const all = [out, fixed, tron, pix];
    const expected: [object, string[]][] = [
      [{}, all],
      [{ type: "cashin" }, [fixed, tron, pix]],
      [{ type: "cashout" }, [out]],
      [{ currency: "BRL" }, [out, fixed, pix]],
      [{ currency: "SOL" }, []],
      [{ status: "pending" }, [out, tron, pix]],
      [{ status: "confirmed" }, [fixed]],
      [{ external_id: "order-1" }, [pix]],
      [{ external_id: "order-2" }, []],
      [{ external_id: "order-1", type: "cashout" }, []],
      [{ external_id: "order-1", transaction_id: pix }, [pix]],
      [{ external_id: "order-1", transaction_id: tron }, []],
      [{ transaction_id: tron }, [tron]],
      [{ source: "static" }, [fixed]],
      [{ source: "dynamic_qr" }, [tron, pix]],
      [{ created_from: "2026-01-01T12:01:00.000Z" }, [out, fixed, tron]],
      [{ created_from: "2026-01-01T12:01:00.001Z" }, [out]],
      [{ created_to: "2026-01-01T12:01:00.000Z" }, [fixed, tron, pix]],
      [{ created_to: "2026-01-01T12:00:59.999Z" }, [pix]],
      [{ created_from: "2026-01-01T09:01:00-03:00", created_to: "2026-01-01T09:01:00-03:00" }, [fixed, tron]],
      [{ type: "cashin", currency: "BRL", status: "pending", source: "dynamic_qr" }, [pix]],
      [{ type: "cashout", source: "static" }, []],
      [{ type: null, currency: null, status: null, created_from: null, page: null, page_size: null }, all],
      [{ unknown: "ignored" }, all],
    ];
    for (const [body, ids] of expected) expect([body, await idsOf(merchant, body)]).toEqual([body, ids]);
  });

  test("D24 D47 an external id narrows to the transaction that has it: no other one is looked at", async () => {
    const server = await startBareServer({ onFault: () => {} });
    onTestFinished(() => server.stop());
    const { transactions } = server.sandbox.get(DEFAULT_WORLD)?.world ?? {};
    if (!transactions) throw new Error("There is no default world.");
    const merchant = await Merchant.of(await (await connectSandbox(server.baseUrl)).defaultWorld());
    const id = await chargeOf(merchant, { external_id: "order-1" });
    await chargeOf(merchant, { external_id: "order-2" });
    const looked = vi.spyOn(transactions, "ofAccount");
    expect(await idsOf(merchant, { external_id: "order-1" })).toEqual([id]);
    expect(await idsOf(merchant, { external_id: "order-3" })).toEqual([]);
    expect(looked.mock.calls.map(([, filter]) => filter.transaction_id)).toEqual([id]);
  });

  test("LIST-02 D47 pages meet every item once; has_prev is false on the first alone", async () => {
    await using stage = await setStage(file);
    const { merchant } = stage;
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift(await chargeOf(merchant));
    const seen: unknown[] = [];
    let page = 1;
    for (let more = true; more; page++) {
      const data = expectSuccess(await listed(merchant, { page, page_size: 2 }));
      expect([data.page, data.page_size, data.has_prev]).toEqual([page, 2, page > 1]);
      seen.push(...data.items.map((item: Item) => item.transaction_id));
      more = data.has_next;
    }
    expect([seen, page]).toEqual([ids, 4]);
    const exact = expectSuccess(await listed(merchant, { page_size: 5 }));
    expect([exact.items.length, exact.has_next]).toEqual([5, false]);
    const beyond = expectSuccess(await listed(merchant, { page: 9 }));
    expect(beyond).toEqual({ items: [], page: 9, page_size: 20, has_next: false, has_prev: true });
  });

  test("CONST-06 D47 twenty to a page unless asked, a hundred at most", async () => {
    await using stage = await setStage(file);
    const { merchant } = stage;
    await Promise.all(Array.from({ length: 101 }, () => chargeOf(merchant)));
    expect(expectSuccess(await listed(merchant))).toMatchObject({ page_size: 20, has_next: true });
    expect(await itemsOf(merchant)).toHaveLength(20);
    const full = expectSuccess(await listed(merchant, { page_size: 100 }));
    expect([full.items.length, full.has_next]).toEqual([100, true]);
  });

  test.each([
    [{ page_size: 101 }, "page_size"],
    [{ page_size: 0 }, "page_size"],
    [{ page_size: 1.5 }, "page_size"],
    [{ page_size: "20" }, "page_size"],
    [{ page: 0 }, "page"],
    [{ page: -1 }, "page"],
    [{ type: "transfer" }, "type"],
    [{ status: "done" }, "status"],
    [{ source: "qr" }, "source"],
    [{ created_from: "yesterday" }, "created_from"],
    [
      { created_to: "2026-01-01" },
      "created_to must be an ISO 8601 instant with a zone, from 1970 to the year 9999, such as 2",
    ],
    [{ created_to: "2026-01-01T12:00:00" }, "created_to"],
    [{ external_id: 7 }, "external_id"],
    [[], "JSON object"],
  ])("D20 D47 %j is refused by the name of its field", async (body, field) => {
    await using stage = await setStage(file);
    expectRefusal(await listed(stage.merchant, body), 400, "INVALID_REQUEST", field);
  });

  test("D25 ERR-04 a currency that there is not is refused", async () => {
    await using stage = await setStage(file);
    for (const currency of ["XYZ", "POL", "brl"]) {
      expectRefusal(await listed(stage.merchant, { currency }), 422, "INVALID_CURRENCY", currency);
      expectRefusal(
        await stage.merchant.call("GET", `/v2/account/balance?currency=${currency}`),
        422,
        "INVALID_CURRENCY",
      );
    }
  });
});

describe("the dispute list", () => {
  test("LIST-02 D50 filters and pages, newest first", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const opened = [];
    for (let index = 0; index < 5; index++) opened.unshift(await openedDispute(world, merchant));
    const ids = opened.map((dispute) => dispute.infractionId);
    const idsListed = async (query = "") => (await infractionsOf(merchant, query)).map((item) => item.infraction_id);
    expect(await idsListed()).toEqual(ids);
    expect(await idsListed(`?transaction_id=${opened[3]?.transactionId}`)).toEqual([ids[3]]);
    await reply(merchant, { infraction_id: ids[1] ?? "", text: "x" });
    await world.call("POST", `/disputes/${ids[2]}/win`, {});
    await world.call("POST", `/disputes/${ids[4]}/lose`, {});
    const byStatus = { open: [ids[0], ids[3]], responded: [ids[1]], won: [ids[2]], lost: [ids[4]], canceled: [] };
    for (const [status, own] of Object.entries(byStatus)) expect(await idsListed(`?status=${status}`)).toEqual(own);
    expect(await idsListed(`?status=open&transaction_id=${opened[1]?.transactionId}`)).toEqual([]);
    const pages = [1, 2, 3].map((page) => merchant.call("GET", `${DISPUTES}?page=${page}&page_size=2`));
    const data = (await Promise.all(pages)).map((answer) => expectSuccess(answer));
    expect(data.flatMap(({ items }) => items.map((item: Item) => item.infraction_id))).toEqual(ids);
    expect(data.map(({ page, page_size, has_next, has_prev }) => [page, page_size, has_next, has_prev])).toEqual([
      [1, 2, true, false],
      [2, 2, true, true],
      [3, 2, false, true],
    ]);
  });

  test("LIST-02 D50 without page and page_size it is the first twenty", async () => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    const opened: string[] = [];
    for (let index = 0; index < 21; index++) opened.unshift((await openedDispute(world, merchant)).infractionId);
    const [first, second] = [await merchant.call("GET", DISPUTES), await merchant.call("GET", `${DISPUTES}?page=2`)];
    const { items, ...place } = expectSuccess(first);
    expect(place).toEqual({ page: 1, page_size: 20, has_next: true, has_prev: false });
    expect(items.map((item: Item) => item.infraction_id)).toEqual(opened.slice(0, 20));
    expect(expectSuccess(second)).toMatchObject({ page: 2, page_size: 20, has_next: false, has_prev: true });
    expect(expectSuccess(second).items).toMatchObject([{ infraction_id: opened[20] }]);
  });

  test.each([
    ["page_size=101", "page_size"],
    ["page_size=0", "page_size"],
    ["page_size=", "page_size"],
    ["page=x", "page"],
    ["page=1e1", "page"],
    ["status=done", "status"],
  ])("CONST-06 D20 D50 ?%s is refused by the name of its field", async (query, field) => {
    await using stage = await setStage(file);
    const answer = await stage.merchant.call("GET", `${DISPUTES}?${query}`);
    expectRefusal(answer, 400, "INVALID_REQUEST", field);
    expectSuccess(await stage.merchant.call("GET", `${DISPUTES}?page=1&page_size=100`));
  });
});

describe("profile and fees", () => {
  test("PROF-01 D46 the profile of the token's account, and nobody's without a token", async () => {
    await using stage = await setStage(file);
    const { world, merchant, receiver } = stage;
    const path = "/v2/account/info/profile";
    expect(Object.entries(expectSuccess(await merchant.call("GET", path)))).toEqual([
      ["username", "acme"],
      ["name", "Acme Comercio Ltda"],
      ["document", "11222333000181"],
      ["email", "finance@acme.example"],
      ["status", "active"],
      ["postback_url", receiver.url],
      ["created_at", expect.stringMatching(INSTANT)],
    ]);
    const other = await SigningMerchant.ofAccount(world, "globex");
    expect(expectSuccess(await other.call("GET", path))).toMatchObject({ username: "globex", postback_url: null });
    expectRefusal(await merchant.call("GET", path, undefined, { Authorization: undefined }), 401, "UNAUTHORIZED");
    await world.call("PATCH", `/credentials/${merchant.clientId}`, { postback_url: "sandbox://inbox" });
    await world.call("PATCH", "/accounts/acme", { name: "Acme S.A." });
    expect(expectSuccess(await merchant.call("GET", path))).toMatchObject({
      name: "Acme S.A.",
      postback_url: "sandbox://inbox",
    });
  });

  test("FEES-01 TX-09 D07 D46 fees as decimal strings, which foretell those that are charged", async () => {
    await using stage = await setStage(file);
    const { merchant } = stage;
    const path = "/v2/account/fees";
    const { fees, ...others } = expectSuccess(await merchant.call("GET", path));
    expect(others).toEqual({});
    for (const row of fees) {
      expect(Object.keys(row)).toEqual(["currency", "operation", "network", "percentage", "fixed", "minimum"]);
      for (const name of ["percentage", "fixed", "minimum"]) expect(row[name]).toMatch(/^\d+\.\d+$/);
      expect(row.network).toBeNull();
      expect(["cashin", "cashout", "internal_transfer", "conversion"]).toContain(row.operation);
    }
    const named = fees.map((row: Item) => `${row.currency} ${row.operation}`);
    expect(new Set(named).size).toBe(named.length);
    expect(new Set(fees.map((row: Item) => row.currency))).toEqual(new Set(["BRL", "MXN", ...cryptoCurrencies]));
    expectRefusal(await merchant.call("GET", path, undefined, { Authorization: undefined }), 401, "UNAUTHORIZED");
    for (const [amount, body] of [
      ["1000.00", { currency: "BRL" }],
      ["5.00", { currency: "BRL" }],
      ["300.00", { currency: "MXN" }],
      ["200.000000", { currency: "USDT", chain: "tron" }],
    ] as const) {
      const row = fees.find((fee: Item) => fee.currency === body.currency && fee.operation === "cashin");
      const foretold = Math.max(
        Number(row.minimum),
        (Number(amount) * Number(row.percentage)) / 100 + Number(row.fixed),
      );
      const charge = expectSuccess(await merchant.cashin({ ...body, amount }));
      expect(Number(charge.fee)).toBe(foretold);
    }
    const row = fees.find((fee: Item) => fee.currency === "BRL" && fee.operation === "cashout");
    const out = expectSuccess(await merchant.cashout({ currency: "BRL", amount: 1000, key: CPF }), 202);
    expect(Number(out.fee)).toBeCloseTo(10 * Number(row.percentage) + Number(row.fixed), 10);
  });
});

const CLAUSES: Readonly<Record<string, string>> = {
  USDT: "CUR-03",
  USDC: "CUR-04",
  BTC: "CUR-05",
  ETH: "CUR-06",
  SOL: "CUR-07",
  BNB: "CUR-08",
};

/** The network and chain that every event of a kind carries. */
async function railsOf(stage: Stage, ...events: string[]): Promise<unknown[]> {
  const found = [];
  for (const event of events) {
    for (const webhook of await stage.events(event)) found.push([event, webhook.body.data.network]);
  }
  return found;
}

describe("currencies and chains", () => {
  test.each(cryptoRails.map((rail) => ({ ...rail, clause: CLAUSES[rail.currency] })))(
    "$clause CUR-09 CUR-10 D04 $currency on $chain: cash-in, cash-out and wallet",
    async ({ currency, chain, network }) => {
      await using stage = await setStage(file);
      const { world, merchant } = stage;
      const amount = fairAmount[currency];
      const wallet = await walletOf(merchant, { currency, chain });
      expect(wallet).toMatchObject({ chain, address: expect.stringMatching(addressForm(chain)) });
      const charge = expectSuccess(await merchant.cashin({ currency, chain, amount }));
      expect(charge).toMatchObject({ chain, network, address: expect.stringMatching(addressForm(chain)) });
      const out = expectSuccess(await merchant.cashout({ currency, network, amount, key: wallet.address, chain }), 202);
      expect(out).toMatchObject({ chain, network, wallet: wallet.address, key_type: chain });
      await world.act(charge.transaction_id, "pay");
      await world.act(out.transaction_id, "confirm");
      expect(await railsOf(stage, "wallet.created", "cashin.confirmed", "cashout.confirmed")).toEqual([
        ["wallet.created", network],
        ["cashin.confirmed", network],
        ["cashout.confirmed", network],
      ]);
      expect(await itemsOf(merchant)).toMatchObject([
        { chain, network },
        { chain, network },
      ]);
    },
  );

  test.each(cryptoCurrencies.map((currency) => ({ currency, clause: CLAUSES[currency] })))(
    "$clause $currency is on no other chain, and converts both ways",
    async ({ currency }) => {
      await using stage = await setStage(file);
      const { merchant } = stage;
      const own: string[] = cryptoRails.filter((rail) => rail.currency === currency).map((rail) => rail.chain);
      const amount = fairAmount[currency];
      for (const chain of chains.filter((name) => !own.includes(name))) {
        const answers = [
          await merchant.cashin({ currency, chain, amount }),
          await merchant.cashout({ currency, network: chain, amount, key: "x" }),
          await provision(merchant, { currency, chain }),
        ];
        expect(answers.map(refusal)).toEqual(answers.map(() => [422, "UNSUPPORTED_CHAIN"]));
      }
      expectSuccess(await merchant.convert({ amount, base_currency: currency, destination_currency: "BRL" }));
      expectSuccess(await merchant.convert({ amount: 100, base_currency: "BRL", destination_currency: currency }));
    },
  );

  test.each([
    ["CUR-01", "BRL", "PIX", CPF],
    ["CUR-02", "MXN", "SPEI", "032180000118359719"],
  ])("%s CUR-10 %s works over %s, without any chain", async (_clause, currency, network, key) => {
    await using stage = await setStage(file);
    const { world, merchant } = stage;
    await walletOf(merchant, { currency });
    const charge = expectSuccess(await merchant.cashin({ currency, amount: 100 }));
    const out = expectSuccess(await merchant.cashout({ currency, amount: 100, key }), 202);
    for (const data of [charge, out]) expect([data.network, "chain" in data]).toEqual([network, false]);
    await world.act(charge.transaction_id, "pay");
    await world.act(out.transaction_id, "confirm");
    expect(await railsOf(stage, "wallet.created", "cashin.confirmed", "cashout.confirmed")).toEqual([
      ["wallet.created", network],
      ["cashin.confirmed", network],
      ["cashout.confirmed", network],
    ]);
    expect((await itemsOf(merchant)).map((item) => "chain" in item)).toEqual([false, false]);
  });

  test("CUR-02 MXN has no conversion, either way", async () => {
    await using stage = await setStage(file);
    for (const [base_currency, destination_currency] of [
      ["MXN", "BRL"],
      ["BRL", "MXN"],
      ["MXN", "USDT"],
    ]) {
      const body = { amount: 100, base_currency, destination_currency };
      expectRefusal(await stage.merchant.convert(body), 422, "INVALID_CURRENCY");
      expectRefusal(await stage.merchant.call("POST", "/v2/conversions/simulate", body), 422, "INVALID_CURRENCY");
    }
  });
});

test("D47 a page that was asked for before shows what came, changed and was undone since", async () => {
  await using stage = await setStage(file);
  const { merchant, world } = stage;
  const states = async () => (await itemsOf(merchant)).map(({ external_id: id, status }) => `${id} ${status}`);
  expect([await states(), await states()]).toEqual([[], []]);
  const id = await chargeOf(merchant, { external_id: "order-1" });
  expect([await states(), await states()]).toEqual([["order-1 pending"], ["order-1 pending"]]);
  await world.act(id, "pay");
  expect(await states()).toEqual(["order-1 confirmed"]);
  const refused = await merchant.cashin({ currency: "BRL", amount: 99_999_999, external_id: "order-2" });
  expect(refused.status).not.toBe(200);
  expect(await states()).toEqual(["order-1 confirmed"]);
  await world.reset();
  await merchant.authenticate();
  expect(await states()).toEqual([]);
});

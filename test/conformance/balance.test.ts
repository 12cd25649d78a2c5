/** `GET /v2/account/balance`: what an account has, and what is blocked of it. */
import { describe, expect, test } from "vitest";
import { expectRefusal, expectSuccess } from "../support/answers.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const PATH = "/v2/account/balance";

/** What the accounts of a world start with (interface, section 3a), in the order of the overview. */
const OPENING = [
  ["BRL", "10000.00", "0.00"],
  ["MXN", "100000.00", "0.00"],
  ["USDT", "10000.000000", "0.000000"],
  ["USDC", "10000.000000", "0.000000"],
  ["BTC", "1.00000000", "0.00000000"],
  ["ETH", "10.00000000", "0.00000000"],
  ["SOL", "100.00000000", "0.00000000"],
  ["BNB", "10.00000000", "0.00000000"],
].map(([currency, balance, balance_locked]) => ({ currency, balance, balance_locked }));

describe("the answer", () => {
  test("BAL-01 D01 D07 D45 every currency of the account with balance and balance_locked", async () => {
    const merchant = await Merchant.of(await file.world());
    const data = expectSuccess(await merchant.call("GET", PATH));
    expect(data).toStrictEqual({ balances: OPENING });
    expect(data.balances.map((entry: object) => Object.keys(entry))).toEqual(
      OPENING.map(() => ["currency", "balance", "balance_locked"]),
    );
  });

  test("D02 POL is there with currencies: extended", async () => {
    const merchant = await Merchant.of(await file.world({ settings: { currencies: "extended" } }));
    const pol = { currency: "POL", balance: "0.00000000", balance_locked: "0.00000000" };
    expect(expectSuccess(await merchant.call("GET", PATH)).balances).toEqual([...OPENING, pol]);
    expect(await merchant.balance("POL")).toEqual(pol);
  });

  test("balances that a world's accounts do not name are zero", async () => {
    const accounts = [{ username: "shop", balances: { BRL: "0.05", BTC: "20.99999999", USDC: "0" } }];
    const merchant = await Merchant.of(await file.world({ accounts }));
    const { balances } = expectSuccess(await merchant.call("GET", PATH));
    const shown = balances.map(({ currency, balance }: { currency: string; balance: string }) => [currency, balance]);
    expect(Object.fromEntries(shown)).toEqual({
      BRL: "0.05",
      MXN: "0.00",
      USDT: "0.000000",
      USDC: "0.000000",
      BTC: "20.99999999",
      ETH: "0.00000000",
      SOL: "0.00000000",
      BNB: "0.00000000",
    });
  });
});

describe("D45 ?currency=", () => {
  test.each(OPENING)("narrows to $currency", async (entry) => {
    const merchant = await Merchant.of(await file.world());
    const answer = await merchant.call("GET", `${PATH}?currency=${entry.currency}`);
    expect(expectSuccess(answer)).toStrictEqual({ balances: [entry] });
  });

  test.each(["XYZ", "brl", "POL", "BRL,MXN", "%20BRL", "%F0%9F%92%B8", "%00", "*", "__proto__", "BRL%27--"])(
    "D25 ERR-04 %s is INVALID_CURRENCY",
    async (currency) => {
      const merchant = await Merchant.of(await file.world());
      expectRefusal(await merchant.call("GET", `${PATH}?currency=${currency}`), 422, "INVALID_CURRENCY");
    },
  );

  test.each(["", "%FF%FE", "a".repeat(5_000)])("%j is refused, too", async (currency) => {
    const merchant = await Merchant.of(await file.world());
    const answer = await merchant.call("GET", `${PATH}?currency=${currency}`);
    const code = answer.status === 400 ? "INVALID_REQUEST" : "INVALID_CURRENCY";
    expectRefusal(answer, answer.status === 400 ? 400 : 422, code);
  });

  test("D20 what else is in the query is ignored", async () => {
    const merchant = await Merchant.of(await file.world());
    for (const query of ["?", "?page=1", "?Currency=XYZ", "?&&=", "?%zz=1"]) {
      expect(expectSuccess(await merchant.call("GET", PATH + query)).balances).toEqual(OPENING);
    }
    const answer = await merchant.call("GET", `${PATH}?page=1&currency=BTC&x`);
    expect(expectSuccess(answer).balances).toEqual([OPENING[4]]);
  });
});

describe("what moves it", () => {
  test("TX-11 BAL-02 a paid charge credits amount_net, to its account and currency alone", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { transaction_id, amount_net } = expectSuccess(await merchant.cashin({ currency: "BTC", amount: "0.25" }));
    expect(expectSuccess(await merchant.call("GET", PATH)).balances).toEqual(OPENING);
    await world.act(transaction_id, "pay");

    expect(amount_net).toBe("0.24750000");
    const expected = OPENING.map((entry) => (entry.currency === "BTC" ? { ...entry, balance: "1.24750000" } : entry));
    expect(expectSuccess(await merchant.call("GET", PATH)).balances).toEqual(expected);
    const { accounts } = await world.info();
    expect(accounts.find(({ username }) => username === "globex")?.balances).toEqual(OPENING);
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("D01 it is exact where binary numbers are not", async () => {
    const world = await file.world({ accounts: [{ username: "shop", balances: { BTC: "90071992.54740993" } }] });
    const merchant = await Merchant.of(world);
    expect(await merchant.balance("BTC")).toMatchObject({ balance: "90071992.54740993" });
    const { transaction_id } = expectSuccess(await merchant.cashin({ currency: "BTC", amount: "0.10000001" }));
    await world.act(transaction_id, "pay");
    expect(await merchant.balance("BTC")).toMatchObject({ balance: "90071992.64640994" });
  });

  test("D54a a refund shows in it, below zero if it must", async () => {
    const world = await file.world({ accounts: [{ username: "shop" }] });
    const merchant = await Merchant.of(world);
    const { transaction_id } = expectSuccess(await merchant.cashin({ currency: "MXN", amount: 1000 }));
    await world.act(transaction_id, "pay");
    await world.act(transaction_id, "refund");
    expect(await merchant.balance("MXN")).toEqual({ currency: "MXN", balance: "-10.00", balance_locked: "0.00" });
  });

  test("looking moves nothing", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const before = await world.all("/ledger");
    for (let count = 0; count < 5; count++) expectSuccess(await merchant.call("GET", PATH));
    expect(await world.all("/ledger")).toEqual(before);
  });
});

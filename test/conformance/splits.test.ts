/** Splits: shares of a charge that go to other accounts when it is paid. */
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { chargeOf } from "../support/charges.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { refusal, SigningMerchant, type Stage, setStage } from "../support/signing.ts";

const file = useSandbox();

// A charge of BRL 150.00 has a net amount of 148.50.
const CHARGE = { currency: "BRL", amount: "150.00" };
const globex = (share: object) => ({ username: "globex", ...share });
const initech = (share: object) => ({ username: "initech", ...share });

/** A stage with a third account, which has nothing yet. */
async function threeAccounts(): Promise<Stage> {
  const stage = await setStage(file);
  await stage.world.call("POST", "/accounts", { username: "initech" });
  return stage;
}

/** The balances of a currency of acme, globex and initech. */
async function balances(world: WorldClient, currency = "BRL"): Promise<string[]> {
  type Accounts = { items: { username: string; balances: { currency: string; balance: string }[] }[] };
  const { items } = await world.call<Accounts>("GET", "/accounts");
  return items.map((account) => account.balances.find((entry) => entry.currency === currency)?.balance ?? "");
}

const refusedSplit = async (stage: Stage, split: unknown) => {
  const answer = await stage.merchant.cashin({ ...CHARGE, split });
  expect(refusal(answer)).toEqual([400, "INVALID_REQUEST"]);
  return answer.body.error.message;
};

describe("on payment", () => {
  test.each([
    ["CIN-08 a percentage", globex({ percentage: 10 }), "14.85"],
    ["D35 a percentage with an exponent", globex({ percentage: 1e-7 }), "0.00"],
    ["D35 a percentage of many digits", globex({ percentage: 100 / 3 }), "49.50"],
    ["CIN-08 a percentage by its type", globex({ type: "percentage", percentage: 33.333 }), "49.49"],
    ["CIN-09 a fixed amount", globex({ type: "fixed", amount: "20.00" }), "20.00"],
    ["CIN-09 D09 a fixed amount as a number", globex({ type: "fixed", amount: 20.5 }), "20.50"],
    ["D35 all of it by a fixed amount", globex({ type: "fixed", amount: "148.50" }), "148.50"],
    ["D03 less than a cent is nothing", globex({ percentage: 0.001 }), "0.00"],
  ])("%s of the net amount moves: %j gives %s", async (_what, item, share) => {
    await using stage = await threeAccounts();
    const id = await chargeOf(stage.merchant, { ...CHARGE, split: [item] });
    expect(await balances(stage.world)).toEqual(["10000.00", "10000.00", "0.00"]);
    await stage.world.act(id, "pay");
    const left = (10_148.5 - Number(share)).toFixed(2);
    expect(await balances(stage.world)).toEqual([left, (10_000 + Number(share)).toFixed(2), "0.00"]);
    expect(await stage.events("transfer.confirmed")).toHaveLength(share === "0.00" ? 0 : 1);
    expect((await stage.world.checkLedger()).ok).toBe(true);
  });

  test("D35 a share's transfer names its cash-in, one by a call none", async () => {
    await using stage = await threeAccounts();
    const id = await chargeOf(stage.merchant, { ...CHARGE, split: [globex({ percentage: 10 })] });
    await stage.world.act(id, "pay");
    await stage.merchant.transfer({ username: "globex", currency: "BRL", amount: "1.00" });
    expect(await stage.world.all("/transfers")).toMatchObject([{ split_of: id }, { split_of: null }]);
  });

  test("D35 EVT-27 cashin.confirmed, then each share in order, to both sides", async () => {
    await using stage = await threeAccounts();
    const { receiver, world } = stage;
    for (const username of ["globex", "initech"]) await world.setPostbackUrl(username, receiver.url);
    const split = [globex({ type: "fixed", amount: "20.00" }), initech({ percentage: 10 })];
    const id = await chargeOf(stage.merchant, { ...CHARGE, split });
    await world.act(id, "pay");
    const told = receiver.received.map(({ body: { event, data } }) => [
      event,
      data.direction,
      data.counterparty,
      data.amount,
      data.old_balance,
      data.new_balance,
    ]);
    expect(told).toEqual([
      ["cashin.confirmed", undefined, undefined, "150.00", "10000.00", "10148.50"],
      ["transfer.confirmed", "sent", "globex", "20.00", "10148.50", "10128.50"],
      ["transfer.confirmed", "received", "acme", "20.00", "10000.00", "10020.00"],
      ["transfer.confirmed", "sent", "initech", "14.85", "10128.50", "10113.65"],
      ["transfer.confirmed", "received", "acme", "14.85", "0.00", "14.85"],
    ]);
    const ids = receiver.received.map(({ body }) => body.data.transaction_id);
    expect(ids[1]).toMatch(/^[0-9a-f]{32}$/);
    expect([ids[1] === ids[2], ids[3] === ids[4], new Set(ids).size]).toEqual([true, true, 3]);
  });

  test("D35 D52 out of the arriving credit, even when the balance is below zero", async () => {
    await using stage = await threeAccounts();
    const { merchant, world } = stage;
    const disputed = await chargeOf(merchant, { amount: "1000.00" });
    await world.act(disputed, "pay");
    await merchant.transfer({ username: "globex", currency: "BRL", amount: "10990.00" });
    await world.act(disputed, "dispute");
    expect((await merchant.money("BRL"))[0]).toBe("-1000.00");
    const id = await chargeOf(merchant, { ...CHARGE, split: [initech({ percentage: 50 })] });
    await world.act(id, "pay");
    expect(await balances(world)).toEqual(["-925.75", "20990.00", "74.25"]);
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("D35 D34 a crypto charge paid short: the last shares are cut, to nothing if need be", async () => {
    await using stage = await threeAccounts();
    const fixed = { type: "fixed", amount: "30" };
    const split = [globex(fixed), initech(fixed), globex(fixed)];
    const id = await chargeOf(stage.merchant, { currency: "USDT", amount: "100", chain: "tron", split });
    // 50 arrive, 49.5 of them net.
    await stage.world.act(id, "pay", { amount: "50" });
    expect(await balances(stage.world, "USDT")).toEqual(["10000.000000", "10030.000000", "19.500000"]);
    expect((await stage.events("transfer.confirmed")).map(({ body }) => body.data.amount)).toEqual([
      "30.000000",
      "19.500000",
    ]);
    expect((await stage.world.checkLedger()).ok).toBe(true);
  });

  test("D35 percentages are of what arrives", async () => {
    await using stage = await threeAccounts();
    const split = [globex({ percentage: 50 })];
    const id = await chargeOf(stage.merchant, { currency: "USDT", amount: "100", chain: "tron", split });
    await stage.world.act(id, "pay", { amount: "200" });
    expect(await balances(stage.world, "USDT")).toEqual(["10099.000000", "10099.000000", "0.000000"]);
  });

  test("D35 a charge that is not paid moves nothing", async () => {
    await using stage = await threeAccounts();
    await chargeOf(stage.merchant, { ...CHARGE, split: [globex({ percentage: 50 })] });
    await stage.world.advance("idle");
    expect(await balances(stage.world)).toEqual(["10000.00", "10000.00", "0.00"]);
    expect(await stage.events("transfer.confirmed")).toEqual([]);
  });
});

describe("on creation", () => {
  test("CONST-05 D35 percentages of 95 in sum are accepted, of 95.01 refused, and no charge is made", async () => {
    await using stage = await threeAccounts();
    const both = (second: number) => [globex({ percentage: 50 }), initech({ percentage: second })];
    expect((await stage.merchant.cashin({ ...CHARGE, split: both(45) })).status).toBe(200);
    expect(await refusedSplit(stage, both(45.01))).toContain("95");
    await refusedSplit(stage, [globex({ percentage: 95.000001 })]);
    for (const percentage of [1e64, 1e-63, 1e-64, 0, -5]) {
      expect(await refusedSplit(stage, [globex({ percentage })])).toContain("split[0].percentage");
    }
    const list = await stage.merchant.call("POST", "/v2/account/transactions/list", {});
    expect(list.body.data.items).toHaveLength(1);
  });

  test("D20 D35 a percentage beside a fixed amount is told, and not counted", async () => {
    await using stage = await threeAccounts();
    const both = globex({ type: "fixed", amount: "1", percentage: 50 });
    expect(await refusedSplit(stage, [both, initech({ percentage: 50 })])).toBe(
      "split[0].percentage does not go with type fixed.",
    );
  });

  test("D35 a percentage has at most the 30 decimals that its refusal names", async () => {
    await using stage = await threeAccounts();
    expect((await stage.merchant.cashin({ ...CHARGE, split: [globex({ percentage: 1e-30 })] })).status).toBe(200);
    expect(await refusedSplit(stage, [globex({ percentage: 1e-31 })])).toContain("of at most 30 decimals");
    const split = `[{"username": "globex", "percentage": 12.${"3".repeat(30)}}]`;
    const charge = `{"currency": "BRL", "amount": "150.00", "split": ${split}}`;
    expect((await stage.merchant.call("POST", "/v2/transactions/cashin", charge)).status).toBe(200);
  });

  test("D20 the sum of the percentages is named beside what is wrong with an item", async () => {
    await using stage = await threeAccounts();
    const own = { username: "acme", percentage: 50 };
    expect(await refusedSplit(stage, [globex({ percentage: 50 }), own])).toBe(
      "split[1].username must be another account than your own; split: the percentages must not exceed 95 in sum.",
    );
    expect(await refusedSplit(stage, [globex({ percentage: 50 }), initech({ percentage: 96 })])).not.toContain(
      "in sum",
    );
  });

  test("D35 percentages and fixed amounts together may come to the net amount, and no further", async () => {
    await using stage = await threeAccounts();
    const both = (amount: string) => [globex({ percentage: 50 }), initech({ type: "fixed", amount })];
    expect((await stage.merchant.cashin({ ...CHARGE, split: both("74.25") })).status).toBe(200);
    expect(await refusedSplit(stage, both("74.26"))).toContain("148.50");
    await refusedSplit(stage, [globex({ type: "fixed", amount: "148.51" })]);
    for (const amount of ["9".repeat(61), "9".repeat(64), 1e61]) {
      expect(await refusedSplit(stage, [globex({ type: "fixed", amount })])).toContain("net amount of 148.50");
    }
  });

  test("D35 up to ten items, to one account too", async () => {
    await using stage = await threeAccounts();
    const items = (count: number) => Array.from({ length: count }, () => globex({ percentage: 1 }));
    expect((await stage.merchant.cashin({ ...CHARGE, split: items(10) })).status).toBe(200);
    expect(await refusedSplit(stage, items(11))).toContain("split");
    expect((await stage.merchant.cashin({ ...CHARGE, split: [] })).status).toBe(200);
  });

  test.each<[string, object, string]>([
    ["an unknown username", { username: "nobody", percentage: 10 }, "split[1].username"],
    ["the own username", { username: "acme", percentage: 10 }, "split[1].username"],
    ["no username", { percentage: 10 }, "split[1].username"],
    ["neither percentage nor amount", globex({}), "split[1].percentage"],
    ["an amount without its type", globex({ amount: "10.00" }), "split[1].percentage"],
    ["a type without its amount", globex({ type: "fixed", percentage: 10 }), "split[1].amount"],
    ["both", globex({ percentage: 10, amount: "10.00" }), "split[1].amount goes with type fixed alone"],
    [
      "both, of which the type names one",
      globex({ type: "fixed", amount: "10.00", percentage: 10 }),
      "split[1].percentage does not go with type fixed",
    ],
    ["a type of its own", globex({ type: "half", percentage: 50 }), "split[1].type"],
    ["a percentage of zero", globex({ percentage: 0 }), "split[1].percentage"],
    ["a percentage below zero", globex({ percentage: -1 }), "split[1].percentage"],
    ["a percentage as a text", globex({ percentage: "10" }), "split[1].percentage"],
    ["an amount of zero", globex({ type: "fixed", amount: 0 }), "split[1].amount"],
    ["an amount of too many decimals", globex({ type: "fixed", amount: "1.001" }), "split[1].amount"],
  ])("D35 D20 refused: %s, and the item is named", async (_what, item, named) => {
    await using stage = await threeAccounts();
    expect(await refusedSplit(stage, [globex({ percentage: 5 }), item])).toContain(named);
  });

  test("D35 D20 null stands for the one of the two that is left out", async () => {
    await using stage = await threeAccounts();
    const split = [globex({ percentage: 10, amount: null }), initech({ type: "fixed", amount: "1", percentage: null })];
    expect((await stage.merchant.cashin({ ...CHARGE, split })).status).toBe(200);
  });

  test("D35 D20 refused: what is no array", async () => {
    await using stage = await threeAccounts();
    expect(await refusedSplit(stage, globex({ percentage: 5 }))).toContain("split");
    expect(await refusedSplit(stage, ["globex"])).toContain("split[0]");
  });
});

test("D46 a charge remembers the credential that made it: its split and its dispute are told where that one is told", async () => {
  await using own = await startReceiver();
  await using stage = await setStage(file);
  const { world } = stage;
  const second = await SigningMerchant.second(world);
  await world.call("PATCH", `/credentials/${second.clientId}`, { postback_url: own.url });
  const id = await chargeOf(second, { split: [{ username: "globex", percentage: 10 }] });
  await world.act(id, "pay");
  await world.act(id, "dispute");
  await world.settle();
  const events = (receiver: Receiver) => receiver.received.map(({ body }) => [body.event, body.data.direction]);
  expect(events(own)).toEqual([
    ["cashin.confirmed", undefined],
    ["transfer.confirmed", "sent"],
    ["chargeback.opened", undefined],
  ]);
  expect(events(stage.receiver)).toEqual([]);
});

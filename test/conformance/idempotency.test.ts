/** `external_id`: the same one with the same body gives the original, with another body a refusal. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { expectRefusal, expectSuccess, stateOf } from "../support/answers.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { UNPROTECTED } from "./unprotected.ts";

const file = useSandbox();

const PATH = "/v2/transactions/cashin";
const ORDER = { currency: "BRL", amount: 150, external_id: "order-1" };

const transactionsOf = async (world: WorldClient) => (await stateOf(world)).transactions;

describe("D24 TX-04 the same body", () => {
  test("ENV-04 gives the original, under a request_id of its own", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const [first, second] = [await merchant.cashin(ORDER), await merchant.cashin(ORDER)];
    expect(expectSuccess(second)).toEqual(expectSuccess(first));
    expect(JSON.stringify(second.body.data)).toBe(JSON.stringify(first.body.data));
    expect(second.body.request_id).not.toBe(first.body.request_id);
    expect(await transactionsOf(world)).toHaveLength(1);
  });

  test.each([
    ["other spacing", '{\n\t"currency" : "BRL" ,\r\n "amount":150,"external_id":"order-1" }\n'],
    ["another order of keys", '{"external_id":"order-1","amount":150,"currency":"BRL"}'],
    ["escapes", '{"currency":"\\u0042RL","amount":150,"external_id":"order\\u002d1"}'],
    ["another way to write the number", '{"currency":"BRL","amount":1.5e2,"external_id":"order-1"}'],
    ["zeros behind the number", '{"currency":"BRL","amount":150.00,"external_id":"order-1"}'],
    ["a key twice, the last counting", '{"amount":1,"currency":"BRL","amount":150,"external_id":"order-1"}'],
  ])("is the same in %s", async (_, text) => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { transaction_id } = expectSuccess(await merchant.cashin(ORDER));
    expect(expectSuccess(await merchant.call("POST", PATH, text))).toMatchObject({ transaction_id, amount: "150.00" });
    expect(await transactionsOf(world)).toHaveLength(1);
  });

  test("nested members count, whatever their order", async () => {
    const merchant = await Merchant.of(await file.world());
    const [name, document] = ["Maria Silva", "11144477735"];
    const first = expectSuccess(await merchant.cashin({ ...ORDER, payer: { name, document } }));
    expect(expectSuccess(await merchant.cashin({ payer: { document, name }, ...ORDER }))).toEqual(first);
    const other = await merchant.cashin({ ...ORDER, payer: { name, document: "52998224725" } });
    expectRefusal(other, 409, "DUPLICATE_EXTERNAL_ID");
  });

  test("any body keeps its meaning in any order of its keys", async () => {
    const merchant = await Merchant.of(await file.world(UNPROTECTED));
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), async (extra) => {
        // Plain keys of the request stay its own; whole numbers as keys always come first.
        const known = ["currency", "amount", "external_id", "payer", "chain", "network", "postback_url", "split"];
        const others = Object.entries(extra).filter(([key]) => !known.includes(key));
        const entries = [...others, ["currency", "MXN"], ["amount", 200], ["external_id", `any-${count++}`]];
        const text = (members: unknown[][]) =>
          `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}`;
        const first = expectSuccess(await merchant.call("POST", PATH, text(entries)));
        expect(expectSuccess(await merchant.call("POST", PATH, text(entries.toReversed())))).toEqual(first);
      }),
      { numRuns: 40 },
    );
  });

  test("sent twenty times at once makes one charge", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const answers = await Promise.all(Array.from({ length: 20 }, () => merchant.cashin(ORDER)));
    expect(new Set(answers.map((answer) => expectSuccess(answer).transaction_id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.body.request_id)).size).toBe(20);
    expect(await transactionsOf(world)).toHaveLength(1);
  });

  test.each([
    ["pay", "confirmed"],
    ["expire", "expired"],
    ["cancel", "canceled"],
    ["fail", "failed"],
  ])("gives the original in its present state: after %s %s", async (action, status) => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const first = expectSuccess(await merchant.cashin(ORDER));
    await world.act(first.transaction_id, action);
    expect(expectSuccess(await merchant.cashin(ORDER))).toEqual({ ...first, status });
    expect(await transactionsOf(world)).toHaveLength(1);
  });

  test("D26a is the original still when its 30 minutes are over, and for ever", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const first = expectSuccess(await merchant.cashin(ORDER));
    await world.advance("400d");
    await merchant.authenticate();
    expect(expectSuccess(await merchant.cashin(ORDER))).toEqual({ ...first, status: "expired" });
  });

  test("credits once", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { transaction_id } = expectSuccess(await merchant.cashin(ORDER));
    await world.act(transaction_id, "pay");
    for (let count = 0; count < 3; count++) expectSuccess(await merchant.cashin(ORDER));
    expect(await merchant.balance("BRL")).toMatchObject({ balance: "10148.50" });
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("uses up a limit once", async () => {
    const limit = { currency: "BRL", operation: "cashin", per_operation_min: "1.00", per_operation_max: "1000.00" };
    const fixtures = { limits: [{ ...limit, daily_limit: "300.00" }] };
    const merchant = await Merchant.of(await file.world({ settings: { fixtures } }));
    for (let count = 0; count < 4; count++) expectSuccess(await merchant.cashin(ORDER));
    expectSuccess(await merchant.cashin({ ...ORDER, external_id: "order-2" }));
    expectRefusal(await merchant.cashin({ ...ORDER, external_id: "order-3" }), 409, "LIMIT_EXCEEDED");
    expectSuccess(await merchant.cashin(ORDER));
  });
});

describe("D24 ERR-12 another body", () => {
  test.each([
    ["another amount", { amount: 151 }],
    ["the amount as a text", { amount: "150.00" }],
    ["another currency", { currency: "MXN" }],
    ["a payer", { payer: { name: "Maria Silva", document: "11144477735" } }],
    ["a field that is unknown", { note: "x" }],
    ["a currency that is none", { currency: "XYZ" }],
    ["an amount over the maximum", { amount: 9_000_000 }],
  ])("D23 %s is refused, and nothing moves", async (_, change) => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    expectSuccess(await merchant.cashin(ORDER));
    const before = await stateOf(world);
    expectRefusal(await merchant.cashin({ ...ORDER, ...change }), 409, "DUPLICATE_EXTERNAL_ID");
    expect(await stateOf(world)).toEqual(before);
  });

  test.each([
    ["an amount that is none", { amount: "1.234" }],
    ["a share of an account that is not there", { split: [{ username: "nobody", percentage: 5 }] }],
  ])("D15 with %s it is the body that is refused", async (_, change) => {
    const merchant = await Merchant.of(await file.world());
    expectSuccess(await merchant.cashin(ORDER));
    expectRefusal(await merchant.cashin({ ...ORDER, ...change }), 400, "INVALID_REQUEST");
  });

  test("D23 with duplicate_status: 422 that is the status", async () => {
    const merchant = await Merchant.of(await file.world({ settings: { duplicate_status: 422 } }));
    expectSuccess(await merchant.cashin(ORDER));
    expectRefusal(await merchant.cashin({ ...ORDER, amount: 1 }), 422, "DUPLICATE_EXTERNAL_ID");
  });
});

describe("whose an external_id is", () => {
  test("TX-04 another account may use it too", async () => {
    const world = await file.world();
    const [acme, globex] = [await SigningMerchant.ofAccount(world), await SigningMerchant.ofAccount(world, "globex")];
    const [ours, theirs] = [await acme.cashin(ORDER), await globex.cashin({ ...ORDER, amount: 7 })];
    expect(expectSuccess(theirs).transaction_id).not.toBe(expectSuccess(ours).transaction_id);
    expect(theirs.body.data).toMatchObject({ amount: "7.00", external_id: "order-1" });
  });

  test("D46 the credentials of one account share it", async () => {
    const world = await file.world();
    const first = await Merchant.of(world);
    const second = await SigningMerchant.second(world);
    const { transaction_id } = expectSuccess(await first.cashin(ORDER));
    expect(expectSuccess(await second.cashin(ORDER))).toMatchObject({ transaction_id });
    expectRefusal(await second.cashin({ ...ORDER, amount: 7 }), 409, "DUPLICATE_EXTERNAL_ID");
  });

  test("ENV-01 another world knows nothing of it", async () => {
    const [here, there] = [await Merchant.of(await file.world()), await Merchant.of(await file.world())];
    expectSuccess(await here.cashin(ORDER));
    expectSuccess(await there.cashin({ ...ORDER, amount: 7 }));
  });

  test("TX-04 D24 a refused request does not use it up", async () => {
    const merchant = await Merchant.of(await file.world());
    expectRefusal(await merchant.cashin({ ...ORDER, amount: 0 }), 400, "INVALID_REQUEST");
    expectRefusal(await merchant.cashin({ ...ORDER, currency: "XYZ" }), 422, "INVALID_CURRENCY");
    expectRefusal(await merchant.cashin({ ...ORDER, amount: 9_000_000 }), 409, "LIMIT_EXCEEDED");
    expectSuccess(await merchant.cashin(ORDER));
  });

  test("TX-03 STATE-02 without one every request is a new charge", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (const external_id of [undefined, null, undefined, null]) {
      expect(expectSuccess(await merchant.cashin({ ...ORDER, external_id })).external_id).toBeNull();
    }
    expect(await transactionsOf(world)).toHaveLength(4);
  });
});

describe("CONST-03 what an external_id may be", () => {
  test.each([
    ["one character", "x"],
    ["64 characters", "x".repeat(64)],
    ["64 characters beyond the first plane", "💸".repeat(64)],
    ["a text in another script", "заказ № 1 — 注文"],
    ["a text with a zero byte", "a\u0000b"],
    ["line ends and quotes", "'\"\n\r\t\\'; --"],
    ["the name of a member that objects have", "__proto__"],
    ["only a blank", " "],
  ])("TX-03 %s comes back as it was", async (_, external_id) => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const first = expectSuccess(await merchant.cashin({ ...ORDER, external_id }));
    expect(first.external_id).toBe(external_id);
    expect(expectSuccess(await merchant.cashin({ ...ORDER, external_id }))).toEqual(first);
    expect((await world.transaction(first.transaction_id)).external_id).toBe(external_id);
    expectRefusal(await merchant.cashin({ ...ORDER, external_id, amount: 1 }), 409, "DUPLICATE_EXTERNAL_ID");
  });

  test("texts that look alike are not the same", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const alike = ["café", "cafe\u0301", "CAFÉ", "café ", " café", "café\u0000", "café\u200b", "сafé"];
    for (const external_id of alike) expectSuccess(await merchant.cashin({ ...ORDER, external_id }));
    expect(await transactionsOf(world)).toHaveLength(alike.length);
  });

  test.each([
    ["65 characters", "x".repeat(65)],
    ["65 characters beyond the first plane", "💸".repeat(65)],
    ["a text without end", "x".repeat(500_000)],
    ["an empty text", ""],
    ["a number", 1],
    ["true", true],
    ["a list", ["order-1"]],
    ["an object", { id: "order-1" }],
    ["half of a surrogate pair", "order-\ud83d"],
  ])("D20 D24 %s is INVALID_REQUEST, and nothing is created", async (_, external_id) => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    expectRefusal(await merchant.cashin({ ...ORDER, external_id }), 400, "INVALID_REQUEST", "external_id");
    expect(await transactionsOf(world)).toEqual([]);
  });
});

/** Internal transfers between two accounts of the service. */
import { describe, expect, test } from "vitest";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { refusal, SigningMerchant, setStage } from "../support/signing.ts";

const file = useSandbox();

const TRANSFER = { username: "globex", currency: "BRL", amount: "150.00" };
const UNTOUCHED = ["10000.00", "0.00"];

test("D38 STATE-18 XFER-01 the answer, exactly and in order", async () => {
  await using stage = await setStage(file);
  const answer = await stage.merchant.transfer({ ...TRANSFER, description: "Rent", external_id: "rent-1" });
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body)).toEqual(["success", "data", "request_id", "timestamp"]);
  expect(Object.entries(answer.body.data)).toEqual([
    ["transaction_id", expect.stringMatching(/^[0-9a-f]{32}$/)],
    ["external_id", "rent-1"],
    ["username", "globex"],
    ["currency", "BRL"],
    ["amount", "150.00"],
    ["fee", "0.00"],
    ["status", "confirmed"],
    ["description", "Rent"],
    ["created_at", "2026-01-01T12:00:00.000Z"],
  ]);
});

test("D38 a description may be empty", async () => {
  await using stage = await setStage(file);
  const answer = await stage.merchant.transfer({ ...TRANSFER, description: "" });
  expect([answer.status, answer.body.data.description]).toEqual([200, ""]);
});

test("D38 D29 description and external_id are optional, and null then", async () => {
  await using stage = await setStage(file);
  const { data } = (await stage.merchant.transfer(TRANSFER)).body;
  expect([data.description, data.external_id]).toEqual([null, null]);
});

test("XFER-01 without a token it is UNAUTHORIZED", async () => {
  await using stage = await setStage(file);
  const answer = await stage.merchant.call("POST", "/v2/internal_transfers/payment", TRANSFER, {
    Authorization: undefined,
  });
  expect(refusal(answer)).toEqual([401, "UNAUTHORIZED"]);
});

test("XFER-03 STATE-18 it moves the amount, in every currency, and nothing is lost", async () => {
  await using stage = await setStage(file, { settings: { currencies: "extended" } });
  const { merchant, world } = stage;
  const globex = await SigningMerchant.ofAccount(world, "globex");
  await world.call("POST", "/accounts/acme/fund", { currency: "POL", amount: "5" });
  const moves = [
    ["BRL", "0.01", "9999.99", "10000.01"],
    ["MXN", "100000", "0.00", "200000.00"],
    ["USDT", "0.000001", "9999.999999", "10000.000001"],
    ["USDC", 9999.5, "0.500000", "19999.500000"],
    ["BTC", 0.00000001, "0.99999999", "1.00000001"],
    ["ETH", "10", "0.00000000", "20.00000000"],
    ["SOL", "1.5", "98.50000000", "101.50000000"],
    ["BNB", "0.25", "9.75000000", "10.25000000"],
    ["POL", "5", "0.00000000", "5.00000000"],
  ] as const;
  for (const [currency, amount, left, there] of moves) {
    const body = `{"username":"globex","currency":"${currency}","amount":${typeof amount === "string" ? `"${amount}"` : amount.toFixed(8).replace(/0+$/, "")}}`;
    expect((await merchant.transfer(body)).status, currency).toBe(200);
    expect([await merchant.money(currency), await globex.money(currency)]).toEqual([
      [left, zeroOf(currency)],
      [there, zeroOf(currency)],
    ]);
  }
  expect((await world.checkLedger()).ok).toBe(true);
});

describe("refusals, after which nothing has moved", () => {
  test.each<[string, object, number, string, string]>([
    ["XFER-02 D20 no username", { username: undefined }, 400, "INVALID_REQUEST", "username"],
    ["XFER-02 an empty username", { username: "" }, 400, "INVALID_REQUEST", "username"],
    ["D38 an unknown username", { username: "nobody" }, 404, "NOT_FOUND", "nobody"],
    ["D38 oneself", { username: "acme" }, 400, "INVALID_REQUEST", "username"],
    ["D20 no currency", { currency: undefined }, 400, "INVALID_REQUEST", "currency"],
    ["D25 an unknown currency", { currency: "XYZ" }, 422, "INVALID_CURRENCY", "XYZ"],
    ["D25 D02 POL", { currency: "POL" }, 422, "INVALID_CURRENCY", "POL"],
    ["D20 no amount", { amount: undefined }, 400, "INVALID_REQUEST", "amount"],
    ["D01 zero", { amount: 0 }, 400, "INVALID_REQUEST", "amount"],
    ["D01 less than zero", { amount: "-5" }, 400, "INVALID_REQUEST", "amount"],
    ["D01 too many decimals", { amount: "1.000" }, 400, "INVALID_REQUEST", "amount"],
    ["more than the balance", { amount: "10000.01" }, 422, "INSUFFICIENT_BALANCE", "balance"],
  ])("%s", async (_what, change, status, code, named) => {
    await using stage = await setStage(file);
    const answer = await stage.merchant.transfer({ ...TRANSFER, ...change });
    expect(refusal(answer)).toEqual([status, code]);
    expect(answer.body.error.message).toContain(named);
    const globex = await SigningMerchant.ofAccount(stage.world, "globex");
    expect([await stage.merchant.money("BRL"), await globex.money("BRL")]).toEqual([UNTOUCHED, UNTOUCHED]);
    expect(await stage.events("transfer.confirmed")).toEqual([]);
  });

  test("D52 BAL-02 what is locked, or below zero, cannot be sent", async () => {
    await using stage = await setStage(file);
    await stage.merchant.cashout({ currency: "BRL", amount: "9000.00", key: "12345678909" });
    expect(refusal(await stage.merchant.transfer({ ...TRANSFER, amount: "1000.01" }))[1]).toBe("INSUFFICIENT_BALANCE");
    expect((await stage.merchant.transfer({ ...TRANSFER, amount: "1000.00" })).status).toBe(200);
  });
});

test("D38 a description of 500 characters comes back as it was, one of 501 is refused", async () => {
  await using stage = await setStage(file);
  const description = "ã".repeat(500);
  const { body } = await stage.merchant.transfer({ ...TRANSFER, description });
  expect(body.data.description).toBe(description);
  const answer = await stage.merchant.transfer({ ...TRANSFER, description: `${description}o` });
  expect(refusal(answer)).toEqual([400, "INVALID_REQUEST"]);
  expect(answer.body.error.message).toBe("description must be at most 500 characters.");
});

describe("transfer.confirmed", () => {
  const FIELDS = [
    "transaction_id",
    "direction",
    "amount",
    "currency",
    "counterparty",
    "description",
    "old_balance",
    "new_balance",
    "confirmed_at",
  ];

  test("EVT-07 D46 the other account is told once, where its first credential is told, the sender where the one that sent is", async () => {
    await using first = await startReceiver();
    await using further = await startReceiver();
    await using own = await startReceiver();
    await using stage = await setStage(file);
    const { world } = stage;
    const [sender, sibling] = [await SigningMerchant.second(world), await SigningMerchant.second(world, "globex")];
    const receiver = await SigningMerchant.ofAccount(world, "globex");
    for (const [{ clientId }, { url }] of [
      [receiver, first],
      [sibling, further],
      [sender, own],
    ] as const) {
      await world.call("PATCH", `/credentials/${clientId}`, { postback_url: url });
    }
    expect((await sender.transfer(TRANSFER)).status).toBe(200);
    await world.settle();
    const directions = [first, further, own, stage.receiver].map(({ received }) =>
      received.map(({ body }) => body.data.direction),
    );
    expect(directions).toEqual([["received"], [], ["sent"], []]);
  });

  test.each([
    ["sent", {}],
    ["out", { transfer_sent_direction: "out" }],
  ])("EVT-27 EVT-07 D39 TX-21 both sides are told, the sender's direction is %s", async (direction, settings) => {
    await using other = await startReceiver();
    await using stage = await setStage(file, { settings });
    await stage.world.setPostbackUrl("globex", other.url);
    await stage.world.advance("10s");
    const { data } = (await stage.merchant.transfer({ ...TRANSFER, description: "Rent" })).body;
    await stage.world.settle();
    const common = {
      transaction_id: data.transaction_id,
      amount: "150.00",
      currency: "BRL",
      description: "Rent",
      old_balance: "10000.00",
      confirmed_at: "2026-01-01T12:00:10.000Z",
    };
    const copies = [stage.receiver, other].map(({ received }) => received.map(({ body }) => body));
    for (const bodies of copies) {
      expect(bodies).toHaveLength(1);
      expect(bodies[0]).toMatchObject({ event: "transfer.confirmed", transaction_id: data.transaction_id });
      expect(Object.keys(bodies[0].data)).toEqual(FIELDS);
    }
    expect(copies[0]?.[0].data).toEqual({ ...common, direction, counterparty: "globex", new_balance: "9850.00" });
    expect(copies[1]?.[0].data).toEqual({
      ...common,
      direction: "received",
      counterparty: "acme",
      new_balance: "10150.00",
    });
  });

  test("EVT-07 TX-21 on its arrival the balances have moved", async () => {
    await using stage = await setStage(file);
    const globex = await SigningMerchant.ofAccount(stage.world, "globex");
    const seen: unknown[] = [];
    stage.receiver.answerWith(async (request, response) => {
      seen.push([
        request.body.data.new_balance,
        (await stage.merchant.money("BRL"))[0],
        (await globex.money("BRL"))[0],
      ]);
      response.writeHead(200).end();
    });
    await stage.merchant.transfer(TRANSFER);
    await stage.world.settle();
    expect(seen).toEqual([["9850.00", "9850.00", "10150.00"]]);
  });

  test("D38 D29 without a description it is null", async () => {
    await using stage = await setStage(file);
    await stage.merchant.transfer(TRANSFER);
    const [webhook] = await stage.events("transfer.confirmed");
    expect(webhook?.body.data).toHaveProperty("description", null);
  });

  test("D47 transfers are not in the transaction list", async () => {
    await using stage = await setStage(file);
    expect((await stage.merchant.transfer(TRANSFER)).status).toBe(200);
    const list = await stage.merchant.call("POST", "/v2/account/transactions/list", {});
    expect(list.body.data.items).toEqual([]);
  });
});

/** Zero, in the scale of a currency. */
function zeroOf(currency: string): string {
  const scales: Record<string, number> = { BRL: 2, MXN: 2, USDT: 6, USDC: 6 };
  return (0).toFixed(scales[currency] ?? 8);
}

/** Transactions as the control interface shows them, and what can be done to them. */
import { describe, expect, test } from "vitest";
import { chargeOf, makeCharge, transactionOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { deposit, walletOf } from "../support/wallets.ts";

const file = useSandbox();

describe("what is known of a transaction", () => {
  test("its fields, and what it allows", async () => {
    const world = await file.world();
    const id = await makeCharge(world, { external_id: "order-1", postback_url: "https://merchant.example/hook" });
    expect(await transactionOf(world, id)).toMatchObject({
      transaction_id: id,
      external_id: "order-1",
      type: "cashin",
      currency: "BRL",
      amount: "150.00",
      fee: "1.50",
      amount_net: "148.50",
      status: "pending",
      source: "dynamic_qr",
      network: "PIX",
      username: "acme",
      client_id: world.credentials.clientId,
      postback_url: "https://merchant.example/hook",
      qr_code: expect.stringMatching(/^00020126/),
      expires_at: "2026-01-01T12:30:00.000Z",
      confirmed_at: null,
      amount_refunded: "0.00",
      actions: ["pay", "expire", "cancel", "fail"],
    });
  });

  test("why a cash-out failed, where a deposit came in, and to whom a charge goes on", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const cashout = await merchant.cashout({ currency: "BRL", amount: "10.00", key: "12345678909" });
    const { transaction_id: failed } = cashout.body.data;
    expect(await transactionOf(world, failed)).not.toHaveProperty("error_code");
    const why = { error_code: "PIX_KEY_NOT_FOUND", error_message: "No such key." };
    await world.act(failed, "fail", why);
    expect(await transactionOf(world, failed)).toMatchObject({ status: "failed", ...why });

    const { wallet_id } = await walletOf(merchant, { currency: "BRL" });
    expect(await deposit(world, wallet_id, { amount: "10.00" })).toMatchObject({ wallet_id });

    const split = [
      { username: "globex", percentage: 12.5 },
      { username: "globex", type: "fixed", amount: 5 },
    ];
    const shown = [
      { username: "globex", percentage: "12.5" },
      { username: "globex", amount: "5.00" },
    ];
    expect((await transactionOf(world, await chargeOf(merchant, { split }))).split).toEqual(shown);
  });

  test("why a charge failed, beside what was known of it before", async () => {
    const world = await file.world();
    const payer = { name: "Maria Silva", document: "52998224725" };
    const id = await makeCharge(world, { payer });
    await world.act(id, "fail", { reason: "The bank is down." });
    expect(await transactionOf(world, id)).toMatchObject({ status: "failed", reason: "The bank is down.", payer });
  });

  test("what it allows is what can work: only a PIX is disputed, what is given back whole is not refunded", async () => {
    const world = await file.world();
    const [pix, crypto] = [await makeCharge(world), await makeCharge(world, { currency: "USDT", chain: "tron" })];
    for (const id of [pix, crypto]) await world.act(id, "pay");
    expect((await transactionOf(world, pix)).actions).toEqual(["refund", "dispute"]);
    expect((await transactionOf(world, crypto)).actions).toEqual(["refund"]);
    const again = await control(world, "POST", `/transactions/${crypto}/pay`, {});
    expect([again.status, again.body.error.code]).toEqual([409, "INVALID_TRANSITION"]);
    expect(again.body.error.message).toMatch(/it allows refund\.$/);

    await world.act(crypto, "refund", { amount: "50" });
    expect((await transactionOf(world, crypto)).actions).toEqual(["refund"]);
    await world.act(crypto, "refund");
    expect((await transactionOf(world, crypto)).actions).toEqual([]);
  });

  test("D08 D54a a cash-out whose fee was added is given back whole with its fee, not with its amount", async () => {
    const world = await file.world({ settings: { cashout_fee: "added" } });
    const merchant = await SigningMerchant.ofAccount(world);
    const { body } = await merchant.cashout({ currency: "BRL", amount: "100.00", key: "12345678909" });
    const { transaction_id: id } = body.data;
    await world.act(id, "confirm");
    await world.act(id, "refund", { amount: "100.00" });
    expect((await transactionOf(world, id)).actions).toEqual(["refund"]);
    await world.act(id, "refund");
    expect((await transactionOf(world, id)).actions).toEqual([]);
  });

  test.each(["expire", "cancel", "fail"])(
    "nothing waits for a charge or a deposit any more after %s",
    async (action) => {
      const world = await file.world();
      const merchant = await Merchant.of(world);
      const { wallet_id } = await walletOf(merchant, { currency: "MXN" });
      const { transaction_id: sent } = await deposit(world, wallet_id, { amount: "20" });
      for (const id of [await makeCharge(world), sent]) {
        expect((await world.transaction(id)).timers).toHaveLength(1);
        await world.act(id, action);
        expect((await world.transaction(id)).timers).toEqual([]);
      }
    },
  );

  test("its postings, timers and journal entries", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const id = await makeCharge(world);
    const pending = await world.transaction(id);
    expect(pending.timers.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
      "scenario.step 2026-01-01T12:00:05.000Z",
      "charge.expiry 2026-01-01T12:30:00.000Z",
    ]);
    expect(pending.postings).toEqual([]);
    await world.advance("5s");
    const paid = await world.transaction(id);
    expect(paid.timers).toEqual([]);
    expect(paid.postings.map(({ currency, amount, at }) => [currency, amount, at])).toEqual([
      ["BRL", "150.00", "2026-01-01T12:00:05.000Z"],
      ["BRL", "1.50", "2026-01-01T12:00:05.000Z"],
    ]);
    expect(paid.journal.filter(({ kind }) => kind === "transition").map(({ data }) => [data.from, data.to])).toEqual([
      [null, "pending"],
      ["pending", "confirmed"],
    ]);
  });

  test("all of them are listed, oldest first", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const ids = [await chargeOf(merchant), await chargeOf(merchant, { currency: "MXN" })];
    const { body } = await control(world, "GET", "/transactions");
    expect(body.items.map(({ transaction_id }: { transaction_id: string }) => transaction_id)).toEqual(ids);
    expect(body.items[1]).toMatchObject({ currency: "MXN", clabe: expect.stringMatching(/^\d{18}$/) });
  });
});

test("a list can be narrowed, and its pages go on where they end", async () => {
  const world = await file.world({ scenarios: [] });
  const [first, second, third] = [
    await makeCharge(world, { external_id: "order-1" }),
    await makeCharge(world, { external_id: "order-2" }),
    await makeCharge(world, { currency: "MXN", amount: 10 }),
  ];
  await world.act(second, "pay");
  const ids = async (query: string) => {
    const { body } = await control(world, "GET", `/transactions?${query}`);
    return body.items.map(({ transaction_id }: { transaction_id: string }) => transaction_id);
  };
  expect(await ids("external_id=order-1")).toEqual([first]);
  expect(await ids("status=confirmed")).toEqual([second]);
  expect(await ids("currency=MXN&type=cashin")).toEqual([third]);
  expect(await ids("type=cashout")).toEqual([]);
  expect(await ids("username=globex")).toEqual([]);
  const { body } = await control(world, "GET", "/transactions?status=pending&limit=1");
  expect(await ids(`status=pending&cursor=${body.next_cursor}`)).toEqual([third]);
  expect((await control(world, "GET", "/transactions?status=paid")).status).toBe(400);
});

test.each([
  ["currency=brl", 400, 'did you mean "BRL"?'],
  ["currency=XXX", 400, "currency must be one of"],
  ["username=", 400, "username must not be empty"],
  ["username=acm", 404, 'There is no account acm; did you mean "acme"?'],
])("a list narrowed by %s, which the world does not have, is refused", async (query, status, message) => {
  const answer = await control(await file.world(), "GET", `/transactions?${query}`);
  expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)]);
});

describe("an action", () => {
  test("answers the transaction when what it made due is done, its delivery included", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const id = await makeCharge(world);
    const { status, body } = await control(world, "POST", `/transactions/${id}/pay`);
    expect([status, body.status, body.actions]).toEqual([200, "confirmed", expect.arrayContaining(["refund"])]);
    expect(body.journal.at(-1).kind).toBe("webhook.delivered");
    expect(receiver.received).toHaveLength(1);
  });

  test("that the state does not allow: 409 with the state and what it does allow", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const { status, body } = await control(world, "POST", `/transactions/${id}/refund`);
    expect([status, body.error.code]).toEqual([409, "INVALID_TRANSITION"]);
    expect(body.error.details).toEqual({ state: "pending", allowed: ["pay", "expire", "cancel", "fail"] });
  });

  test("of the other kind of transaction: 409 with the state and what it does allow", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const cashin = await chargeOf(merchant);
    const confirm = await control(world, "POST", `/transactions/${cashin}/confirm`);
    expect([confirm.status, confirm.body.error.code]).toEqual([409, "INVALID_TRANSITION"]);
    expect(confirm.body.error.details).toEqual({ state: "pending", allowed: ["pay", "expire", "cancel", "fail"] });
    const cashout = await merchant.cashout({ currency: "BRL", amount: "10.00", key: "12345678909" });
    const pay = await control(world, "POST", `/transactions/${cashout.body.data.transaction_id}/pay`);
    expect([pay.status, pay.body.error.message]).toEqual([
      409,
      'A cashout that is pending does not allow "pay"; it allows confirm, fail.',
    ]);
    expect(pay.body.error.details).toEqual({ state: "pending", allowed: ["confirm", "fail"] });
  });

  test("that there is not: 404 with the nearest", async () => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", `/transactions/${await makeCharge(world)}/apy`);
    expect([status, body.error.message]).toEqual([404, expect.stringContaining('did you mean "pay"?')]);
  });

  test("on what is not there: 404", async () => {
    const world = await file.world();
    for (const [method, path] of [
      ["GET", "/transactions/nothing"],
      ["POST", "/transactions/nothing/pay"],
    ] as const) {
      const { status, body } = await control(world, method, path);
      expect([status, body.error.message]).toEqual([404, "There is no transaction nothing."]);
    }
  });

  test("given an external_id in the place of an id: 404 with the ids that are meant", async () => {
    const usernames = ["acme", "globex", "hooli", "initech"];
    const world = await file.world({ accounts: usernames.map((username) => ({ username })) });
    const ids = [];
    for (const username of usernames) {
      const merchant = await SigningMerchant.ofAccount(world, username);
      ids.push(await chargeOf(merchant, { external_id: "order-1" }));
      if (ids.length === 1) await chargeOf(merchant, { external_id: "order-2" });
    }
    const all = `the cash-in ${ids[0]}, the cash-in ${ids[1]}, the cash-in ${ids[2]} and 1 more`;
    for (const [method, path, what] of [
      ["GET", "/transactions/order-1", "transaction"],
      ["POST", "/transactions/order-1/pay", "transaction"],
      ["POST", "/disputes/order-1/win", "dispute"],
    ] as const) {
      const { status, body } = await control(world, method, path);
      const message = `There is no ${what} order-1; order-1 is the external_id of ${all}.`;
      expect([status, body.error.message]).toEqual([404, message]);
    }
    const { status, body } = await control(world, "POST", "/clock/advance", { until: { expiry: "order-2" } });
    const message = /^There is no transaction order-2; order-2 is the external_id of the cash-in [\w-]+\.$/;
    expect([status, body.error.message]).toEqual([404, expect.stringMatching(message)]);
  });

  test.each([
    ["pay", { amount: "1.00" }, 422, "amount must be 150.00"],
    ["pay", { payer: "Maria" }, 400, "payer must be an object"],
    ["pay", { payer: 5 }, 400, "payer must be an object"],
    ["pay", { amount: null }, 400, "amount must be"],
    ["fail", { reason: "" }, 400, "reason must not be empty"],
    ["fail", { reason: "x".repeat(501) }, 400, "reason must be at most 500 characters"],
  ])("%s %j is refused with %i: %s", async (action, input, status, message) => {
    const world = await file.world();
    const id = await makeCharge(world);
    const answer = await control(world, "POST", `/transactions/${id}/${action}`, input);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)]);
    expect((await transactionOf(world, id)).status).toBe("pending");
  });

  test.each([
    [
      { currency: "USDT", amount: "10", chain: "tron" },
      { tx_hash: "0xabc" },
      "tx_hash must be a transaction hash of tron",
    ],
    [{ currency: "BRL", amount: "10" }, { tx_hash: "ab".repeat(32) }, "tx_hash is for payments on a chain alone"],
    [{ currency: "USDT", amount: "10", chain: "tron" }, { amount: "0" }, "amount must be above zero"],
    [{ currency: "USDT", amount: "10", chain: "tron" }, { amount: "1.1234567" }, "amount must have at most 6 decimals"],
  ])("pay of %j with %j is refused", async (charge, input, message) => {
    const world = await file.world();
    const id = await makeCharge(world, charge);
    const answer = await control(world, "POST", `/transactions/${id}/pay`, input);
    expect([answer.status, answer.body.error.message]).toEqual([422, expect.stringContaining(message)]);
    expect((await transactionOf(world, id)).status).toBe("pending");
  });
});

/** The stand-in for the program under test: every endpoint of the service by a typed call. */
import { expect, test } from "vitest";
import { Tokens } from "../../src/client/tokens.ts";
import { MerchantClient, ServiceCallError, UnreachableError } from "../../src/index.ts";
import { useSandbox } from "../support/sandbox.ts";
import { StoppedWall } from "../support/stopped-wall.ts";

const file = useSandbox();

test("calls every endpoint, signed where that is asked for", async () => {
  const world = await file.world();
  const merchant = world.merchant();
  const { clientId: client_id, clientSecret: client_secret } = world.credentials;
  const token = await merchant.call("POST /v2/oauth/token", { client_id, client_secret });
  expect(token).toMatchObject({ token_type: "Bearer", expires_in: 3600 });
  const charge = await merchant.call("POST /v2/transactions/cashin", { currency: "BRL", amount: "150.00" });
  expect(charge).toMatchObject({ status: "pending", network: "PIX", amount: "150.00" });
  const cashout = { currency: "BRL", amount: 25, key: "52998224725", external_id: "payout-1" };
  expect(await merchant.call("POST /v2/transactions/cashout", cashout)).toMatchObject({ external_id: "payout-1" });
  expect(await merchant.call("POST /v2/transactions/wallet", { currency: "MXN" })).toMatchObject({ network: "SPEI" });
  const transfer = { username: "globex", currency: "BRL", amount: "10.00" };
  expect(await merchant.call("POST /v2/internal_transfers/payment", transfer)).toMatchObject({ status: "confirmed" });
  const pair = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
  expect(await merchant.call("POST /v2/conversions/rate", pair)).toMatchObject({ amount: "100.00" });
  expect(await merchant.call("POST /v2/conversions/simulate", pair)).toMatchObject({ from_amount: "100.00" });
  expect(await merchant.call("POST /v2/conversions/new", pair)).toMatchObject({ amount_from: 100 });
  const { balances } = await merchant.call("GET /v2/account/balance", { currency: "BRL" });
  expect(balances).toMatchObject([{ currency: "BRL" }]);
  expect((await merchant.call("GET /v2/account/balance")).balances.length).toBeGreaterThan(1);
  expect(await merchant.call("GET /v2/account/info/profile")).toMatchObject({ username: "acme" });
  expect((await merchant.call("GET /v2/account/fees")).fees.length).toBeGreaterThan(0);
  expect((await merchant.call("GET /v2/account/limits")).limits.length).toBeGreaterThan(0);
  const list = await merchant.call("POST /v2/account/transactions/list", { page_size: 1, type: "cashin" });
  expect(list.items).toMatchObject([{ transaction_id: charge.transaction_id }]);
  await world.transactions.pay(charge.transaction_id);
  await world.transactions.dispute(charge.transaction_id);
  const { items } = await merchant.call("GET /v2/account/infractions", { page: 1, status: "open" });
  expect(items).toMatchObject([{ transaction_id: charge.transaction_id }]);
  const reply = { infraction_id: items[0]?.infraction_id ?? "", text: "It was delivered." };
  expect(await merchant.call("POST /v2/account/infractions/reply", reply)).toMatchObject({ status: "responded" });
});

test.each(["either", "world", "wall"])(
  "D13 what it signs is taken where signature_clock is %s",
  async (signature_clock) => {
    const world = await file.world({ settings: { signature_clock } });
    const cashout = { currency: "BRL", amount: 25, key: "52998224725" };
    expect(await world.merchant().call("POST /v2/transactions/cashout", cashout)).toMatchObject({ status: "pending" });
    expect(await world.trigger("conversion.refunded")).toMatchObject({ event: "conversion.refunded" });
  },
);

test("D13 where the clock runs, it signs by the wall's, which is taken however fast that one runs", async () => {
  const start = "2040-01-01T00:00:00.000Z";
  const world = await file.world({ clock: { mode: "running", speed: 1000, start } });
  const cashout = { currency: "BRL", amount: 25, key: "52998224725" };
  const made = await world.merchant().call("POST /v2/transactions/cashout", cashout);
  expect(made).toMatchObject({ status: "pending" });
  const { headers } = await world.waitForRequest("POST /v2/transactions/cashout");
  expect(Number(headers["x-timestamp"]) * 1000).toBeLessThan(Date.parse(start));
});

test("keeps its token while it is valid on the world's clock, and takes another one after that", async () => {
  const world = await file.world();
  const merchant = world.merchant();
  await merchant.call("GET /v2/account/fees");
  await world.advance("59m");
  await merchant.call("GET /v2/account/fees");
  await world.advance("1m");
  await merchant.call("GET /v2/account/fees");
  const calls = (await world.requests()).map(({ path, status }) => [path, status]);
  const token = ["/v2/oauth/token", 200];
  const fees = ["/v2/account/fees", 200];
  expect(calls).toEqual([token, fees, fees, token, fees]);
});

test.each([
  ["a tenth of a second before its end", 1, 3_599_850, 100],
  ["a tenth of a second before its end", 10_000, 250, 20],
  ["after half of its life at the earliest", 100_000, 17, 2],
])("renews its token, %s in real time, on a clock that runs at speed %i", async (_when, speed, goodMs, moreMs) => {
  using wall = new StoppedWall();
  const world = await file.world({ clock: { mode: "running", speed } });
  const tokensAfter = async (passedMs: number) => {
    wall.pass(passedMs);
    await world.merchant().call("GET /v2/account/fees");
    return (await world.requests()).filter(({ path }) => path === "/v2/oauth/token").length;
  };
  expect(await tokensAfter(0)).toBe(1);
  expect(await tokensAfter(goodMs)).toBe(1);
  expect(await tokensAfter(moreMs)).toBe(2);
});

test("calls for one token, however many programs of a credential begin at once, and for another in a world that begins anew", async () => {
  const world = await file.world();
  const tokens = async () => (await world.requests()).filter(({ path }) => path === "/v2/oauth/token").length;
  const ask = () => world.merchant().call("GET /v2/account/balance");
  await Promise.all(Array.from({ length: 40 }, ask));
  for (let call = 0; call < 35; call++) await ask();
  expect(await tokens()).toBe(1);
  await world.merchant("globex").call("GET /v2/account/balance");
  expect(await tokens()).toBe(2);
  await world.reset();
  await ask();
  expect(await tokens()).toBe(1);
  // Another program takes it back to before the token was given.
  await world.advance("1m");
  await world.merchant("globex").call("GET /v2/account/balance");
  await world.call("POST", "/reset");
  await world.merchant("globex").call("GET /v2/account/balance");
  expect(await tokens()).toBe(1);
});

test("one that is held over a reset or a restoration makes the same calls again", async () => {
  const world = await file.world();
  const merchant = world.merchant();
  const play = async () => {
    await merchant.call("POST /v2/transactions/cashin", { currency: "BRL", amount: "150.00" });
    return (await world.requests()).map(({ path, status, request_id }) => [path, status, request_id]);
  };
  const first = await play();
  await world.reset();
  expect(await play()).toEqual(first);
  await world.reset();
  await world.takeSnapshot("before");
  await play();
  await world.restore("before");
  expect(await play()).toEqual(first);
});

test("one of an account that a reset has taken away is told that it is gone", async () => {
  const world = await file.world();
  await world.accounts.create({ username: "shop" });
  const merchant = world.merchant("shop");
  await merchant.call("GET /v2/account/info/profile");
  await world.reset();
  await expect(merchant.call("GET /v2/account/info/profile")).rejects.toThrow("There is no account shop.");
});

test("does not keep a refusal instead of a token", async () => {
  const world = await file.world();
  await world.faults.set([{ request: "POST /v2/oauth/token", inject: { error: "PROVIDER_ERROR" }, times: 1 }]);
  const merchant = world.merchant();
  await expect(merchant.call("GET /v2/account/balance")).rejects.toThrow("PROVIDER_ERROR");
  expect(await merchant.call("GET /v2/account/balance")).toHaveProperty("balances");
});

test("a refusal that comes after a reset does not take away the token of after it", async () => {
  const tokens = new Tokens();
  let refuse = () => {};
  const refused = tokens.of(
    "acme",
    0,
    () => new Promise((_resolve, reject) => (refuse = () => reject(new Error("late")))),
  );
  tokens.forget();
  const token = { text: "of after it", from: 0, until: 1 };
  const after = tokens.of("acme", 0, async () => token);
  refuse();
  await expect(refused).rejects.toThrow("late");
  await after;
  expect(await tokens.of("acme", 0, async () => ({ ...token, text: "another" }))).toBe(token);
});

test("is any account of the world", async () => {
  const world = await file.world();
  expect(await world.merchant("globex").call("GET /v2/account/info/profile")).toMatchObject({ username: "globex" });
  await expect(world.merchant("nobody").call("GET /v2/account/fees")).rejects.toThrow("There is no account nobody.");
});

test("a refusal of the service is an error with its code and status", async () => {
  const world = await file.world();
  const refusal = world.merchant().call("POST /v2/transactions/cashin", { currency: "XYZ", amount: 1 });
  await expect(refusal).rejects.toThrow(ServiceCallError);
  await expect(refusal).rejects.toMatchObject({ status: 422, code: "INVALID_CURRENCY" });
  await expect(refusal).rejects.toThrow("POST /v2/transactions/cashin: INVALID_CURRENCY: ");
  await world.faults.set([{ request: "GET /v2/account/fees", inject: { malformed: true } }]);
  await expect(world.merchant().call("GET /v2/account/fees")).rejects.toMatchObject({ code: "UNKNOWN" });
});

test("an answer of null, which is JSON, is no answer of the service either", async () => {
  const world = await file.world();
  const connection = { baseUrl: world.baseUrl, fetch: async () => Response.json(null) };
  const now = async () => "2026-01-01T00:00:00.000Z";
  const merchant = new MerchantClient(connection, async () => world.credentials, now);
  await expect(merchant.call("GET /v2/account/fees")).rejects.toMatchObject({ status: 200, code: "UNKNOWN" });
});

test.each([
  ["before", 0],
  ["after", 1],
] as const)(
  "tells of a lost answer (disconnect: %s), and does not make the call again by itself",
  async (disconnect, made) => {
    const world = await file.world();
    const merchant = world.merchant();
    await merchant.call("GET /v2/account/fees");
    await world.faults.set([{ request: "POST /v2/transactions/cashin", inject: { disconnect }, times: 1 }]);
    const call = merchant.call("POST /v2/transactions/cashin", { currency: "BRL", amount: "150.00" });
    await expect(call).rejects.toBeInstanceOf(UnreachableError);
    expect(await world.transactions.list()).toHaveLength(made);
  },
);

test("D20 what is undefined or null is left out of queries and forms, as of bodies", async () => {
  const world = await file.world();
  const merchant = world.merchant();
  const nothing = { currency: undefined, page: null, status: undefined } as object;
  expect((await merchant.call("GET /v2/account/balance", nothing)).balances.length).toBeGreaterThan(1);
  const dispute = await world.trigger("chargeback.opened");
  expect((await merchant.call("GET /v2/account/infractions", nothing)).items).toHaveLength(1);
  const reply = { infraction_id: dispute.subject ?? "", text: "It was delivered." };
  const left = { files: undefined, file: null, more: [undefined] } as object;
  const answer = await merchant.call("POST /v2/account/infractions/reply", { ...reply, ...left });
  expect(answer).toMatchObject({ status: "responded" });
});

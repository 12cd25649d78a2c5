/** Accounts, credentials and money from nowhere. */
import { describe, expect, test } from "vitest";
import { isCnpj } from "../../src/domain/identifiers/tax-id.ts";
import type { AccountInfo } from "../../src/index.ts";
import { expectSuccess } from "../support/answers.ts";
import { chargeOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const balanceOf = ({ balances }: AccountInfo, currency: string) =>
  balances.find((entry) => entry.currency === currency)?.balance;

describe("accounts", () => {
  test("are listed, and shown one by one, with balances and credentials", async () => {
    const world = await file.world();
    const { body } = await control(world, "GET", "/accounts");
    expect(body.items.map(({ username }: AccountInfo) => username)).toEqual(["acme", "globex"]);
    const one = await control(world, "GET", "/accounts/acme");
    expect([one.status, one.body]).toEqual([200, body.items[0]]);
    expect(Object.keys(one.body.credentials[0])).toEqual(["client_id", "client_secret", "signing_key", "postback_url"]);
    expect(one.body).toMatchObject({ status: "active", postback_url: null, created_at: "2026-01-01T12:00:00.000Z" });
  });

  test("a new one has a credential and nothing on its balances", async () => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/accounts", {
      username: "initech",
      name: "Initech Ltda",
      document: "11444777000161",
      email: "till@initech.example",
      postback_url: "sandbox://inbox",
    });
    expect([status, body.name, body.document, body.email]).toEqual([
      201,
      "Initech Ltda",
      "11444777000161",
      "till@initech.example",
    ]);
    const [{ client_id, client_secret }] = body.credentials;
    const merchant = new Merchant(world, { clientId: client_id, clientSecret: client_secret });
    expect((await merchant.authenticate()).status).toBe(200);
    expect(await merchant.balance("BRL")).toMatchObject({ balance: "0.00", balance_locked: "0.00" });
  });

  test("begin with the balances that are named, as the accounts of a world that is made", async () => {
    const world = await file.world();
    const balances = { BRL: "5.00", USDT: 2, BTC: "0" };
    const { status, body } = await control(world, "POST", "/accounts", { username: "initech", balances });
    expect(status).toBe(201);
    expect(body.balances).toContainEqual({ currency: "BRL", balance: "5.00", balance_locked: "0.00" });
    expect(body.balances).toContainEqual({ currency: "USDT", balance: "2.000000", balance_locked: "0.000000" });
    expect(body.balances).toContainEqual({ currency: "MXN", balance: "0.00", balance_locked: "0.00" });
    const made = await file.world({ accounts: [{ username: "initech", balances: { BRL: "5.00", USDT: "2" } }] });
    expect((await made.info()).accounts[0]?.balances).toEqual(body.balances);
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("need no more than a username", async () => {
    const { status, body } = await control(await file.world(), "POST", "/accounts", { username: "initech" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ username: "initech", name: "initech", status: "active" });
  });

  test("have a tax id of their own, which follows from the seed and the username", async () => {
    const documentsOf = async (seed: number) => {
      const world = await file.world({ seed, accounts: [{ username: "acme" }, { username: "hooli" }] });
      await control(world, "POST", "/accounts", { username: "initech" });
      return (await world.info()).accounts.map(({ document }) => document);
    };
    const [documents, again, others] = [await documentsOf(1), await documentsOf(1), await documentsOf(2)];
    expect(again).toEqual(documents);
    expect(new Set([...documents, ...others]).size).toBe(6);
    expect([...documents, ...others].filter((document) => !isCnpj(document))).toEqual([]);
  });

  test.each([
    [{ username: "acme" }, 409, "ACCOUNT_EXISTS"],
    [{ username: "Acme" }, 400, "INVALID_REQUEST"],
    [{ username: "" }, 400, "INVALID_REQUEST"],
    [{ username: null }, 400, "INVALID_REQUEST"],
    [{ username: "ok", name: "" }, 400, "INVALID_REQUEST"],
    [{ username: "ok", name: "x".repeat(201) }, 400, "INVALID_REQUEST"],
    [{ username: "ok", email: "shop" }, 400, "INVALID_REQUEST"],
    [{ username: "ok", email: "two@at@signs.example" }, 400, "INVALID_REQUEST"],
    [{ username: "ok", postback_url: "" }, 422, "INVALID_REQUEST"],
    [{ username: "ok", postback_url: 5 }, 400, "INVALID_REQUEST"],
    [{ username: "ok", balances: { XYZ: "1" } }, 422, "INVALID_REQUEST"],
    [{ username: "ok", balances: { BRL: "1.001" } }, 422, "INVALID_REQUEST"],
    [{ username: "ok", balances: { BRL: "-1" } }, 422, "INVALID_REQUEST"],
    [{ username: "ok", balances: { BRL: "much" } }, 422, "INVALID_REQUEST"],
    [{ username: "ok", balances: "5.00" }, 400, "INVALID_REQUEST"],
  ])("%j is refused with %i", async (input, status, code) => {
    const world = await file.world();
    const answer = await control(world, "POST", "/accounts", input);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect((await world.info()).accounts).toHaveLength(2);
  });

  test.each([
    [{ username: "ok", name: "" }, "name must not be empty."],
    [{ username: "ok", name: "half \ud83d" }, "name must be well-formed Unicode."],
    [{ username: "ok", name: "x".repeat(201) }, "name must have at most 200 characters."],
    [{ username: "ok", document: 5 }, "document must be a text."],
  ])("%j is refused with what would be right", async (input, message) => {
    const { status, body } = await control(await file.world(), "POST", "/accounts", input);
    expect([status, body.error.message]).toEqual([400, message]);
  });

  test("are changed field by field", async () => {
    const world = await file.world();
    const before = (await control(world, "GET", "/accounts/acme")).body;
    const changes = { name: "Acme 2", email: "new@acme.example", postback_url: "https://merchant.example/hook" };
    const { status, body } = await control(world, "PATCH", "/accounts/acme", changes);
    expect([status, body]).toEqual([200, { ...before, ...changes }]);
    expect((await control(world, "PATCH", "/accounts/acme", {})).body).toEqual(body);
    expect((await control(world, "PATCH", "/accounts/acme", { postback_url: null })).body.postback_url).toBeNull();
    const both = { name: "Acme 3", status: "under_review" };
    expect((await control(world, "PATCH", "/accounts/acme", both)).body).toMatchObject(both);
  });

  test("an empty postback_url is none: null is for that", async () => {
    const world = await file.world();
    const { status, body } = await control(world, "PATCH", "/accounts/acme", { postback_url: "" });
    expect([status, body.error.message]).toEqual([422, expect.stringContaining("postback_url must be an https URL")]);
  });

  test("a misspelt inbox is told", async () => {
    const world = await file.world();
    for (const postback_url of ["sandbox://inboxx", "Sandbox://inbox", "sandbox:inbox"]) {
      const { status, body } = await control(world, "PATCH", "/accounts/acme", { postback_url });
      expect([status, body.error.message]).toEqual([
        422,
        expect.stringMatching(/; did you mean "sandbox:\/\/inbox"\?$/),
      ]);
    }
  });

  test("under review they are blocked until they are active again", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    const blocked = await merchant.call("GET", "/v2/account/balance");
    expect([blocked.status, blocked.body.error.code]).toEqual([423, "SECURITY_BLOCKED"]);
    await world.call("PATCH", "/accounts/acme", { status: "active" });
    expect((await merchant.call("GET", "/v2/account/balance")).status).toBe(200);
    const wrong = await control(world, "PATCH", "/accounts/acme", { status: "blocked" });
    expect([wrong.status, wrong.body.error.message]).toEqual([400, expect.stringContaining("under_review")]);
  });

  test("D17 that they are put under review, or no longer, is recorded where it is so", async () => {
    const world = await file.world();
    for (const status of ["active", "under_review", "under_review", "active"]) {
      await world.call("PATCH", "/accounts/acme", { status });
    }
    const changes = (await world.journal()).filter(({ kind }) => kind === "account.changed");
    expect(changes.map(({ subject, data }) => [subject, data])).toEqual([
      ["acme", { status: "under_review" }],
      ["acme", { status: "active" }],
    ]);
  });

  test.each([
    ["GET", "/accounts/nobody", undefined],
    ["PATCH", "/accounts/nobody", { name: "x" }],
    ["POST", "/accounts/nobody/credentials", {}],
    ["POST", "/accounts/nobody/fund", { currency: "BRL", amount: "1" }],
    ["PATCH", "/credentials/nobody", { postback_url: null }],
  ])("404: %s %s", async (method, path, input) => {
    const { status, body } = await control(await file.world(), method, path, input);
    expect([status, body.error.code, body.error.message]).toEqual([
      404,
      "NOT_FOUND",
      expect.stringContaining("nobody"),
    ]);
  });
});

describe("credentials", () => {
  test("a further one works beside the first, with its own destination", async () => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/accounts/acme/credentials");
    expect([status, body.postback_url]).toEqual([201, null]);
    expect(body.client_id).not.toBe(world.credentials.clientId);
    const merchant = new Merchant(world, { clientId: body.client_id, clientSecret: body.client_secret });
    expect((await merchant.authenticate()).status).toBe(200);
    const changed = await control(world, "PATCH", `/credentials/${body.client_id}`, {
      postback_url: "sandbox://inbox",
    });
    expect([changed.status, changed.body.postback_url]).toEqual([200, "sandbox://inbox"]);
    const { credentials } = (await control(world, "GET", "/accounts/acme")).body;
    expect(credentials.map(({ postback_url }: { postback_url: string | null }) => postback_url)).toEqual([
      null,
      "sandbox://inbox",
    ]);
  });

  test("D46 one whose own destination is taken away has its account's again; what is left out stays", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const path = `/credentials/${world.credentials.clientId}`;
    const merchant = await Merchant.of(world);
    const profiled = async () => (await merchant.call("GET", "/v2/account/info/profile")).body.data.postback_url;
    await control(world, "PATCH", path, { postback_url: "http://localhost:9/own" });
    await control(world, "PATCH", path, { limits: [{ currency: "BRL", operation: "cashin", daily_limit: "50" }] });
    expect(await profiled()).toBe("http://localhost:9/own");
    const { status, body } = await control(world, "PATCH", path, { postback_url: null });
    expect([status, body.postback_url, await profiled()]).toEqual([200, null, "sandbox://inbox"]);
  });

  const limit = { currency: "BRL", operation: "cashin" };

  test("D46 its own limits are taken away by an empty list: its world's hold again", async () => {
    const world = await file.world();
    const path = `/credentials/${world.credentials.clientId}`;
    const merchant = await Merchant.of(world);
    await control(world, "PATCH", path, { limits: [{ ...limit, daily_limit: "5.00" }] });
    expect((await merchant.cashin({ currency: "BRL", amount: 10 })).status).toBe(409);
    expect((await control(world, "PATCH", path, { limits: [] })).body.limits).toEqual([]);
    expect((await merchant.cashin({ currency: "BRL", amount: 10 })).status).toBe(200);
  });

  test("take the greatest limit that there may be", async () => {
    const world = await file.world();
    const limits = [{ ...limit, daily_limit: "10000000000000000.00" }];
    const { status, body } = await control(world, "PATCH", `/credentials/${world.credentials.clientId}`, { limits });
    expect([status, body.limits]).toEqual([200, limits]);
  });

  const form = "must be a decimal string such as 150.00, with no zeros in front.";

  test.each([
    [[{ ...limit, daily_limit: "50.001" }], 422, "limits.0.daily_limit must have at most 2 decimals."],
    [[{ ...limit, daily_limit: "05.00" }], 400, `limits.0.daily_limit ${form}`],
    [[{ ...limit, monthly_limit: 50 }], 400, `limits.0.monthly_limit ${form}`],
    [[{ ...limit, daily_limit: "9".repeat(99) }], 422, "limits.0.daily_limit must be at most 10000000000000000.00."],
    [
      [{ ...limit, per_operation_min: "20.01", per_operation_max: "20" }],
      422,
      "limits.0: per_operation_min 20.01 must not be above per_operation_max 20.",
    ],
    [
      [{ ...limit, per_operation_max: "0.99" }],
      422,
      "limits.0: per_operation_min 1.00 must not be above per_operation_max 0.99.",
    ],
    [
      [
        { ...limit, daily_limit: "50" },
        { ...limit, monthly_limit: "500" },
      ],
      422,
      "limits.1 is of cashin in BRL, as limits.0 is; give each once.",
    ],
    [
      [limit],
      400,
      "limits.0 must have at least one of daily_limit, monthly_limit, per_operation_min, per_operation_max.",
    ],
    [
      [
        { ...limit, daily_limit: "5" },
        { ...limit, currency: "brl", daily_limit: "5" },
      ],
      422,
      'limits.1: there is no limit of cashin in brl; did you mean "BRL"?',
    ],
    [
      [{ ...limit, currency: "EUR", daily_limit: "5" }],
      422,
      "limits.0: there is no limit of cashin in EUR; known are BRL, MXN, USDT, USDC, BTC, ETH, SOL and BNB.",
    ],
  ])("refuse limits that are none: %j", async (limits, status, message) => {
    const world = await file.world();
    const path = `/credentials/${world.credentials.clientId}`;
    const before = await world.journal();
    const answer = await control(world, "PATCH", path, { limits });
    expect([answer.status, answer.body.error.message]).toEqual([status, message]);
    expect(await world.journal()).toEqual(before);
    expect((await control(world, "PATCH", path, {})).body.limits).toEqual([]);
  });

  test("tell a wrong type from a missing field", async () => {
    const world = await file.world();
    const path = `/credentials/${world.credentials.clientId}`;
    const { status, body } = await control(world, "PATCH", path, { postback_url: 5 });
    expect([status, body.error.message]).toEqual([400, "postback_url must be a text."]);
  });
});

describe("money from nowhere", () => {
  test.each([
    ["BRL", "0.01", "10000.01"],
    ["BRL", 0.1, "10000.10"],
    ["BTC", "0.00000001", "1.00000001"],
    ["USDT", 12.5, "10012.500000"],
  ])("%s %s", async (currency, amount, balance) => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/accounts/acme/fund", { currency, amount });
    expect([status, balanceOf(body, currency)]).toEqual([200, balance]);
    expect((await world.checkLedger()).ok).toBe(true);
    expect(balanceOf((await control(world, "GET", "/accounts/globex")).body, currency)).not.toBe(balance);
  });

  test.each([
    [{ currency: "BRL", amount: "0" }, 422, "amount must be above zero"],
    [{ currency: "BRL", amount: "-5" }, 422, "amount"],
    [{ currency: "BRL", amount: "1.001" }, 422, "at most 2 decimals"],
    [{ currency: "BRL", amount: "1e3" }, 422, "amount must be a plain decimal"],
    [{ currency: "BRL", amount: "99999999999999999999" }, 422, "amount must be at most"],
    [{ currency: "EUR", amount: "1" }, 422, "currency must be one of"],
    [{ currency: "BRL", amount: true }, 400, "amount must be a number or a decimal string"],
    [{ currency: "BRL" }, 400, "amount is missing"],
    [{ amount: "1" }, 400, "currency is missing"],
  ])("%j is refused with %i: %s", async (input, status, message) => {
    const world = await file.world();
    const before = await world.journal();
    const answer = await control(world, "POST", "/accounts/acme/fund", input);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(message)]);
    expect(await world.journal()).toEqual(before);
  });

  test("is refused, and changes nothing, where a balance would be more than the ledger can hold", async () => {
    const world = await file.world();
    const input = { currency: "BTC", amount: "1000000000" };
    for (let count = 0; count < 92; count++) await world.call("POST", "/accounts/acme/fund", input);
    const before = [(await control(world, "GET", "/accounts")).body, await world.journal()];
    const { status, body } = await control(world, "POST", "/accounts/acme/fund", input);
    expect([status, body.error.code, body.error.message]).toEqual([
      422,
      "LIMIT_EXCEEDED",
      "A balance of BTC would come to more than can be held.",
    ]);
    expect([(await control(world, "GET", "/accounts")).body, await world.journal()]).toEqual(before);
    expect((await world.checkLedger()).ok).toBe(true);
    expect((await control(world, "POST", "/accounts/acme/fund", { currency: "BTC", amount: "1" })).status).toBe(200);
  });

  test("fills the ledger up for deposits and payments, too", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { wallet_id } = expectSuccess(
      await merchant.call("POST", "/v2/transactions/wallet", { currency: "USDT", chain: "tron" }),
    );
    const input = { currency: "USDT", amount: "100000000000" };
    for (let count = 0; count < 92; count++) await world.call("POST", "/accounts/acme/fund", input);
    const amount = "9999999999.000000";
    const full = [422, "A balance of USDT would come to more than can be held."];
    let answer = await control(world, "POST", `/wallets/${wallet_id}/deposit`, { amount, instant: true });
    for (let count = 0; answer.status === 200 && count < 30; count++) {
      answer = await control(world, "POST", `/wallets/${wallet_id}/deposit`, { amount, instant: true });
    }
    expect([answer.status, answer.body.error.message]).toEqual(full);
    const charge = await chargeOf(merchant, { currency: "USDT", chain: "tron", amount: "100" });
    const paid = await control(world, "POST", `/transactions/${charge}/pay`, { amount });
    expect([paid.status, paid.body.error.message]).toEqual(full);
    expect((await world.checkLedger()).ok).toBe(true);
  });
});

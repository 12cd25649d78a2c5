/** What holds for each of the fifteen endpoints: its address and method, whose token opens it, what keeps everybody out. */
import { describe, expect, test } from "vitest";
import { expectRefusal, stateOf } from "../support/answers.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { UNPROTECTED } from "./unprotected.ts";

const file = useSandbox();

const PAIR = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };

type Endpoint = readonly [method: "GET" | "POST", path: string, body: object | undefined, outcome: string];

/** TABLE: the endpoints of the specification that want a token, with a body that they can read, and what it gets there. */
const bearer: readonly Endpoint[] = [
  ["POST", "/v2/transactions/cashin", { currency: "BRL", amount: "100.00" }, "200"],
  [
    "POST",
    "/v2/transactions/cashout",
    { currency: "BRL", amount: "100.00", key: "12345678909" },
    "401 MISSING_SIGNATURE",
  ],
  ["POST", "/v2/transactions/wallet", { currency: "BRL" }, "200"],
  ["POST", "/v2/internal_transfers/payment", { username: "globex", currency: "BRL", amount: "100.00" }, "200"],
  ["POST", "/v2/conversions/rate", PAIR, "200"],
  ["POST", "/v2/conversions/simulate", PAIR, "200"],
  ["POST", "/v2/conversions/new", PAIR, "401 MISSING_SIGNATURE"],
  ["GET", "/v2/account/balance", undefined, "200"],
  ["GET", "/v2/account/info/profile", undefined, "200"],
  ["GET", "/v2/account/limits", undefined, "200"],
  ["GET", "/v2/account/fees", undefined, "200"],
  ["POST", "/v2/account/transactions/list", {}, "200"],
  ["GET", "/v2/account/infractions", undefined, "200"],
  ["POST", "/v2/account/infractions/reply", {}, "415 UNSUPPORTED_MEDIA_TYPE"],
];
const all: readonly Endpoint[] = [["POST", "/v2/oauth/token", {}, "400 INVALID_REQUEST"], ...bearer];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** An answer as the table has it: its status, and the code of a refusal. */
function outcomeOf({ status, body }: Answer): string {
  return body.success ? String(status) : `${status} ${body.error.code}`;
}

test.each(bearer)(
  "AUTH-03 ERR-03 %s %s: a token of this hour, in Authorization: Bearer alone",
  async (method, path, body, outcome) => {
    const world = await file.world(UNPROTECTED);
    const merchant = await Merchant.of(world);
    const { token } = merchant;
    const before = await stateOf(world);
    const call = (Authorization: string | undefined, query = "", more = {}) =>
      merchant.call(method, path + query, body, { Authorization, ...more });
    const refused = [
      await call(undefined),
      await call(token),
      await call(`Basic ${token}`),
      await call(`Token ${token}`),
      await call("Bearer a.b.c"),
      await call(undefined, `?access_token=${token}`),
      await call(undefined, "", { "X-Access-Token": token, Cookie: `access_token=${token}` }),
    ];
    expect(outcomeOf(await call(`Bearer ${token}`))).toBe(outcome);
    await world.advance("1h");
    refused.push(await call(`Bearer ${token}`));
    for (const answer of refused) expectRefusal(answer, 401, "UNAUTHORIZED");
    if (method === "GET") expect(await stateOf(world)).toEqual(before);
  },
);

describe.each(all)("%s %s", (method, path, body, outcome) => {
  test("VER-01 is there below /v2, and neither without it nor below /v1", async () => {
    const merchant = await Merchant.of(await file.world(UNPROTECTED));
    expect(outcomeOf(await merchant.call(method, path, body))).toBe(outcome);
    for (const other of [path.replace("/v2", ""), path.replace("/v2", "/v1")]) {
      const answer = await merchant.call(method, other, body);
      expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
  });

  test("D21 takes no other method, and names its own in Allow", async () => {
    const merchant = await Merchant.of(await file.world(UNPROTECTED));
    for (const other of methods.filter((each) => each !== method)) {
      const answer = await merchant.call(other, path, other === "GET" ? undefined : {});
      expectRefusal(answer, 405, "METHOD_NOT_ALLOWED");
      expect(answer.headers.get("allow")).toBe(method);
    }
  });
});

test("ERR-14 ERR-15 every one is closed to an address that is blocked, for a time or for good", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const forged = { Authorization: "Bearer a.b.c" };
  for (let count = 0; count < 5; count++) await merchant.call("GET", "/v2/account/fees", undefined, forged);
  const ask = async () => {
    const answers: Answer[] = [];
    for (const [method, path, body] of all) answers.push(await merchant.call(method, path, body));
    return answers;
  };
  for (const answer of await ask()) expectRefusal(answer, 403, "IP_BLOCKED_TEMPORARILY", "300 s");
  await world.call("PUT", "/blocked-ips", { ips: ["127.0.0.1"] });
  await world.advance("300s");
  for (const answer of await ask()) expectRefusal(answer, 403, "IP_BLACKLISTED");
});

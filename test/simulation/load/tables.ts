/** TABLES: what a mixed load is made of. */
import type { Answer } from "../../support/merchant.ts";
import { rule, scenario } from "../../support/scenarios.ts";
import type { SigningMerchant } from "../../support/signing.ts";
import { type Body, cashoutToNowhere, usualConversions } from "../orders.ts";

export const PATHS = {
  token: "/v2/oauth/token",
  cashin: "/v2/transactions/cashin",
  wallet: "/v2/transactions/wallet",
  list: "/v2/account/transactions/list",
  infractions: "/v2/account/infractions",
  rate: "/v2/conversions/rate",
  simulate: "/v2/conversions/simulate",
} as const;

export const charges: readonly Body[] = [
  { currency: "BRL", amount: "150.00" },
  { currency: "BRL", amount: 0.5, payer: { name: "Ana Lima", document: "11144477735" } },
  { currency: "BRL", amount: "900.10", split: [{ username: "globex", percentage: 10 }] },
  { currency: "MXN", amount: "300.00" },
  { currency: "USDT", amount: "25", chain: "tron" },
  { currency: "ETH", amount: "0.5", chain: "base" },
  { currency: "BTC", amount: "0.01" },
];

/** Beginnings of external ids: those of `magic-values` do not end well. */
export const externalIds = ["order", "order", "order", "magic-expire", "magic-fail", "magic-cancel", "magic-refund"];

/** To receivers that are there, and to an address that cannot be. */
export const cashouts: readonly Body[] = [
  { currency: "BRL", amount: "10.00", key: "ana@example.com" },
  { currency: "BRL", amount: 25.5, key: "11144477735" },
  { currency: "USDT", amount: "12.5", chain: "ethereum", key: "0x52908400098527886e0f7030069857d2e4169ee7" },
  cashoutToNowhere,
];

export const conversions: readonly Body[] = [
  ...usualConversions,
  { base_currency: "ETH", destination_currency: "BRL", amount: 0.01 },
];

export const wallets: readonly Body[] = [{ currency: "BRL" }, { currency: "MXN" }, { currency: "USDT", chain: "tron" }];

export const faults: readonly Body[] = [
  { request: "POST /v2/transactions/cashin", inject: { error: "PROVIDER_ERROR" }, times: 2 },
  { request: "* /v2/account/*", inject: { status: 503 }, times: 1 },
  { request: "POST /v2/conversions/*", inject: { error: "RATE_EXPIRED" }, times: 1 },
  { request: "GET /v2/account/balance", inject: { error: "PAYLOAD_TOO_LARGE" }, times: 1 },
  { request: "POST /v2/transactions/cashin", inject: { latency: "1ms" }, times: 2 },
  { request: "POST /v2/transactions/cashin", inject: { disconnect: "before" }, times: 1 },
  { request: "POST /v2/transactions/cashin", inject: { disconnect: "after" }, times: 1 },
  { request: "POST /v2/transactions/wallet", inject: { malformed: true }, times: 1 },
  { delivery: "cashin.*", inject: { drop: true }, chance: "20%" },
  { delivery: "cashin.confirmed", inject: { duplicate: 2 }, times: 3 },
  { delivery: "*", inject: { delay: "40s" }, chance: "30%" },
  { delivery: "*", inject: { shuffle: 3 }, times: 6, for: "1h" },
  { delivery: "cashout.*", inject: { source: "127.0.0.66" }, times: 2 },
];

export const scenarios: readonly Body[] = [
  scenario(
    "disputes",
    rule("cashin.confirmed", [{ after: "1m", dispute: {} }], { where: { currency: "BRL" }, also: true }),
  ),
  scenario("decided", rule("chargeback.opened", [{ after: "10m", win: {} }], { chance: "50%" })),
  scenario("fails", rule("cashout.created", [{ after: "1s", fail: { error_code: "UNKNOWN" } }], { skip: 1, times: 2 })),
  scenario("noted", rule("webhook.failed", [{ note: "the receiver failed" }], { times: 5 })),
  {
    scenario: "cron",
    rules: [
      // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
      { every: "*/7 * * * *", chance: "40%", then: [{ note: "tick" }, { after: "1s", set_rate: { BTC: "99000.5" } }] },
    ],
  },
];

type Call = (merchant: SigningMerchant) => Promise<Answer>;

/** Calls that are refused, each in its own way. */
export const wrongCalls: readonly Call[] = [
  (merchant) => merchant.cashin({ currency: "BRL", amount: "0" }),
  (merchant) => merchant.cashin({ currency: "XXX", amount: "1" }),
  (merchant) => merchant.call("POST", PATHS.cashin, "{"),
  (merchant) => merchant.call("POST", PATHS.cashin, "x".repeat(1_100_000)),
  (merchant) => merchant.call("POST", PATHS.cashin, "currency=BRL", { "Content-Type": "text/plain" }),
  (merchant) => merchant.call("DELETE", PATHS.cashin),
  (merchant) => merchant.call("GET", "/v2/nowhere?access_token=hidden"),
  (merchant) => merchant.call("POST", "/v2/oauth/tokens", { client_secret: merchant.clientSecret }),
  (merchant) => merchant.call("GET", "/v2/account/fees", undefined, { Authorization: "Bearer no token" }),
  (merchant) => merchant.call("GET", "/v2/account/fees", undefined, { Authorization: "Bearer wrong" }),
  (merchant) => merchant.call("GET", "/v2/account/fees", undefined, { Authorization: undefined }),
  (merchant) => merchant.cashout(cashouts[0], { sign: () => "0".repeat(64) }),
  (merchant) => merchant.cashout(cashouts[0], { headers: { "X-Signature": undefined } }),
  (merchant) => merchant.cashout(cashouts[0], { headers: { "X-Signature": "" } }),
  (merchant) => merchant.cashout(cashouts[0], { timestamp: 1_000_000_000 }),
  (merchant) => merchant.cashout(cashouts[0], { nonce: "no-uuid" }),
  (merchant) => merchant.cashout({ ...cashouts[0], amount: "99999999.00" }),
  (merchant) => merchant.call("POST", PATHS.token, { client_id: merchant.clientId, client_secret: "wrong" }),
  (merchant) => merchant.call("POST", PATHS.token, { client_id: merchant.clientId, client_secret: "" }),
  (merchant) => merchant.call("POST", PATHS.token, { client_id: "nobody", client_secret: "x".repeat(300) }),
  (merchant) => merchant.call("POST", PATHS.token, '{"client_secret": "a\nb"}'),
];

const asForm = { "Content-Type": "application/x-www-form-urlencoded", Authorization: undefined };

/** Right ways to ask for a token, beside JSON as it is usually written. */
export const tokenCalls: readonly Call[] = [
  (merchant) => {
    const text = `{"client_id": "${merchant.clientId}", "client\\u005fsecret": "${merchant.clientSecret}"}`;
    return merchant.call("POST", PATHS.token, text, { Authorization: undefined });
  },
  (merchant) =>
    merchant.call(
      "POST",
      PATHS.token,
      `client_id=${merchant.clientId}&client%5Fsecret=${merchant.clientSecret}`,
      asForm,
    ),
  (merchant) => {
    const basic = Buffer.from(`${merchant.clientId}:${merchant.clientSecret}`).toString("base64");
    return merchant.call("POST", PATHS.token, "", { ...asForm, Authorization: `Basic ${basic}` });
  },
];

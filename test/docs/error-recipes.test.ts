/** `docs/errors.md` tells how each refusal is brought about: done as it is told, it comes about. */
import { expect, test } from "vitest";
import { type ErrorCode, errorCatalogue } from "../../src/domain/errors.ts";
import type { WorldClient } from "../../src/index.ts";
import type { Answer } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";

type Recipe = (merchant: SigningMerchant, world: WorldClient) => Promise<Answer>;

const payout = { currency: "BRL", amount: "25.00", key: "maria@example.com", external_id: "payout-1" };
const swap = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
const charge = (fields: object) => (merchant: SigningMerchant) => merchant.cashin({ amount: "150.00", ...fields });
const wallet = (body: object) => (merchant: SigningMerchant) => merchant.call("POST", "/v2/transactions/wallet", body);
const profile = (merchant: SigningMerchant) => merchant.call("GET", "/v2/account/info/profile");

/** By a fault alone. */
const byFault =
  (error: ErrorCode): Recipe =>
  async (merchant, world) => {
    await world.call("PUT", "/faults", { rules: [{ request: "POST /v2/transactions/cashout", inject: { error } }] });
    return merchant.cashout(payout);
  };

/** What a call answers in the end, when it has been made so often. */
async function repeated(times: number, call: () => Promise<Answer>): Promise<Answer> {
  for (let count = 1; count < times; count++) await call();
  return call();
}

const recipes: Readonly<Record<ErrorCode, Recipe>> = {
  MISSING_SIGNATURE: (merchant) => merchant.cashout(payout, { headers: { "X-Nonce": undefined } }),
  INVALID_SIGNATURE: (merchant) => merchant.cashout(payout, { timestamp: 1 }),
  UNAUTHORIZED: async (merchant, world) => {
    await world.advance("1h");
    return profile(merchant);
  },
  INVALID_CURRENCY: charge({ currency: "XYZ" }),
  INSUFFICIENT_BALANCE: (merchant) => merchant.cashout({ ...payout, amount: "10000.01" }),
  UNSUPPORTED_CHAIN: charge({ currency: "USDT", chain: "bitcoin" }),
  UNSUPPORTED_CURRENCY: wallet({ currency: "POL", chain: "polygon" }),
  LIMIT_EXCEEDED: charge({ currency: "BRL", amount: "0.01" }),
  RATE_EXPIRED: async (merchant, world) => {
    await merchant.call("POST", "/v2/conversions/simulate", swap);
    await world.advance("60s");
    return merchant.convert(swap);
  },
  WALLET_LIMIT_REACHED: (merchant) => repeated(21, () => wallet({ currency: "BTC", chain: "bitcoin" })(merchant)),
  PROVIDER_ERROR: byFault("PROVIDER_ERROR"),
  DUPLICATE_EXTERNAL_ID: async (merchant) => {
    await merchant.cashout(payout);
    return merchant.cashout({ ...payout, amount: "26.00" });
  },
  RATE_LIMIT_EXCEEDED: (merchant) =>
    repeated(11, () => merchant.transfer({ username: "globex", currency: "BRL", amount: "10.00" })),
  IP_BLOCKED_TEMPORARILY: (merchant) => {
    const wrong = { client_id: merchant.clientId, client_secret: "wrong" };
    return repeated(6, () => merchant.call("POST", "/v2/oauth/token", wrong));
  },
  IP_BLACKLISTED: async (merchant, world) => {
    await world.call("PUT", "/blocked-ips", { ips: ["127.0.0.1"] });
    return profile(merchant);
  },
  SECURITY_BLOCKED: async (merchant, world) => {
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    return merchant.cashout(payout);
  },
  INVALID_REQUEST: charge({}),
  NOT_FOUND: (merchant) => merchant.transfer({ username: "nobody", currency: "BRL", amount: "10.00" }),
  METHOD_NOT_ALLOWED: (merchant) => merchant.call("GET", "/v2/transactions/cashin"),
  UNSUPPORTED_MEDIA_TYPE: (merchant) =>
    merchant.call("POST", "/v2/transactions/cashin", "currency=BRL", { "Content-Type": "text/plain" }),
  PAYLOAD_TOO_LARGE: charge({ currency: "BRL", note: "x".repeat(1024 * 1024) }),
  INFRACTION_NOT_OPEN: async (merchant, world) => {
    const { body } = await world.trigger("chargeback.responded");
    const form = new FormData();
    form.append("infraction_id", body.data?.infraction_id as string);
    form.append("text", "Once more.");
    const request = new Request("http://localhost", { method: "POST", body: form });
    const bytes = new Uint8Array(await request.arrayBuffer());
    const media = request.headers.get("content-type") ?? "";
    return merchant.call("POST", "/v2/account/infractions/reply", bytes, { "Content-Type": media });
  },
  SERVICE_UNAVAILABLE: byFault("SERVICE_UNAVAILABLE"),
  INTERNAL_ERROR: byFault("INTERNAL_ERROR"),
};

const sandboxes = useSandbox();

test.each(Object.entries(recipes))("%s comes about as it is told", async (code, recipe) => {
  const world = await sandboxes.world();
  const answer = await recipe(await SigningMerchant.ofAccount(world), world);
  expect([answer.status, answer.body?.error?.code]).toEqual([errorCatalogue[code as ErrorCode].status, code]);
});

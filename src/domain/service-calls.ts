/** The calls of the service by method and path, and which of them move money. */
import type { FeeOperation } from "./fees.ts";

/** The path of the call that gives access tokens. */
export const TOKEN_PATH = "/v2/oauth/token";

/** The path of the call that replies to a dispute, the only one that takes a form. */
export const REPLY_PATH = "/v2/account/infractions/reply";

/** The call that gives access tokens, as {@link serviceCalls} names it. */
export const TOKEN_CALL = `POST ${TOKEN_PATH}` as const;

/** TABLE: method and path of every endpoint of the service, in the order of the specification. */
export const serviceCalls = [
  TOKEN_CALL,
  "POST /v2/transactions/cashin",
  "POST /v2/transactions/cashout",
  "POST /v2/transactions/wallet",
  "POST /v2/internal_transfers/payment",
  "POST /v2/conversions/rate",
  "POST /v2/conversions/simulate",
  "POST /v2/conversions/new",
  "GET /v2/account/balance",
  "GET /v2/account/info/profile",
  "GET /v2/account/fees",
  "GET /v2/account/limits",
  "POST /v2/account/transactions/list",
  "GET /v2/account/infractions",
  `POST ${REPLY_PATH}`,
] as const;

/** TABLE: calls that move money and take an `external_id`, with the operation by which limits and fees know them. */
export const moneyOperations: Readonly<Record<string, FeeOperation>> = {
  "/v2/transactions/cashin": "cashin",
  "/v2/transactions/cashout": "cashout",
  "/v2/internal_transfers/payment": "internal_transfer",
  "/v2/conversions/new": "conversion",
};

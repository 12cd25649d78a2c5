/** The calls of the service by method and path, and which of them move money. */
import type { FeeOperation } from "./fees.ts";

/** TABLE: method and path of every endpoint of the service, in the order of the specification. */
export const serviceCalls = [
  "POST /v2/oauth/token",
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
  "POST /v2/account/infractions/reply",
] as const;

/** TABLE: calls that move money and take an `external_id`, with the operation by which limits and fees know them. */
export const moneyOperations: Readonly<Record<string, FeeOperation>> = {
  "/v2/transactions/cashin": "cashin",
  "/v2/transactions/cashout": "cashout",
  "/v2/internal_transfers/payment": "internal_transfer",
  "/v2/conversions/new": "conversion",
};

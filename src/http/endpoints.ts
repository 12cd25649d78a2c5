/** TABLE: the fifteen endpoints of the service; the one place that knows their paths, limits and checks. */
import { z } from "zod";
import { DomainError } from "../domain/errors.ts";
import {
  fees,
  infractionsQuery,
  limits,
  listInfractions,
  listRequest,
  listTransactions,
  profile,
} from "../service/account.ts";
import { balanceEntries } from "../service/accounts.ts";
import { cashinRequest, createCharge } from "../service/cashin.ts";
import { cashoutRequest, createCashout } from "../service/cashout.ts";
import {
  conversionQuery,
  conversionRequest,
  executeConversion,
  quoteRate,
  simulateConversion,
} from "../service/conversions.ts";
import { replyToDispute } from "../service/disputes.ts";
import { textField } from "../service/input.ts";
import { createTransfer, transferRequest } from "../service/transfers.ts";
import { provisionWallet, walletRequest } from "../service/wallets.ts";
import type { World } from "../world/world.ts";
import { callerOf, type Endpoint, type EndpointAnswer, withBody, withQuery } from "./endpoint.ts";
import { replyOf } from "./reply-form.ts";
import { answerToken, tokenRequest } from "./token.ts";

/** Requests per minute of paths outside the table (`D19`). */
export const OTHER_PATHS_PER_MINUTE = 1_000;

const ok = (data: unknown): EndpointAnswer => ({ status: 200, data });
const post = { method: "POST", auth: "bearer", media: "json" } as const;
const get = { method: "GET", auth: "bearer", media: "none" } as const;
const balanceQuery = z.object({ currency: textField(16).optional() });

export const endpoints: readonly Endpoint[] = [
  withBody(
    {
      method: "POST",
      path: "/v2/oauth/token",
      summary: "Get an access token, valid for one hour.",
      perMinute: 30,
      auth: "none",
      media: "json_or_form",
      input: tokenRequest,
    },
    (input, call) => answerToken(input, call),
  ),
  withBody(
    {
      ...post,
      path: "/v2/transactions/cashin",
      summary: "Create a charge that a payer can pay once.",
      perMinute: 12_000,
      input: cashinRequest,
    },
    (input, call) => ok(createCharge(call.operation, callerOf(call), input, call.body)),
  ),
  withBody(
    {
      ...post,
      path: "/v2/transactions/cashout",
      summary: "Send funds to a PIX key, a CLABE or an on-chain address.",
      perMinute: 6_000,
      signed: true,
      input: cashoutRequest,
    },
    (input, call) => ({ status: 202, data: createCashout(call.operation, callerOf(call), input, call.body) }),
  ),
  withBody(
    {
      ...post,
      path: "/v2/transactions/wallet",
      summary: "Provision a permanent wallet or key.",
      perMinute: 30,
      input: walletRequest,
    },
    (input, call) => ok(provisionWallet(call.operation, callerOf(call), input)),
  ),
  withBody(
    {
      ...post,
      path: "/v2/internal_transfers/payment",
      summary: "Move balance to another account of the service.",
      perMinute: 10,
      input: transferRequest,
    },
    (input, call) => ok(createTransfer(call.operation, callerOf(call), input, call.body)),
  ),
  withBody(
    {
      ...post,
      path: "/v2/conversions/rate",
      summary: "Current spot rate between two currencies.",
      perMinute: 120,
      input: conversionQuery,
    },
    (input, call) => ({ ...ok(quoteRate(call.operation, input)), bare: true }),
  ),
  withBody(
    {
      ...post,
      path: "/v2/conversions/simulate",
      summary: "Preview of a conversion with fees and spread.",
      perMinute: 60,
      input: conversionQuery,
    },
    (input, call) => ok(simulateConversion(call.operation, callerOf(call), input)),
  ),
  withBody(
    {
      ...post,
      path: "/v2/conversions/new",
      summary: "Execute a conversion.",
      perMinute: 30,
      signed: true,
      input: conversionRequest,
    },
    (input, call) => ok(executeConversion(call.operation, callerOf(call), input, call.body)),
  ),
  withQuery(
    {
      ...get,
      path: "/v2/account/balance",
      summary: "Balance and balance_locked of every currency.",
      perMinute: 120,
      input: balanceQuery,
    },
    ({ currency }, call) => {
      refuseUnknownCurrency(call.operation.world, currency);
      return ok({ balances: balanceEntries(call.operation.world, callerOf(call).username, currency) });
    },
  ),
  {
    ...get,
    path: "/v2/account/info/profile",
    summary: "Profile of the account.",
    perMinute: 60,
    openUnderReview: true,
    input: undefined,
    handle: (call) => ok(profile(call.operation.world, callerOf(call))),
  },
  {
    ...get,
    path: "/v2/account/fees",
    summary: "Fees per currency and operation.",
    perMinute: 60,
    input: undefined,
    handle: (call) => ok(fees(call.operation.world)),
  },
  {
    ...get,
    path: "/v2/account/limits",
    summary: "Daily, monthly and per-operation limits of the credential.",
    perMinute: 60,
    input: undefined,
    handle: (call) => ok(limits(call.operation, callerOf(call))),
  },
  withBody(
    {
      ...post,
      path: "/v2/account/transactions/list",
      summary: "Cash-ins and cash-outs, newest first.",
      perMinute: 300,
      input: listRequest,
    },
    (input, call) => ok(listTransactions(call.operation.world, callerOf(call), input)),
  ),
  withQuery(
    {
      ...get,
      path: "/v2/account/infractions",
      summary: "Disputes of the account, newest first.",
      perMinute: 60,
      input: infractionsQuery,
    },
    (input, call) => ok(listInfractions(call.operation.world, callerOf(call), input)),
  ),
  {
    method: "POST",
    auth: "bearer",
    media: "multipart",
    path: "/v2/account/infractions/reply",
    summary: "Reply to a dispute, with files.",
    perMinute: 10,
    input: undefined,
    handle: (call) => ok(replyToDispute(call.operation, callerOf(call), replyOf(call.form))),
  },
];

/** @throws {DomainError} `INVALID_CURRENCY` (`D25`). */
function refuseUnknownCurrency(world: World, currency: string | undefined): void {
  if (currency === undefined || world.currencies.currencies.has(currency)) return;
  throw new DomainError("INVALID_CURRENCY", `The currency ${currency} is not supported.`);
}

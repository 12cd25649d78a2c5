/** TABLE: the fifteen endpoints of the service: their paths, limits, checks and what carries them out. */

import { z } from "zod";
import { onFirstUse } from "../domain/on-first-use.ts";
import { REPLY_PATH, TOKEN_PATH } from "../domain/service-calls.ts";
import {
  fees,
  infractionsQuery,
  limits,
  listInfractions,
  listRequest,
  listTransactions,
  profile,
} from "../service/account-reads.ts";
import { balanceEntries } from "../service/accounts.ts";
import { currencyOf } from "../service/amounts.ts";
import { cashinRequest, checkCharge, createCharge } from "../service/cashin.ts";
import { cashoutRequest, checkCashout, createCashout } from "../service/cashout.ts";
import {
  checkPair,
  conversionQuery,
  conversionRequest,
  executeConversion,
  quoteRate,
  simulateConversion,
} from "../service/conversions.ts";
import { replyToDispute } from "../service/disputes.ts";
import { nameField } from "../service/input.ts";
import { checkTransfer, createTransfer, transferRequest } from "../service/transfers.ts";
import { provisionWallet, walletRequest } from "../service/wallets.ts";
import { callerOf, type Endpoint, withBody, withQuery } from "./endpoint.ts";
import { replyOf } from "./reply-form.ts";
import { answerToken, tokenRequest } from "./token.ts";

/** Requests per minute of paths outside the table (`D19`). */
export const OTHER_PATHS_PER_MINUTE = 1_000;

const post = { method: "POST", auth: "bearer", media: "json" } as const;
const get = { method: "GET", auth: "bearer", media: "none" } as const;
const balanceQuery = onFirstUse(() => z.object({ currency: nameField.optional() }));

/** TABLE: in the order of the OpenAPI document. */
export const endpoints: readonly Endpoint[] = [
  withBody(
    {
      method: "POST",
      path: TOKEN_PATH,
      summary: "Get an access token, valid for one hour.",
      operationId: "getToken",
      tag: "Authentication",
      answer: "token",
      envelope: "oauth",
      errors: [],
      decisions: ["D10", "D11"],
      example: { client_id: "acme-0123456789abcdef", client_secret: "secret", grant_type: "client_credentials" },
      perMinute: 30,
      auth: "none",
      media: "json_or_form",
      input: tokenRequest,
    },
    answerToken,
  ),
  withBody(
    {
      ...post,
      path: "/v2/transactions/cashin",
      summary: "Create a charge that a payer can pay once.",
      operationId: "createCashin",
      tag: "Transactions",
      answer: "cashin",
      errors: ["INVALID_CURRENCY", "UNSUPPORTED_CHAIN", "LIMIT_EXCEEDED", "DUPLICATE_EXTERNAL_ID"],
      decisions: ["D01", "D05", "D09", "D24", "D25", "D26", "D30", "D31", "D35"],
      example: {
        currency: "BRL",
        amount: "150.00",
        external_id: "order-1",
        payer: { name: "Ana Souza", document: "52998224725" },
      },
      perMinute: 12_000,
      input: cashinRequest,
    },
    (input, call) => createCharge(call.operation, callerOf(call), input, call.body),
    (input, call) => checkCharge(call.operation.world, callerOf(call), input),
  ),
  withBody(
    {
      ...post,
      path: "/v2/transactions/cashout",
      summary: "Send funds to a PIX key, a CLABE or an on-chain address.",
      operationId: "createCashout",
      tag: "Transactions",
      answer: "cashout",
      status: 202,
      errors: [
        "INVALID_CURRENCY",
        "UNSUPPORTED_CHAIN",
        "LIMIT_EXCEEDED",
        "INSUFFICIENT_BALANCE",
        "DUPLICATE_EXTERNAL_ID",
      ],
      decisions: ["D01", "D05", "D08", "D09", "D13", "D14", "D24", "D25", "D26", "D36", "D37"],
      example: {
        currency: "BRL",
        amount: "25.00",
        key: "893f5960-df90-419f-b5b5-13a9155ffd55",
        external_id: "payout-1",
      },
      perMinute: 6_000,
      signed: true,
      input: cashoutRequest,
    },
    (input, call) => createCashout(call.operation, callerOf(call), input, call.body),
    (input, call) => checkCashout(call.operation.world, input),
  ),
  withBody(
    {
      ...post,
      path: "/v2/transactions/wallet",
      summary: "Provision a permanent wallet or key.",
      operationId: "createWallet",
      tag: "Transactions",
      answer: "wallet",
      errors: [
        "INVALID_CURRENCY",
        "UNSUPPORTED_CHAIN",
        "UNSUPPORTED_CURRENCY",
        "WALLET_LIMIT_REACHED",
        "PROVIDER_ERROR",
      ],
      decisions: ["D02", "D06", "D25", "D42", "D43"],
      example: { currency: "USDT", chain: "tron" },
      perMinute: 30,
      input: walletRequest,
    },
    (input, call) => provisionWallet(call.operation, callerOf(call), input),
  ),
  withBody(
    {
      ...post,
      path: "/v2/internal_transfers/payment",
      summary: "Move balance to another account of the service.",
      operationId: "createTransfer",
      tag: "Internal transfers",
      answer: "transfer",
      errors: ["INVALID_CURRENCY", "NOT_FOUND", "LIMIT_EXCEEDED", "INSUFFICIENT_BALANCE", "DUPLICATE_EXTERNAL_ID"],
      decisions: ["D01", "D09", "D24", "D25", "D26", "D38"],
      example: { username: "globex", currency: "BRL", amount: "10.00", description: "Lunch" },
      perMinute: 10,
      input: transferRequest,
    },
    (input, call) => createTransfer(call.operation, callerOf(call), input, call.body),
    (input, call) => checkTransfer(call.operation.world, callerOf(call), input),
  ),
  withBody(
    {
      ...post,
      path: "/v2/conversions/rate",
      summary: "Current spot rate between two currencies.",
      operationId: "getRate",
      tag: "Conversions",
      answer: "rate",
      envelope: "bare",
      errors: ["INVALID_CURRENCY"],
      decisions: ["D01", "D09", "D25", "D40a", "D41"],
      example: { amount: 100, base_currency: "BRL", destination_currency: "USDT" },
      perMinute: 120,
      input: conversionQuery,
    },
    (input, call) => quoteRate(call.operation, input),
    (input, call) => checkPair(call.operation.world, input),
  ),
  withBody(
    {
      ...post,
      path: "/v2/conversions/simulate",
      summary: "Preview of a conversion with fees and spread.",
      operationId: "simulateConversion",
      tag: "Conversions",
      answer: "simulation",
      errors: ["INVALID_CURRENCY", "LIMIT_EXCEEDED"],
      decisions: ["D01", "D09", "D25", "D26", "D40", "D40a", "D41"],
      example: { amount: 100, base_currency: "BRL", destination_currency: "USDT" },
      perMinute: 60,
      input: conversionQuery,
    },
    (input, call) => simulateConversion(call.operation, callerOf(call), input),
    (input, call) => checkPair(call.operation.world, input),
  ),
  withBody(
    {
      ...post,
      path: "/v2/conversions/new",
      summary: "Execute a conversion.",
      operationId: "createConversion",
      tag: "Conversions",
      answer: "conversion",
      errors: ["INVALID_CURRENCY", "INSUFFICIENT_BALANCE", "LIMIT_EXCEEDED", "RATE_EXPIRED", "DUPLICATE_EXTERNAL_ID"],
      decisions: ["D01", "D09", "D13", "D14", "D24", "D25", "D26", "D40", "D40a", "D41"],
      example: { amount: 100, base_currency: "BRL", destination_currency: "USDT", external_id: "swap-1" },
      perMinute: 30,
      signed: true,
      input: conversionRequest,
    },
    (input, call) => executeConversion(call.operation, callerOf(call), input, call.body),
    (input, call) => checkPair(call.operation.world, input),
  ),
  withQuery(
    {
      ...get,
      path: "/v2/account/balance",
      summary: "Balance and balance_locked of every currency.",
      operationId: "getBalance",
      tag: "Account",
      answer: "balance",
      errors: ["INVALID_CURRENCY"],
      decisions: ["D25", "D45", "D52"],
      perMinute: 120,
      input: balanceQuery,
    },
    ({ currency }, call) => {
      if (currency !== undefined) currencyOf(call.operation.world, currency);
      return { balances: balanceEntries(call.operation.world, callerOf(call).username, currency) };
    },
  ),
  {
    ...get,
    path: "/v2/account/info/profile",
    summary: "Profile of the account.",
    operationId: "getProfile",
    tag: "Account",
    answer: "profile",
    errors: [],
    decisions: ["D17", "D46"],
    perMinute: 60,
    openUnderReview: true,
    input: undefined,
    handle: (call) => profile(call.operation.world, callerOf(call)),
  },
  {
    ...get,
    path: "/v2/account/fees",
    summary: "Fees per currency and operation.",
    operationId: "getFees",
    tag: "Account",
    answer: "fees",
    errors: [],
    decisions: ["D07", "D46"],
    perMinute: 60,
    input: undefined,
    handle: (call) => fees(call.operation.world),
  },
  {
    ...get,
    path: "/v2/account/limits",
    summary: "Daily, monthly and per-operation limits of the credential.",
    operationId: "getLimits",
    tag: "Account",
    answer: "limits",
    errors: [],
    decisions: ["D26", "D49"],
    perMinute: 60,
    input: undefined,
    handle: (call) => limits(call.operation, callerOf(call)),
  },
  withBody(
    {
      ...post,
      path: "/v2/account/transactions/list",
      summary: "Cash-ins and cash-outs, newest first.",
      operationId: "listTransactions",
      tag: "Account",
      answer: "transactions",
      errors: ["INVALID_CURRENCY"],
      decisions: ["D25", "D47", "D48"],
      example: { page: 1, page_size: 20, type: "cashin" },
      perMinute: 300,
      input: listRequest,
    },
    (input, call) => listTransactions(call.operation.world, callerOf(call), input),
  ),
  withQuery(
    {
      ...get,
      path: "/v2/account/infractions",
      summary: "Disputes of the account, newest first.",
      operationId: "listInfractions",
      tag: "Disputes",
      answer: "infractions",
      errors: [],
      decisions: ["D50"],
      perMinute: 60,
      input: infractionsQuery,
    },
    (input, call) => listInfractions(call.operation.world, callerOf(call), input),
  ),
  {
    method: "POST",
    auth: "bearer",
    media: "multipart",
    path: REPLY_PATH,
    summary: "Reply to a dispute, with files.",
    operationId: "replyToInfraction",
    tag: "Disputes",
    answer: "reply",
    errors: ["NOT_FOUND", "INFRACTION_NOT_OPEN"],
    decisions: ["D51"],
    perMinute: 10,
    input: undefined,
    handle: (call) => replyToDispute(call.operation, callerOf(call), replyOf(call.form)),
  },
];

/** The endpoint of a call such as `GET /v2/account/balance?currency=BRL`; null if there is none. */
export function endpointOf(call: string): Endpoint | null {
  const [name] = call.split("?");
  return endpoints.find(({ method, path }) => `${method} ${path}` === name) ?? null;
}

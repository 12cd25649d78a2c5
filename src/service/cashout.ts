/** `POST /v2/transactions/cashout`: money leaves for a PIX key, a CLABE or an address (`D36`, `D37`, `D08`). */
import { z } from "zod";
import type { Chain, Currency } from "../domain/currencies.ts";
import { isAddress } from "../domain/identifiers/chain-address.ts";
import { isClabe } from "../domain/identifiers/clabe.ts";
import { pixKeyType, pixKeyTypes } from "../domain/identifiers/pix-key.ts";
import { formatAmount } from "../domain/money.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import type { Credential } from "../store/accounts.ts";
import type { Transaction } from "../store/transactions.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { requireBalance } from "./accounts.ts";
import { amountOf, currencyOf, currencyType, debitOf, feeFor } from "./amounts.ts";
import { requireDestination } from "./destinations.ts";
import { once } from "./idempotency.ts";
import { amountField, chainField, externalIdField, nameField, postbackField, textField } from "./input.ts";
import { chosenChain, railOf } from "./instruments.ts";
import { useLimits } from "./limits.ts";
import { invalidRequest, together } from "./together.ts";
import { type NewTransaction, openTransaction } from "./transactions.ts";

/** Timer of the gateway, which checks an address a second after the request (interface, section 3a). */
export const GATEWAY_TIMER = "cashout.gateway";
const GATEWAY_DELAY_MS = 1_000;

/** In characters. The gateway finds invalid addresses later (`D36`); only excessively long ones are refused at once. */
const MAX_KEY = 1_000;

/** The body of a cash-out; `key` is the destination, whatever its kind (`D36`). */
export const cashoutRequest = onFirstUse(() =>
  z.object({
    currency: nameField,
    amount: amountField,
    key: textField(MAX_KEY),
    key_type: textField(32).nullish(),
    chain: chainField,
    network: nameField.nullish(),
    external_id: externalIdField,
    postback_url: postbackField,
  }),
);
type CashoutRequest = z.infer<ReturnType<typeof cashoutRequest>>;

/**
 * Accepts a cash-out, or gives the one that its external id stands for.
 * @throws {DomainError} INVALID_CURRENCY, UNSUPPORTED_CHAIN, INVALID_REQUEST, LIMIT_EXCEEDED, INSUFFICIENT_BALANCE,
 * DUPLICATE_EXTERNAL_ID.
 */
export function createCashout(operation: Operation, credential: Credential, input: CashoutRequest, body: unknown) {
  const { world } = operation;
  const { username } = credential;
  const cashout = once(
    operation,
    { operation: "cashout", username, externalId: input.external_id, body },
    {
      check: () => checkCashout(world, input),
      make: () => openCashout(operation, newCashout(operation, credential, input)),
      idOf: (made) => made.transaction_id,
    },
  );
  return cashoutAnswer(world, cashout);
}

/** Checks and resolves the fields. @throws {DomainError} INVALID_REQUEST, INVALID_CURRENCY, UNSUPPORTED_CHAIN. */
export function checkCashout(world: World, input: CashoutRequest) {
  const found = () => currencyOf(world, input.currency, "cashout");
  const [currency, amount, target] = together(
    found,
    () => amountOf(input.amount, found, "amount"),
    () => targetOf(world, found(), input),
    () => requireDestination(world, input.postback_url),
  );
  return { currency, amount, ...target };
}

/** Where the money is to go: the chain (undefined for fiat) and the kind of the key. */
function targetOf(world: World, currency: Currency, input: CashoutRequest) {
  const chain = chosenChain(world, currency, input);
  return { chain, keyType: keyTypeOf(input, currency, chain) };
}

function newCashout(operation: Operation, credential: Credential, input: CashoutRequest): NewTransaction {
  const { world, now } = operation;
  const { currency, amount, chain, keyType } = checkCashout(world, input);
  const { client_id, username } = credential;
  useLimits(operation, { clientId: client_id, operation: "cashout", currency: currency.currency, amount });
  const fee = feeFor(world, "cashout", currency, amount);
  const debit = world.settings.cashout_fee === "added" ? amount + fee : amount;
  requireBalance(world, username, currency.currency, debit);
  return {
    transaction_id: world.random.hexId("transaction", now),
    username,
    client_id,
    type: "cashout",
    external_id: input.external_id ?? null,
    currency: currency.currency,
    amount,
    fee,
    amount_net: amount - fee,
    refunded: 0n,
    source: null,
    ...railOf(currency, chain),
    postback_url: input.postback_url ?? null,
    created_at: now,
    expires_at: null,
    confirmed_at: null,
    details: { wallet: input.key, key_type: keyType, debit: debit.toString() },
  };
}

const A_CLABE = "a CLABE of 18 digits with its control digit";
const A_PIX_KEY =
  "a PIX key: a CPF or CNPJ with its check digits and no punctuation, an e-mail in lower case, " +
  "a mobile number such as +5511987654321, or an EVP in lower case";

/**
 * The kind of the key: for crypto the chain, else inferred from the form of the key.
 * @throws {DomainError} INVALID_REQUEST when the key fits no format, or `key_type` is no such kind or contradicts it.
 */
function keyTypeOf(input: CashoutRequest, { method }: Currency, chain: Chain | undefined): string {
  const kinds = chain ? [chain.chain] : method === "SPEI" ? ["clabe"] : pixKeyTypes;
  const [kind, given] = together(
    () => chain?.chain ?? kindOfKey(input.key, method),
    () => givenKind(input.key_type, kinds),
  );
  if (given !== undefined && given !== kind) throw invalidRequest([`key_type contradicts key, which is ${kind}`]);
  return kind;
}

function givenKind(keyType: string | null | undefined, kinds: readonly string[]): string | undefined {
  const given = keyType?.toLowerCase();
  if (given === undefined || kinds.includes(given)) return given;
  throw invalidRequest([`key_type must be ${kinds.length > 1 ? "one of " : ""}${kinds.join(", ")}`]);
}

function kindOfKey(key: string, method: Currency["method"]): string {
  const kind = method === "SPEI" ? isClabe(key) && "clabe" : pixKeyType(key);
  if (!kind) throw invalidRequest([`key must be ${method === "SPEI" ? A_CLABE : A_PIX_KEY}`]);
  return kind;
}

function openCashout(operation: Operation, draft: NewTransaction): Transaction {
  const { world, now } = operation;
  const figures = { debit: debitOf(draft) };
  const cashout = openTransaction(operation, draft, { trigger: "create", occurrence: "cashout.created", figures });
  const chain = world.currencies.chainOf(draft);
  if (chain && !isAddress(chain.address_format, draft.details.wallet ?? "")) {
    const due = now + GATEWAY_DELAY_MS;
    operation.schedule({ due, kind: GATEWAY_TIMER, subject: draft.transaction_id, isDefault: true });
  }
  return cashout;
}

/** The data of the answer, field by field in the order of `D36`. */
function cashoutAnswer(world: World, row: Transaction) {
  const scale = world.currencies.scale(row.currency);
  return {
    transaction_id: row.transaction_id,
    external_id: row.external_id,
    type: row.type,
    currency: row.currency,
    currency_type: currencyType(world, row.currency),
    network: row.network,
    ...(row.chain ? { chain: row.chain } : {}),
    amount: formatAmount(row.amount, scale),
    fee: formatAmount(row.fee, scale),
    amount_net: formatAmount(row.amount_net, scale),
    status: row.status,
    wallet: row.details.wallet ?? null,
    key_type: row.details.key_type ?? null,
    created_at: formatInstant(row.created_at),
  };
}

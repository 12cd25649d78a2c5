/** `POST /v2/transactions/cashin`: a charge that a payer can pay once, within 30 minutes (`D30`). */
import { z } from "zod";
import { formatAmount } from "../domain/money.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { required } from "../domain/required.ts";
import type { Credential } from "../store/accounts.ts";
import type { Timer } from "../store/timers.ts";
import type { Transaction } from "../store/transactions.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { amountOf, currencyOf, currencyType, feeFor } from "./amounts.ts";
import { requireDestination } from "./destinations.ts";
import { once } from "./idempotency.ts";
import { amountField, chainField, externalIdField, nameField, postbackField, textField } from "./input.ts";
import { chosenChain, depositInstruments, railOf } from "./instruments.ts";
import { useLimits } from "./limits.ts";
import { readShares, splitField } from "./splits.ts";
import { together } from "./together.ts";
import { type NewTransaction, openTransaction } from "./transactions.ts";

/** A charge is valid for 30 minutes (Limits, other constants). */
export const CHARGE_LIFETIME_MS = 30 * 60_000;

/** Timer of a charge that ends unpaid. */
export const EXPIRY_TIMER = "charge.expiry";

/** Timer of a deposit on its way. */
export const DEPOSIT_TIMER = "wallet.deposit";

/** The body of a cash-in; the amount is not yet checked against the scale of the currency. */
export const cashinRequest = onFirstUse(() =>
  z.object({
    currency: nameField,
    amount: amountField,
    external_id: externalIdField,
    payer: z.object({ name: textField(200), document: textField(32) }, { error: "must be an object" }).nullish(),
    chain: chainField,
    network: nameField.nullish(),
    postback_url: postbackField,
    split: splitField,
  }),
);
type CashinRequest = z.infer<ReturnType<typeof cashinRequest>>;

/**
 * Creates a charge, or gives the one that its external id stands for.
 * @param body the request as parsed, by which a repeated request is recognized (`D24`).
 * @returns the data of the answer (`D30`).
 * @throws {DomainError} INVALID_CURRENCY, UNSUPPORTED_CHAIN, INVALID_REQUEST, LIMIT_EXCEEDED, DUPLICATE_EXTERNAL_ID.
 */
export function createCharge(operation: Operation, credential: Credential, input: CashinRequest, body: unknown) {
  const { world } = operation;
  const { username } = credential;
  const charge = once(
    operation,
    { operation: "cashin", username, externalId: input.external_id, body },
    {
      check: () => checkCharge(world, credential, input),
      make: () => openCharge(operation, newCharge(operation, credential, input)),
      idOf: (made) => made.transaction_id,
    },
  );
  return chargeAnswer(world, charge);
}

/** Checks and resolves the fields. @throws {DomainError} INVALID_REQUEST, INVALID_CURRENCY, UNSUPPORTED_CHAIN. */
export function checkCharge(world: World, credential: Credential, input: CashinRequest) {
  const found = () => currencyOf(world, input.currency, "cashin");
  const given = () => amountOf(input.amount, found, "amount");
  const net = () => given() - feeFor(world, "cashin", found(), given());
  const [currency, amount, chain, shares] = together(
    found,
    given,
    () => chosenChain(world, found(), input),
    () => readShares(world, credential, input.split ?? [], { currency: found, net }),
    () => requireDestination(world, input.postback_url),
  );
  return { currency, amount, chain, shares };
}

function newCharge(operation: Operation, credential: Credential, input: CashinRequest): NewTransaction {
  const { world, now } = operation;
  const { currency, amount, chain, shares } = checkCharge(world, credential, input);
  useLimits(operation, { clientId: credential.client_id, operation: "cashin", currency: currency.currency, amount });
  const transactionId = world.random.hexId("transaction", now);
  const fee = feeFor(world, "cashin", currency, amount);
  return {
    transaction_id: transactionId,
    username: credential.username,
    client_id: credential.client_id,
    type: "cashin",
    external_id: input.external_id ?? null,
    currency: currency.currency,
    amount,
    fee,
    amount_net: amount - fee,
    refunded: 0n,
    source: "dynamic_qr",
    ...railOf(currency, chain),
    postback_url: input.postback_url ?? null,
    created_at: now,
    expires_at: now + CHARGE_LIFETIME_MS,
    confirmed_at: null,
    details: {
      ...(shares.length > 0 ? { split: shares } : {}),
      ...(input.payer ? { payer: { name: input.payer.name, document: input.payer.document } } : {}),
      ...depositInstruments(world, { transactionId, currency, chain, amount }),
    },
  };
}

function openCharge(operation: Operation, charge: NewTransaction): Transaction {
  const due = required(charge.expires_at, "The expiry of a charge");
  operation.schedule({ due, kind: EXPIRY_TIMER, subject: charge.transaction_id, isDefault: true });
  return openTransaction(operation, charge, { trigger: "create", occurrence: "cashin.created" });
}

/** Takes the expiry off the clock: the payer has paid in time, but the payment arrives after the expiry (`D32`). */
export function awaitConfirmations(operation: Operation, charge: Transaction): void {
  if (operation.world.timers.removeOf(charge.transaction_id, EXPIRY_TIMER) === 0) return;
  const { transaction_id, chain, network } = charge;
  operation.record("payment.broadcast", transaction_id, chain === null ? { network } : { chain });
}

/**
 * Lets a charge expire now if it is pending beyond its expiry and no timer but the given one may still pay it (`D32`).
 * @param bringsPayment whether a timer may pay the charge.
 */
export function stopAwaiting(
  operation: Operation,
  { subject, sequence }: Timer,
  bringsPayment: (timer: Timer, charge: Transaction) => boolean,
): void {
  const { world, now } = operation;
  const charge = world.transactions.get(subject);
  if (charge?.status !== "pending" || !charge.expires_at || charge.expires_at > now) return;
  const others = world.timers.of(subject).filter((timer) => timer.sequence !== sequence);
  if (others.some((timer) => timer.kind === EXPIRY_TIMER || bringsPayment(timer, charge))) return;
  operation.schedule({ due: now, kind: EXPIRY_TIMER, subject, isDefault: true });
}

/** The data of the answer, field by field in the order of `D30`. */
function chargeAnswer(world: World, charge: Transaction) {
  const scale = world.currencies.scale(charge.currency);
  const { qr_code, address, clabe } = charge.details;
  return {
    transaction_id: charge.transaction_id,
    external_id: charge.external_id,
    type: charge.type,
    currency: charge.currency,
    currency_type: currencyType(world, charge.currency),
    amount: formatAmount(charge.amount, scale),
    fee: formatAmount(charge.fee, scale),
    amount_net: formatAmount(charge.amount_net, scale),
    status: charge.status,
    source: charge.source,
    network: charge.network,
    ...(charge.chain ? { chain: charge.chain } : {}),
    ...(qr_code ? { qr_code } : {}),
    ...(address ? { address } : {}),
    ...(clabe ? { clabe } : {}),
    expires_at: formatInstant(required(charge.expires_at, "The expiry of a charge")),
    created_at: formatInstant(charge.created_at),
  };
}

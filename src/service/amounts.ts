/** Amounts and currencies of requests, the fees on them, and how much of them a refund gives back. */
import type { Currency } from "../domain/currencies.ts";
import { DomainError } from "../domain/errors.ts";
import { type ExactFee, exactFeeOf, type FeeOperation, type FeeRow, feeOf } from "../domain/fees.ts";
import { AmountError, type ExactNumber, formatAmount, type MinorUnits, parseAmount } from "../domain/money.ts";
import type { Transaction } from "../store/transactions.ts";
import type { World } from "../world/world.ts";

/**
 * The currency of a code.
 * @param use the operation that it must be offered for; without it, any currency of the world is accepted.
 * @throws {DomainError} INVALID_CURRENCY (`D25`).
 */
export function currencyOf({ currencies }: World, code: string, use?: "cashin" | "cashout"): Currency {
  const currency = use ? currencies.find(code, use) : currencies.currencies.get(code);
  if (currency) return currency;
  throw new DomainError("INVALID_CURRENCY", `The currency ${code} is not supported.`);
}

/** Whether a currency is `fiat` or `crypto`. */
export function currencyType(world: World, currency: string): "fiat" | "crypto" {
  return world.currencies.known(currency).currency_type;
}

/**
 * An amount of a request in minor units.
 * @param currency or a function that finds it, called only after the checks that need no currency.
 * @param field the name of the field, for the message.
 * @throws {DomainError} `INVALID_REQUEST` when it does not suit the currency (`D01`).
 */
export function amountOf(
  input: string | ExactNumber,
  currency: Currency | (() => Currency),
  field: string,
): MinorUnits {
  try {
    return parseAmount(input, typeof currency === "function" ? () => currency().scale : currency.scale);
  } catch (error) {
    if (error instanceof AmountError) throw new DomainError("INVALID_REQUEST", `${field} ${error.message}.`);
    throw error;
  }
}

/** The fee of an operation on an amount, both in minor units of the currency (`D07`). */
export function feeFor(world: World, operation: FeeOperation, currency: Currency, amount: MinorUnits): MinorUnits {
  return feeOf(amount, feeRowOf(world, operation, currency), currency.scale);
}

/** The unrounded fee of a conversion from `base`; it is rounded in the destination currency (`D40a`). */
export function conversionFee(world: World, base: Currency, amount: MinorUnits): ExactFee {
  return exactFeeOf(amount, feeRowOf(world, "conversion", base), base.scale);
}

function feeRowOf({ fixtures }: World, operation: FeeOperation, { currency }: Currency): FeeRow | undefined {
  return fixtures.fees.find((fee) => fee.currency === currency && fee.operation === operation);
}

/** What a cash-out took from the balance. */
export function debitOf(cashout: Pick<Transaction, "details" | "amount">): MinorUnits {
  return BigInt(cashout.details.debit ?? cashout.amount);
}

function refundableOf(transaction: Transaction): MinorUnits {
  return transaction.type === "cashin" ? transaction.amount : debitOf(transaction);
}

/** How much refunds may still give back of what a charge was paid, or of what a cash-out took (`D54a`). */
export function leftToRefund(transaction: Transaction): MinorUnits {
  return refundableOf(transaction) - transaction.refunded;
}

/**
 * How much a refund gives back: the amount `named`, else all that is left.
 * @throws {DomainError} `INVALID_REQUEST` when it is more than is left (`D54a`).
 */
export function refundAmount(
  world: World,
  transaction: Transaction,
  named: string | ExactNumber | undefined,
): MinorUnits {
  const currency = world.currencies.known(transaction.currency);
  const left = leftToRefund(transaction);
  const refund = named === undefined ? left : amountOf(named, currency, "amount");
  if (refund > 0n && refund <= left) return refund;
  const written = (amount: MinorUnits) => formatAmount(amount, currency.scale);
  const why =
    left > 0n
      ? `amount must be at most ${written(left)}, what is left.`
      : `Nothing is left to be refunded: all ${written(refundableOf(transaction))} ${transaction.currency} went back.`;
  throw new DomainError("INVALID_REQUEST", why);
}

/** Splits: shares of a cash-in that go to other accounts when it is confirmed (`D35`). */
import { z } from "zod";
import type { Currency } from "../domain/currencies.ts";
import { DomainError } from "../domain/errors.ts";
import {
  AmountError,
  type Decimal,
  divide,
  ExactNumber,
  formatAmount,
  type MinorUnits,
  multiply,
  parseDecimal,
  parseJsonNumber,
} from "../domain/money.ts";
import type { Credential } from "../store/accounts.ts";
import type { SplitShare, Transaction } from "../store/transactions.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { amountOf } from "./amounts.ts";
import { amountField, textField } from "./input.ts";
import { executeTransfer } from "./transfers.ts";

/** Sum of split percentages (Limits, other constants). */
const MAX_PERCENTAGES = 95n;
const MAX_ITEMS = 10;

export const splitField = z
  .array(
    z.object({
      username: textField(64),
      type: z.enum(["percentage", "fixed"], { error: "must be percentage or fixed" }).nullish(),
      percentage: z.instanceof(ExactNumber, { error: "must be a number" }).nullish(),
      amount: amountField.nullish(),
    }),
    { error: "must be an array" },
  )
  .max(MAX_ITEMS, { error: `must have at most ${MAX_ITEMS} items` })
  .nullish();
type SplitInput = NonNullable<z.infer<typeof splitField>>[number];

/** The shares of a charge. @throws {DomainError} INVALID_REQUEST that names the item at fault. */
export function readSplit(
  world: World,
  credential: Credential,
  input: z.infer<typeof splitField>,
  charge: { currency: Currency; net: MinorUnits },
): SplitShare[] {
  const shares = (input ?? []).map((item, index) => readShare(world, credential, item, index, charge.currency));
  const percentages = shares.flatMap((share) => (share.percentage ? [parseDecimal(share.percentage)] : []));
  if (exceeds(percentages, MAX_PERCENTAGES)) {
    throw new DomainError("INVALID_REQUEST", `split: the percentages must not exceed ${MAX_PERCENTAGES} in sum.`);
  }
  const total = shares.reduce((sum, share) => sum + shareOf(world, charge.currency.currency, charge.net, share), 0n);
  if (total > charge.net) {
    const net = formatAmount(charge.net, charge.currency.scale);
    throw new DomainError("INVALID_REQUEST", `split: the shares must not exceed the net amount of ${net}.`);
  }
  return shares;
}

/** Pays the shares over, in order; the last ones are cut where the credit does not cover them. */
export function executeSplit(operation: Operation, charge: Transaction): void {
  let left = charge.amount_net;
  for (const share of charge.details.split ?? []) {
    const wanted = shareOf(operation.world, charge.currency, charge.amount_net, share);
    const amount = wanted < left ? wanted : left;
    left -= amount;
    if (amount === 0n) continue;
    executeTransfer(operation, {
      username: charge.username,
      client_id: charge.client_id,
      recipient: share.username,
      external_id: null,
      currency: charge.currency,
      amount,
      description: null,
      split_of: charge.transaction_id,
    });
  }
}

function readShare(
  world: World,
  credential: Credential,
  item: SplitInput,
  index: number,
  currency: Currency,
): SplitShare {
  const path = `split[${index}]`;
  const { username } = item;
  if (username === credential.username)
    throw new DomainError("INVALID_REQUEST", `${path}.username must be another account than your own.`);
  if (!world.accounts.get(username))
    throw new DomainError("INVALID_REQUEST", `${path}.username: there is no account ${JSON.stringify(username)}.`);
  if (item.type === "fixed") {
    if (item.amount === undefined || item.amount === null)
      throw new DomainError("INVALID_REQUEST", `${path}.amount is missing.`);
    return { username, amount: formatAmount(amountOf(item.amount, currency, `${path}.amount`), currency.scale) };
  }
  if (!item.percentage) throw new DomainError("INVALID_REQUEST", `${path}.percentage is missing.`);
  return { username, percentage: percentageOf(item.percentage, path) };
}

function percentageOf(number: ExactNumber, path: string): string {
  try {
    const { digits, scale } = parseJsonNumber(number.source);
    if (digits > 0n) return formatAmount(digits, scale);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
  }
  throw new DomainError("INVALID_REQUEST", `${path}.percentage must be a number above zero.`);
}

/** A share in minor units, cut towards zero (`D03`). */
function shareOf(world: World, currency: string, net: MinorUnits, share: SplitShare): MinorUnits {
  if (share.percentage) {
    const { digits, scale } = parseDecimal(share.percentage);
    return multiply(net, { digits, scale: scale + 2 }, "down");
  }
  const { digits, scale } = parseDecimal(share.amount ?? "0");
  return divide(digits * 10n ** BigInt(world.currencies.scale(currency)), 10n ** BigInt(scale), "down");
}

function exceeds(decimals: readonly Decimal[], limit: bigint): boolean {
  const scale = Math.max(0, ...decimals.map((decimal) => decimal.scale));
  const sum = decimals.reduce((total, decimal) => total + decimal.digits * 10n ** BigInt(scale - decimal.scale), 0n);
  return sum > limit * 10n ** BigInt(scale);
}

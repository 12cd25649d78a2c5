/** Splits: shares of a cash-in that go to other accounts when it is confirmed (`D35`). */
import { z } from "zod";
import type { Currency } from "../domain/currencies.ts";
import {
  AmountError,
  compareDecimals,
  type Decimal,
  ExactNumber,
  formatAmount,
  MAX_MOVED,
  type MinorUnits,
  multiply,
  parseDecimal,
  parseJsonNumber,
  sumOf,
  toMinorUnits,
} from "../domain/money.ts";
import type { Credential } from "../store/accounts.ts";
import type { SplitShare, Transaction } from "../store/transactions.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { amountOf } from "./amounts.ts";
import { amountField, textField } from "./input.ts";
import { invalidRequest, together } from "./together.ts";
import { executeTransfer } from "./transfers.ts";

/** The largest sum of split percentages (Limits, other constants). */
export const MAX_PERCENTAGES = 95n;
const MAX_ITEMS = 10;
const MAX_PERCENTAGE_DECIMALS = 30;

/** The shares of a charge, at most 10, as they are written: {@link readShares} validates them (`D35`). */
export const splitField = z
  .array(
    z.object(
      {
        username: textField(64),
        type: z.enum(["percentage", "fixed"], { error: "must be percentage or fixed" }).nullish(),
        percentage: z.instanceof(ExactNumber, { error: "must be a number" }).nullish(),
        amount: amountField.nullish(),
      },
      { error: "must be an object" },
    ),
    { error: "must be an array" },
  )
  .max(MAX_ITEMS, { error: `must have at most ${MAX_ITEMS} items` })
  .nullish();
type SplitInput = NonNullable<z.infer<typeof splitField>>[number];

/** Functions that find the currency of a charge and its net amount in minor units; they throw if those are invalid. */
interface ChargeTerms {
  readonly currency: () => Currency;
  readonly net: () => MinorUnits;
}

/** Reads the shares of a charge. @throws {DomainError} INVALID_REQUEST that names the invalid items. */
export function readShares(
  world: World,
  credential: Credential,
  items: readonly SplitInput[],
  { currency, net }: ChargeTerms,
): readonly SplitShare[] {
  if (items.length === 0) return [];
  // Each item is read within its own check, because reading an invalid one throws.
  const checkOf = (index: number) => () =>
    readShare(world, credential, currency, { item: items[index] as SplitInput, path: `split[${index}]` });
  const [shares] = together(
    () => together(...Array.from(items.keys(), checkOf)),
    () => refuseTooMany(items),
  );
  requireCovered(world, shares, currency(), net());
  return shares;
}

/** Refuses percentages whose sum is too large; those that are invalid themselves are left out of it. */
function refuseTooMany(items: readonly SplitInput[]): void {
  const percentages = items.flatMap(({ type, percentage }) => {
    const decimal = type === "fixed" || !percentage ? null : percentageIn(percentage);
    return decimal ? [decimal] : [];
  });
  if (!isTooMany(sumOf(percentages))) return;
  throw invalidRequest([`split: the percentages must not exceed ${MAX_PERCENTAGES} in sum`]);
}

function requireCovered(world: World, shares: readonly SplitShare[], currency: Currency, net: MinorUnits): void {
  const total = shares.reduce((sum, share) => sum + shareOf(world, currency.currency, net, share), 0n);
  if (total <= net) return;
  const most = formatAmount(net, currency.scale);
  throw invalidRequest([`split: the shares must not exceed the net amount of ${most}`]);
}

/** Pays the shares out, in order; the last ones are cut if the credit does not cover them. */
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
  currency: () => Currency,
  { item, path }: { readonly item: SplitInput; readonly path: string },
): SplitShare {
  const [username, part] = together(
    () => recipientOf(world, credential, item.username, path),
    () => (item.type === "fixed" ? fixedPart(item, currency, path) : percentagePart(item, path)),
    () => refuseOtherPart(item, path),
  );
  return { username, ...part };
}

function recipientOf(world: World, credential: Credential, username: string, path: string): string {
  if (username === credential.username) {
    throw invalidRequest([`${path}.username must be another account than your own`]);
  }
  if (world.accounts.get(username)) return username;
  throw invalidRequest([`${path}.username: there is no account ${JSON.stringify(username)}`]);
}

/** Refuses a share with both a percentage and a fixed amount, or with the one that its type does not have. */
function refuseOtherPart({ type, percentage, amount }: SplitInput, path: string): void {
  if (type === "fixed" && (percentage ?? null) !== null) {
    throw invalidRequest([`${path}.percentage does not go with type fixed`]);
  }
  if (type !== "fixed" && (amount ?? null) !== null)
    throw invalidRequest([`${path}.amount goes with type fixed alone`]);
}

function fixedPart({ amount }: SplitInput, currency: () => Currency, path: string): Pick<SplitShare, "amount"> {
  if (amount === undefined || amount === null) throw invalidRequest([`${path}.amount is missing`]);
  const minor = amountOf(amount, currency, `${path}.amount`);
  // Capped at what no net amount reaches: a longer text could not be read again.
  const kept = minor > MAX_MOVED ? MAX_MOVED + 1n : minor;
  return { amount: formatAmount(kept, currency().scale) };
}

function percentagePart({ percentage }: SplitInput, path: string): Pick<SplitShare, "percentage"> {
  if (!percentage) throw invalidRequest([`${path}.percentage is missing`]);
  const decimal = percentageIn(percentage);
  if (decimal) return { percentage: formatAmount(decimal.digits, decimal.scale) };
  const range = `above zero and at most ${MAX_PERCENTAGES}, of at most ${MAX_PERCENTAGE_DECIMALS} decimals`;
  throw invalidRequest([`${path}.percentage must be a number ${range}`]);
}

/** The percentage of a share; null if it is invalid. */
function percentageIn({ source }: ExactNumber): Decimal | null {
  try {
    const decimal = parseJsonNumber(source);
    const isInRange = decimal.digits > 0n && !isTooMany(decimal);
    return isInRange && decimal.scale <= MAX_PERCENTAGE_DECIMALS ? decimal : null;
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}

function isTooMany(percentages: Decimal): boolean {
  return compareDecimals(percentages, { digits: MAX_PERCENTAGES, scale: 0 }) > 0;
}

/** A share in minor units, cut towards zero (`D03`). */
function shareOf(world: World, currency: string, net: MinorUnits, share: SplitShare): MinorUnits {
  if (share.percentage) {
    const { digits, scale } = parseDecimal(share.percentage);
    return multiply(net, { digits, scale: scale + 2 }, "down");
  }
  return toMinorUnits(parseDecimal(share.amount ?? "0"), world.currencies.scale(currency), "down");
}

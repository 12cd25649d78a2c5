/** `POST /v2/conversions/rate`, `/simulate`, `/new`, and the reversal that support can make (`D40`, `D40a`, `D40b`). */
import { z } from "zod";
import type { Currency } from "../domain/currencies.ts";
import { durationOf } from "../domain/durations.ts";
import { DomainError } from "../domain/errors.ts";
import { type Decimal, ExactNumber, formatAmount, MAX_MOVED, type MinorUnits, parseDecimal } from "../domain/money.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { type ConversionFigures, conversionFigures } from "../domain/rates.ts";
import type { Credential } from "../store/accounts.ts";
import type { Conversion } from "../store/conversions.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { requireBalance } from "./accounts.ts";
import { amountOf, conversionFee } from "./amounts.ts";
import { once } from "./idempotency.ts";
import { externalIdField, nameField } from "./input.ts";
import { useLimits } from "./limits.ts";
import { spotRate } from "./rates.ts";
import { together } from "./together.ts";
import { type Announcement, applyTransition } from "./transition.ts";

/** How long an expired quote is remembered as expired (`D40`). */
const EXPIRED_QUOTE_MEMORY_MS = 24 * 3_600_000;

/** The body of `rate` and `simulate`; `amount` is a JSON number and nothing else (`D09`). */
export const conversionQuery = onFirstUse(() =>
  z.object({
    amount: z
      .instanceof(ExactNumber, { error: ({ input }) => (input === undefined ? "is missing" : "must be a JSON number") })
      .meta({ decision: "D09" }),
    base_currency: nameField,
    destination_currency: nameField,
  }),
);
type ConversionQuery = z.infer<ReturnType<typeof conversionQuery>>;

/** The body of `new`, the same with an external id. */
export const conversionRequest = onFirstUse(() => conversionQuery().extend({ external_id: externalIdField }));
type ConversionRequest = z.infer<ReturnType<typeof conversionRequest>>;

/** The currencies of a conversion, and the amount in minor units of the base currency. */
interface Pair {
  readonly base: Currency;
  readonly destination: Currency;
  readonly amount: MinorUnits;
}

/** The spot rate, without fees or spread. @throws {DomainError} INVALID_CURRENCY, INVALID_REQUEST. */
export function quoteRate({ world, now }: Operation, input: ConversionQuery) {
  const pair = checkPair(world, input);
  const rate = spotRate(world, pair.base.currency, pair.destination.currency);
  return {
    base_currency: pair.base.currency,
    destination_currency: pair.destination.currency,
    amount: formatAmount(pair.amount, pair.base.scale),
    rate: written(rate),
    estimated_amount: formatAmount(figuresOf(world, pair, rate).estimate, pair.destination.scale),
    timestamp: formatInstant(now),
  };
}

/**
 * A preview with fees and spread, whose quote is valid for `quote_ttl`.
 * @throws {DomainError} INVALID_CURRENCY, INVALID_REQUEST, LIMIT_EXCEEDED.
 */
export function simulateConversion(operation: Operation, credential: Credential, input: ConversionQuery) {
  const { world, now } = operation;
  const pair = checkPair(world, input);
  const rate = spotRate(world, pair.base.currency, pair.destination.currency);
  const figures = positiveFigures(world, pair, rate);
  const expiresAt = now + durationOf(world.settings.quote_ttl);
  world.conversions.insertQuote({
    username: credential.username,
    currency_from: pair.base.currency,
    currency_to: pair.destination.currency,
    amount_from: pair.amount,
    rate: written(rate),
    created_at: now,
    expires_at: expiresAt,
  });
  const { scale } = pair.destination;
  return {
    base_currency: pair.base.currency,
    destination_currency: pair.destination.currency,
    from_amount: formatAmount(pair.amount, pair.base.scale),
    to_amount: formatAmount(figures.amountTo, scale),
    rate: written(rate),
    spread: formatAmount(figures.spread, scale),
    fee: formatAmount(figures.fee, scale),
    expires_at: formatInstant(expiresAt),
  };
}

/**
 * Executes a conversion, or gives the one that its external id stands for.
 * @throws {DomainError} INVALID_CURRENCY, INVALID_REQUEST, LIMIT_EXCEEDED, RATE_EXPIRED, INSUFFICIENT_BALANCE,
 * DUPLICATE_EXTERNAL_ID.
 */
export function executeConversion(
  operation: Operation,
  credential: Credential,
  input: ConversionRequest,
  body: unknown,
) {
  const { world } = operation;
  const { username } = credential;
  const conversion = once(
    operation,
    { operation: "conversion", username, externalId: input.external_id, body },
    {
      check: () => checkPair(world, input),
      make: () => newConversion(operation, credential, input),
      idOf: (made) => made.conversion_id,
    },
  );
  return conversionAnswer(world, conversion);
}

function newConversion(operation: Operation, credential: Credential, input: ConversionRequest): Conversion {
  const { world, now } = operation;
  const pair = checkPair(world, input);
  const { client_id, username } = credential;
  useLimits(operation, {
    clientId: client_id,
    operation: "conversion",
    currency: pair.base.currency,
    amount: pair.amount,
  });
  const rate = rateToUse(operation, credential, pair);
  const figures = positiveFigures(world, pair, rate);
  requireBalance(world, username, pair.base.currency, pair.amount);
  return carryOut(operation, {
    conversion_id: world.random.hexId("conversion", now),
    username,
    client_id,
    external_id: input.external_id ?? null,
    currency_from: pair.base.currency,
    amount_from: pair.amount,
    currency_to: pair.destination.currency,
    amount_to: figures.amountTo,
    rate: written(rate),
    fee: figures.fee,
    spread: figures.spread,
    completed_at: now,
  });
}

function carryOut(operation: Operation, draft: Omit<Conversion, "position" | "status">): Conversion {
  const { world } = operation;
  return applyTransition(operation, {
    lifecycle: "conversion",
    id: draft.conversion_id,
    state: null,
    trigger: "execute",
    currencies: { main: draft.currency_from, counter: draft.currency_to },
    parties: { username: draft.username },
    figures: figuresOfPostings(draft),
    write: (status) => world.conversions.insert({ ...draft, status }),
    events: (_kind, row) => [eventOf(row, row.conversion_id, confirmedData(world, row))],
  });
}

/** Reverses a conversion: takes back what was bought, gives back what was sold (`D40b`). @throws {InvalidTransition} */
export function refundConversion(
  operation: Operation,
  conversion: Conversion,
  input: { reason?: string | undefined },
): void {
  const { world, now } = operation;
  const refundId = world.random.hexId("conversion", now);
  applyTransition(operation, {
    lifecycle: "conversion",
    id: conversion.conversion_id,
    state: conversion.status,
    trigger: "refund",
    currencies: { main: conversion.currency_from, counter: conversion.currency_to },
    parties: { username: conversion.username },
    figures: figuresOfPostings(conversion),
    write: (status) => {
      world.conversions.saveStatus(conversion.conversion_id, status);
      return { ...conversion, status };
    },
    events: () => [
      eventOf(conversion, refundId, {
        conversion_id: refundId,
        original_conversion_id: conversion.conversion_id,
        amount_reverted_from: world.currencies.format(conversion.amount_to, conversion.currency_to),
        currency_reverted_from: conversion.currency_to,
        amount_returned_to: world.currencies.format(conversion.amount_from, conversion.currency_from),
        currency_returned_to: conversion.currency_from,
        reason: input.reason ?? "SUPPORT_MANUAL_REVERSAL",
        refunded_at: formatInstant(now),
      }),
    ],
  });
}

/** The rate of the quote that an execution refers to, else the spot rate (`D40`). @throws {DomainError} RATE_EXPIRED */
function rateToUse({ world, now }: Operation, { username }: Credential, pair: Pair): Decimal {
  const { base, destination, amount } = pair;
  const spot = spotRate(world, base.currency, destination.currency);
  if (world.settings.quotes === "ignore") return spot;
  const quote = world.conversions.latestQuote(username, base.currency, destination.currency, amount);
  if (!quote || now >= quote.expires_at + EXPIRED_QUOTE_MEMORY_MS) return spot;
  if (now >= quote.expires_at) {
    const [made, ended] = [quote.created_at, quote.expires_at].map(formatInstant);
    const hint = `The quote is that of the simulation of ${made}, the last of this pair and amount; it ended at ${ended}.`;
    throw new DomainError("RATE_EXPIRED", undefined, { hint });
  }
  world.conversions.consumeQuote(quote);
  return parseDecimal(quote.rate);
}

/** Checks and resolves the fields of a request. @throws {DomainError} INVALID_REQUEST, INVALID_CURRENCY. */
export function checkPair(world: World, input: ConversionQuery): Pair {
  const base = () => world.currencies.find(input.base_currency, "conversion") ?? refusePair(input);
  const [currencies, amount] = together(
    () => currenciesOf(world, input),
    () => amountOf(input.amount, base, "amount"),
  );
  return { ...currencies, amount };
}

function currenciesOf(world: World, input: ConversionQuery): Omit<Pair, "amount"> {
  const base = world.currencies.find(input.base_currency, "conversion");
  const destination = world.currencies.find(input.destination_currency, "conversion");
  if (base && destination && base !== destination) return { base, destination };
  return refusePair(input);
}

function refusePair({ base_currency, destination_currency }: ConversionQuery): never {
  throw new DomainError("INVALID_CURRENCY", `There is no conversion from ${base_currency} to ${destination_currency}.`);
}

/** A rate as answers show it. */
function written({ digits, scale }: Decimal): string {
  return formatAmount(digits, scale);
}

function figuresOf(world: World, { base, destination, amount }: Pair, rate: Decimal): ConversionFigures {
  return conversionFigures(amount, rate, {
    fee: conversionFee(world, base, amount),
    spreadPercentage: world.fixtures.terms.conversion_spread_percentage,
    baseScale: base.scale,
    destinationScale: destination.scale,
  });
}

/**
 * The figures of a conversion that leaves something to credit.
 * @throws {DomainError} INVALID_REQUEST when nothing would be left, LIMIT_EXCEEDED when either side exceeds
 * {@link MAX_MOVED}.
 */
function positiveFigures(world: World, pair: Pair, rate: Decimal): ConversionFigures {
  requireHoldable(pair.amount, pair.base);
  const figures = figuresOf(world, pair, rate);
  requireHoldable(figures.estimate, pair.destination);
  if (figures.amountTo > 0n) return figures;
  throw new DomainError(
    "INVALID_REQUEST",
    `amount is too small: nothing of it would be left in ${pair.destination.currency}.`,
  );
}

/** @throws {DomainError} LIMIT_EXCEEDED when the amount exceeds {@link MAX_MOVED}. */
function requireHoldable(amount: MinorUnits, { currency }: Currency): void {
  if (amount <= MAX_MOVED) return;
  throw new DomainError("LIMIT_EXCEEDED", `The amount comes to more ${currency} than the service can hold.`);
}

function figuresOfPostings(row: Pick<Conversion, "amount_from" | "amount_to" | "fee" | "spread">) {
  return { sold: row.amount_from, bought: row.amount_to, fee: row.fee, spread: row.spread };
}

function eventOf(row: Conversion, envelopeId: string, data: Record<string, unknown>): Announcement {
  return { data, envelopeId, username: row.username, clientId: row.client_id, postbackUrl: null };
}

function confirmedData(world: World, row: Conversion): Record<string, unknown> {
  return {
    conversion_id: row.conversion_id,
    external_id: row.external_id,
    amount_from: world.currencies.format(row.amount_from, row.currency_from),
    currency_from: row.currency_from,
    amount_to: world.currencies.format(row.amount_to, row.currency_to),
    currency_to: row.currency_to,
    rate: row.rate,
    fee: world.currencies.format(row.fee, row.currency_to),
    status: row.status,
    completed_at: formatInstant(row.completed_at),
  };
}

/** The data of the answer; amounts, rate and fee as JSON numbers with every digit (`D29`). */
export function conversionAnswer(world: World, row: Conversion) {
  const { currencies } = world;
  return {
    conversion_id: row.conversion_id,
    amount_from: literal(currencies.format(row.amount_from, row.currency_from)),
    currency_from: row.currency_from,
    amount_to: literal(currencies.format(row.amount_to, row.currency_to)),
    currency_to: row.currency_to,
    rate: literal(row.rate),
    fee: literal(currencies.format(row.fee, row.currency_to)),
    completed_at: formatInstant(row.completed_at),
  };
}

/** A JSON number without needless zeros: `"150.00"` gives `150`. */
function literal(text: string): ExactNumber {
  return new ExactNumber(text.includes(".") ? text.replace(/\.?0+$/, "") : text);
}

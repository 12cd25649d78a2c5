/** The calls that read an account's own data: profile, fees, limits, transactions, disputes (`D46` to `D50`). */

import { z } from "zod";
import { cashinSources } from "../domain/cashin-sources.ts";
import { glossaryWords, stateMeant } from "../domain/glossary.ts";
import { statesOf } from "../domain/machine.ts";
import { formatAmount } from "../domain/money.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { required } from "../domain/required.ts";
import { WrittenJson } from "../domain/written-json.ts";
import type { Credential } from "../store/accounts.ts";
import { formatInstant, INSTANT_WORDS, parseInstant, startOfNextUtcDay } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { currencyOf } from "./amounts.ts";
import { disputeFields } from "./disputes.ts";
import { externalIdField, nameField, textField, wholeNumberField } from "./input.ts";
import { limitRowsOf, minorOf, usedOf } from "./limits.ts";
import { transactionItem } from "./transactions.ts";

/** Items on a page unless the call says otherwise. */
export const PAGE_SIZE = 20;
/** The most items on a page. */
export const MAX_PAGE_SIZE = 100;
/** The last page that can be asked for. */
export const MAX_PAGE = 1_000_000;

/** `GET /v2/account/info/profile`. */
export function profile(world: World, credential: Credential) {
  const account = required(world.accounts.get(credential.username), `The account ${credential.username}`);
  const { username, name, document, email, status, created_at } = account;
  const postback_url = credential.postback_url ?? account.postback_url;
  return { username, name, document, email, status, postback_url, created_at: formatInstant(created_at) };
}

/** `GET /v2/account/fees`. */
export function fees(world: World) {
  const rows = world.fixtures.fees.filter((row) => world.currencies.currencies.has(row.currency));
  return {
    fees: rows.map(({ currency, operation, percentage, fixed, minimum }) => {
      const scale = world.currencies.scale(currency);
      const text = (decimal: string) => formatAmount(minorOf(decimal, scale), scale);
      return { currency, operation, network: null, percentage, fixed: text(fixed), minimum: text(minimum) };
    }),
  };
}

/** `GET /v2/account/limits`: one entry per currency and operation, with what is used in the current day and month. */
export function limits({ world, now }: Operation, credential: Credential) {
  const { client_id: clientId } = credential;
  const entries = limitRowsOf(world, clientId).map((row) => {
    const { currency, operation } = row;
    const scale = world.currencies.scale(currency);
    const used = usedOf(world, { clientId, operation, currency }, now);
    const text = (decimal: string) => formatAmount(minorOf(decimal, scale), scale);
    const remaining = minorOf(row.daily_limit, scale) - used.daily;
    return {
      currency,
      operation,
      daily_limit: text(row.daily_limit),
      daily_used: formatAmount(used.daily, scale),
      ...(row.shows_daily_remaining ? { daily_remaining: formatAmount(remaining > 0n ? remaining : 0n, scale) } : {}),
      ...(row.monthly_limit
        ? { monthly_limit: text(row.monthly_limit), monthly_used: formatAmount(used.monthly, scale) }
        : {}),
      per_operation_min: text(row.per_operation_min),
      per_operation_max: text(row.per_operation_max),
    };
  });
  return { limits: entries, reset_at: formatInstant(startOfNextUtcDay(now)) };
}

const instantField = z
  .string({ error: INSTANT_WORDS })
  .refine((text) => parseInstant(text) !== null, { error: INSTANT_WORDS })
  .nullish();

/** Statuses that the filter accepts: the words of the lifecycles and of the glossary (`D48`). */
const statusWords = [...new Set([...statesOf("cashin"), ...statesOf("cashout"), ...glossaryWords])];

/** The body of the list of transactions (`D47`); fields that are left out do not narrow the list. */
export const listRequest = onFirstUse(() =>
  z.object({
    page: wholeNumberField(1, MAX_PAGE).nullish(),
    page_size: wholeNumberField(1, MAX_PAGE_SIZE).nullish(),
    type: z.enum(["cashin", "cashout"], { error: "must be cashin or cashout" }).nullish(),
    currency: nameField.nullish(),
    status: z.enum(statusWords, { error: `must be one of ${statusWords.join(", ")}` }).nullish(),
    external_id: externalIdField,
    transaction_id: textField(64).nullish(),
    source: z.enum(cashinSources, { error: `must be ${cashinSources.join(" or ")}` }).nullish(),
    created_from: instantField,
    created_to: instantField,
  }),
);
type ListRequest = z.infer<ReturnType<typeof listRequest>>;

/** `POST /v2/account/transactions/list`. @throws {DomainError} INVALID_CURRENCY. */
export function listTransactions(world: World, credential: Credential, input: ListRequest): WrittenJson {
  const { page, page_size, created_from, created_to, ...given } = input;
  if (given.currency) currencyOf(world, given.currency);
  const status = given.status && stateMeant(given.status);
  const filter = Object.fromEntries(
    Object.entries({ ...given, status }).filter(([, value]) => value !== undefined && value !== null),
  );
  const [from, to] = [created_from, created_to].map((text) => (text ? (parseInstant(text) ?? undefined) : undefined));
  const { username } = credential;
  return world.transactions.remembered("list", JSON.stringify([username, input]), () => {
    const list = paged(page ?? 1, page_size ?? PAGE_SIZE, (limits) => {
      const narrowed = narrowedByOwner(world, username, filter as Record<string, string>);
      const rows = narrowed ? world.transactions.ofAccount(username, narrowed, { from, to }, limits) : [];
      return rows.map((row) => transactionItem(world, row));
    });
    return new WrittenJson(list);
  });
}

/**
 * Adds to a filter on an external id the id of the transaction that has it, which is known (`D24`): the account's
 * transactions need not be scanned.
 * @returns null if no transaction can match the filter.
 */
function narrowedByOwner(world: World, username: string, filter: Readonly<Record<string, string>>) {
  if (!filter.external_id) return filter;
  const owner = world.externalIds.get(username, filter.external_id)?.resource_id;
  const { transaction_id = owner } = filter;
  return owner !== undefined && transaction_id === owner ? { ...filter, transaction_id: owner } : null;
}

const wholeText = (maximum: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= maximum, {
      error: `must be a whole number from 1 to ${maximum}`,
    })
    .transform(Number);

const disputeStates = statesOf("dispute");

/** The query of the list of disputes (`D50`). */
export const infractionsQuery = onFirstUse(() =>
  z.object({
    page: wholeText(MAX_PAGE).optional(),
    page_size: wholeText(MAX_PAGE_SIZE).optional(),
    status: z.enum(disputeStates, { error: `must be one of ${disputeStates.join(", ")}` }).optional(),
    transaction_id: textField(64).optional(),
  }),
);

/** `GET /v2/account/infractions`. */
export function listInfractions(
  world: World,
  credential: Credential,
  input: z.infer<ReturnType<typeof infractionsQuery>>,
) {
  const filter = { status: input.status, transactionId: input.transaction_id };
  return paged(input.page ?? 1, input.page_size ?? PAGE_SIZE, (limits) =>
    world.disputes.ofAccount(credential.username, filter, limits).map((row) => disputeFields(world, row)),
  );
}

/** A page of a listing, newest first (Resources, pagination fields). */
function paged<Item>(page: number, pageSize: number, read: (limits: { limit: number; offset: number }) => Item[]) {
  const found = read({ limit: pageSize + 1, offset: (page - 1) * pageSize });
  return {
    items: found.slice(0, pageSize),
    page,
    page_size: pageSize,
    has_next: found.length > pageSize,
    has_prev: page > 1,
  };
}

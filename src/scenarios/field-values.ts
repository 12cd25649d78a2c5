/** The values that the fields of what happens can have, and which of them name accounts. */
import { z } from "zod";
import { attemptErrorKinds } from "../domain/attempt-error-kinds.ts";
import { cashinSources } from "../domain/cashin-sources.ts";
import { cashoutErrorCodes } from "../domain/cashout-errors.ts";
import type { Currency } from "../domain/currencies.ts";
import { type EventKind, eventDefinitions, eventNames, transferDirections } from "../domain/events.ts";
import { pixKeyTypes } from "../domain/identifiers/pix-key.ts";
import { statesOf } from "../domain/machine.ts";
import type { Path } from "../domain/path.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import { webhookStatuses } from "../domain/webhook-statuses.ts";
import { globOf } from "./conditions.ts";
import { textsIn } from "./file-values.ts";
import { allNetworks, type KnownNames } from "./known-world.ts";

/** TABLE: fields that hold the name of an account. */
const ACCOUNT_FIELDS: readonly string[] = ["username", "counterparty"];

/** TABLE: fields that hold a currency. */
export const CURRENCY_FIELDS: readonly string[] = [
  "currency",
  "currency_from",
  "currency_to",
  "currency_reverted_from",
  "currency_returned_to",
];

/** The values that a field of an occurrence can have; null if they are not known beforehand. */
export function valuesOf(kind: string | null, field: string, known: KnownNames): readonly string[] | null {
  const fixed = fixedValues(kind, field);
  if (fixed) return fixed;
  const { currencies, usernames, hasOwnAccounts } = known;
  if (ACCOUNT_FIELDS.includes(field)) return hasOwnAccounts ? usernames : null;
  if (currencies.currencies.size === 0) return null;
  if (field === "chain") return [...currencies.chains.keys()];
  if (field === "key_type") return [...pixKeyTypes, "clabe", ...currencies.chains.keys()];
  if (field === "network") return allNetworks(known);
  return CURRENCY_FIELDS.includes(field) ? [...currencies.currencies.keys()] : null;
}

/** The kinds of keys that destinations of payments in a currency have. */
export function keyTypesOf({ method, chains }: Currency): readonly string[] {
  if (method === null) return chains;
  return method === "PIX" ? pixKeyTypes : ["clabe"];
}

/** The accounts that bodies and conditions name, each with its path, except globs and references. */
export function* accountsIn(value: unknown, path: Path): Generator<[username: string, path: Path]> {
  for (const [text, at] of textsIn(value, path)) {
    const isNamed = at.some((part) => ACCOUNT_FIELDS.includes(String(part).split(".").at(-1) ?? ""));
    if (isNamed && !/\*|\$\{/.test(text)) yield [text, at];
  }
}

/** TABLE: fields that have only these values in a resource just created, in any transaction or dispute, and in an attempt. */
const knownValues: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "cashin.created": { type: ["cashin"], status: ["pending"], source: ["dynamic_qr"] },
  "cashout.created": { type: ["cashout"], status: ["pending"] },
  transaction: {
    type: ["cashin", "cashout"],
    status: [...new Set([...statesOf("cashin"), ...statesOf("cashout")])],
    source: cashinSources,
  },
  dispute: { type: ["REFUND_REQUEST"], status: statesOf("dispute") },
  "webhook.delivered": { error: attemptErrorKinds },
  "webhook.failed": { error: attemptErrorKinds },
  "webhook.exhausted": { error: attemptErrorKinds },
};

/** TABLE: fields of struck calls and webhooks that follow from the name of the call or event. */
const fieldsOfNames: Readonly<Record<string, { names: readonly string[]; read: (name: string) => string }>> = {
  event: { names: eventNames, read: (name) => name },
  method: { names: serviceCalls, read: (name) => name.split(" ")[0] ?? "" },
  path: { names: serviceCalls, read: (name) => name.split(" ")[1] ?? "" },
};

/** The values that a field of {@link fieldsOfNames} has in what a pattern names; null for any other field. */
export function struckValues(pattern: string, field: string): readonly string[] | null {
  const of = ownOf(fieldsOfNames, field);
  if (!of) return null;
  const glob = globOf(pattern);
  return [...new Set(of.names.filter((name) => glob.test(name)).map(of.read))];
}

/** The values of a field that are the same in every world, by its name or by the kind of occurrence; null if open. */
export function fixedValues(kind: string | null, field: string): readonly string[] | null {
  if (field === "currency_type") return ["fiat", "crypto"];
  if (field === "error_code") return cashoutErrorCodes;
  if (field === "direction") return transferDirections;
  if (field === "webhook_status") return webhookStatuses;
  const struck = struckValues("*", field);
  if (struck) return struck;
  if (kind === null) return null;
  const known = ownOf(knownValues[kind], field);
  if (known) return known;
  let schema = ownOf<unknown>(eventDefinitions[kind as EventKind]?.data.shape, field);
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) schema = schema.unwrap();
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : null;
}

/** A table's own entry for a name; the name comes from a user, so it may be `constructor`. */
function ownOf<Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Finds what cannot happen in the merchant's script and in expectations. */

import { errorCodes } from "../domain/errors.ts";
import { DISPUTE_ID, HEX_ID } from "../domain/identifiers/resource-ids.ts";
import { ExactNumber } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { isObject, type Plain } from "../domain/plain-values.ts";
import { nearName } from "../domain/words/near-name.ts";
import { amountFault, decimalFault } from "./amount-words.ts";
import { checkBounds, checkConditions, checkCount, valuesIn } from "./condition-checks.ts";
import { checkChain, scaleFault } from "./currency-checks.ts";
import { ofAttempts, ofWebhooks } from "./expected.ts";
import { textsIn, wordOf } from "./file-values.ts";
import type { Finding } from "./findings.ts";
import { otherStatuses } from "./injections.ts";
import { checkCurrencyKeys, checkServedUsername, currencyFault, type KnownWorld } from "./known-world.ts";
import { quoted } from "./problems.ts";
import { nearest, nearestKey } from "./schema-words.ts";
import { withoutName } from "./script-schema.ts";
import { disputeFieldNames, struckFieldNames, transactionFieldNames, triggerFields, triggerNames } from "./triggers.ts";
import { isReference, isUnclosed, nameIn, referencesIn } from "./variables.ts";

/** Checks a step. @param saved names that earlier calls saved; the name that this step saves is added. */
export function* checkScriptStep(path: Path, step: Plain, known: KnownWorld, saved: Set<string>): Generator<Finding> {
  const { body, form, call, as, expect, advance, repeat } = step;
  yield* checkReferences(path, { body, form, call, as, expect }, [...saved, COUNTER]);
  yield* checkReferences(path, { advance, repeat }, [...saved]);
  yield* checkServedUsername([...path, "as"], step.as, known);
  if (isObject(expect)) yield* checkStatus([...path, "expect"], expect);
  if (isObject(body)) yield* checkSplitNumbers([...path, "body"], body);
  if (isObject(body) && !expectsRefusal(expect)) yield* checkBody([...path, "body"], body, known);
  if (isObject(form) && !expectsRefusal(expect)) yield* checkFiles([...path, "form"], form);
  if (step.save === COUNTER) yield { path: [...path, "save"], message: `save cannot be ${COUNTER}: ${COUNTER_WORDS}` };
  else if (typeof step.save === "string") saved.add(step.save);
}

/** Finds a status with which the expected error never comes. */
function* checkStatus(path: Path, { status, error }: Plain): Generator<Finding> {
  const code = errorCodes.find((known) => known === error);
  const expected = status instanceof ExactNumber ? status.valueOf() : Number.NaN;
  const others = code && expected >= 400 ? otherStatuses(expected, code) : null;
  if (others === null) return;
  const message = `error cannot stand beside status ${expected}: ${code} comes with ${others.join(" or ")}`;
  yield { path, key: "error", message };
}

/** The name that counts the repetitions of a call. */
const COUNTER = "index";
const COUNTER_WORDS = `\${${COUNTER}} counts how often a step is repeated`;

/** Finds variables in places where nothing fills them in. */
export function* checkNoReferences(path: Path, value: unknown): Generator<Finding> {
  for (const [text, at] of textsIn(value, path)) {
    const [reference] = referencesIn(text);
    if (reference === undefined) continue;
    yield { path: at, message: `\${${reference}} stays as it is here: variables stand in merchant and expect alone` };
  }
}

/** Whether a step expects a refusal, so that its call may be wrong; a status that is a variable may be one. */
export function expectsRefusal(expected: unknown): boolean {
  if (!isObject(expected)) return false;
  const { status, error } = expected;
  const isRefused = (status instanceof ExactNumber || typeof status === "number") && Number(status) >= 400;
  return error !== undefined || isRefused || status === "lost" || isReference(status);
}

/** Finds the rest of a number that a comma has split: the service would take the first part and ignore the rest. */
function* checkSplitNumbers(path: Path, body: Plain): Generator<Finding> {
  for (const key of Object.keys(body).filter((name) => /^\d{1,3}$/.test(name) && body[name] === null)) {
    yield { path, key, message: `body has a field ${quoted(key)} without a value${nearestKey(key, ["amount"])}` };
  }
}

/** Finds what the service must refuse in a call that the script expects to succeed. */
function* checkBody(path: Path, body: Plain, known: KnownWorld): Generator<Finding> {
  for (const field of ["currency", "base_currency", "destination_currency"]) {
    const code = body[field];
    const fault = typeof code === "string" && !code.includes("${") ? currencyFault(code, known.ownCurrencies) : null;
    if (fault) yield { path: [...path, field], message: fault };
  }
  const currency = known.ownCurrencies.currencies.get(wordOf(body.currency ?? body.base_currency));
  // The service ignores the chain of a currency that has none.
  if (currency && currency.chains.length > 0) yield* checkChain(path, body, known.ownCurrencies);
  const isFilled = typeof body.amount === "string" && body.amount.includes("${");
  const fault = currency && !isFilled ? amountFault(body.amount, currency.scale) : null;
  if (fault) yield { path: [...path, "amount"], message: `amount ${fault}` };
}

/** Finds a text where the service wants files. */
function* checkFiles(path: Path, { files }: Plain): Generator<Finding> {
  if (typeof files === "string") yield { path: [...path, "files"], message: `files must be a list: [${files}]` };
}

/** Checks an expectation. @param saved names that the script saved. */
export function* checkExpectation(
  path: Path,
  expected: Plain,
  known: KnownWorld,
  saved: Set<string>,
): Generator<Finding> {
  yield* checkReferences(path, withoutName(expected), [...saved]);
  for (const [key, conditions] of conditionsIn(expected)) {
    yield* checkFields([...path, key], conditions, expected);
    const of = { kind: kindOfValues(expected), fields: fieldsOf(expected)[1] };
    yield* checkConditions([...path, key], conditions, of, known);
  }
  yield* checkOnce([...path, "where"], expected);
  const crossed = [...checkBounds([...path, "count"], "count", expected.count)];
  yield* crossed.length > 0 ? crossed : checkCount([...path, "count"], expected.count);
  if (isObject(expected.balance)) {
    yield* checkCurrencyKeys([...path, "balance"], expected.balance, known);
    for (const [value, at] of valuesIn(expected.balance, [...path, "balance"])) {
      const fault = decimalFault(value);
      if (fault) yield { path: at, message: `a balance ${fault}` };
    }
    for (const [code, condition] of Object.entries(expected.balance)) {
      yield* checkBounds([...path, "balance", code], `the balance in ${code}`, condition);
      const fault = scaleFault(condition, code, known.currencies);
      if (fault) yield { path: [...path, "balance", code], message: `a balance ${fault}` };
    }
  }
  yield* checkServedUsername([...path, "of"], expected.of, known);
  for (const kind of ["transaction", "dispute"] as const) yield* checkId([...path, kind], kind, expected[kind]);
}

/** TABLE: the ids by which expectations name a resource; what else may name it stands in conditions. */
const expectedIds = {
  transaction: { form: HEX_ID, words: "an id has 32 hexadecimal characters", other: "external_id" },
  dispute: { form: DISPUTE_ID, words: "an id is inf_ and 24 letters or digits", other: "transaction_id" },
} as const;

/** Checks an id: unlike a step, an expectation cannot name a transaction by external_id. */
function* checkId(path: Path, kind: keyof typeof expectedIds, id: unknown): Generator<Finding> {
  const { form, words, other } = expectedIds[kind];
  if (typeof id !== "string" || referencesIn(id).length > 0 || form.test(id)) return;
  yield { path, message: `${words}; by its ${other} it is { ${other}: ${quoted(id)} }` };
}

/** The parts of an expectation that are conditions on fields. */
function conditionsIn(expected: Plain): [key: string, conditions: Plain][] {
  const keys = ["where", "transaction", "dispute"] as const;
  return keys.flatMap((key) => (isObject(expected[key]) ? [[key, expected[key]]] : []));
}

/** Finds fields that both the resource's conditions and `where` describe: only one of them would count. */
function* checkOnce(path: Path, { transaction, dispute, where }: Plain): Generator<Finding> {
  const described = isObject(transaction) ? transaction : dispute;
  if (!isObject(described) || !isObject(where)) return;
  const word = described === transaction ? "transaction" : "dispute";
  for (const field of Object.keys(where).filter((name) => Object.hasOwn(described, name))) {
    yield { path, key: field, message: `where names ${quoted(field)}, which ${word} names already` };
  }
}

function kindOfEvent({ event, no_event }: Plain): string | null {
  const kind = event ?? no_event;
  return typeof kind === "string" && triggerNames.includes(kind) ? kind : null;
}

/** The kind on which the known values of fields depend. */
function kindOfValues(expected: Plain): string | null {
  if (expected.transaction !== undefined) return "transaction";
  return expected.dispute === undefined ? kindOfEvent(expected) : "dispute";
}

function* checkFields(path: Path, conditions: Plain, expected: Plain): Generator<Finding> {
  const [what, fields] = fieldsOf(expected);
  for (const field of Object.keys(conditions).filter((name) => fields && !fields.includes(name))) {
    yield { path, key: field, message: `${what} has no field ${quoted(field)}${nearestKey(field, fields ?? [])}` };
  }
}

/** What an expectation is about, and its fields; null for the fields if it is about nothing known. */
function fieldsOf(expected: Plain): [what: string, fields: readonly string[] | null] {
  const kind = kindOfEvent(expected);
  const { webhook } = expected;
  if (kind !== null) return [quoted(kind), [...new Set([...(triggerFields(kind) ?? []), ...ofWebhooks])]];
  if (typeof webhook === "string") {
    const names = [...struckFieldNames("delivery", webhook), ...ofWebhooks, ...ofAttempts];
    return [quoted(webhook), [...new Set(names)]];
  }
  if (expected.transaction !== undefined) return ["a transaction", [...transactionFieldNames, "amount_refunded"]];
  return ["a dispute", expected.dispute === undefined ? null : disputeFieldNames];
}

function* checkReferences(path: Path, value: unknown, saved: readonly string[]): Generator<Finding> {
  for (const [text, at] of textsIn(value, path)) {
    if (isUnclosed(text)) yield { path: at, message: `\${ is opened in ${quoted(text)} and not closed; } is missing` };
    for (const reference of referencesIn(text)) {
      const name = nameIn(reference);
      if (saved.includes(name)) continue;
      yield {
        path: at,
        message: `\${${reference}}: nothing is saved as ${quoted(name)} before${savedWords(name, saved)}`,
      };
    }
  }
}

/** The name that was probably meant, which may be the counter of repetitions; else the saved names. */
function savedWords(name: string, saved: readonly string[]): string {
  const names = saved.filter((each) => each !== COUNTER);
  if (nearName(name, saved) === COUNTER) return nearest(name, [COUNTER]);
  return names.length === 0 ? "; no call before it has a save" : nearest(name, names);
}

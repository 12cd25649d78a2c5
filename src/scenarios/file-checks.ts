/** What is well-formed in a scenario and cannot happen: the parts of a file held against each other and the service. */
import { CurrencyTable } from "../domain/currencies.ts";
import { ExactNumber } from "../domain/money.ts";
import { cashoutErrorCodes } from "../domain/cashout-errors.ts";
import { eventKinds } from "../domain/events.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import { settingsSchema } from "../domain/settings.ts";
import { loadFixtures } from "../world/fixtures.ts";
import { type Finding, isObject, type Path } from "./rule-checks.ts";
import { nearest } from "./schema-words.ts";
import { triggerFields } from "./triggers.ts";
import { nameIn, referencesIn } from "./variables.ts";

type Plain = Readonly<Record<string, unknown>>;

/** What there is in the world of a file. */
interface Known {
  readonly currencies: CurrencyTable;
  readonly usernames: readonly string[];
}

/** Checks a file that may have faults of its own; each finding says where, and what would be right. */
export function* checkFile(file: unknown): Generator<Finding> {
  if (!isObject(file)) return;
  const known = knownIn(file);
  const rules = listOf(file.rules);
  for (const [index, rule] of rules.entries()) {
    if (!isObject(rule)) continue;
    if (isObject(rule.where)) yield* checkValues(["rules", index, "where"], rule.where, known);
    yield* checkShadowed(rules, index);
  }
  const saved = new Set<string>();
  for (const [index, step] of listOf(file.merchant).entries()) {
    if (isObject(step)) yield* checkScriptStep(["merchant", index], step, known, saved);
  }
  for (const [index, expected] of listOf(file.expect).entries()) {
    if (isObject(expected)) yield* checkExpectation(["expect", index], expected, known, saved);
  }
}

function knownIn(file: Plain): Known {
  const given = settingsSchema.safeParse(JSON.parse(JSON.stringify(file.settings ?? {})));
  const settings = given.success ? given.data : settingsSchema.parse({});
  const fixtures = loadFixtures(settings.fixtures);
  const named = listOf(file.accounts).flatMap((account) => (isObject(account) ? [String(account.username)] : []));
  const usernames = named.length > 0 ? named : fixtures.accounts.accounts.map(({ username }) => username);
  return { currencies: new CurrencyTable(fixtures.currencies, fixtures.chains, settings.currencies), usernames };
}

/** Values that a field can have, for fields whose values are known beforehand. */
function valuesOf(field: string, { currencies }: Known): readonly string[] | null {
  if (["currency", "currency_from", "currency_to"].includes(field)) return [...currencies.currencies.keys()];
  if (field === "currency_type") return ["fiat", "crypto"];
  if (field === "chain") return [...currencies.chains.keys()];
  if (field === "network") {
    return [...new Set(["PIX", "SPEI", ...[...currencies.chains.values()].map(({ network }) => network)])];
  }
  if (field === "error_code") return cashoutErrorCodes;
  return field === "event" ? eventKinds : null;
}

function* checkValues(path: Path, where: Plain, known: Known): Generator<Finding> {
  for (const [field, value] of Object.entries(where)) {
    const values = valuesOf(field, known);
    if (!values || typeof value !== "string" || value.includes("*") || value.includes("${")) continue;
    if (values.includes(value)) continue;
    yield { path: [...path, field], message: `there is no ${field} "${value}"${nearest(value, values)}` };
  }
  yield* checkChain(path, where, known);
}

/** A chain that the currency does not have. */
function* checkChain(path: Path, given: Plain, { currencies }: Known): Generator<Finding> {
  const { currency: code, chain } = given;
  if (typeof code !== "string" || typeof chain !== "string" || chain.includes("*")) return;
  const currency = currencies.currencies.get(code);
  if (!currency || !currencies.chains.has(chain) || currency.chains.includes(chain)) return;
  const has = currency.chains.length > 0 ? `it has ${currency.chains.join(", ")}` : "it has no chain";
  yield { path: [...path, "chain"], message: `${code} has no chain "${chain}"; ${has}` };
}

/** A rule that can never match, since one above it takes all that it matches. */
function* checkShadowed(rules: readonly unknown[], index: number): Generator<Finding> {
  const rule = rules[index];
  if (!isObject(rule) || rule.also === true) return;
  const above = rules.slice(0, index).findIndex((other) => isObject(other) && takesAllOf(other, rule));
  if (above < 0) return;
  const named = (rules[above] as Plain).name;
  const which = typeof named === "string" ? `"${named}"` : `number ${above + 1}`;
  yield {
    path: ["rules", index],
    message: `this rule can never match: the rule ${which} above takes all that it matches; put it first or narrow that one`,
  };
}

const NARROWING = ["skip", "times", "chance", "from", "until"] as const;

function takesAllOf(above: Plain, rule: Plain): boolean {
  const trigger = (["on", "request", "delivery"] as const).find((kind) => rule[kind] !== undefined);
  if (!trigger || above[trigger] !== rule[trigger] || above.also === true) return false;
  if (NARROWING.some((filter) => above[filter] !== undefined)) return false;
  const conditions = Object.entries(isObject(above.where) ? above.where : {});
  const own = isObject(rule.where) ? rule.where : {};
  return conditions.every(([field, value]) => JSON.stringify(own[field]) === JSON.stringify(value));
}

function* checkScriptStep(path: Path, step: Plain, known: Known, saved: Set<string>): Generator<Finding> {
  yield* checkReferences(path, { body: step.body, form: step.form, call: step.call, expect: step.expect }, [
    ...saved,
    "index",
  ]);
  if (typeof step.call === "string") yield* checkCall(path, step.call);
  if (typeof step.as === "string" && !known.usernames.includes(step.as)) {
    yield { path: [...path, "as"], message: `there is no account "${step.as}"${nearest(step.as, known.usernames)}` };
  }
  if (isObject(step.body) && !expectsRefusal(step.expect)) yield* checkChain([...path, "body"], step.body, known);
  if (typeof step.save === "string") saved.add(step.save);
}

function* checkCall(path: Path, call: string): Generator<Finding> {
  const name = call.split("?")[0] ?? call;
  if ((serviceCalls as readonly string[]).includes(name) || call.includes("${")) return;
  yield { path: [...path, "call"], message: `there is no endpoint "${name}"${nearest(name, serviceCalls)}` };
}

/** A merchant may try what cannot be, to see it refused. */
function expectsRefusal(expected: unknown): boolean {
  if (!isObject(expected)) return false;
  const status = expected.status instanceof ExactNumber ? Number(expected.status.source) : 200;
  return expected.error !== undefined || status >= 400;
}

function* checkExpectation(path: Path, expected: Plain, known: Known, saved: Set<string>): Generator<Finding> {
  yield* checkReferences(path, expected, [...saved]);
  const kind = expected.event ?? expected.no_event;
  const fields = typeof kind === "string" ? triggerFields.get(kind) : undefined;
  if (isObject(expected.where)) {
    for (const field of Object.keys(expected.where)) {
      if (!fields || fields.includes(field)) continue;
      yield {
        path: [...path, "where"],
        key: field,
        message: `"${kind}" has no field "${field}"${nearest(field, fields)}`,
      };
    }
    yield* checkValues([...path, "where"], expected.where, known);
  }
  if (isObject(expected.balance)) yield* checkBalance([...path, "balance"], expected.balance, known);
  if (typeof expected.of === "string" && !known.usernames.includes(expected.of)) {
    const message = `there is no account "${expected.of}"${nearest(expected.of, known.usernames)}`;
    yield { path: [...path, "of"], message };
  }
}

function* checkBalance(path: Path, balance: Plain, { currencies }: Known): Generator<Finding> {
  const codes = [...currencies.currencies.keys()];
  for (const code of Object.keys(balance)) {
    if (!codes.includes(code))
      yield { path, key: code, message: `there is no currency "${code}"${nearest(code, codes)}` };
  }
}

function* checkReferences(path: Path, value: unknown, saved: readonly string[]): Generator<Finding> {
  for (const reference of referencesIn(value)) {
    const name = nameIn(reference);
    if (saved.includes(name)) continue;
    const names = saved.filter((other) => other !== "index");
    const there = names.length === 0 ? "; no call before it has a save" : nearest(name, names);
    yield { path, message: `\${${reference}}: nothing is saved as "${name}" before${there}` };
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

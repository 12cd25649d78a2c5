/** Checks of a rule that its schema cannot make: whether its trigger has the fields and actions that it names. */

import type { z } from "zod";
import type { CurrencyTable } from "../domain/currencies.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import type { Path } from "../domain/path.ts";
import { isObject, type Plain } from "../domain/plain-values.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { resourceActions } from "../service/actions.ts";
import { parseInstant } from "../world/instants.ts";
import { amountFault } from "./amount-words.ts";
import { checkConditions } from "./condition-checks.ts";
import { isTimeZone, nextRun, patternFault } from "./cron.ts";
import { listOf, wordOf } from "./file-values.ts";
import { checkWindow, isBy } from "./filters.ts";
import type { Finding } from "./findings.ts";
import { allNetworks, checkCurrencyKeys, checkUsername, currencyFault, type KnownWorld } from "./known-world.ts";
import { quoted } from "./problems.ts";
import { momentSubjects, stepMoments, triggerKinds } from "./rule-schema.ts";
import { hasUnknownKeys, nearest, nearestKey } from "./schema-words.ts";
import { isWorldAction, kindsWith, namedInputs, stepActions, unnamedInput } from "./step-actions.ts";
import { struckFieldNames, triggerFields, triggerNames, triggerSubject } from "./triggers.ts";

/**
 * What the steps of a rule are about. The trigger is null for a rule on the clock; the subject is null then too, and if
 * it depends on the webhook.
 */
interface About {
  readonly trigger: string | null;
  readonly subject: LifecycleName | null;
  readonly known: KnownWorld;
  readonly where: Plain;
  /** Decimals of the currency that `where` names. */
  readonly scale: number | undefined;
  /** The moment before which no step comes, if the rule names one. */
  readonly begins: unknown;
}

/** Checks a rule, which need not fit its schema. */
export function* checkRule(rule: unknown, index: number, known: KnownWorld): Generator<Finding> {
  if (!isObject(rule)) return;
  const path = ["rules", index];
  yield* checkWhere(path, rule, known);
  yield* checkDisputed(path, rule, known);
  yield* checkTimes(path, rule);
  const about = aboutOf(rule, known);
  if (about === null) return;
  for (const [number, step] of listOf(rule.then).entries()) {
    if (isObject(step)) yield* checkStep([...path, "then", number], step, about);
  }
}

/** @returns null if the steps cannot be checked: a rule without exactly one known trigger, or a fault rule. */
function aboutOf(rule: Plain, known: KnownWorld): About | null {
  if (triggerKinds.filter((kind) => rule[kind] !== undefined).length !== 1) return null;
  const where = isObject(rule.where) ? rule.where : {};
  const scale = known.currencies.currencies.get(wordOf(where.currency))?.scale;
  const common = { known, where, scale, begins: rule.at ?? rule.from };
  if (rule.every !== undefined || rule.at !== undefined) return { trigger: null, subject: null, ...common };
  const trigger = wordOf(rule.on);
  return triggerNames.includes(trigger) ? { trigger, subject: triggerSubject(trigger), ...common } : null;
}

function* checkWhere(path: Path, rule: Plain, known: KnownWorld): Generator<Finding> {
  if (!isObject(rule.where)) return;
  const fields = fieldsOf(rule);
  const what = quoted(wordOf(rule.on ?? rule.request ?? rule.delivery));
  for (const field of Object.keys(rule.where).filter((name) => fields && !fields.includes(name))) {
    const message = `${what} has no field ${quoted(field)}${nearestKey(field, fields ?? [])}`;
    yield { path: [...path, "where"], key: field, message };
  }
  const kind = triggerNames.find((name) => name === rule.on) ?? null;
  yield* checkConditions([...path, "where"], rule.where, { kind, fields, pattern: patternOf(rule) }, known);
}

/** Finds the currency of a dispute that no disputed payment has; to expect no such dispute is no mistake. */
function* checkDisputed(path: Path, { on, where }: Plain, { currencies }: KnownWorld): Generator<Finding> {
  if (!isObject(where) || triggerSubject(wordOf(on)) !== "dispute") return;
  const currency = currencies.currencies.get(wordOf(where.currency));
  if (!currency || currency.method === "PIX") return;
  const message = `only a PIX can be disputed, and ${currency.currency} never goes over PIX`;
  yield { path: [...path, "where", "currency"], message };
}

/** The pattern of a fault rule. */
function patternOf({ request, delivery }: Plain): string | undefined {
  return wordOf(request ?? delivery) || undefined;
}

function fieldsOf(rule: Plain): readonly string[] | undefined {
  if (typeof rule.request === "string") return struckFieldNames("request", rule.request);
  if (typeof rule.delivery === "string") return struckFieldNames("delivery", rule.delivery);
  return triggerFields(wordOf(rule.on));
}

/** Finds a window that never opens, an `at` outside of it, and a cron pattern that never comes. */
function* checkTimes(path: Path, rule: Plain): Generator<Finding> {
  const { at, from, until, skip, every, timezone = "UTC" } = rule;
  yield* checkWindow(path, rule);
  if (isBy(until, at)) yield { path, key: "at", message: `at ${at} is not before until ${until}: the rule never acts` };
  else if (isBy(at, from) && !isBy(from, at)) {
    yield { path, key: "at", message: `at ${at} is before from ${from}: the rule never acts` };
  }
  if (typeof at === "string" && Number(wordOf(skip)) > 0) {
    yield { path, key: "skip", message: `skip ${wordOf(skip)} lets the one time go by: the rule never acts` };
  }
  if (typeof every !== "string" || typeof timezone !== "string" || !isTimeZone(timezone)) return;
  if (patternFault(every) !== null || nextRun(every, timezone, 0) !== null) return;
  yield { path: [...path, "every"], message: `every ${quoted(every)} names no time that ever comes` };
}

/** Finds a fault of a step that is over before it begins, or before the step comes. */
function* checkLasting(path: Path, fault: Plain, begins: unknown): Generator<Finding> {
  yield* checkWindow(path, fault);
  const { until } = fault;
  // A time such as +10m counts from the step here, and from the loading in the rule.
  if (!wordOf(until).startsWith("+") && isBy(until, begins))
    yield { path, key: "until", message: `until ${until} is over when the step comes: the rule never acts` };
}

function* checkStep(path: Path, step: Plain, about: About): Generator<Finding> {
  yield* checkMoment(path, step, about);
  for (const name of Object.keys(step).filter((key) => stepActions.includes(key))) {
    if (isWorldAction(name)) yield* checkWorldAction([...path, name], name, step[name], about);
    else yield* checkAction([...path, name], about, name, step[name]);
  }
}

function* checkMoment(path: Path, step: Plain, { trigger, subject }: About): Generator<Finding> {
  if (typeof step.at !== "string" || parseInstant(step.at) !== null) return;
  const moment = stepMoments.find((name) => name === step.at);
  const needed = moment && momentSubjects[moment];
  const fits = subject === needed || (subject === null && trigger !== null);
  if (!needed || fits) return;
  const found = trigger === null ? "a rule on the clock is about none" : `"${trigger}" is about a ${subject}`;
  yield { path, key: "at", message: `only a ${needed} has ${moment}; ${found}` };
}

function* checkWorldAction(
  path: Path,
  name: string,
  given: unknown,
  { known, trigger, begins }: About,
): Generator<Finding> {
  if (!isObject(given)) return;
  if (name === "set_rate") yield* checkCurrencyKeys(path, given, known);
  if (name === "fault") {
    yield* checkLasting(path, given, begins);
    if (isObject(given.where))
      yield* checkConditions([...path, "where"], given.where, { kind: null, pattern: patternOf(given) }, known);
  }
  if (name !== "set_account") return;
  if (known.hasOwnAccounts) yield* checkUsername([...path, "username"], given.username, known);
  if (given.username === undefined && trigger === null) {
    yield { path, message: "username is missing: a rule on the clock is about no account of its own" };
  }
}

/** Checks that the resource of the rule, or the one that the action names, has the action and takes its input. */
function* checkAction(path: Path, about: About, name: string, given: unknown): Generator<Finding> {
  if (!isObject(given ?? {})) return; // The schema reports this.
  const input = (given ?? {}) as Plain;
  const { trigger, subject } = about;
  const named = namedInputs(name);
  const chosen = named.filter(({ key }) => key in input);
  // If the action names another resource, the rule's `where` says nothing about that one's currency.
  const scale = chosen.length > 0 ? currencyOfWallet(input, about)?.scale : about.scale;
  yield* checkAmount(path, input, scale);
  yield* checkWallet(path, input, about);
  if (chosen.length > 0) return yield* checkEither(path, schemasOf(chosen), input);
  const place = { path: path.slice(0, -1), key: name };
  if (subject && kindsWith(name, subject).length > 0) {
    const other = name === "dispute" ? otherThanPix(about) : null;
    if (other !== null) yield { ...place, message: `only a PIX can be disputed, and where says ${other}` };
    return yield* checkInput(path, unnamedInput(subject, name), input);
  }
  const ofAllKinds = kindsWith(name, null).map((kind) => unnamedInput(kind, name));
  const strange = [...checkEither(path, ofAllKinds, input)].filter((finding) => isOfUnknownKey(finding, path));
  // One of them may be meant to name a resource.
  if (strange.length > 0) return yield* strange;
  if (subject) {
    const actions = Object.keys(resourceActions[subject]);
    return yield { ...place, message: `a ${subject} has no action "${name}"${nearest(name, actions)}` };
  }
  if (trigger === null) {
    const keys = [...new Set(named.map(({ key }) => key))];
    const message = `${name} must name its ${keys.join(" or ")}: a rule on the clock is about none of its own`;
    return yield { ...place, message };
  }
  yield* checkEither(path, ofAllKinds, input);
}

/** Whether a finding is of an unknown key of the input at a path, not of what is within it. */
function isOfUnknownKey(finding: Finding, { length }: Path): boolean {
  return "issue" in finding && hasUnknownKeys(finding.issue) && finding.issue.path.length === length;
}

/** The condition that shows that the resource of a rule is not a PIX payment; null if there is none. */
function otherThanPix({ where, known }: About): string | null {
  const { currencies } = known;
  const currency = currencies.currencies.get(wordOf(where.currency));
  if (currency && currency.method !== "PIX") return `currency: ${currency.currency}`;
  if (where.currency_type === "crypto") return "currency_type: crypto";
  if (currencies.chains.has(wordOf(where.chain))) return `chain: ${wordOf(where.chain)}`;
  const network = wordOf(where.network);
  return network !== "PIX" && allNetworks(known).includes(network) ? `network: ${network}` : null;
}

function schemasOf(named: ReturnType<typeof namedInputs>): z.ZodObject[] {
  return named.map(({ schema }) => schema);
}

/** Accepts what one of the schemas accepts; else yields the issues of the schema with the fewest. */
function* checkEither(path: Path, schemas: readonly z.ZodObject[], given: Plain): Generator<Finding> {
  const counts = schemas.map((schema) => schema.safeParse(given, TO_BE_TOLD).error?.issues.length ?? 0);
  const best = schemas[counts.indexOf(Math.min(...counts))];
  if (best) yield* checkInput(path, best, given);
}

function* checkInput(path: Path, schema: z.ZodObject, given: Plain): Generator<Finding> {
  const result = schema.safeParse(given, TO_BE_TOLD);
  for (const issue of result.error?.issues ?? []) {
    yield { issue: { ...issue, path: [...path, ...issue.path] } as z.core.$ZodIssue, schema, depth: path.length };
  }
}

function* checkAmount(path: Path, { amount }: Plain, scale: number | undefined): Generator<Finding> {
  const fault = amountFault(amount, scale);
  if (fault) yield { path: [...path, "amount"], message: `amount ${fault}` };
}

/** The code in a wallet's name such as `USDT/tron` or `BRL`, in capitals; null for an id or address, which has no `/`. */
function codeOfWallet({ wallet }: Plain, { known }: About): string | null {
  const name = wordOf(wallet);
  const code = (name.split("/")[0] ?? "").trim().toUpperCase();
  const isName = name.includes("/") || /^[A-Z]{2,6}$/.test(name) || known.currencies.currencies.has(code);
  return isName ? code : null;
}

function currencyOfWallet(input: Plain, about: About) {
  return about.known.currencies.currencies.get(codeOfWallet(input, about) ?? "");
}

function* checkWallet(path: Path, input: Plain, about: About): Generator<Finding> {
  const code = codeOfWallet(input, about);
  const fault = code === null ? null : walletFault(wordOf(input.wallet), code, about.known.currencies);
  if (fault !== null) yield { path: [...path, "wallet"], message: fault };
}

/** Why no wallet has a name, which begins with this code; null if one may. */
function walletFault(name: string, code: string, table: CurrencyTable): string | null {
  const currency = table.currencies.get(code);
  if (!currency) return currencyFault(code, table);
  const names = currency.chains.length === 0 ? [code] : currency.chains.map((chain) => `${code}/${chain}`);
  return names.includes(name) ? null : `there is no wallet ${quoted(name)}; it is written ${names.join(" or ")}`;
}

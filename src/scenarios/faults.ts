/** Fault rules: those that a test asks for by hand (`PUT /faults`) and those of scenario files (interface, section 5). */
import { z } from "zod";
import { parseDuration } from "../domain/durations.ts";
import { eventNames } from "../domain/events.ts";
import { ExactNumber } from "../domain/money.ts";
import { asQuestion, nearName } from "../domain/near-name.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import { formatInstant, type Instant, LAST_INSTANT } from "../world/instants.ts";
import {
  type DeliveryFault,
  type RequestFault,
  STRUCK_HINT,
  type StrikableRequest,
  type StrikableWebhook,
  type Struck,
} from "../world/interception.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { checkConditions } from "./condition-checks.ts";
import { globOf, matches } from "./conditions.ts";
import { type CountedRule, countMatch, type Filters, filterFields, isOpen } from "./filters.ts";
import {
  deliveryFault,
  type Injection,
  injection,
  injectionFault,
  requestFault,
  type Struckable,
} from "./injections.ts";
import { withLeaves } from "./leaves.ts";
import { nearest } from "./schema-words.ts";
import { durationField } from "./time-fields.ts";
import { struckFieldNames } from "./triggers.ts";
import { whereField } from "./where.ts";

const KEY = "faults";

/** Under what matches of rules by hand are counted; no scenario has this name. */
const BY_HAND = "";

/** A world has no more rules by hand that control calls set. */
export const MAX_RULES = 10_000;

/** So many are kept to be looked at when they are over; a scenario may set one every minute for years. */
const MAX_OVER = 1_000;

/** Which calls and which deliveries a rule can name; what none of them fits could never strike. */
export const struckFields = {
  request: patternField({
    form: /^([A-Z]+|\*) \/v2\/[a-z0-9_/*]+$/,
    words: "must be a method and path such as POST /v2/transactions/wallet",
    names: serviceCalls,
    noun: "endpoint of the service",
  }),
  delivery: patternField({
    form: /^[a-z_.*]+$/,
    words: "must be an event kind such as cashin.confirmed, or a glob such as cashin.*",
    names: eventNames,
    noun: "event kind",
  }),
} as const;

/** A name or a glob of names; `words` say what is right where the form is not. */
function patternField(given: { form: RegExp; words: string; names: readonly string[]; noun: string }) {
  const { form, words, names, noun } = given;
  const text = z
    .string({ error: "must be a text" })
    .regex(form, { error: ({ input }) => words + asQuestion(nearName(String(input), names)) });
  const known = text.superRefine((pattern, context) => {
    if (!form.test(pattern) || names.some((name) => globOf(pattern).test(name))) return;
    const meant = pattern.includes("*") ? "" : nearest(pattern, names);
    context.addIssue({ code: "custom", message: `names no ${noun}${meant}` });
  });
  return known.meta({ anyOf: [{ enum: [...names] }, { pattern: "[*]" }] });
}

/** A rule: what it strikes, and with what. */
export const faultRule = z
  .strictObject({
    name: z.string().max(200).optional(),
    request: struckFields.request.optional(),
    delivery: struckFields.delivery.optional(),
    inject: injection,
    where: whereField,
    ...filterFields,
    for: durationField.optional().meta({ description: "How long it stays active." }),
  })
  .superRefine((rule, context) => {
    if (context.issues.length > 0) return;
    const struck = struckBy(rule);
    if (!struck) {
      context.addIssue({ code: "custom", message: "must have exactly one of request, delivery" });
      return;
    }
    const fault = injectionFault(struck, rule.inject);
    if (fault) context.addIssue({ code: "custom", path: ["inject"], message: fault });
    const known = struckFieldNames(struck, rule[struck] ?? "");
    for (const field of Object.keys(rule.where).filter((name) => !known.includes(name))) {
      const message = `is no field of a ${struck}; there are ${known.join(", ")}`;
      context.addIssue({ code: "custom", path: ["where", field], message });
    }
  });

/** A fault rule as `PUT /faults` and the step `fault` give it; scenario files have theirs among their rules. */
export type FaultRule = z.infer<typeof faultRule>;

/** The body of `PUT /faults`, which replaces all that were set by hand. */
export const faultsInput = onFirstUse(() =>
  z.strictObject({
    rules: z.array(faultRule).max(MAX_RULES, { error: `must have at most ${MAX_RULES} items` }),
  }),
);

/** What in a rule by hand can never hold in a world; each begins with its place. @param place where the rule is. */
export function conditionFaults(
  { currencies }: World,
  { request, delivery, where }: FaultRule,
  place: readonly (string | number)[],
): string[] {
  const known = { currencies, usernames: [], hasOwnAccounts: false };
  const pattern = request ?? delivery ?? "";
  const fields = struckFieldNames(request === undefined ? "delivery" : "request", pattern);
  const found = checkConditions([...place, "where"], where, { kind: null, fields, pattern }, known);
  return [...found].map(({ path, behind }) => path.map(String).join(".") + behind);
}

/** A rule by hand as it is kept, and when it began and ends. */
interface FaultByHand {
  /** Its number in the world, whatever stands before it. */
  readonly id: number;
  readonly rule: FaultRule;
  /** `file:line` of the step that set it; null for one of a control call. */
  readonly at: string | null;
  /** The journal entry of that call, or of what led to the step. */
  readonly set_by: number | null;
  readonly since: Instant;
  readonly until: Instant | null;
}

/** A rule that may strike now, wherever it was written. */
export interface StandingFault extends CountedRule {
  readonly pattern: string;
  readonly where: Readonly<Record<string, unknown>>;
  readonly filters: Filters;
  readonly inject: Injection;
  /** `file:line`; null for one of a control call. */
  readonly at: string | null;
  /** What tells of it: its name, and its scenario or, of one by hand, its id and the journal entry of what set it. */
  readonly origin: Readonly<Record<string, unknown>>;
}

/** Replaces all rules by hand; their time begins now. */
export function setFaults(operation: Operation, rules: readonly FaultRule[]): void {
  const { meta, scenarios } = operation.world;
  scenarios.forgetCounters(BY_HAND);
  meta.set(
    KEY,
    rules.map((rule) => begun(operation, rule, null)),
  );
}

/** Whether a world has as many rules by hand as it may have. */
export function hasMostFaults(world: World): boolean {
  return faultsOf(world).length >= MAX_RULES;
}

/** Puts a rule by hand behind those that there are, which go on. */
export function appendFault(operation: Operation, rule: FaultRule): void {
  operation.world.meta.set(KEY, [...faultsOf(operation.world), begun(operation, rule, null)]);
}

/** Whether a world has the rule by hand of this id. */
export function hasFault(world: World, id: string): boolean {
  return faultsOf(world).some((fault) => idOf(fault) === id);
}

/** Takes one rule by hand out; the others go on. */
export function removeFault({ world }: Operation, id: string): void {
  keepFaults(
    world,
    faultsOf(world).filter((fault) => idOf(fault) !== id),
  );
}

/**
 * Puts a rule by hand before those that there are. One that stands, set by the same step, goes on, its time begun anew: a
 * step runs often, and a chance of 10 % is not to grow with it. Where it strikes so many times, these come on top.
 * @param at `file:line` of the step that says so.
 */
export function addFault(operation: Operation, rule: FaultRule, at: string | null): void {
  const { world, now } = operation;
  const added = begun(operation, rule, at);
  const all = faultsOf(world);
  const standing = all.find((fault) => !hasEnded(fault, now) && isSaidAgain(fault, added));
  const others = all.filter((fault) => fault !== standing);
  const kept = others.length < MAX_OVER ? others : others.filter((fault) => !isOver(operation, fault));
  keepFaults(world, [standing ? goingOn(standing, added) : added, ...kept]);
}

/** A rule that stands and is set again. */
function goingOn({ id, rule: { times: before = 0 } }: FaultByHand, added: FaultByHand): FaultByHand {
  const { times } = added.rule;
  return { ...added, id, rule: times === undefined ? added.rule : { ...added.rule, times: before + times } };
}

/** Those that are not among them are gone, with their counters. */
function keepFaults(world: World, kept: readonly FaultByHand[]): void {
  const ids = new Set(kept.map(({ id }) => id));
  for (const { id } of faultsOf(world)) if (!ids.has(id)) world.scenarios.forgetCounter(BY_HAND, id);
  world.meta.set(KEY, kept);
}

/** Whether a rule is the one that the same step sets now, but for how often it strikes: that comes on top. */
function isSaidAgain(fault: FaultByHand, { rule, at }: FaultByHand): boolean {
  const { times, from, until } = rule;
  if (fault.at !== at || from !== undefined || until !== undefined) return false;
  const before = times === undefined || fault.rule.times === undefined ? fault.rule : { ...fault.rule, times };
  return JSON.stringify(before) === JSON.stringify(rule);
}

/** The rules by hand with their counters. */
export function describeFaults(world: World) {
  const rules = faultsOf(world).map((fault) => {
    const { id, rule, at, until } = fault;
    const ends_at = until === null ? null : formatInstant(until);
    return { id: idOf(fault), ...rule, at, ends_at, ...world.scenarios.counters(BY_HAND, id) };
  });
  return { rules };
}

/** As the control interface knows it. */
const idOf = ({ id }: Pick<FaultByHand, "id">) => `fault_${id}`;

/** A rule's name, where it was given one, as the journal tells of it. */
export function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name };
}

const NONE_STANDING: readonly StandingFault[] = [];

/** Rules by hand that strike calls or deliveries and have not ended, in order. */
export function faultsByHand({ world, now }: Operation, struck: Struckable): readonly StandingFault[] {
  const all = faultsOf(world);
  if (all.length === 0) return NONE_STANDING;
  const standing = all.filter((fault) => !hasEnded(fault, now));
  return standing.flatMap(({ id, rule, at, set_by, since }) => {
    const { [struck]: pattern, where, inject, name } = rule;
    if (pattern === undefined) return [];
    const place = { key: `fault ${id}`, scenario: BY_HAND, index: id };
    const origin = { fault: idOf({ id }), ...named(name), set_by };
    return [{ pattern, where, filters: rule, inject, since, at, origin, ...place }];
  });
}

/** What the first of these rules that matches does to a call; null where none does. */
export function strikeRequest(
  operation: Operation,
  request: StrikableRequest,
  faults: readonly StandingFault[],
): Struck<RequestFault> | null {
  if (faults.length === 0) return null;
  const name = `${request.method} ${request.path}`;
  const striking = findStriking(operation, name, { ...request }, faults);
  if (!striking) return null;
  const entry = tell(operation, striking, null, { request: name });
  const hint = hintOf(striking);
  const strike = requestFault(striking.inject, { method: request.method, settings: operation.world.settings, hint });
  return { fault: { ...strike, hint }, entry };
}

/** Which fault it is, and which rule says so: by its name, and by its place in a file. */
function hintOf({ inject, origin, at }: StandingFault): string {
  const [[kind, value] = []] = Object.entries(inject);
  const rule = [origin.name === undefined ? [] : `"${origin.name}"`, at ?? []].flat().join(", ");
  return `${STRUCK_HINT}: ${kind} ${value}${rule && ` (${rule})`}.`;
}

/** What the first of these rules that matches does to a webhook; null where none does. */
export function strikeDelivery(
  operation: Operation,
  { data, ...webhook }: StrikableWebhook,
  faults: readonly StandingFault[],
): Struck<DeliveryFault> | null {
  if (faults.length === 0) return null;
  const striking = findStriking(operation, webhook.event, { ...data, ...webhook }, faults);
  if (!striking) return null;
  const entry = tell(operation, striking, webhook.webhook_id, { event: webhook.event });
  return { fault: deliveryFault(striking.inject, striking.key), entry };
}

function findStriking(
  operation: Operation,
  name: string,
  fields: Readonly<Record<string, unknown>>,
  faults: readonly StandingFault[],
): StandingFault | undefined {
  return faults.find((fault) => {
    const { pattern, where, filters } = fault;
    return globOf(pattern).test(name) && matches(where, fields) && countMatch(operation, filters, fault);
  });
}

function tell(
  operation: Operation,
  { at, inject, origin }: StandingFault,
  subject: string | null,
  data: object,
): number {
  return operation.because(operation.cause, at).record("fault.injected", subject, { ...data, inject, ...origin });
}

function begun({ world, now, cause }: Operation, rule: FaultRule, at: string | null): FaultByHand {
  const durationMs = rule.for === undefined ? null : parseDuration(rule.for);
  const until = durationMs === null ? null : Math.min(now + durationMs, LAST_INSTANT);
  return { id: world.random.next("fault"), rule: storable(rule) as FaultRule, at, set_by: cause, since: now, until };
}

function hasEnded({ until }: FaultByHand, now: Instant): boolean {
  return until !== null && now >= until;
}

/** Whether a rule will never strike again: its time is over, or it has struck as often as it may. */
function isOver({ world, now }: Operation, fault: FaultByHand): boolean {
  const { times = Number.POSITIVE_INFINITY, until } = fault.rule;
  const isClosed = until !== undefined && !isOpen({ until }, fault.since, now);
  return isClosed || hasEnded(fault, now) || world.scenarios.counters(BY_HAND, fault.id).fired >= times;
}

/** What is kept as JSON: a number that would come back as another one, such as 0.00000001, is kept as its text. */
export function storable(value: unknown): unknown {
  return withLeaves(value, (leaf) => {
    return leaf instanceof ExactNumber && String(Number(leaf.source)) !== leaf.source ? leaf.source : leaf;
  });
}

function struckBy({ request, delivery }: { request?: unknown; delivery?: unknown }): Struckable | null {
  if ((request === undefined) === (delivery === undefined)) return null;
  return request === undefined ? "delivery" : "request";
}

function faultsOf(world: World): FaultByHand[] {
  return world.meta.recall<FaultByHand[]>(KEY) ?? [];
}

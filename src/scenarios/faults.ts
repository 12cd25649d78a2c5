/** Fault rules: by hand (`PUT /faults`, the step `fault`), and those of scenario files (interface, section 5). */
import { z } from "zod";
import { parseDuration } from "../domain/durations.ts";
import { eventKinds, eventNames } from "../domain/events.ts";
import { ExactNumber } from "../domain/money.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import { asQuestion, nearName } from "../domain/words/near-name.ts";
import { formatInstantOrNull, type Instant, LAST_INSTANT } from "../world/instants.ts";
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
import { inPlaceOfGlob, nearest } from "./schema-words.ts";
import { durationField } from "./time-fields.ts";
import { struckFieldNames } from "./triggers.ts";
import { whereField } from "./where.ts";

const KEY = "faults";

/** The scenario name under which matches of rules by hand are counted; no real scenario has it. */
const BY_HAND = "";

/** The most rules by hand that control calls may set in a world. */
export const MAX_RULES = 10_000;

/** From this many rules on, a step that sets one drops those that are over: it may set one every minute for years. */
const MAX_OVER = 1_000;

/** The patterns of calls and of deliveries that a rule can name; each must match at least one. */
export const struckFields = {
  request: patternField({
    form: /^([A-Z]+|\*) \/v2\/[a-z0-9_/*]+$/,
    words: "must be a method and path such as POST /v2/transactions/wallet or GET /v2/*",
    names: serviceCalls,
    globs: serviceCalls.map((call) => call.replace(/[^/]+$/, "*")),
    noun: "endpoint of the service",
  }),
  delivery: patternField({
    form: /^[a-z_.*]+$/,
    words: "must be an event kind such as cashin.confirmed, or a glob such as cashin.*",
    names: eventNames,
    globs: eventKinds.flatMap((kind) => [kind.replace(/[^.]+$/, "*"), kind.replace(/^[^.]+(?=\.)/, "*")]),
    noun: "event kind",
  }),
} as const;

/** What the texts of a {@link patternField} are. */
interface Pattern {
  readonly form: RegExp;
  /** The error for a text of another form. */
  readonly words: string;
  readonly names: readonly string[];
  /** What to suggest in place of a glob that matches none of the names. */
  readonly globs: readonly string[];
  /** What a name is called. */
  readonly noun: string;
}

/** A field for a name or a glob of names. */
function patternField({ form, words, names, globs, noun }: Pattern) {
  const text = z
    .string({ error: "must be a text" })
    .regex(form, { error: ({ input }) => words + asQuestion(nearName(String(input), names)) });
  const known = text.superRefine((pattern, context) => {
    if (!form.test(pattern) || names.some((name) => globOf(pattern).test(name))) return;
    const message = `names no ${noun}`;
    if (pattern.includes("*")) context.addIssue(inPlaceOfGlob(message, globs));
    else context.addIssue({ code: "custom", message: message + nearest(pattern, names) });
  });
  return known.meta({ anyOf: [{ enum: [...names] }, { pattern: "[*]" }] });
}

/** The schema of a fault rule: what it strikes, and with which fault. */
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

/** A fault rule of `PUT /faults` or of the step `fault`; scenario files also have some among their own rules. */
export type FaultRule = z.infer<typeof faultRule>;

/** The body of `PUT /faults`, which replaces all rules by hand. */
export const faultsInput = onFirstUse(() =>
  z.strictObject({
    rules: z.array(faultRule).max(MAX_RULES, { error: `must have at most ${MAX_RULES} items` }),
  }),
);

/** Conditions of a rule by hand that can never hold; each message begins with a path. @param place the rule's path. */
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

/** A rule by hand as it is stored, with when it began and when it ends. */
interface FaultByHand {
  /** Its number in the world, which does not depend on its position. */
  readonly id: number;
  readonly rule: FaultRule;
  /** `file:line` of the step that set it; null if a control call did. */
  readonly at: string | null;
  /** The cause of the operation that set it: the journal entry of the call, or of what led to the step. */
  readonly set_by: number | null;
  readonly since: Instant;
  readonly until: Instant | null;
}

/** A rule that may strike now, whether set by hand or written in a scenario file. */
export interface StandingFault extends CountedRule {
  readonly pattern: string;
  readonly where: Readonly<Record<string, unknown>>;
  readonly filters: Filters;
  readonly inject: Injection;
  /** `file:line` of the rule, or of the step that set it; null if a control call did. */
  readonly at: string | null;
  /** For the journal: its name, and its scenario or, for one by hand, its id and the journal entry that set it. */
  readonly origin: Readonly<Record<string, unknown>>;
}

/** Replaces all rules by hand; the time of the new ones begins now. */
export function setFaults(operation: Operation, rules: readonly FaultRule[]): void {
  const { meta, scenarios } = operation.world;
  scenarios.forgetCounters(BY_HAND);
  meta.set(
    KEY,
    rules.map((rule) => begun(operation, rule, null)),
  );
}

/** Whether a world has {@link MAX_RULES} rules by hand. */
export function hasMostFaults(world: World): boolean {
  return faultsOf(world).length >= MAX_RULES;
}

/** Adds a rule by hand after the existing ones, which stay active. */
export function appendFault(operation: Operation, rule: FaultRule): void {
  operation.world.meta.set(KEY, [...faultsOf(operation.world), begun(operation, rule, null)]);
}

/** Whether a world has the rule by hand of this id. */
export function hasFault(world: World, id: string): boolean {
  return faultsOf(world).some((fault) => idOf(fault) === id);
}

/** Removes one rule by hand; the others stay active. */
export function removeFault({ world }: Operation, id: string): void {
  keepFaults(
    world,
    faultsOf(world).filter((fault) => idOf(fault) !== id),
  );
}

/**
 * Adds a rule by hand before the existing ones. If the same step has set the same rule and that is still active, it is
 * continued instead, with its time begun anew: a step may run often, which must not raise a chance of 10 %. Its `times`
 * add up.
 * @param at `file:line` of the step.
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

/** An active rule that is set again: it keeps its id, and its `times` add up. */
function goingOn({ id, rule: { times: before = 0 } }: FaultByHand, added: FaultByHand): FaultByHand {
  const { times } = added.rule;
  return { ...added, id, rule: times === undefined ? added.rule : { ...added.rule, times: before + times } };
}

/** Stores the rules by hand, and deletes the counters of those that are no longer among them. */
function keepFaults(world: World, kept: readonly FaultByHand[]): void {
  const ids = new Set(kept.map(({ id }) => id));
  for (const { id } of faultsOf(world)) if (!ids.has(id)) world.scenarios.forgetCounter(BY_HAND, id);
  world.meta.set(KEY, kept);
}

/** Whether the same step sets the same rule again, apart from `times`; never for a rule with `from` or `until`. */
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
    const ends_at = formatInstantOrNull(until);
    return { id: idOf(fault), ...rule, at, ends_at, ...world.scenarios.counters(BY_HAND, id) };
  });
  return { rules };
}

/** The id of a rule by hand in the control interface. */
const idOf = ({ id }: Pick<FaultByHand, "id">) => `fault_${id}`;

/** A rule's name as a field of journal entries; no field if it has none. */
export function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name };
}

const NONE_STANDING: readonly StandingFault[] = [];

/** Rules by hand that strike calls, or those that strike deliveries, and that have not ended, in order. */
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

/** The fault that the first matching rule injects into a call; null if none matches. */
export function strikeRequest(
  operation: Operation,
  request: StrikableRequest,
  faults: readonly StandingFault[],
): Struck<RequestFault> | null {
  if (faults.length === 0) return null;
  const name = `${request.method} ${request.path}`;
  const striking = findStriking(operation, name, { ...request }, faults);
  if (!striking) return null;
  const entry = recordInjection(operation, striking, null, { request: name });
  const hint = hintOf(striking);
  const strike = requestFault(striking.inject, { method: request.method, settings: operation.world.settings, hint });
  return { fault: { ...strike, hint }, entry };
}

/** The `X-Sandbox-Hint`: the fault, and the rule by its name and its place in a file. */
function hintOf({ inject, origin, at }: StandingFault): string {
  const [[kind, value] = []] = Object.entries(inject);
  const rule = [origin.name === undefined ? [] : `"${origin.name}"`, at ?? []].flat().join(", ");
  return `${STRUCK_HINT}: ${kind} ${value}${rule && ` (${rule})`}.`;
}

/** The fault that the first matching rule injects into a webhook; null if none matches. */
export function strikeDelivery(
  operation: Operation,
  { data, ...webhook }: StrikableWebhook,
  faults: readonly StandingFault[],
): Struck<DeliveryFault> | null {
  if (faults.length === 0) return null;
  const striking = findStriking(operation, webhook.event, { ...data, ...webhook }, faults);
  if (!striking) return null;
  const entry = recordInjection(operation, striking, webhook.webhook_id, { event: webhook.event });
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

function recordInjection(
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

/** Whether a rule will never strike again: its time is over, or it has used up its `times`. */
function isOver({ world, now }: Operation, fault: FaultByHand): boolean {
  const { times = Number.POSITIVE_INFINITY, until } = fault.rule;
  const isClosed = until !== undefined && !isOpen({ until }, fault.since, now);
  return isClosed || hasEnded(fault, now) || world.scenarios.counters(BY_HAND, fault.id).fired >= times;
}

/** A value to store as JSON: numbers that would not come back as written, such as 0.00000001, become texts. */
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

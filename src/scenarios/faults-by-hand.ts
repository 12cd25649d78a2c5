/** Fault rules by hand (`PUT /faults`, the step `fault`): how they are set, kept and ended. */
import { parseDuration } from "../domain/durations.ts";
import { formatInstantOrNull, type Instant, LAST_INSTANT } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { type FaultRule, MAX_RULES } from "./fault-rule-schema.ts";
import { isOpen } from "./filters.ts";
import type { Struckable } from "./injections.ts";
import { storable } from "./leaves.ts";
import { named, type StandingFault } from "./standing-faults.ts";

const KEY = "faults";

/** The scenario name under which matches of rules by hand are counted; no real scenario has it. */
const BY_HAND = "";

/** From this many rules on, a step that sets one drops those that are over: it may set one every minute for years. */
const MAX_OVER = 1_000;

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

function faultsOf(world: World): FaultByHand[] {
  return world.meta.recall<FaultByHand[]>(KEY) ?? [];
}

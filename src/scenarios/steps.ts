/** Steps of scenario rules: each is put on the clock after the one before it, and carried out when it is due. */
import { durationOf } from "../domain/durations.ts";
import { DomainError } from "../domain/errors.ts";
import { InvalidTransition } from "../domain/machine.ts";
import { ExactNumber, plainDecimal } from "../domain/money.ts";
import { awaitConfirmations, stopAwaiting } from "../service/cashin.ts";
import type { Timer } from "../store/timers.ts";
import type { Transaction } from "../store/transactions.ts";
import { type Instant, parseInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { storable, withLeaves } from "./leaves.ts";
import type { ScenarioStep } from "./rule-schema.ts";
import { act, actionOf, isWorldAction, type StepSubject } from "./step-actions.ts";

/** Timer of a step that is due. */
export const STEP_TIMER = "scenario.step";

/** A step with its `file:line`. */
export interface PlacedStep {
  readonly at: string;
  readonly step: PlainStep;
}

/** The payload of a step's timer: the step and those after it, so that replacing a scenario does not affect them. */
export type StepPayload = {
  readonly scenario: string;
  readonly type: StepSubject["type"];
  /** As in {@link StepSubject}. */
  readonly username?: string;
  readonly steps: readonly PlacedStep[];
};

type PlainStep = Readonly<Record<string, unknown>>;

/** A step with its numbers as texts, as written: timers are stored as JSON, which would turn them into doubles. */
export function plainStep(step: ScenarioStep): PlainStep {
  const { fault, ...others } = step as PlainStep;
  return { ...(withLeaves(others, asText) as PlainStep), ...(fault === undefined ? {} : { fault: storable(fault) }) };
}

/** Puts the first of the steps on the clock. */
export function scheduleStep(operation: Operation, subject: string, payload: StepPayload): void {
  const [first] = payload.steps;
  if (!first) return;
  const due = dueOf(operation.world, operation.now, subject, first.step);
  const isOnItsWay = first.step.at === "confirmations" && due > operation.now;
  if (isOnItsWay) waitForPayment(operation, subject, payload.steps, due);
  operation.because(operation.cause, first.at).schedule({ due, kind: STEP_TIMER, subject, payload: { ...payload } });
}

/** Carries out a step that is due and puts the next one on the clock. */
export function runStep(operation: Operation, timer: Timer): void {
  const { scenario, steps, ...about } = timer.payload as StepPayload;
  const [current, ...rest] = steps;
  if (!current) return;
  const outcome = perform(operation, { ...about, id: timer.subject }, current.step, scenario);
  if (rest.length > 0) scheduleStep(outcome, timer.subject, { scenario, ...about, steps: rest });
  if (about.type === "cashin") stopAwaiting(outcome, timer, bringsPayment);
}

/**
 * Keeps a charge waiting beyond its expiry for its confirmations, if a step pays it only after the expiry (`D32`).
 * @param firstDue when the first of the steps is due.
 */
function waitForPayment(operation: Operation, subject: string, steps: readonly PlacedStep[], firstDue: Instant): void {
  const { world } = operation;
  const charge = world.transactions.get(subject);
  const paying = charge ? steps.findIndex((placed) => isPaymentOf(charge, placed)) : -1;
  if (!charge?.expires_at || paying < 0) return;
  let due = firstDue;
  for (const { step } of steps.slice(1, paying + 1)) due = dueOf(world, due, subject, step);
  if (due > charge.expires_at) awaitConfirmations(operation, charge);
}

/** Whether a step pays this charge; it may name another one. */
function isPaymentOf({ transaction_id, external_id }: Transaction, { step: { pay } }: PlacedStep): boolean {
  if (pay === undefined) return false;
  const { transaction: named } = Object(pay) as { transaction?: unknown };
  return named === undefined || named === transaction_id || named === external_id;
}

function bringsPayment({ kind, payload }: Timer, charge: Transaction): boolean {
  return kind === STEP_TIMER && (payload as StepPayload).steps.some((placed) => isPaymentOf(charge, placed));
}

/** Carries out a step; skips it if the state does not allow it. @returns the operation that causes what follows. */
function perform(operation: Operation, subject: StepSubject, step: PlainStep, scenario: string): Operation {
  const name = actionOf(step);
  const entry = operation.world.reserveEntry();
  const caused = operation.because(entry, null);
  let skipped: string | null = null;
  try {
    operation.attempt(() => act(caused, subject, { name, given: step[name], at: operation.rule }));
  } catch (error) {
    if (!(error instanceof InvalidTransition || error instanceof DomainError)) throw error;
    skipped = error.message;
  }
  const what = isWorldAction(name) ? { [name === "note" ? "note" : "input"]: step[name] } : {};
  const data = { scenario, action: name, ...what, ...(skipped ? { reason: skipped } : {}) };
  operation.write(entry, skipped ? "step.skipped" : "step", subject.type === "world" ? null : subject.id, data);
  return caused;
}

/** When a step is due: after the previous step, which was at `then`, at an instant, or at a moment of its resource. */
function dueOf(world: World, then: Instant, subject: string, { after, at }: PlainStep): Instant {
  if (typeof after === "string") return then + durationOf(after);
  if (typeof at !== "string") return then;
  return Math.max(parseInstant(at) ?? momentOf(world, then, subject, at), then);
}

function momentOf(world: World, then: Instant, subject: string, moment: string): Instant {
  if (moment === "deadline") return world.disputes.get(subject)?.deadline_at ?? then;
  const transaction = world.transactions.get(subject);
  if (moment === "expiry") return transaction?.expires_at ?? then;
  return then + (transaction ? world.currencies.settlementMs(transaction) : 0);
}

/** A number as text: an amount as a plain decimal, others as written, as they may be unquoted ids such as `12e5`. */
function asText(leaf: unknown, key: string): unknown {
  if (!(leaf instanceof ExactNumber)) return leaf;
  return key === "amount" ? plainDecimal(leaf.source) : leaf.source;
}

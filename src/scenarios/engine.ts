/** Plays the scenarios of a world: rules that match what happens put their steps on the clock. */
import { matches } from "../domain/conditions.ts";
import { parseDuration } from "../domain/durations.ts";
import { DomainError } from "../domain/errors.ts";
import { InvalidTransition } from "../domain/machine.ts";
import { ExactNumber } from "../domain/money.ts";
import { resourceActions } from "../service/actions.ts";
import { awaitConfirmations } from "../service/cashin.ts";
import type { Timer } from "../store/timers.ts";
import { type Instant, parseInstant } from "../world/instants.ts";
import type { Occurrence, Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { type LoadedScenario, loadScenario } from "./loader.ts";
import { type ScenarioRule, type ScenarioStep, stepActions } from "./schema.ts";

/** Timer of a step that is due. */
export const STEP_TIMER = "scenario.step";

/** The scenario whose rules a merchant's own values set off; its calls say so. */
const MAGIC_VALUES = "magic-values";

/** What a step's timer carries: the step and those after it, so that a replaced scenario changes nothing under way. */
interface StepPayload {
  readonly scenario: string;
  readonly type: string;
  readonly steps: readonly { readonly at: string; readonly step: PlainStep }[];
}

type PlainStep = Readonly<Record<string, unknown>>;

interface CompiledRule {
  readonly scenario: string;
  readonly index: number;
  readonly at: string;
  readonly rule: ScenarioRule;
  readonly steps: StepPayload["steps"];
}

export class ScenarioEngine {
  readonly #world: World;
  /** By trigger, in the order of precedence. */
  #rules: ReadonlyMap<string, readonly CompiledRule[]>;
  #loaded: readonly LoadedScenario[];

  constructor(world: World) {
    this.#world = world;
    this.#loaded = world.scenarios.all().map((stored) => loadScenario(stored.source, stored.file));
    this.#rules = compile(this.#loaded);
  }

  /** Loads a scenario, or replaces the one of its name. @throws {ScenarioError} @returns whether it replaced one. */
  put(operation: Operation, source: string, file: string): { name: string; replaced: boolean } {
    const { content } = loadScenario(source, file);
    const replaced = operation.world.scenarios.put(content.scenario, file, source);
    operation.record("scenario.loaded", null, { scenario: content.scenario, file, replaced });
    this.#refresh();
    return { name: content.scenario, replaced };
  }

  /** Takes a scenario out. @returns whether it was there. */
  remove(operation: Operation, name: string): boolean {
    const removed = operation.world.scenarios.remove(name);
    if (removed) operation.record("scenario.removed", null, { scenario: name });
    this.#refresh();
    return removed;
  }

  /** What is loaded, with how often each rule matched and fired. */
  describe() {
    return this.#loaded.map((loaded) => ({
      name: loaded.content.scenario,
      description: loaded.content.description ?? null,
      file: loaded.file,
      status: "running" as const,
      rules: loaded.content.rules.map((rule, index) => ({
        name: rule.name ?? null,
        at: loaded.ruleAt(index),
        on: rule.on,
        ...this.#world.scenarios.counters(loaded.content.scenario, index),
      })),
      expectations: [],
    }));
  }

  /** Finds the rules for what happened: the first that matches steers, those with `also` add. */
  follow(operation: Operation, occurrence: Occurrence): void {
    let steered = false;
    for (const compiled of this.#rules.get(occurrence.kind) ?? []) {
      if (steered && !compiled.rule.also) continue;
      if (!matches(compiled.rule.where, occurrence.fields)) continue;
      if (!this.#fires(operation, compiled)) continue;
      steered ||= !compiled.rule.also;
      this.#begin(operation, compiled, occurrence);
    }
  }

  /** Carries out a step that is due and puts the next one on the clock. */
  runStep(operation: Operation, timer: Timer): void {
    const { scenario, type, steps } = timer.payload as unknown as StepPayload;
    const [current, ...rest] = steps;
    if (!current) return;
    const outcome = perform(operation, timer.subject, type, current.step, scenario);
    if (rest.length > 0) scheduleStep(outcome, timer.subject, { scenario, type, steps: rest });
  }

  #fires(operation: Operation, { rule, scenario, index }: CompiledRule): boolean {
    const { matched, fired } = operation.world.scenarios.counters(scenario, index);
    const within = matched >= rule.skip && fired < (rule.times ?? Number.POSITIVE_INFINITY);
    const lucky =
      rule.chance >= 1 || operation.world.random.fraction(`chance ${scenario}/${index}`, matched) < rule.chance;
    operation.world.scenarios.count(scenario, index, within && lucky);
    return within && lucky;
  }

  #begin(operation: Operation, compiled: CompiledRule, occurrence: Occurrence): void {
    const { scenario, steps, at } = compiled;
    if (scenario === MAGIC_VALUES) operation.world.hint = `Scenario ${MAGIC_VALUES}: ${compiled.rule.name ?? at}.`;
    const named = operation.because(operation.cause, at);
    const entry = named.record("rule.fired", occurrence.subject.id, { scenario, on: occurrence.kind });
    const payload = { scenario, type: occurrence.subject.type, steps };
    scheduleStep(operation.because(entry), occurrence.subject.id, payload);
  }

  #refresh(): void {
    this.#loaded = this.#world.scenarios.all().map((stored) => loadScenario(stored.source, stored.file));
    this.#rules = compile(this.#loaded);
  }
}

function compile(loaded: readonly LoadedScenario[]): ReadonlyMap<string, readonly CompiledRule[]> {
  const rules = new Map<string, CompiledRule[]>();
  for (const scenario of [...loaded].reverse()) {
    scenario.content.rules.forEach((rule, index) => {
      const steps = rule.then.map((step, number) => ({ at: scenario.stepAt(index, number), step: plainStep(step) }));
      const compiled = { scenario: scenario.content.scenario, index, at: scenario.ruleAt(index), rule, steps };
      rules.set(rule.on, [...(rules.get(rule.on) ?? []), compiled]);
    });
  }
  return rules;
}

function scheduleStep(operation: Operation, subject: string, payload: StepPayload): void {
  const [first] = payload.steps;
  if (!first) return;
  const due = dueOf(operation, subject, first.step);
  const charge = first.step.at === "confirmations" ? operation.world.transactions.get(subject) : undefined;
  if (charge?.expires_at && due > charge.expires_at) awaitConfirmations(operation, charge);
  operation
    .because(operation.cause, first.at)
    .schedule({ due, kind: STEP_TIMER, subject, payload: payload as unknown as Record<string, unknown> });
}

/** When a step is due: after the one before, at an instant, or at a moment of its resource. */
function dueOf(operation: Operation, subject: string, step: PlainStep): Instant {
  if (typeof step.after === "string") return operation.now + (parseDuration(step.after) ?? 0);
  if (typeof step.at !== "string") return operation.now;
  const instant = parseInstant(step.at) ?? momentOf(operation, subject, step.at);
  return Math.max(instant, operation.now);
}

function momentOf({ world, now }: Operation, subject: string, moment: string): Instant {
  const transaction = world.transactions.get(subject);
  if (moment === "expiry") return transaction?.expires_at ?? now;
  const chain = transaction?.chain ? world.currencies.chains.get(transaction.chain) : undefined;
  const currency = transaction && world.currencies.currencies.get(transaction.currency);
  return now + (chain ? chain.confirmations * chain.ms_per_confirmation : (currency?.settlement_ms ?? 0));
}

/** @returns the operation that what follows is caused by. A step that the state no longer allows is skipped. */
function perform(operation: Operation, subject: string, type: string, step: PlainStep, scenario: string): Operation {
  const name = stepActions.find((action) => action in step) ?? "";
  const entry = operation.world.reserveEntry();
  const caused = operation.because(entry, null);
  let skipped: string | null = null;
  try {
    operation.attempt(() => act(caused, subject, type, name, step[name]));
  } catch (error) {
    if (!(error instanceof InvalidTransition || error instanceof DomainError)) throw error;
    skipped = error.message;
  }
  const what = name === "note" ? { note: step.note } : {};
  operation.write(entry, skipped ? "step.skipped" : "step", subject, {
    scenario,
    action: name,
    ...what,
    ...(skipped ? { reason: skipped } : {}),
  });
  return caused;
}

function act(operation: Operation, subject: string, type: string, name: string, given: unknown): void {
  if (name === "note") return;
  const action = resourceActions[type as keyof typeof resourceActions]?.[name];
  if (!action) throw new DomainError("INVALID_REQUEST", `A ${type} knows no action "${name}".`);
  action.perform(operation, subject, (given ?? {}) as never);
}

/** Numbers as the texts they were written as: what waits on the clock is kept as JSON, which would make doubles. */
function plainStep(step: ScenarioStep): PlainStep {
  return withTexts(step) as PlainStep;
}

function withTexts(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.source;
  if (Array.isArray(value)) return value.map(withTexts);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTexts(member)]));
}

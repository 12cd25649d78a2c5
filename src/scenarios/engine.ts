import type { StoredScenario } from "../store/scenarios.ts";
import type { Timer } from "../store/timers.ts";
import type { DeliveryFault, RequestFault, StrikableRequest, StrikableWebhook, Struck } from "../world/interception.ts";
import type { Occurrence, Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { type CompiledRule, compiledRules } from "./compiled-rules.ts";
import { globOf, matches } from "./conditions.ts";
import { Circles } from "./cycles.ts";
import { describedRules, describedScenario } from "./described-scenarios.ts";
import { faultsByHand } from "./faults-by-hand.ts";
import { countMatch } from "./filters.ts";
import type { Struckable } from "./injections.ts";
import { LaidScenarios, type Source } from "./laid-scenarios.ts";
import type { Problem } from "./problems.ts";
import { RuleIndex } from "./rule-index.ts";
import { named, type StandingFault, strikeDelivery, strikeRequest } from "./standing-faults.ts";
import { type StepPayload, scheduleStep } from "./steps.ts";
import { firingOf, tick, tickSubject } from "./ticks.ts";

/** The scenario whose rules react to values that a merchant chooses; calls that set them off get a hint. */
export const MAGIC_VALUES = "magic-values";

/** A call or webhook that rules may strike. */
interface Target {
  readonly struck: Struckable;
  readonly name: string;
  /** Lazy, as most targets have no rules, so that their fields are not needed. */
  readonly fields: () => Readonly<Record<string, unknown>>;
}

/** Plays the scenarios of a world: rules put steps on the clock, or inject faults into calls and webhooks. */
export class ScenarioEngine {
  readonly #world: World;
  readonly #laid: LaidScenarios;
  readonly #circles = new Circles();
  /** In order of precedence: the last loaded scenario first, and its rules from the top. */
  #rules: readonly CompiledRule[] = [];
  #bySubject: ReadonlyMap<string, CompiledRule> = new Map();
  /** Rules by kind of occurrence, and by call or webhook that they strike; made on first use. */
  readonly #indexes = new Map<string, RuleIndex<CompiledRule>>();

  constructor(world: World) {
    this.#world = world;
    this.#laid = new LaidScenarios(world);
    this.#refresh();
  }

  /** Loads a scenario, see {@link LaidScenarios.put}. @throws {ScenarioError} */
  put(operation: Operation, top: Source, beneath: readonly Source[], inPlace: boolean) {
    const put = this.#laid.put(operation, top, beneath, inPlace);
    this.#refresh();
    return put;
  }

  /** Takes a scenario out. @returns whether it was there. */
  remove(operation: Operation, name: string): boolean {
    const wasThere = this.#laid.remove(operation, name);
    this.#refresh();
    return wasThere;
  }

  /** Remembers the problems of a file whose last good version stays loaded, until a good one is loaded. */
  keepProblems(file: string, problems: readonly Problem[]): void {
    this.#laid.keepProblems(file, problems);
  }

  /** The loaded scenarios, in their order; removing one leaves the positions of the others. */
  get loaded(): readonly Pick<StoredScenario, "name" | "position">[] {
    return this.#laid.all;
  }

  /** Names of the loaded scenarios. */
  get names(): string[] {
    return this.#laid.all.map(({ name }) => name);
  }

  /** A scenario with its rules and the present verdicts on its expectations; undefined if it is not loaded. */
  describe(name: string) {
    const stored = this.#laid.find(name);
    return stored && describedScenario(this.#world, stored, this.#laid.problemsOf(stored.file));
  }

  /** The rules of a scenario, with how often each matched and fired; empty if it is not loaded. */
  rulesOf(name: string) {
    const stored = this.#laid.find(name);
    return stored ? describedRules(this.#world, stored) : [];
  }

  /** Begins the rules that match an occurrence: the first one without `also`, and all that have `also`. */
  follow(operation: Operation, occurrence: Occurrence): void {
    let steered = false;
    for (const compiled of this.#indexOf("on", occurrence.kind).candidates(occurrence.fields)) {
      if (steered && !compiled.rule.also) continue;
      if (!matches(compiled.rule.where, occurrence.fields)) continue;
      if (!countMatch(operation, compiled.rule, compiled)) continue;
      steered ||= !compiled.rule.also;
      this.#begin(operation, compiled, occurrence);
    }
  }

  #begin(operation: Operation, compiled: CompiledRule, occurrence: Occurrence): void {
    const { scenario, steps, at, rule } = compiled;
    const { kind, subject } = occurrence;
    if (scenario === MAGIC_VALUES) operation.world.hint = `Scenario ${MAGIC_VALUES}: ${rule.name ?? at}.`;
    const named = operation.because(operation.cause, at);
    const chain = this.#circles.chainOf(operation, at, rule.times);
    if (chain) {
      named.record("rule.stopped", subject.id, { ...firingOf(compiled, kind), chain });
      return;
    }
    const entry = named.record("rule.fired", subject.id, firingOf(compiled, kind));
    const type = subject.type as StepPayload["type"];
    scheduleStep(operation.because(entry), subject.id, { scenario, type, ...sideOf(occurrence), steps });
  }

  /** Runs a rule on the clock whose time has come. */
  tick(operation: Operation, timer: Timer): void {
    const rule = this.#bySubject.get(timer.subject);
    if (rule) tick(operation, rule);
  }

  /** The fault that the rules inject into a call, if any; rules by hand come first. */
  strikeRequest(operation: Operation, request: StrikableRequest): Struck<RequestFault> | null {
    const { method, path } = request;
    const faults = this.#faults(operation, {
      struck: "request",
      name: `${method} ${path}`,
      fields: () => ({ ...request }),
    });
    return strikeRequest(operation, request, faults);
  }

  /** The fault that the rules inject into a webhook, if any; rules by hand come first. */
  strikeDelivery(operation: Operation, webhook: StrikableWebhook): Struck<DeliveryFault> | null {
    const { data, ...own } = webhook;
    const faults = this.#faults(operation, {
      struck: "delivery",
      name: own.event,
      fields: () => ({ ...data, ...own }),
    });
    return strikeDelivery(operation, webhook, faults);
  }

  #faults(operation: Operation, { struck, name, fields }: Target): readonly StandingFault[] {
    const byHand = faultsByHand(operation, struck);
    const index = this.#indexOf(struck, name);
    if (index.isEmpty) return byHand;
    return [...byHand, ...index.candidates(fields()).map((compiled) => standing(compiled, struck))];
  }

  #indexOf(trigger: "on" | Struckable, name: string): RuleIndex<CompiledRule> {
    const key = `${trigger} ${name}`;
    const known = this.#indexes.get(key);
    if (known) return known;
    const names = (pattern: string) => (trigger === "on" ? pattern === name : globOf(pattern).test(name));
    const rules = this.#rules.filter(({ rule }) => rule[trigger] !== undefined && names(rule[trigger]));
    const index = new RuleIndex(rules, ({ rule }) => rule.where);
    this.#indexes.set(key, index);
    return index;
  }

  #refresh(): void {
    this.#rules = [...this.#laid.all].reverse().flatMap(compiledRules);
    this.#bySubject = new Map(this.#rules.map((rule) => [tickSubject(rule.scenario, rule.index), rule]));
    this.#indexes.clear();
  }
}

function standing({ rule, scenario, index, key, at, since }: CompiledRule, struck: Struckable): StandingFault {
  const { [struck]: pattern = "", where, inject = {} } = rule;
  const origin = { scenario, ...named(rule.name) };
  return { pattern, where, filters: rule, inject, since, at, origin, key, scenario, index };
}

/** The account that a rule is about: for a transfer, which has two, the one that the event went to. */
function sideOf({ subject, fields }: Occurrence): Pick<StepPayload, "username"> {
  return subject.type === "transfer" && typeof fields.username === "string" ? { username: fields.username } : {};
}

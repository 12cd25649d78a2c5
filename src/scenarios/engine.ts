import type { StoredScenario } from "../store/scenarios.ts";
import type { Timer } from "../store/timers.ts";
import type { DeliveryFault, RequestFault, StrikableRequest, StrikableWebhook, Struck } from "../world/interception.ts";
import type { Occurrence, Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { globOf, matches } from "./conditions.ts";
import { Circles } from "./cycles.ts";
import { expectationWords } from "./expectation-words.ts";
import { type Judgement, judge, type Verdict } from "./expectations.ts";
import { faultsByHand, named, type StandingFault, strikeDelivery, strikeRequest } from "./faults.ts";
import { countMatch } from "./filters.ts";
import type { Struckable } from "./injections.ts";
import { type LoadedScenario, loadScenario, type Problem } from "./loader.ts";
import { RuleIndex } from "./rule-index.ts";
import { plainStep, type StepPayload, scheduleStep } from "./steps.ts";
import { type CompiledRule, firingOf, removeTicks, scheduleTicks, tick, tickSubject } from "./ticks.ts";
import { nameIn, referencesIn } from "./variables.ts";

/** The scenario whose rules a merchant's own values set off; its calls say so. */
const MAGIC_VALUES = "magic-values";

/** A scenario as it is kept and as it is read. */
type StoredAndLoaded = Omit<StoredScenario, "source"> & { readonly content: LoadedScenario };

/** A call or webhook that rules may strike. */
interface Target {
  readonly struck: Struckable;
  readonly name: string;
  /** Most are struck by no rule at all: then nobody asks for them. */
  readonly fields: () => Readonly<Record<string, unknown>>;
}

/** Plays the scenarios of a world: rules that match what happens put their steps on the clock, or strike it. */
export class ScenarioEngine {
  readonly #world: World;
  readonly #problems = new Map<string, readonly Problem[]>();
  readonly #circles = new Circles();
  #loaded: readonly StoredAndLoaded[] = [];
  /** In the order of precedence: scenarios last loaded first, rules from the top. */
  #rules: readonly CompiledRule[] = [];
  #bySubject: ReadonlyMap<string, CompiledRule> = new Map();
  /** The rules on each occurrence, and those that strike each call or webhook; made when they are first asked for. */
  readonly #indexes = new Map<string, RuleIndex<CompiledRule>>();

  constructor(world: World) {
    this.#world = world;
    this.#refresh();
  }

  /**
   * Loads a scenario as the last one, or replaces the one of its name.
   * @param position of the one whose place it takes.
   * @returns whether it replaced one.
   * @throws {ScenarioError}
   */
  put(operation: Operation, source: string, file: string, position?: number): { name: string; replaced: boolean } {
    const loaded = loadScenario(source, file);
    const name = loaded.content.scenario;
    const before = this.#find(name);
    if (before) removeTicks(operation, before.content);
    this.#problems.delete(file);
    const replaced = operation.world.scenarios.put(name, file, source, operation.now, position);
    const entry = operation.record("scenario.loaded", null, { scenario: name, file, replaced });
    scheduleTicks(operation.because(entry), loaded);
    this.#refresh();
    return { name, replaced };
  }

  /**
   * Loads a file again that has changed; where it gives its scenario another name, the former one is taken out.
   * @param inPlace in the place that it had, as if it had been so from the start.
   * @throws {ScenarioError}
   */
  putAgain(operation: Operation, source: string, file: string, inPlace: boolean): { name: string; replaced: boolean } {
    const { scenario: name } = loadScenario(source, file).content;
    const ofFile = this.#loaded.filter((stored) => stored.file === file);
    // Files of several folders may be named alike: then it is not told which of them had another name before.
    const former = ofFile.find((stored) => stored.name === name) ?? (ofFile.length === 1 ? ofFile[0] : undefined);
    if (former && former.name !== name) this.remove(operation, former.name);
    return this.put(operation, source, file, inPlace ? former?.position : undefined);
  }

  /** Remembers what is wrong with a file whose last good version goes on; a good one forgets it. */
  keepProblems(file: string, problems: readonly Problem[]): void {
    this.#problems.set(file, problems);
  }

  /** Takes a scenario out. @returns whether it was there. */
  remove(operation: Operation, name: string): boolean {
    const before = this.#find(name);
    if (!before) return false;
    removeTicks(operation, before.content);
    operation.world.scenarios.remove(name);
    operation.record("scenario.removed", null, { scenario: name });
    this.#refresh();
    return true;
  }

  /** What is loaded, in its order; positions stay when another one is taken out. */
  get loaded(): readonly Pick<StoredScenario, "name" | "position">[] {
    return this.#loaded;
  }

  /** Names of what is loaded. */
  get names(): string[] {
    return this.#loaded.map(({ name }) => name);
  }

  /** A scenario with its rules, and how its expectations stand; undefined where none of the name is loaded. */
  describe(name: string) {
    const stored = this.#find(name);
    if (!stored) return undefined;
    const { file, loaded_at: since, loaded_after: afterEntry } = stored;
    const { content, placeOf } = stored.content;
    const circumstances = { world: this.#world, variables: {}, since, afterEntry, final: false };
    const expectations = (content.expect ?? []).map((expected, index) => ({
      at: placeOf("expect", index),
      text: expectationWords(expected),
      ...(scripted(expected) ?? judge(expected, circumstances)),
    }));
    const judged = expectations.filter((_judged, index) => scripted(content.expect?.[index]) === null);
    return {
      name,
      description: content.description ?? null,
      file,
      status: statusOf(judged),
      problems: this.#problems.get(file) ?? [],
      rules: this.rulesOf(name),
      expectations,
    };
  }

  /** The rules of a scenario with how often each matched and fired; none where it is not loaded. */
  rulesOf(name: string) {
    const loaded = this.#find(name)?.content;
    if (!loaded) return [];
    return loaded.content.rules.map((rule, index) => ({
      name: rule.name ?? null,
      at: loaded.ruleAt(index),
      where: rule.where,
      steps: (rule.then ?? []).map(plainStep),
      ...triggerOf(rule),
      ...this.#world.scenarios.counters(name, index),
    }));
  }

  #find(name: string): StoredAndLoaded | undefined {
    return this.#loaded.find((stored) => stored.name === name);
  }

  /** Finds the rules for what happened: the first that matches steers, those with `also` add. */
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

  /** The time of a rule on the clock has come. */
  tick(operation: Operation, timer: Timer): void {
    const rule = this.#bySubject.get(timer.subject);
    if (rule) tick(operation, rule);
  }

  /** What the rules say of a call of the service; rules by hand come first. */
  strikeRequest(operation: Operation, request: StrikableRequest): Struck<RequestFault> | null {
    const { method, path } = request;
    const faults = this.#faults(operation, {
      struck: "request",
      name: `${method} ${path}`,
      fields: () => ({ ...request }),
    });
    return strikeRequest(operation, request, faults);
  }

  /** What the rules say of a webhook; rules by hand come first. */
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
    const stored = this.#world.scenarios.all();
    this.#loaded = stored.map(({ source, ...row }) => ({ ...row, content: loadScenario(source, row.file) }));
    this.#rules = [...this.#loaded].reverse().flatMap(compile);
    this.#bySubject = new Map(this.#rules.map((rule) => [tickSubject(rule.scenario, rule.index), rule]));
    this.#indexes.clear();
  }
}

/** What is expected of what the merchant's script saves, which is not played where a world is served; else null. */
function scripted(expected: unknown): Judgement | null {
  const [reference] = referencesIn(expected);
  if (reference === undefined) return null;
  const name = nameIn(reference);
  const detail = `\${${reference}}: nothing is saved as "${name}" here; the merchant's script plays in "payments-sandbox run" alone`;
  return { verdict: "pending", detail };
}

/** A scenario without expectations has nothing to pass. */
function statusOf(expectations: readonly { verdict: Verdict }[]): "running" | "passed" | "failed" {
  if (expectations.some(({ verdict }) => verdict === "fail")) return "failed";
  const all = expectations.length > 0 && expectations.every(({ verdict }) => verdict === "pass");
  return all ? "passed" : "running";
}

/** What sets off a rule. The instant or duration of `at` is told as `due`: `at` is where the rule stands. */
function triggerOf({ on, every, at: due, request, delivery }: CompiledRule["rule"]) {
  return { on, every, due, request, delivery };
}

function standing({ rule, scenario, index, key, at, since }: CompiledRule, struck: Struckable): StandingFault {
  const { [struck]: pattern = "", where, inject = {} } = rule;
  const origin = { scenario, ...named(rule.name) };
  return { pattern, where, filters: rule, inject, since, at, origin, key, scenario, index };
}

function compile({ content, loaded_at: since }: StoredAndLoaded): CompiledRule[] {
  const rules = compiled.get(content) ?? compileRules(content);
  compiled.set(content, rules);
  return rules.map((rule) => ({ ...rule, since }));
}

/** What the worlds of a process have in common: most have the same few scenarios. */
const compiled = new WeakMap<LoadedScenario, readonly Omit<CompiledRule, "since">[]>();

function compileRules({ content, ruleAt, stepAt }: LoadedScenario): Omit<CompiledRule, "since">[] {
  return content.rules.map((rule, index) => {
    const steps = (rule.then ?? []).map((step, number) => ({ at: stepAt(index, number), step: plainStep(step) }));
    const key = `chance ${content.scenario}/${index}`;
    return { scenario: content.scenario, index, key, at: ruleAt(index), rule, steps };
  });
}

/** A transfer has two accounts: a rule is about the one that its event went to. */
function sideOf({ subject, fields }: Occurrence): Pick<StepPayload, "username"> {
  return subject.type === "transfer" && typeof fields.username === "string" ? { username: fields.username } : {};
}

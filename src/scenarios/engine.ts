import type { StoredScenario } from "../store/scenarios.ts";
import type { Timer } from "../store/timers.ts";
import type { DeliveryFault, RequestFault, StrikableRequest, StrikableWebhook, Struck } from "../world/interception.ts";
import type { Occurrence, Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { type CompiledRule, compiledRules, type StoredAndLoaded } from "./compiled-rules.ts";
import { globOf, matches } from "./conditions.ts";
import { Circles } from "./cycles.ts";
import { describedRules, describedScenario } from "./described-scenarios.ts";
import { faultsByHand } from "./faults-by-hand.ts";
import { countMatch } from "./filters.ts";
import type { Struckable } from "./injections.ts";
import { keptScenario } from "./loader.ts";
import type { Problem } from "./problems.ts";
import { RuleIndex } from "./rule-index.ts";
import { named, type StandingFault, strikeDelivery, strikeRequest } from "./standing-faults.ts";
import { type StepPayload, scheduleStep } from "./steps.ts";
import { firingOf, removeTicks, scheduleTicks, tick, tickSubject } from "./ticks.ts";

/** The scenario whose rules react to values that a merchant chooses; calls that set them off get a hint. */
const MAGIC_VALUES = "magic-values";

/** A scenario file as it comes. */
interface Source {
  readonly file: string;
  readonly text: string;
}

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
  readonly #problems = new Map<string, readonly Problem[]>();
  readonly #circles = new Circles();
  #loaded: readonly StoredAndLoaded[] = [];
  /** In order of precedence: the last loaded scenario first, and its rules from the top. */
  #rules: readonly CompiledRule[] = [];
  #bySubject: ReadonlyMap<string, CompiledRule> = new Map();
  /** Rules by kind of occurrence, and by call or webhook that they strike; made on first use. */
  readonly #indexes = new Map<string, RuleIndex<CompiledRule>>();

  constructor(world: World) {
    this.#world = world;
    this.#refresh();
  }

  /**
   * Loads a scenario as the last one, in place of the one of the same name, and right before it those of the scenarios
   * beneath it that are not loaded yet.
   * @param inPlace whether it is a file: it takes the place of the scenario of its name, or else, if it was loaded
   * before under another name, keeps its own; what it newly names under `with` comes before that, and before what is
   * named after it.
   * @returns its name, and whether it replaced one of that name.
   * @throws {ScenarioError}
   */
  put(operation: Operation, top: Source, beneath: readonly Source[], inPlace: boolean) {
    const { scenario: name, with: others } = keptScenario(top.text, top.file).content;
    const ofFile = inPlace ? this.#formerOf(top.file, name) : undefined;
    const former = inPlace ? (this.#find(name) ?? ofFile) : undefined;
    if (ofFile && ofFile.name !== name) this.remove(operation, ofFile.name);
    // Unless `with` changed, one of them that was loaded again since, and so came to lie above, stays there.
    const isArranged = String(former?.content.content.with) !== String(others);
    let position = former?.position ?? (this.#loaded.at(-1)?.position ?? 0) + 1;
    for (const [index, source] of beneath.entries()) {
      const above = beneath.slice(index + 1).map((other) => this.#positionOf(other) ?? position);
      if (this.#lay(operation, source, Math.min(position, ...above), isArranged)) position += 1;
    }
    return this.#load(operation, top, position);
  }

  /** Where the scenario of a source is loaded; undefined if it is not. */
  #positionOf({ text, file }: Source): number | undefined {
    return this.#find(keptScenario(text, file).content.scenario)?.position;
  }

  /** What was loaded of a file; files in several folders may have the same name, and then it may be unknown. */
  #formerOf(file: string, name: string): StoredAndLoaded | undefined {
    const ofFile = this.#loaded.filter((stored) => stored.file === file);
    return ofFile.find((stored) => stored.name === name) ?? (ofFile.length === 1 ? ofFile[0] : undefined);
  }

  /**
   * Loads a scenario at a position, unless it is loaded.
   * @param isArranged whether one that is loaded after the position is moved there.
   * @returns whether it took the position.
   */
  #lay(operation: Operation, source: Source, position: number, isArranged: boolean): boolean {
    const there = this.#find(keptScenario(source.text, source.file).content.scenario);
    if (!there) this.#load(operation, source, position);
    else if (isArranged && there.position > position) this.#move(operation, there.name, position);
    else return false;
    return true;
  }

  #move(operation: Operation, name: string, position: number): void {
    operation.world.scenarios.move(name, position);
    this.#refresh();
  }

  #load(operation: Operation, { text, file }: Source, position: number): { name: string; replaced: boolean } {
    const loaded = keptScenario(text, file);
    const name = loaded.content.scenario;
    const before = this.#find(name);
    if (before) removeTicks(operation, before.content);
    this.#problems.delete(file);
    const replaced = operation.world.scenarios.put({ name, file, source: text, loaded_at: operation.now }, position);
    const entry = operation.record("scenario.loaded", null, { scenario: name, file, replaced });
    this.#refresh();
    const rules = this.#rules.filter(({ scenario }) => scenario === name);
    scheduleTicks(operation.because(entry), rules);
    return { name, replaced };
  }

  /** Remembers the problems of a file whose last good version stays loaded, until a good one is loaded. */
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

  /** The loaded scenarios, in their order; removing one leaves the positions of the others. */
  get loaded(): readonly Pick<StoredScenario, "name" | "position">[] {
    return this.#loaded;
  }

  /** Names of the loaded scenarios. */
  get names(): string[] {
    return this.#loaded.map(({ name }) => name);
  }

  /** A scenario with its rules and the present verdicts on its expectations; undefined if it is not loaded. */
  describe(name: string) {
    const stored = this.#find(name);
    return stored && describedScenario(this.#world, stored, this.#problems.get(stored.file) ?? []);
  }

  /** The rules of a scenario, with how often each matched and fired; empty if it is not loaded. */
  rulesOf(name: string) {
    const stored = this.#find(name);
    return stored ? describedRules(this.#world, stored) : [];
  }

  #find(name: string): StoredAndLoaded | undefined {
    return this.#loaded.find((stored) => stored.name === name);
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
    const stored = this.#world.scenarios.all();
    this.#loaded = stored.map(({ source, ...row }) => ({ ...row, content: keptScenario(source, row.file) }));
    this.#rules = [...this.#loaded].reverse().flatMap(compiledRules);
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

/** The scenarios of a world as they lie one above another, and what a file that is loaded takes the place of. */
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { compiledRules, type StoredAndLoaded } from "./compiled-rules.ts";
import { keptScenario } from "./loader.ts";
import type { Problem } from "./problems.ts";
import { removeTicks, scheduleTicks } from "./ticks.ts";

/** A scenario file as it comes. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** The loaded scenarios of a world: each has a position, and those loaded later lie above. */
export class LaidScenarios {
  readonly #world: World;
  readonly #problems = new Map<string, readonly Problem[]>();
  #all: readonly StoredAndLoaded[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#read();
  }

  /** The loaded scenarios, from the lowest to the highest. */
  get all(): readonly StoredAndLoaded[] {
    return this.#all;
  }

  /** The loaded scenario of a name. */
  find(name: string): StoredAndLoaded | undefined {
    return this.#all.find((stored) => stored.name === name);
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
    const former = inPlace ? (this.find(name) ?? ofFile) : undefined;
    if (ofFile && ofFile.name !== name) this.remove(operation, ofFile.name);
    // Unless `with` changed, one of them that was loaded again since, and so came to lie above, stays there.
    const isArranged = String(former?.content.content.with) !== String(others);
    let position = former?.position ?? (this.#all.at(-1)?.position ?? 0) + 1;
    for (const [index, source] of beneath.entries()) {
      const above = beneath.slice(index + 1).map((other) => this.#positionOf(other) ?? position);
      if (this.#lay(operation, source, Math.min(position, ...above), isArranged)) position += 1;
    }
    return this.#load(operation, top, position);
  }

  /** Where the scenario of a source is loaded; undefined if it is not. */
  #positionOf({ text, file }: Source): number | undefined {
    return this.find(keptScenario(text, file).content.scenario)?.position;
  }

  /** What was loaded of a file; files in several folders may have the same name, and then it may be unknown. */
  #formerOf(file: string, name: string): StoredAndLoaded | undefined {
    const ofFile = this.#all.filter((stored) => stored.file === file);
    return ofFile.find((stored) => stored.name === name) ?? (ofFile.length === 1 ? ofFile[0] : undefined);
  }

  /**
   * Loads a scenario at a position, unless it is loaded.
   * @param isArranged whether one that is loaded after the position is moved there.
   * @returns whether it took the position.
   */
  #lay(operation: Operation, source: Source, position: number, isArranged: boolean): boolean {
    const there = this.find(keptScenario(source.text, source.file).content.scenario);
    if (!there) this.#load(operation, source, position);
    else if (isArranged && there.position > position) this.#move(operation, there.name, position);
    else return false;
    return true;
  }

  #move(operation: Operation, name: string, position: number): void {
    operation.world.scenarios.move(name, position);
    this.#read();
  }

  #load(operation: Operation, { text, file }: Source, position: number): { name: string; replaced: boolean } {
    const loaded = keptScenario(text, file);
    const name = loaded.content.scenario;
    const before = this.find(name);
    if (before) removeTicks(operation, before.content);
    this.#problems.delete(file);
    const replaced = operation.world.scenarios.put({ name, file, source: text, loaded_at: operation.now }, position);
    const entry = operation.record("scenario.loaded", null, { scenario: name, file, replaced });
    this.#read();
    scheduleTicks(operation.because(entry), compiledRules({ content: loaded, loaded_at: operation.now }));
    return { name, replaced };
  }

  /** Remembers the problems of a file whose last good version stays loaded, until a good one is loaded. */
  keepProblems(file: string, problems: readonly Problem[]): void {
    this.#problems.set(file, problems);
  }

  /** The problems of the last version of a file that was not loaded for them; none after a good one. */
  problemsOf(file: string): readonly Problem[] {
    return this.#problems.get(file) ?? [];
  }

  /** Takes a scenario out. @returns whether it was there. */
  remove(operation: Operation, name: string): boolean {
    const before = this.find(name);
    if (!before) return false;
    removeTicks(operation, before.content);
    operation.world.scenarios.remove(name);
    operation.record("scenario.removed", null, { scenario: name });
    this.#read();
    return true;
  }

  #read(): void {
    const stored = this.#world.scenarios.all();
    this.#all = stored.map(({ source, ...row }) => ({ ...row, content: keptScenario(source, row.file) }));
  }
}

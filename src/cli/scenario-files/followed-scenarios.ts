/** Follows the scenario files of the default world while it is served: each is reloaded when it changes. */
import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import { loadScenarioFile, reloadScenarioFile, removeScenario } from "../../control/loaded-scenarios.ts";
import { required } from "../../domain/required.ts";
import type { ScenarioSource } from "../../host/creation.ts";
import { isFolder } from "../../host/files.ts";
import type { LiveWorld } from "../../host/live-world.ts";
import { DEFAULT_WORLD } from "../../host/sandbox.ts";
import { type FoundScenario, readScenarioFile, scenarioFileName } from "../../host/scenario-texts.ts";
import { pathsBeneath, pathsNamed, withBeneath } from "../../host/scenarios-beneath.ts";
import { ScenarioSourceError } from "../../host/start-errors.ts";
import { type LoadedScenario, loadScenario } from "../../scenarios/loader.ts";
import { ScenarioError } from "../../scenarios/problems.ts";
import type { RunningServer } from "../../server.ts";
import { fullStore, isStorageFault } from "../../store/storage-fault.ts";
import { tell, tellFault } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { FollowedFiles } from "./followed-files.ts";
import { isMeantAsScenario, scenarioPaths } from "./scenario-paths.ts";

/**
 * Follows the files that the default world loads from this machine, and those that they name under `with`.
 * @param names files and folders.
 * @param isKept whether worlds are kept: then the files may have been edited since the last start, and are compared.
 */
export function followScenarios(server: RunningServer, names: readonly string[], isKept: boolean): void {
  const followed = pathsOf(names);
  if (isKept) for (const path of followed.filter((each) => isOther(server, each))) reloadAndTell(server, path);
  tellEmptyFolders(names);
  tellNamesakes(followed.flatMap(read));
  const follower = new Follower(server, names, isKept);
  server.sandbox.onReset((live, before) => {
    if (live.id === DEFAULT_WORLD) follower.takeUpAll(live, before);
  });
}

/** Applies changes of the files to the default world. */
class Follower {
  readonly #server: RunningServer;
  readonly #names: readonly string[];
  readonly #files: FollowedFiles;
  /** By file, the files that it names under `with`. */
  readonly #beneath = new Map<string, readonly string[]>();
  /** Files that exist, as far as is known. */
  readonly #there = new Set<string>();
  /** Files loaded since the start, in the order of loading. */
  readonly #takenUp = new Set<string>();
  /** Files that were not loaded as they are now, for a mistake of theirs or of a file that they name under `with`. */
  readonly #refused = new Set<string>();
  /** The last good version of each file, the scenarios beneath it first; of files of the start only if worlds are kept. */
  readonly #good = new Map<string, readonly ScenarioSource[]>();

  /** @param isKept whether the files may have other versions by now than a reset loads. */
  constructor(server: RunningServer, names: readonly string[], isKept: boolean) {
    this.#server = server;
    this.#names = names;
    const followed = pathsOf(names);
    for (const path of followed) {
      this.#beneath.set(resolve(path), pathsBeneath(path));
      this.#there.add(resolve(path));
      if (isKept) this.#keepGood(path);
    }
    this.#files = new FollowedFiles(
      orTellFault((path) => this.#takeUp(path)),
      tellUnfollowed,
    );
    this.#files.follow([...names, ...followed]);
  }

  /**
   * After a reset: loads the last good version of files that are broken or gone, or of which something beneath is, and
   * reloads files that differ from what is loaded, and those that since replaced a scenario of the same name.
   * @param before names of the scenarios that were loaded, in the order that what is loaded anew gets again: of a file
   * that is gone, one that was removed stays away.
   */
  takeUpAll(live: LiveWorld, before: readonly string[]): void {
    const isKept = (path: string, sources: readonly ScenarioSource[]) =>
      existsSync(path) ? this.#refused.has(path) || sourcesOf(path) === null : before.includes(nameOf(sources));
    const kept = new Map([...this.#good].filter(([path, sources]) => isKept(path, sources)));
    const tried = new Set<string>();
    for (const path of withThoseBeneath(this.#inOrder([...kept.keys(), ...givenOf(this.#names)], before))) {
      // A broken file that another one names is met twice.
      if (tried.has(resolve(path))) continue;
      const good = kept.get(resolve(path));
      if (good) loadScenarioFile(live, good);
      if (!existsSync(path) || !isEdited(this.#server, path)) continue;
      this.#reload(path);
      tried.add(resolve(path));
    }
    this.#removeGone(live, before);
    // Files that nothing names any more are left out, as at a start.
    const named = pathsOf(this.#names).map((path) => resolve(path));
    for (const path of this.#lastOfTheirNames().filter((each) => named.includes(each) && !tried.has(each))) {
      if (loadedFrom(this.#server, path).length === 0) this.#reload(path);
    }
  }

  /** Each file once, in the order in which their scenarios were loaded; what was not loaded comes last. */
  #inOrder(paths: readonly string[], before: readonly string[]): string[] {
    const each = new Map(paths.map((path) => [resolve(path), path]));
    const places = [...each].map(([key, path]) => {
      const sources = this.#good.get(key);
      const place = before.indexOf(sources ? nameOf(sources) : (read(path)[0]?.content.scenario ?? ""));
      return { path, place: place < 0 ? before.length : place };
    });
    return places.sort((one, other) => one.place - other.place).map(({ path }) => path);
  }

  /** Removes what the reset loaded anew although its file is gone and it was removed before. */
  #removeGone(live: LiveWorld, before: readonly string[]): void {
    const known = [...this.#beneath].flatMap(([path, others]) => [path, ...others]);
    const gone = known.map((path) => resolve(path)).filter((path) => !existsSync(path));
    // Files of one name in two folders are known by that name alone, and each of them gives what both have.
    const names = new Set(gone.flatMap((path) => loadedFrom(this.#server, path)).map(({ name }) => name));
    for (const name of names) if (!before.includes(name)) removeScenario(live, name);
  }

  /** For each scenario name, the file that was loaded last since the start. */
  #lastOfTheirNames(): string[] {
    const named = [...this.#takenUp].flatMap((path) =>
      read(path).map(({ content }) => [content.scenario, path] as const),
    );
    return [...new Map(named).values()];
  }

  /** Handles a file or a folder that has changed, has gone, or is back; files that were refused for it are tried again. */
  #takeUp(path: string): void {
    const above = [...this.#refused].filter((each) => pathsNamed(each).includes(path));
    if (!existsSync(path)) this.#takeOff(path);
    else if (!isFolder(path) && !(above.length > 0 && this.#isOnlyBeneath(path))) this.#load(path);
    for (const each of above) this.#load(each);
  }

  /** Whether a file is not loaded, and is to be loaded only with one that names it under `with`. */
  #isOnlyBeneath(path: string): boolean {
    return loadedFrom(this.#server, path).length === 0 && !givenOf(this.#names).some((each) => resolve(each) === path);
  }

  /** Handles a path that is gone; a folder that was moved away is reported alone, without the files in it. */
  #takeOff(path: string): void {
    const gone = [...this.#there].filter((file) => file === path || file.startsWith(path + sep));
    for (const file of gone) if (this.#there.delete(file)) tellStaying(this.#server, file, `${file} is gone`);
  }

  #load(path: string): void {
    this.#there.add(path);
    this.#giveBack(path);
    this.#reload(path);
    this.#takenUp.delete(path);
    if (loadedFrom(this.#server, path).length > 0) this.#takenUp.add(path);
    if (read(path).length > 0) this.#followBeneath(path);
  }

  /** Has the file from which a copy took its place loaded there again, before the copy is loaded under its own name. */
  #giveBack(path: string): void {
    const [former, another] = loadedFrom(this.#server, path);
    const sources = sourcesOf(path);
    // Files in several folders may have the same name: then it is unknown which one was loaded.
    if (!former || another || !sources || nameOf(sources) === former.name) return;
    const isBereft = (each: string) => read(each).some(({ content }) => content.scenario === former.name);
    for (const each of pathsOf(this.#names).filter(isBereft)) this.#reload(each);
  }

  #reload(path: string): void {
    const isFine = reloadAndTell(this.#server, path);
    if (!isFine) this.#refused.add(resolve(path));
    else this.#refused.delete(resolve(path));
    if (isFine) this.#keepGood(path);
  }

  #keepGood(path: string): void {
    const sources = loadedFrom(this.#server, path).length > 0 ? sourcesOf(path) : null;
    if (sources) this.#good.set(resolve(path), sources);
  }

  #followBeneath(path: string): void {
    const others = pathsBeneath(path);
    const named = [...others, ...pathsOf(this.#names)].map((each) => resolve(each));
    const former = this.#beneath.get(resolve(path)) ?? [];
    for (const other of former.filter((each) => !named.includes(resolve(each)))) {
      tellStaying(this.#server, other, `${path} does not name ${other} any more`);
      this.#good.delete(resolve(other));
    }
    this.#beneath.set(resolve(path), others);
    for (const other of others) this.#there.add(resolve(other));
    this.#files.follow(pathsNamed(path).filter((each) => !isFolder(each)));
  }
}

/** Whether a file differs from what the world loaded of it; not if another file has taken its scenario's place. */
function isEdited(server: RunningServer, path: string): boolean {
  if (loadedFrom(server, path).length > 0) return isOther(server, path);
  const [scenario] = read(path);
  return isMeantAsScenario(path) && !loadedIn(server).some(({ name }) => name === scenario?.content.scenario);
}

/** Reports folders without scenarios: one may be filled later, or its name may be a slip. */
function tellEmptyFolders(names: readonly string[]): void {
  const empty = names.filter((name) => existsSync(name) && scenarioPaths(name).length === 0);
  for (const name of empty) tell(`there is no scenario file in the folder "${name}" yet; one that comes is loaded`);
}

function tellUnfollowed(reason: string): void {
  tell(`scenario files are not all followed, so start again when they have changed: ${reason}`);
}

/** Reports that a scenario stays loaded when its file goes away: somebody may be testing with it. */
function tellStaying(server: RunningServer, path: string, why: string): void {
  for (const { name } of loadedFrom(server, path)) {
    tell(`${why}; its scenario "${name}" stays loaded until DELETE /_sandbox/scenarios/${name}`);
  }
}

/** Reports scenarios of the same name, of which the last replaces the others. */
function tellNamesakes(scenarios: readonly LoadedScenario[]): void {
  const before = new Map<string, string>();
  for (const { file, content } of scenarios) {
    const { scenario: name } = content;
    const other = before.get(name);
    if (other !== undefined && other !== file) tell(`${file} ${placeWords(other, name)}`);
    before.set(name, file);
  }
}

function placeWords(file: string, name: string): string {
  return `was loaded in place of ${file}, whose scenario is called "${name}" too`;
}

/** The paths of all scenario files that still exist, with those that they name under `with`. */
function pathsOf(names: readonly string[]): string[] {
  return withThoseBeneath(givenOf(names));
}

/** The paths of the scenario files that the given files and folders stand for, as far as they still exist. */
function givenOf(names: readonly string[]): string[] {
  return names.filter((name) => existsSync(name)).flatMap(scenarioPaths);
}

function withThoseBeneath(paths: readonly string[]): string[] {
  return paths.flatMap((path) => [path, ...pathsBeneath(path)]);
}

/** The name of the last of the scenarios, beneath which the others lie. */
function nameOf(sources: readonly ScenarioSource[]): string {
  const { text, file } = required(sources.at(-1), "A scenario");
  return loadScenario(text, file).content.scenario;
}

/** The scenario that a file contains now; empty if it is broken or gone. */
function read(path: string): LoadedScenario[] {
  const source = sourceAt(path);
  try {
    return source === null ? [] : [loadScenario(source.text, source.file)];
  } catch (error) {
    if (error instanceof ScenarioError) return [];
    throw error;
  }
}

/** A file and what it names under `with`; null if something of it is broken. */
function sourcesOf(path: string): readonly ScenarioSource[] | null {
  try {
    const source = sourceAt(path);
    return source && withBeneath([source]);
  } catch (error) {
    if (error instanceof ScenarioError) return null;
    throw error;
  }
}

/** Null if the file cannot be read. */
function sourceAt(path: string): FoundScenario | null {
  try {
    return readScenarioFile(path);
  } catch (error) {
    if (error instanceof ScenarioSourceError) return null;
    throw error;
  }
}

function loadedIn({ sandbox }: RunningServer) {
  return sandbox.get(DEFAULT_WORLD)?.world.scenarios.all() ?? [];
}

function loadedFrom(server: RunningServer, path: string) {
  const file = scenarioFileName(path);
  return loadedIn(server).filter((each) => each.file === file);
}

/** Whether a file differs from what the world loaded of it; one that cannot be read does. */
function isOther(server: RunningServer, path: string): boolean {
  const text = sourceAt(path)?.text;
  return loadedFrom(server, path).some(({ source }) => source !== text);
}

/**
 * Reloads an edited scenario; a broken one is reported, and its former version stays.
 * @returns whether the file has no problem.
 */
function reloadAndTell(server: RunningServer, path: string): boolean {
  const live = server.sandbox.get(DEFAULT_WORLD);
  const isThere = loadedFrom(server, path).length > 0;
  // A followed folder may contain files of other kinds.
  if (!live || !(isThere || isMeantAsScenario(path))) return true;
  const name = read(path)[0]?.content.scenario;
  const other = loadedIn(server).find((each) => each.name === name && each.file !== scenarioFileName(path));
  const problem = reloaded(live, path);
  if (problem === null)
    tell(`${path} ${other ? placeWords(other.file, other.name) : `was loaded${isThere ? " again" : ""}`}`);
  else tell(problem + (isThere ? " (the version before it goes on)" : ""));
  return problem === null;
}

/** What is wrong with a file that changed; null if it was reloaded. */
function reloaded(live: LiveWorld, path: string): string | null {
  try {
    return reloadScenarioFile(live, readScenarioFile(path));
  } catch (error) {
    if (error instanceof ScenarioSourceError) return error.message;
    if (!isStorageFault(error)) throw error;
    const { what, until } = fullStore(error);
    return `${path} was not loaded, as ${what}; save it again when ${until}`;
  }
}

/** Reports a fault on stderr, and goes on: no caller waits for an answer here. */
function orTellFault(work: (path: string) => void): (path: string) => void {
  return (path) => {
    try {
      work(path);
    } catch (error) {
      if (error instanceof UsageError) tellUnfollowed(error.message);
      else tellFault(error);
    }
  };
}

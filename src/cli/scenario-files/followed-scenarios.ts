/** Follows the scenario files of the default world while it is served: each is reloaded when it changes. */
import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import { loadScenarioFile, removeScenario } from "../../control/loaded-scenarios.ts";
import type { ScenarioSource } from "../../host/creation.ts";
import { isFolder } from "../../host/files.ts";
import type { LiveWorld } from "../../host/live-world.ts";
import { DEFAULT_WORLD } from "../../host/sandbox.ts";
import { pathsBeneath, pathsNamed } from "../../host/scenarios-beneath.ts";
import type { LoadedScenario } from "../../scenarios/loader.ts";
import type { RunningServer } from "../../server.ts";
import { tell, tellFault } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { FollowedFiles } from "./followed-files.ts";
import { isEdited, isOther, loadedFrom, placeWords, reloadAndTell, tellStaying } from "./loaded-files.ts";
import { givenOf, nameOf, pathsOf, readScenario, sourcesOf, withThoseBeneath } from "./read-scenarios.ts";
import { scenarioPaths } from "./scenario-paths.ts";

/**
 * Follows the files that the default world loads from this machine, and those that they name under `with`.
 * @param names files and folders.
 * @param isKept whether worlds are kept: then the files may have been edited since the last start, and are compared.
 */
export function followScenarios(server: RunningServer, names: readonly string[], isKept: boolean): void {
  const followed = pathsOf(names);
  if (isKept) for (const path of followed.filter((each) => isOther(server, each))) reloadAndTell(server, path);
  tellEmptyFolders(names);
  tellNamesakes(followed.flatMap(readScenario));
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
      const place = before.indexOf(sources ? nameOf(sources) : (readScenario(path)[0]?.content.scenario ?? ""));
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
      readScenario(path).map(({ content }) => [content.scenario, path] as const),
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
    if (readScenario(path).length > 0) this.#followBeneath(path);
  }

  /** Has the file from which a copy took its place loaded there again, before the copy is loaded under its own name. */
  #giveBack(path: string): void {
    const [former, another] = loadedFrom(this.#server, path);
    const sources = sourcesOf(path);
    // Files in several folders may have the same name: then it is unknown which one was loaded.
    if (!former || another || !sources || nameOf(sources) === former.name) return;
    const isBereft = (each: string) => readScenario(each).some(({ content }) => content.scenario === former.name);
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

/** Reports folders without scenarios: one may be filled later, or its name may be a slip. */
function tellEmptyFolders(names: readonly string[]): void {
  const empty = names.filter((name) => existsSync(name) && scenarioPaths(name).length === 0);
  for (const name of empty) tell(`there is no scenario file in the folder "${name}" yet; one that comes is loaded`);
}

function tellUnfollowed(reason: string): void {
  tell(`scenario files are not all followed, so start again when they have changed: ${reason}`);
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

/** The scenario files of the default world while it is served: each is loaded again when it changes. */
import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";
import { reloadFile } from "../control/followed-file.ts";
import { visible } from "../domain/visible.ts";
import { isFolder } from "../host/files.ts";
import { FollowedFiles } from "../host/followed-files.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { DEFAULT_WORLD } from "../host/sandbox.ts";
import { type FoundScenario, pathsBeneath, readScenarioFile, scenarioFileName } from "../host/scenario-sources.ts";
import { ScenarioSourceError } from "../host/start-errors.ts";
import { type LoadedScenario, loadScenario, ScenarioError } from "../scenarios/loader.ts";
import type { RunningServer } from "../server.ts";
import { faultLine, fullStore, isStorageFault } from "../store/storage-fault.ts";
import { isMeantAsScenario, scenarioPaths } from "./scenario-paths.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Begins to follow what the default world has from this machine, and what lies beneath that.
 * @param names files and folders, of the last start where the world was kept: they may have been edited meanwhile.
 */
export function followScenarios(server: RunningServer, names: readonly string[], isKept: boolean): void {
  const followed = pathsOf(names);
  if (isKept) for (const path of followed.filter((each) => isOther(server, each))) reloadAndTell(server, path);
  tellEmptyFolders(names);
  tellNamesakes(followed.flatMap(read));
  const follower = new Follower(server, names);
  server.sandbox.onReset(({ id }) => {
    if (id === DEFAULT_WORLD) follower.takeUpAll();
  });
}

/** Takes up what becomes of the files. */
class Follower {
  readonly #server: RunningServer;
  readonly #names: readonly string[];
  readonly #files: FollowedFiles;
  /** By file those that it names beneath it. */
  readonly #beneath = new Map<string, readonly string[]>();
  /** Files that are there, as far as is known. */
  readonly #there = new Set<string>();
  /** Files that were loaded since the start, the last one last. */
  readonly #takenUp = new Set<string>();

  constructor(server: RunningServer, names: readonly string[]) {
    this.#server = server;
    this.#names = names;
    const followed = pathsOf(names);
    for (const path of followed) {
      this.#beneath.set(resolve(path), pathsBeneath(path));
      this.#there.add(resolve(path));
    }
    this.#files = new FollowedFiles(
      orTellFault((path) => this.#takeUp(path)),
      tellUnfollowed,
    );
    this.#files.follow([...names, ...followed]);
  }

  /** Loads what is other than it is in a world that was reset, and what took the place of a namesake of the start. */
  takeUpAll(): void {
    const followed = pathsOf(this.#names);
    const edited = followed.filter((path) => isEdited(this.#server, path));
    for (const path of edited) reloadAndTell(this.#server, path);
    const tried = edited.map((path) => resolve(path));
    // What nothing names any more is left out, as a start leaves it out.
    const named = followed.map((path) => resolve(path));
    for (const path of this.#lastOfTheirNames().filter((each) => named.includes(each) && !tried.includes(each))) {
      if (loadedFrom(this.#server, path).length === 0) reloadAndTell(this.#server, path);
    }
  }

  /** Of what was taken up, one file for each name of a scenario. */
  #lastOfTheirNames(): string[] {
    const named = [...this.#takenUp].flatMap((path) =>
      read(path).map(({ content }) => [content.scenario, path] as const),
    );
    return [...new Map(named).values()];
  }

  /** A file or a folder has changed, has gone, or is back. */
  #takeUp(path: string): void {
    if (!existsSync(path)) this.#takeOff(path);
    else if (!isFolder(path)) this.#load(path);
  }

  /** A folder that was moved away tells nothing of the files in it. */
  #takeOff(path: string): void {
    const gone = [...this.#there].filter((file) => file === path || file.startsWith(path + sep));
    for (const file of gone) if (this.#there.delete(file)) tellStaying(this.#server, file, `${file} is gone`);
  }

  #load(path: string): void {
    this.#there.add(path);
    const before = loadedIn(this.#server);
    reloadAndTell(this.#server, path);
    this.#takenUp.delete(path);
    if (loadedFrom(this.#server, path).length > 0) this.#takenUp.add(path);
    this.#reloadBereft(before.map(({ name }) => name));
    if (read(path).length > 0) this.#followBeneath(path);
  }

  /** A copy took the name of the file that it was made of, until it was given one of its own. */
  #reloadBereft(before: readonly string[]): void {
    const after = loadedIn(this.#server).map(({ name }) => name);
    const gone = before.filter((name) => !after.includes(name));
    if (gone.length === 0) return;
    const isBereft = (path: string) => read(path).some(({ content }) => gone.includes(content.scenario));
    for (const path of pathsOf(this.#names).filter(isBereft)) reloadAndTell(this.#server, path);
  }

  #followBeneath(path: string): void {
    const others = pathsBeneath(path);
    const named = [...others, ...pathsOf(this.#names)].map((each) => resolve(each));
    const former = this.#beneath.get(resolve(path)) ?? [];
    for (const other of former.filter((each) => !named.includes(resolve(each)))) {
      tellStaying(this.#server, other, `${path} does not name ${other} any more`);
    }
    this.#beneath.set(resolve(path), others);
    this.#files.follow(others);
  }
}

/** Whether a file is not what the world has of it; one that another has taken the place of is none of it. */
function isEdited(server: RunningServer, path: string): boolean {
  if (loadedFrom(server, path).length > 0) return isOther(server, path);
  const [scenario] = read(path);
  return isMeantAsScenario(path) && !loadedIn(server).some(({ name }) => name === scenario?.content.scenario);
}

/** A folder may be filled later; until then its name may be a slip. */
function tellEmptyFolders(names: readonly string[]): void {
  const empty = names.filter((name) => existsSync(name) && scenarioPaths(name).length === 0);
  for (const name of empty) tell(`there is no scenario file in the folder "${name}" yet; one that comes is loaded`);
}

function tellUnfollowed(reason: string): void {
  tell(`scenario files are not all followed, so start again when they have changed: ${reason}`);
}

/** What goes away while it is moved about is not taken from a world that somebody may be testing with. */
function tellStaying(server: RunningServer, path: string, why: string): void {
  for (const { name } of loadedFrom(server, path)) {
    tell(`${why}; its scenario "${name}" stays loaded until DELETE /_sandbox/scenarios/${name}`);
  }
}

/** Of scenarios of one name the last takes the place of the others. */
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

/** Paths of what is still there. */
function pathsOf(names: readonly string[]): string[] {
  const there = names.filter((name) => existsSync(name));
  return there.flatMap(scenarioPaths).flatMap((path) => [path, ...pathsBeneath(path)]);
}

/** A scenario file as it is now; none where it is broken or gone. */
function read(path: string): LoadedScenario[] {
  const source = sourceAt(path);
  try {
    return source === null ? [] : [loadScenario(source.text, source.file)];
  } catch (error) {
    if (error instanceof ScenarioError) return [];
    throw error;
  }
}

/** Null where the file cannot be read. */
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

/** Whether a file is other than the world has loaded it; one that cannot be read is. */
function isOther(server: RunningServer, path: string): boolean {
  const text = sourceAt(path)?.text;
  return loadedFrom(server, path).some(({ source }) => source !== text);
}

/** A scenario that was edited is loaded again; a broken edit is told, and keeps what was there. */
function reloadAndTell(server: RunningServer, path: string): void {
  const live = server.sandbox.get(DEFAULT_WORLD);
  const isThere = loadedFrom(server, path).length > 0;
  // In a followed folder there may be files of other kinds.
  if (!live || !(isThere || isMeantAsScenario(path))) return;
  const name = read(path)[0]?.content.scenario;
  const other = loadedIn(server).find((each) => each.name === name && each.file !== scenarioFileName(path));
  const problem = reloaded(live, path);
  if (problem === null)
    tell(`${path} ${other ? placeWords(other.file, other.name) : `was loaded${isThere ? " again" : ""}`}`);
  else tell(problem + (isThere ? " (the version before it goes on)" : ""));
}

/** What is wrong with a file that changed; null where it was loaded again. */
function reloaded(live: LiveWorld, path: string): string | null {
  try {
    return reloadFile(live, readScenarioFile(path));
  } catch (error) {
    if (error instanceof ScenarioSourceError) return error.message;
    if (!isStorageFault(error)) throw error;
    const { what, until } = fullStore(error);
    return `${path} was not loaded, as ${what}; save it again when ${until}`;
  }
}

/** Files change while nobody waits for an answer: a fault is told, and the sandbox goes on. */
function orTellFault(work: (path: string) => void): (path: string) => void {
  return (path) => {
    try {
      work(path);
    } catch (error) {
      if (error instanceof UsageError) tellUnfollowed(error.message);
      else process.stderr.write(faultLine(error));
    }
  };
}

function tell(words: string): void {
  process.stderr.write(`payments-sandbox: ${visible(words)}\n`);
}

/** What the default world has loaded of scenario files, and how it loads one again. */
import { reloadScenarioFile } from "../../control/loaded-scenarios.ts";
import { keptSpec, type ScenarioSource } from "../../host/creation.ts";
import type { LiveWorld } from "../../host/live-world.ts";
import { DEFAULT_WORLD } from "../../host/sandbox.ts";
import { readScenarioFile, scenarioFileName } from "../../host/scenario-texts.ts";
import { ScenarioSourceError } from "../../host/start-errors.ts";
import { unusedWishes } from "../../host/unused-options.ts";
import type { RunningServer } from "../../server.ts";
import { isStorageFault, storageFaultOf } from "../../store/storage-fault.ts";
import { tell } from "../terminal.ts";
import { readScenario, sourceAt } from "./read-scenarios.ts";
import { isMeantAsScenario } from "./scenario-paths.ts";

/** Whether a file differs from what the world loaded of it; not if another file has taken its scenario's place. */
export function isEdited(server: RunningServer, path: string): boolean {
  if (loadedFrom(server, path).length > 0) return isOther(server, path);
  const [scenario] = readScenario(path);
  return isMeantAsScenario(path) && !loadedIn(server).some(({ name }) => name === scenario?.content.scenario);
}

/** Reports that a scenario stays loaded when its file goes away: somebody may be testing with it. */
export function tellStaying(server: RunningServer, path: string, why: string): void {
  for (const { name } of loadedFrom(server, path)) {
    tell(`${why}; its scenario "${name}" stays loaded until DELETE /_sandbox/scenarios/${name}`);
  }
}

/** What to say of a file whose scenario replaces that of another. */
export function placeWords(file: string, name: string): string {
  return `was loaded in place of ${file}, whose scenario is called "${name}" too`;
}

function loadedIn({ sandbox }: RunningServer) {
  return sandbox.get(DEFAULT_WORLD)?.world.scenarios.all() ?? [];
}

/** The scenarios that were loaded from a file; several files of one name count as one. */
export function loadedFrom(server: RunningServer, path: string) {
  const file = scenarioFileName(path);
  return loadedIn(server).filter((each) => each.file === file);
}

/** Whether a file differs from what the world loaded of it; one that cannot be read does. */
export function isOther(server: RunningServer, path: string): boolean {
  const text = sourceAt(path)?.text;
  return loadedFrom(server, path).some(({ source }) => source !== text);
}

/**
 * Reloads an edited scenario; a broken one is reported, and its former version stays.
 * @returns whether the file has no problem.
 */
export function reloadAndTell(server: RunningServer, path: string): boolean {
  const live = server.sandbox.get(DEFAULT_WORLD);
  const before = loadedFrom(server, path);
  const isThere = before.length > 0;
  // A followed folder may contain files of other kinds.
  if (!live || !(isThere || isMeantAsScenario(path))) return true;
  const name = readScenario(path)[0]?.content.scenario;
  const other = loadedIn(server).find((each) => each.name === name && each.file !== scenarioFileName(path));
  const problem = reloaded(live, path);
  if (problem === null) {
    const how = other ? placeWords(other.file, other.name) : `was loaded${isThere ? " again" : ""}`;
    tell(`${path} ${how}${wordsOf(unusedEdits(live, loadedFrom(server, path).map(sourceIn), before.map(sourceIn)))}`);
  } else tell(problem + (isThere ? " (the version before it goes on)" : ""));
  return problem === null;
}

/** What was edited in a file to no effect: it is told with the edit, and not again at each start. */
function unusedEdits(live: LiveWorld, now: readonly ScenarioSource[], before: readonly ScenarioSource[]): string[] {
  const made = keptSpec(live.world)?.scenarios ?? [];
  return now.flatMap((each) => {
    const edited = unusedWishes(each, before);
    return unusedWishes(each, made).filter((wish) => edited.includes(wish));
  });
}

const sourceIn = ({ file, source }: ReturnType<typeof loadedFrom>[number]) => ({ file, text: source });

function wordsOf(unused: readonly string[]): string {
  return unused.length === 0
    ? ""
    : `, but its ${unused.join(", ")} made no difference: only a fresh world goes by that`;
}

/** What is wrong with a file that changed; null if it was reloaded. */
function reloaded(live: LiveWorld, path: string): string | null {
  try {
    return reloadScenarioFile(live, readScenarioFile(path));
  } catch (error) {
    if (error instanceof ScenarioSourceError) return error.message;
    if (!isStorageFault(error)) throw error;
    const { what, until } = storageFaultOf(error);
    return `${path} was not loaded, as ${what}; save it again when ${until}`;
  }
}

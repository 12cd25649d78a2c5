/**
 * Loads and removes scenarios of a world. What the process does by itself, as when a file has changed, is journaled as
 * the call that asks for the same, so that a replay repeats it.
 */
import { required } from "../domain/required.ts";
import type { ScenarioSource } from "../host/creation.ts";
import type { LiveWorld } from "../host/live-world.ts";
import type { FoundScenario } from "../host/scenario-texts.ts";
import { withBeneath } from "../host/scenarios-beneath.ts";
import { ScenarioError } from "../scenarios/problems.ts";
import { command } from "./call.ts";
import { noScenario } from "./missing-name.ts";

type Call = Parameters<typeof command>[0];

/** Loads the last of the scenarios, beneath which the others lie, in one operation. */
export function loadScenarios(call: Call, sources: readonly ScenarioSource[]) {
  const { live, file } = call;
  const top = required(sources.at(-1), "A scenario");
  const beneath = sources.slice(0, -1);
  return command(call, null, (operation) => live.scenarios.put(operation, top, beneath, file !== null), sources);
}

/** Loads a file of this machine, the last source, under its own file name. */
export function loadScenarioFile(live: LiveWorld, sources: readonly ScenarioSource[]): void {
  loadScenarios({ live, method: "POST", path: "/scenarios", body: {}, file: sources.at(-1)?.file ?? null }, sources);
}

/**
 * Reloads a changed file. A broken edit keeps the last good version.
 * @returns what is wrong, one sentence with its place, or null.
 */
export function reloadScenarioFile(live: LiveWorld, source: FoundScenario): string | null {
  try {
    loadScenarioFile(live, withBeneath([source]));
    return null;
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    live.scenarios.keepProblems(source.file, error.problems);
    return error.message;
  }
}

/** Takes a scenario out. @throws {ControlError} 404 if the world has none of that name. */
export function removeScenario(
  live: LiveWorld,
  name: string,
  call: Call = { live, method: "DELETE", path: `/scenarios/${name}`, body: {}, file: null },
): void {
  command(call, null, (operation) => {
    if (!live.scenarios.remove(operation, name)) throw noScenario(live, name);
  });
}

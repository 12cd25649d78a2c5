/** Reloads a scenario file that changed while its world is served. */
import type { LiveWorld } from "../host/live-world.ts";
import { type FoundScenario, withBeneath } from "../host/scenario-sources.ts";
import { ScenarioError } from "../scenarios/loader.ts";
import { loadScenarioFile } from "./scenario-routes.ts";

/**
 * Reloads a changed file. A broken edit keeps the last good version.
 * @returns what is wrong, one sentence with its place, or null.
 */
export function reloadFile(live: LiveWorld, source: FoundScenario): string | null {
  try {
    loadScenarioFile(live, withBeneath([source]));
    return null;
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    live.scenarios.keepProblems(source.file, error.problems);
    return error.message;
  }
}

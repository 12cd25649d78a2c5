/** The scenarios of a world: loading, reading, replacing and removing them. */
import { z } from "zod";
import { nearName } from "../domain/words/near-name.ts";
import type { ScenarioSource } from "../host/creation.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { documentText, fileText, shipped, withBeneath } from "../host/scenario-sources.ts";
import { isObject } from "../scenarios/findings.ts";
import { loadScenario } from "../scenarios/loader.ts";
import { scenarioSchema } from "../scenarios/schema.ts";
import { type ControlCall, type ControlRoute, command, inputOf, nothing, pageOf, pageQuery, Reply } from "./call.ts";
import { noScenario } from "./missing-name.ts";

const named = z.strictObject({ name: z.string({ error: "must be the name of a shipped scenario" }) });

/** TABLE: calls of scenarios (interface, section 4). */
export const scenarioRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/scenarios",
    operationId: "listScenarios",
    query: pageQuery,
    answer: "ScenarioPage",
    handle: (call) => {
      const { scenarios } = call.live;
      return pageOf(
        call,
        scenarios.loaded,
        ({ name }) => scenarios.describe(name),
        ({ position }) => position,
      );
    },
  },
  {
    method: "POST",
    path: "/scenarios",
    operationId: "loadScenario",
    body: "scenario",
    answer: "Scenario",
    statuses: [200, 201],
    handle: load,
  },
  {
    method: "GET",
    path: "/scenarios/:name",
    operationId: "getScenario",
    answer: "Scenario",
    handle: (call) => describe(call, call.params.name ?? ""),
  },
  {
    method: "DELETE",
    path: "/scenarios/:name",
    operationId: "removeScenario",
    answer: null,
    handle: (call) => {
      inputOf(call, nothing);
      const name = call.params.name ?? "";
      command(call, null, (operation) => {
        if (!call.live.scenarios.remove(operation, name)) throw noScenario(call.live, name);
      });
      return new Reply(204, null);
    },
  },
];

function load(call: ControlCall): Reply {
  const sources = call.again?.sources ?? withBeneath([sourceOf(call)]);
  const { name, replaced } = put(call, sources);
  return new Reply(replaced ? 200 : 201, describe(call, name));
}

/** Loads a file of this machine, the last source, as if it had been posted, under its own file name. */
export function loadScenarioFile(live: LiveWorld, sources: readonly ScenarioSource[]): void {
  put({ live, method: "POST", path: "/scenarios", body: {}, file: sources.at(-1)?.file ?? null }, sources);
}

/** Takes a scenario out, as if a call had asked for it. */
export function removeScenario(live: LiveWorld, name: string): void {
  const call = { live, method: "DELETE", path: `/scenarios/${name}`, body: {}, file: null };
  command(call, null, (operation) => live.scenarios.remove(operation, name));
}

/** Loads the last of the scenarios, beneath which the others lie, in one operation. */
function put(call: Parameters<typeof command>[0], sources: readonly ScenarioSource[]) {
  const { live, file } = call;
  const top = sources.at(-1);
  if (!top) throw new Error("A scenario came to nothing.");
  const beneath = sources.slice(0, -1);
  return command(call, null, (operation) => live.scenarios.put(operation, top, beneath, file !== null), sources);
}

function sourceOf(call: ControlCall): ScenarioSource {
  const { body, document } = call;
  if (document?.format === "yaml") return posted(call, document.text, "yaml");
  // JSON that could not be read: the loader says where.
  if (body === null && document) return posted(call, fileText(document.text), "json");
  if (isByName(body)) return shipped(inputOf(call, named).name);
  if (document === null) return posted(call, documentText(body), "json");
  const source = posted(call, fileText(document.text), "json");
  // Rules are identified by their lines: if several share one, the document is written anew with a line for each.
  return hasLinesOfTheirOwn(source) ? source : { ...source, text: documentText(body) };
}

/** A body without any key of a scenario, or one near it, is taken for the name of a shipped one. */
function isByName(body: unknown): boolean {
  const keys = isObject(body) ? Object.keys(body) : [];
  const known = Object.keys(scenarioSchema().shape);
  if (keys.length === 0 || keys.some((key) => known.includes(key))) return false;
  return keys.includes("name") || keys.every((key) => nearName(key, known) === null);
}

function hasLinesOfTheirOwn({ text, file }: ScenarioSource): boolean {
  const { content, ruleAt } = loadScenario(text, file);
  const places = content.rules.map((_rule, index) => ruleAt(index));
  return new Set(places).size === places.length;
}

/**
 * A posted document, under a file name that no other scenario has: else their rules could have the same `file:line`.
 */
function posted({ live }: ControlCall, text: string, ending: string): ScenarioSource {
  const first = `posted.${ending}`;
  const { scenario } = loadScenario(text, first).content;
  const others = live.world.scenarios.all().filter(({ name }) => name !== scenario);
  const taken = new Set(others.map(({ file }) => file));
  let file = first;
  for (let number = 2; taken.has(file); number++) file = `posted-${number}.${ending}`;
  return { file, text };
}

function describe({ live }: ControlCall, name: string) {
  const scenario = live.scenarios.describe(name);
  if (!scenario) throw noScenario(live, name);
  return scenario;
}

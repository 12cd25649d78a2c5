/** The scenarios of a world: loading, reading, replacing and removing them. */
import { z } from "zod";
import { isObject } from "../domain/plain-values.ts";
import { nearName } from "../domain/words/near-name.ts";
import type { ScenarioSource } from "../host/creation.ts";
import { shipped } from "../host/scenario-library.ts";
import { documentText, fileText } from "../host/scenario-texts.ts";
import { withBeneath } from "../host/scenarios-beneath.ts";
import { loadScenario } from "../scenarios/loader.ts";
import { scenarioSchema } from "../scenarios/schema.ts";
import { type ControlCall, type ControlRoute, inputOf, nothing, pageOf, pageQuery, Reply } from "./call.ts";
import { loadScenarios, removeScenario } from "./loaded-scenarios.ts";
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
      removeScenario(call.live, call.params.name ?? "", call);
      return new Reply(204, null);
    },
  },
];

function load(call: ControlCall): Reply {
  const sources = call.again?.sources ?? withBeneath([sourceOf(call)]);
  const { name, replaced } = loadScenarios(call, sources);
  return new Reply(replaced ? 200 : 201, describe(call, name));
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

/** The scenarios of a world: loaded, looked at, replaced, taken out. */
import { z } from "zod";
import { ScenarioSourceError, shipped, withBeneath } from "../host/scenario-sources.ts";
import { loadScenario, ScenarioError } from "../scenarios/loader.ts";
import { command, type ControlCall, type ControlRoute, pageOf, Reply } from "./call.ts";
import { notFound } from "./errors.ts";
import { asControlError } from "./world-routes.ts";

const named = z.strictObject({ name: z.string() });

export const scenarioRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/scenarios",
    handle: (call) => pageOf(call, call.live.scenarios.describe(), (scenario) => scenario),
  },
  { method: "POST", path: "/scenarios", handle: load },
  { method: "GET", path: "/scenarios/:name", handle: (call) => describe(call, call.params.name ?? "") },
  {
    method: "DELETE",
    path: "/scenarios/:name",
    handle: (call) => {
      const name = call.params.name ?? "";
      const removed = command(call, null, (operation) => call.live.scenarios.remove(operation, name));
      if (!removed) throw notFound("scenario", name);
      return new Reply(204, null);
    },
  },
];

function load(call: ControlCall): Reply {
  try {
    const { scenarios } = call.live;
    const [top, ...beneath] = withBeneath([sourceOf(call)]).reverse();
    if (!top) throw new Error("A scenario came to nothing.");
    const there = scenarios.describe().map((scenario) => scenario.name);
    const { name, replaced } = command(call, null, (operation) => {
      for (const { text, file } of beneath.reverse()) {
        if (!there.includes(loadScenario(text, file).content.scenario)) scenarios.put(operation, text, file);
      }
      return scenarios.put(operation, top.text, top.file);
    });
    return new Reply(replaced ? 200 : 201, describe(call, name));
  } catch (error) {
    if (error instanceof ScenarioError || error instanceof ScenarioSourceError) throw asControlError(error);
    throw error;
  }
}

function sourceOf(call: ControlCall): { text: string; file: string } {
  if (call.text !== null) return { text: call.text, file: "posted.yaml" };
  const byName = named.safeParse(call.body);
  if (byName.success) return shipped(byName.data.name);
  return { text: JSON.stringify(call.body, null, 2), file: "posted.json" };
}

function describe({ live }: ControlCall, name: string) {
  const scenario = live.scenarios.describe().find((candidate) => candidate.name === name);
  if (!scenario) throw notFound("scenario", name);
  return scenario;
}

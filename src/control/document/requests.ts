/** What the OpenAPI document says of the control interface's requests: parameters and bodies. */
import type { z } from "zod";
import type { LifecycleName } from "../../domain/lifecycles.ts";
import { capitalized } from "../../domain/words/capitalized.ts";
import { resourceActions } from "../../service/actions.ts";
import type { ControlShape } from "../call.ts";
import { scenarioFile, withFields } from "./fields.ts";
import { defaultsInWords, inputSchema, type Json, reference } from "./schemas.ts";

/** TABLE: descriptions of the parameters in paths. */
const places: Readonly<Record<string, string>> = {
  world: "The id of a world.",
  username: "Of an account.",
  client: "A `client_id`.",
  name: "Its name.",
  id: "Its id.",
  number: "Of the file, from 1.",
};

/** Parameters in path and query; the stream can also take its starting point as a header. */
export function parametersOf(path: string, { query, operationId, answer }: ControlShape): Json[] {
  const own = [...path.matchAll(/\{([a-z]+)\}/g)].map(([, name = ""]) => {
    return { name, in: "path", required: true, description: places[name], schema: { type: "string" } };
  });
  const fields = query ? (withFields(inputSchema(query()), operationId).properties as Record<string, Json>) : {};
  const asked = Object.entries(fields).map(([name, { description, ...schema }]) => {
    return { name, in: "query", ...(description ? { description } : {}), schema };
  });
  const resumed = {
    name: "Last-Event-ID",
    in: "header",
    description: "The sequence of the journal entry that it goes on after; it goes before `after`.",
    schema: { type: "string", pattern: "^\\d{1,15}$" },
  };
  return [...own, ...asked, ...(answer === "JournalStream" ? [resumed] : [])];
}

/** TABLE: bodies that no schema of the row reads, because they come in several forms. */
const bodies: Readonly<Record<string, Json>> = {
  loadScenario: {
    required: true,
    content: {
      "application/json": {
        schema: { anyOf: [named("The name of a shipped scenario."), reference("ScenarioFile")] },
      },
      "application/yaml": { schema: { type: "string", description: "A scenario file." } },
    },
  },
};

function named(description: string): Json {
  const properties = { name: { type: "string", description } };
  return { type: "object", properties, required: ["name"], additionalProperties: false };
}

/** The body of a call; undefined where it takes none. */
export function bodyOf({ operationId, input }: ControlShape): Json | undefined {
  if (!input) return bodies[operationId];
  const { required = [] } = inputSchema(input()) as { required?: string[] };
  const content = { "application/json": { schema: reference(requestName(operationId)) } };
  return { required: required.length > 0, content };
}

/** TABLE: names of inputs that two calls share. */
const shared: Readonly<Record<string, string>> = { createWorld: "WorldRequest", putWorld: "WorldRequest" };

function requestName(operationId: string): string {
  return shared[operationId] ?? `${capitalized(operationId)}Request`;
}

/** The schemas of request bodies, by name. */
export function requestSchemas(shapes: readonly ControlShape[]): Json {
  const taking = shapes.flatMap(({ operationId, input }) => (input ? [{ operationId, input }] : []));
  const own = taking.map(({ operationId, input }) => {
    return [requestName(operationId), defaultsInWords(withFields(inputSchema(input()), operationId))];
  });
  return { ...Object.fromEntries(own), ScenarioFile: scenarioFile };
}

/** One call for each action that a row stands for; a row that stands for none is returned as it is. */
export function actionsOf(shape: ControlShape): (ControlShape & { readonly summary?: string })[] {
  const { actionsOf: lifecycles, path, operationId } = shape;
  if (!lifecycles) return [shape];
  const [kind = ""] = operationId.split(/(?=[A-Z])/);
  const names = new Set(lifecycles.flatMap((lifecycle) => Object.keys(resourceActions[lifecycle])));
  return [...names].map((name) => {
    const inputs = inputsOf(lifecycles, name);
    return {
      ...shape,
      path: path.replace(":action", name),
      operationId: name + capitalized(kind),
      ...(inputs.some(({ shape }) => Object.keys(shape).length > 0) ? { input: () => joined(inputs) } : {}),
      summary: inputs.map(({ description }) => description).join(" Or: "),
    };
  });
}

function inputsOf(lifecycles: readonly LifecycleName[], name: string): z.ZodObject[] {
  return lifecycles.flatMap((lifecycle) => resourceActions[lifecycle][name]?.input ?? []);
}

/** Either input may apply, depending on the resource that has the id. */
function joined([first, second]: readonly z.ZodObject[]): z.ZodType {
  if (!first) throw new Error("An action has no input.");
  return second ? first.or(second) : first;
}

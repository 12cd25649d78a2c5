/** JSON Schemas of the control interface's requests and answers. */

import { z } from "zod";
import { capitalized } from "../../domain/words/capitalized.ts";
import { isOfExactNumber } from "../../service/input.ts";
import { answerParts, controlAnswers } from "./answers.ts";

/** A JSON object of the document. */
export type Json = Record<string, unknown>;

const COMPONENTS = "#/components/schemas/";

/** A reference to a named schema of the document. */
export const reference = (name: string): Json => ({ $ref: COMPONENTS + name });

/** The schemas of all answers; parts with a name of their own become schemas by that name. */
export function answerSchemas(): Json {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...answerParts, ...controlAnswers })) names.add(schema, { id });
  const { schemas } = z.toJSONSchema(names, { ...options, io: "output", uri: (id) => COMPONENTS + id });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, bare(schema as Json)]));
}

/** The schema of a body or a query; parts that refer to themselves become references to {@link sharedSchemas}. */
export function inputSchema(schema: z.ZodType): Json {
  const { $defs: _, ...own } = bare(z.toJSONSchema(schema, { ...options, io: "input" }) as Json);
  return withNames(own) as Json;
}

/** Parts of inputs that refer to themselves, by name. */
export function sharedSchemas(inputs: readonly z.ZodType[]): Json {
  const shared = inputs.map((input) => z.toJSONSchema(input, { ...options, io: "input" }).$defs ?? {});
  const entries = shared.flatMap((part) => Object.entries(part));
  return Object.fromEntries(entries.map(([name, part]) => [capitalized(name), withNames(part)]));
}

/**
 * Tells defaults in the description: generators take a field with a default for one that is always there, and require
 * it.
 */
export function defaultsInWords(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(defaultsInWords);
  if (typeof part !== "object" || part === null) return part;
  const { default: usual, ...schema } = part as Json;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, member]) => [key, defaultsInWords(member)]));
  if (usual === undefined || typeof usual === "object") return inner;
  const told = `\`${usual}\` unless given.`;
  return { ...inner, description: schema.description ? `${schema.description} ${told}` : told };
}

const options = {
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }) => {
    const target = jsonSchema as Json;
    if (isOfExactNumber(zodSchema)) target.type = "number";
    if (zodSchema._zod.def.type === "record") delete target.propertyNames;
    delete target.decision;
  },
} as const;

function bare({ $schema: _, $id: __, ...schema }: Json): Json {
  return schema;
}

/** References to definitions within a schema become references to schemas of the document. */
function withNames(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withNames);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, member]) => {
      const name = key === "$ref" ? /^#\/(?:\$defs|definitions)\/(.+)$/.exec(String(member))?.[1] : undefined;
      return [key, name === undefined ? withNames(member) : COMPONENTS + capitalized(name)];
    }),
  );
}

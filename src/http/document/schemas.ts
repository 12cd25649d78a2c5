/**
 * JSON Schemas made from the zod schemas that validate, with descriptions of their fields, and examples made from both.
 */
import { z } from "zod";
import type { Json } from "../../control/document/schemas.ts";
import { isOfExactNumber } from "../../service/input.ts";
import { fieldNotes } from "./fields.ts";
import { madeUpInputs } from "./made-up.ts";

export type { Json };

/** The JSON Schema of an answer or event. */
export function answerSchema(schema: z.ZodType): Json {
  return annotated(jsonSchema(schema, "output"), null);
}

/** The JSON Schema of a request, with the facts that its zod schema checks by code. */
export function requestSchema(schema: z.ZodType, operationId: string): Json {
  return annotated(jsonSchema(schema, "input"), operationId);
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const target = jsonSchema as Json;
      if (isOfExactNumber(zodSchema)) target.type = "number";
      if (target.decision === undefined) return;
      target["x-sandbox-decision"] = target.decision;
      delete target.decision;
    },
  });
  return plain as Json;
}

/** Adds descriptions of the fields; `operationId` is null outside requests. */
function annotated(schema: Json, operationId: string | null): Json {
  const branches = (schema.anyOf as Json[] | undefined)?.map((branch) => annotated(branch, operationId));
  const items = schema.items ? annotated(schema.items as Json, operationId) : undefined;
  const properties =
    schema.properties &&
    Object.fromEntries(
      Object.entries(schema.properties as Record<string, Json>).map(([name, member]) => [
        name,
        field(name, annotated(member, operationId), operationId),
      ]),
    );
  return {
    ...schema,
    ...(branches ? { anyOf: branches } : {}),
    ...(items ? { items } : {}),
    ...(properties ? { properties } : {}),
  };
}

function field(name: string, schema: Json, operationId: string | null): Json {
  const note = fieldNotes[name];
  if (!note) return schema;
  const described = { description: note.is, ...schema };
  if (operationId === null) return described;
  const decision = madeUpInputs[operationId]?.[name];
  return { ...withFacts(described, note.facts), ...(decision ? { "x-sandbox-decision": decision } : {}) };
}

/** Adds facts to a schema; where it allowed null, it still does. */
function withFacts(schema: Json, facts: Json): Json {
  const [first, ...others] = (schema.anyOf as Json[] | undefined) ?? [];
  if (first) return { ...schema, anyOf: [{ ...first, ...facts }, ...others] };
  const isNullable = Array.isArray(schema.type) && schema.type.includes("null");
  const type = facts.type && isNullable ? { type: [facts.type, "null"] } : {};
  const bare = facts.type === "integer" && schema.type === "string" ? { description: schema.description } : schema;
  return { ...bare, ...facts, ...type };
}

/** Fields that a PIX does not have: examples show PIX. */
const ON_CHAIN = ["chain", "tx_hash", "confirmations"];

/** A value that a schema of an answer or event allows. */
export function sampleOf(schema: Json, name = ""): unknown {
  if ("const" in schema) return schema.const;
  const [own] = (schema.examples as unknown[] | undefined) ?? [];
  if (own !== undefined) return own;
  const sample = fieldNotes[name]?.sample;
  if (schema.enum) return (schema.enum as unknown[]).includes(sample) ? sample : (schema.enum as unknown[])[0];
  if (schema.anyOf) return sampleOf((schema.anyOf as Json[])[0] ?? {}, name);
  if (schema.type === "array") return [sampleOf(schema.items as Json)];
  if (schema.properties) return objectSample(schema);
  return schema.type === "number" ? Number(sample) : sample;
}

function objectSample({ properties, required }: Json): Json {
  const needed = (required as string[] | undefined) ?? [];
  const shown = Object.entries(properties as Record<string, Json>).filter(
    ([name]) => needed.includes(name) || !ON_CHAIN.includes(name),
  );
  return Object.fromEntries(shown.map(([name, member]) => [name, sampleOf(member, name)]));
}

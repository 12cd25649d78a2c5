/** Parts that the JSON Schema of scenario files is made of. */
import { z } from "zod";
import { durationSetting } from "../domain/settings.ts";
import { CURRENCY_FIELDS, fixedValues, knownWorld, valuesOf } from "./known-world.ts";
import { REFERABLE } from "./references.ts";
import { DURATION_FORM } from "./time-fields.ts";
import { REFERENCE_FORM } from "./variables.ts";

/** A JSON object of the document. */
export type Json = Record<string, unknown>;

/** A schema as editors know it: what is judged by code takes any value of its type. */
export function jsonSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const target = jsonSchema as Json;
      // The one class among the schemas is ExactNumber: a number kept as it was written.
      if (zodSchema._zod.def.type === "custom") target.type = "number";
      if (zodSchema === durationSetting) target.pattern = `^(${DURATION_FORM})$`;
      if (zodSchema._zod.def.type === "record") delete target.propertyNames;
      delete target.decision;
      const { [REFERABLE]: field } = target;
      if (field) target.anyOf = [jsonSchemaOf(field as z.ZodType), { type: "string", pattern: REFERENCE_FORM }];
      delete target[REFERABLE];
    },
  }) as Json;
  return rest;
}

/** A definition of the document. */
export function ref(name: string): Json {
  return { $ref: `#/definitions/${name}` };
}

/** One of these keys, and no other of them. */
export function exactlyOneOf(keys: readonly string[]): Json {
  return { oneOf: keys.map((key) => ({ required: [key] })) };
}

/** What holds of an object with a key, that has a value where one is given. */
export function where(key: string, value: Json, then: Json): Json {
  return { if: { properties: { [key]: value }, required: [key] }, then };
}

/** Conditions on these fields of an occurrence. @param kind where their values follow from it, else null. */
export function conditionsOn(fields: readonly string[], kind: string | null): Json {
  const properties = Object.fromEntries(fields.map((field) => [field, conditionOn(field, kind)]));
  return { type: "object", properties, additionalProperties: false };
}

/** The values that a field can have come first, so that an editor offers them. */
function conditionOn(field: string, kind: string | null): Json {
  if (SHARED.includes(field)) return ref(`condition-${CURRENCY_FIELDS.includes(field) ? "currency" : field}`);
  const fixed = fixedValues(kind, field);
  return fixed ? oneOfThese(fixed) : ref("condition");
}

/** TABLE: fields whose values are the same for every kind. */
const OPEN = ["currency", "chain", "network"] as const;
const CLOSED = ["currency_type", "error_code", "event"] as const;
const SHARED: readonly string[] = [...CURRENCY_FIELDS, ...OPEN, ...CLOSED];

function oneOfThese(values: readonly string[]): Json {
  return { anyOf: [{ enum: [...values] }, ref("condition-open")] };
}

/** Conditions on fields whose values are the same for every kind; a world may have currencies of its own. */
export function conditionDefinitions(): Record<string, Json> {
  const known = knownWorld({ settings: { currencies: "table" } });
  const values = (name: string): Json => ({ enum: valuesOf(null, name, known) });
  return {
    ...Object.fromEntries(OPEN.map((name) => [`condition-${name}`, { anyOf: [values(name), ref("condition")] }])),
    ...Object.fromEntries(
      CLOSED.map((name) => [`condition-${name}`, { anyOf: [values(name), ref("condition-open")] }]),
    ),
    "condition-open": {
      description: "A text in which * stands for anything, null for what is not there, or comparisons.",
      anyOf: [
        { type: ["string", "null"], pattern: "[*]|[$][{]" },
        { type: "object", allOf: [ref("condition")] },
      ],
    },
  };
}

/** Building blocks of the JSON Schema of scenario files. */
import { z } from "zod";
import { durationSetting } from "../domain/settings.ts";
import { isOfExactNumber } from "../service/input.ts";
import { CURRENCY_FIELDS, fixedValues, valuesOf } from "./field-values.ts";
import { knownWorld } from "./known-world.ts";
import { REFERABLE } from "./references.ts";
import { DURATION_FORM } from "./time-fields.ts";
import { REFERENCE_FORM } from "./variables.ts";

/** A JSON object of the document. */
export type Json = Record<string, unknown>;

/** The JSON Schema of a zod schema, without its identifier: checks that are code are left out. */
export function jsonSchemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const target = jsonSchema as Json;
      if (isOfExactNumber(zodSchema)) target.type = "number";
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

/** A reference to a definition of the document. */
export function ref(name: string): Json {
  return { $ref: `#/definitions/${name}` };
}

/** Requires exactly one of these keys. */
export function exactlyOneOf(keys: readonly string[]): Json {
  return { oneOf: keys.map((key) => ({ required: [key] })) };
}

/** Applies `then` to objects that have a key whose value fits `value`. */
export function where(key: string, value: Json, then: Json): Json {
  return { if: { properties: { [key]: value }, required: [key] }, then };
}

/** Conditions on fields of an occurrence. @param kind its kind, from which fixed values follow; null if open. */
export function conditionsOn(fields: readonly string[], kind: string | null): Json {
  const properties = Object.fromEntries(fields.map((field) => [field, conditionOn(field, kind)]));
  return { type: "object", properties, additionalProperties: false };
}

/** A condition on a field; its known values come first, so that an editor offers them. */
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

/** Tables of the keys of scenario files, made from the JSON Schema that editors check by. */
import { errorCodes } from "../domain/errors.ts";
import { eventKinds } from "../domain/events.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import { scenarioJsonSchema } from "../scenarios/json-schema.ts";
import type { Json } from "../scenarios/json-schema-words.ts";
import { DURATION_FORM, INSTANT_FORM } from "../scenarios/time-fields.ts";
import { triggerNames } from "../scenarios/triggers.ts";
import { REFERENCE_FORM } from "../scenarios/variables.ts";
import { code, codes, table } from "./markdown.ts";

const whole = scenarioJsonSchema();
const definitions = whole.definitions as Record<string, Json>;

/** The keys of a file. */
export const fileKeys = propertiesOf(whole);

/** A definition of the schema. @throws if it has none of that name. */
export function definition(name: string): Json {
  const found = definitions[name];
  if (!found) throw new Error(`The JSON Schema of scenario files has no definition "${name}".`);
  return found;
}

/** The properties of an object schema, by key. */
export function propertiesOf(schema: Json): Record<string, Json> {
  return (schema.properties ?? {}) as Record<string, Json>;
}

/**
 * A table of keys, with their values, what holds if they are left out, and their meaning.
 * @param defaults one for each key, in the order of the table.
 * @throws if a key is only in `properties` or only in `defaults`.
 */
export function keyTable(properties: Record<string, Json>, defaults: Readonly<Record<string, Told>>): string {
  const strays = [...Object.keys(properties), ...Object.keys(defaults)].filter(
    (key) => !(Object.hasOwn(properties, key) && Object.hasOwn(defaults, key)),
  );
  if (strays.length > 0) throw new Error(`docs/scenario-language.md: ${strays.join(", ")} is in one place only.`);
  const rows = Object.entries(defaults).map(([key, [usual, more = "", values]]) => {
    const schema = properties[key] ?? {};
    return [code(key), values ?? valuesOf(schema), usual, `${schema.description ?? ""} ${more}`.trim()];
  });
  return table(["key", "value", "if left out", "what it means"], rows);
}

/** What holds if a key is left out, what else there is to say, and words in place of its values. */
export type Told = readonly [usual: string, more?: string, values?: string];

/** TABLE: long lists of values, with a link to where they are explained. */
const toldElsewhere: readonly { readonly values: readonly string[]; readonly words: string }[] = [
  { values: triggerNames, words: "[a trigger](#triggers)" },
  { values: errorCodes, words: "[an error code](errors.md)" },
  { values: eventKinds, words: "[an event kind](events.md)" },
  { values: serviceCalls, words: "[method and path](endpoints.md)" },
];

/** TABLE: what strings of these patterns are. */
const forms: Readonly<Record<string, string>> = {
  [`^(${DURATION_FORM})$`]: "duration",
  [`^${INSTANT_FORM}$`]: "instant",
  [`^(${DURATION_FORM}|${INSTANT_FORM})$`]: "duration, instant",
  [`^(${DURATION_FORM}|${INSTANT_FORM})$|[$][{]`]: `duration, instant, or \`\${…}\` within it`,
  [`^([+](${DURATION_FORM})|${INSTANT_FORM})$`]: "instant, or `+` and a duration",
  "[*]": "`*` within it for anything",
};

/** The values that a schema takes, in a few words. */
export function valuesOf(given: Json): string {
  if (given.$ref === "#/definitions/condition") return "[condition](#conditions)";
  const schema = resolved(given);
  const form = forms[String(schema.pattern)];
  if (form) return form;
  const several = (schema.anyOf ?? schema.allOf) as Json[] | undefined;
  if (several) return [...new Set(several.flatMap(wordsIn))].join(", ");
  if ("const" in schema) return code(String(schema.const));
  if (schema.enum) return enumWords(schema.enum as string[]);
  if (schema.type === "array") return schema.items ? `list of: ${valuesOf(schema.items as Json)}` : "list";
  if ([schema.type].flat().includes("object")) return objectWords(schema);
  return scalarWords(schema);
}

/** The values of one alternative. A variable may stand for any value, which is said once for all. */
function wordsIn(one: Json): string[] {
  return one.pattern === REFERENCE_FORM ? [] : [valuesOf(one)].filter((words) => words !== "anything");
}

function enumWords(values: readonly string[]): string {
  const elsewhere = toldElsewhere.find((list) => list.values.every((value) => values.includes(value)));
  const others = values.filter((value) => !elsewhere?.values.includes(value)).map(code);
  return [...(elsewhere ? [elsewhere.words] : []), ...others].join(", ");
}

function objectWords(schema: Json): string {
  const names = Object.keys(propertiesOf(schema));
  if (names.length > 0) return code(shapeOf(schema));
  const values = schema.additionalProperties as Json | false | undefined;
  return values ? `by name: ${valuesOf(values)}` : "`{}`";
}

/** The keys of an object, optional ones with a question mark: `{ amount?, payer?: { name? } }`. */
export function shapeOf(schema: Json): string {
  const needed = (schema.required ?? []) as string[];
  const members = Object.entries(propertiesOf(schema)).map(([name, member]) => {
    const inner = Object.keys(propertiesOf(member)).length > 0 ? `: ${shapeOf(member)}` : "";
    return `${name}${needed.includes(name) ? "" : "?"}${inner}`;
  });
  return members.length > 0 ? `{ ${members.join(", ")} }` : "{}";
}

/** TABLE: types, as people call them. */
const types: Readonly<Record<string, string>> = { string: "text", integer: "whole number", number: "number" };

/** Bounds from this number on stand for no bound. */
const NO_BOUND = 1_000_000_000;

function scalarWords({ type, minimum, maximum, exclusiveMinimum: above, examples }: Json): string {
  if (type === undefined) return "anything";
  if (type === "boolean") return codes(["true", "false"]);
  const named = [type].flat().map((name) => types[String(name)] ?? String(name));
  const from = above === undefined ? minimum : `above ${above}`;
  const bounds = from === undefined ? "" : Number(maximum) < NO_BOUND ? `, ${from} to ${maximum}` : `, from ${from}`;
  const [example] = (examples ?? []) as string[];
  return `${named.join(" or ")}${bounds}${example === undefined ? "" : `, such as ${code(example)}`}`;
}

function resolved(schema: Json): Json {
  const name = /^#\/definitions\/(.+)$/.exec(String(schema.$ref))?.[1];
  return name === undefined ? schema : definition(name);
}

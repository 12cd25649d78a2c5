/** Values that a JSON Schema describes, for fast-check; fields with a vocabulary of their own speak it. */
import fc from "fast-check";
import { type JsonNode, nodeOf } from "./json-nodes.ts";
import { oddNode, oddTexts } from "./odd-values.ts";
import { vocabulary } from "./vocabulary.ts";

// biome-ignore lint/suspicious/noExplicitAny: schemas are looked into freely.
export type Schema = any;

/** Deeper than this nothing is made up any more: schemas refer to themselves. */
const MAX_DEPTH = 6;

/** What was made before: schemas refer to the same parts again and again. */
const made = new WeakMap<object, Map<string, fc.Arbitrary<JsonNode>>>();

/** Values of a schema; `root` is the document that its references are of. */
export function valuesOf(schema: Schema, root: Schema, name = "", depth = 0): fc.Arbitrary<JsonNode> {
  const known = made.get(schema) ?? new Map<string, fc.Arbitrary<JsonNode>>();
  made.set(schema, known);
  const key = `${depth} ${name}`;
  const values = known.get(key) ?? fresh(schema, root, name, depth);
  known.set(key, values);
  return values;
}

function fresh(schema: Schema, root: Schema, name: string, depth: number): fc.Arbitrary<JsonNode> {
  const own = described(schema, root, name, depth);
  const usual = Object.hasOwn(vocabulary, name) && !isNest(schema) ? vocabulary[name] : undefined;
  return usual ? fc.oneof({ arbitrary: usual, weight: 7 }, { arbitrary: own, weight: 1 }) : own;
}

const isNest = ({ type, properties }: Schema) => properties !== undefined || type === "object" || type === "array";

function described(schema: Schema, root: Schema, name: string, depth: number): fc.Arbitrary<JsonNode> {
  if (schema.$ref) return valuesOf(resolved(schema.$ref, root), root, name, depth);
  if (schema.const !== undefined) return fc.constant(nodeOf(schema.const));
  if (schema.enum) return fc.constantFrom(...schema.enum.map(nodeOf));
  const choices = schema.oneOf ?? (schema.type === undefined ? schema.anyOf : undefined) ?? nullable(schema);
  if (choices) return oneOf(choices.map((choice: Schema) => described(choice, root, name, depth)));
  if (Array.isArray(schema.type)) {
    return oneOf(schema.type.map((type: string) => described({ ...schema, type }, root, name, depth)));
  }
  const make = schema.properties ? objects : kinds[schema.type];
  return make ? make(schema, root, depth) : oddNode;
}

const oneOf = (choices: readonly fc.Arbitrary<JsonNode>[]): fc.Arbitrary<JsonNode> => fc.oneof(...choices);

/** `anyOf` beside a type narrows a text further; the narrower is as good. */
function nullable({ type, anyOf }: Schema): readonly Schema[] | undefined {
  return type === "string" ? anyOf : undefined;
}

/** TABLE: what is made of a type. */
const kinds: Readonly<Record<string, (schema: Schema, root: Schema, depth: number) => fc.Arbitrary<JsonNode>>> = {
  null: () => fc.constant(nodeOf(null)),
  boolean: () => fc.boolean().map(nodeOf),
  string: texts,
  number: numbers,
  integer: numbers,
  array: lists,
  object: objects,
};

function texts({ pattern, format, minLength = 0, maxLength = 20 }: Schema): fc.Arbitrary<JsonNode> {
  if (format === "binary") return fc.constantFrom("pdf", "png", "jpeg", "gif", "empty").map(nodeOf);
  const usual = fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 40) });
  const edges = fc.constantFrom("x".repeat(maxLength), "x".repeat(maxLength + 1), "😀".repeat(maxLength));
  const matching = pattern ? matchesOf(pattern) : undefined;
  return fc
    .oneof(
      { arbitrary: matching ?? usual, weight: 4 },
      { arbitrary: maxLength <= 5_000 ? edges : usual, weight: 1 },
      { arbitrary: fc.constantFrom(...oddTexts), weight: 1 },
    )
    .map(nodeOf);
}

/** Texts of a pattern; undefined for patterns that fast-check does not know. */
function matchesOf(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern), { size: "-1" });
  } catch {
    return undefined;
  }
}

function numbers({ type, minimum = -1, maximum = 1_000, exclusiveMinimum }: Schema): fc.Arbitrary<JsonNode> {
  const least = exclusiveMinimum ?? minimum;
  const edges = [least, least - 1, least + 1, maximum, maximum + 1, maximum - 1];
  const whole = fc.integer({ min: Math.ceil(least), max: Math.min(maximum, 2 ** 31) });
  const fractions = fc.integer({ min: 1, max: 100_000 }).map((hundredths) => hundredths / 100);
  return fc
    .oneof(
      { arbitrary: fc.constantFrom(...edges), weight: 1 },
      { arbitrary: type === "integer" ? whole : fractions, weight: 3 },
    )
    .map(nodeOf);
}

function lists(
  { items = {}, minItems = 0, maxItems = 3 }: Schema,
  root: Schema,
  depth: number,
): fc.Arbitrary<JsonNode> {
  if (depth > MAX_DEPTH) return fc.constant({ list: [] });
  const length = { minLength: minItems, maxLength: Math.min(maxItems + 1, minItems + 3) };
  return fc.array(valuesOf(items, root, "", depth + 1), length).map((list) => ({ list }));
}

function objects(schema: Schema, root: Schema, depth: number): fc.Arbitrary<JsonNode> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.entries<Schema>(properties).map(([name, member]) => {
    const isRequired = required.includes(name);
    if (depth > MAX_DEPTH && !isRequired) return fc.constant([]);
    const value = valuesOf(member, root, name, depth + 1).map((node) => [[name, node] as const]);
    return isRequired ? value : fc.oneof(value, { arbitrary: fc.constant([]), weight: depth > 1 ? 3 : 1 });
  });
  const further =
    typeof additionalProperties === "object" && depth <= MAX_DEPTH
      ? [dictionary(additionalProperties, root, depth)]
      : [];
  return fc
    .tuple(...members, ...further)
    .map((parts) => ({ members: parts.flat() as (readonly [string, JsonNode])[] }));
}

function dictionary(member: Schema, root: Schema, depth: number) {
  const name = fc.constantFrom("BRL", "USDT", "XYZ", "currency", "status", "protections", "x");
  return fc.array(fc.tuple(name, valuesOf(member, root, "", depth + 1)), { maxLength: 3 });
}

/** What a `$ref` within a document stands for. */
export function resolved(reference: string, root: Schema): Schema {
  const steps = reference.slice(2).split("/");
  return steps.reduce((at, step) => at?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], root);
}

/** Fields of JSON Schemas, as Markdown tables. */
import type { Json } from "../http/document/schemas.ts";
import { code, decisionLinks, table } from "./markdown.ts";

interface Field {
  readonly path: string;
  readonly schema: Json;
  readonly isRequired: boolean;
  /** The variants of an answer that have it; null if all have it. */
  readonly variants: readonly string[] | null;
}

/** Bounds from this size on stand for no bound. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;
const DECIMAL = "^-?\\d+(\\.\\d+)?$";

/** The fields that a caller sends: name, type, whether it is required, what it is. */
export function inputTable(schema: Json): string {
  const rows = fieldsOf(schema).map(({ path, schema: member, isRequired }) => [
    code(path),
    typeOf(withoutNull(member)),
    isRequired ? "yes" : "",
    meaningOf(member),
  ]);
  return table(["field", "type", "required", "what it is"], rows);
}

/** The fields of an answer or event: name, type, what it is. */
export function outputTable(schema: Json): string {
  const rows = fieldsOf(schema).map((field) => [code(field.path), typeOf(field.schema), outputMeaning(field)]);
  return table(["field", "type", "what it is"], rows);
}

function outputMeaning({ schema, isRequired, variants }: Field): string {
  const only = variants ? ` Only for: ${variants.join(", ")}.` : isRequired ? "" : " Not always present.";
  return `${meaningOf(schema)}${only}`.trim();
}

function meaningOf({ description = "", "x-sandbox-decision": decision }: Json): string {
  return `${description as string}${decision ? ` (${decisionLinks([decision as string])})` : ""}`;
}

/** All fields of a schema, those of its variants merged in an order that follows each variant's. */
function fieldsOf(schema: Json, prefix = ""): Field[] {
  const variants = variantsOf(schema);
  if (variants.length < 2) return variants.flatMap((variant) => membersOf(variant, prefix));
  const all = variants.map((variant) => ({ title: String(variant.title ?? ""), fields: membersOf(variant, prefix) }));
  return inOneOrder(all.map(({ fields }) => fields.map(({ path }) => path))).flatMap((path) => {
    const having = all.filter(({ fields }) => fields.some((field) => field.path === path));
    const same = having.flatMap(({ fields }) => fields.filter((field) => field.path === path));
    const [first] = same;
    if (!first) return [];
    const merged = same.length > 1 ? { ...first, schema: anyOf(same.map(({ schema: member }) => member)) } : first;
    return [{ ...merged, variants: having.length < all.length ? having.map(({ title }) => title) : null }];
  });
}

/** Merges lists: a value that is new in a list comes after the value before it in that list. */
function inOneOrder([first = [], ...others]: readonly (readonly string[])[]): string[] {
  const paths = [...first];
  for (const list of others) {
    list.forEach((path, index) => {
      if (!paths.includes(path)) paths.splice(paths.indexOf(list[index - 1] ?? "") + 1, 0, path);
    });
  }
  return paths;
}

/** One schema for a field that several variants have. */
function anyOf(schemas: readonly Json[]): Json {
  const [first = {}] = schemas;
  const types = new Set(schemas.map(typeOf));
  return types.size === 1 ? first : { ...first, anyOf: schemas };
}

/** The objects that a schema can be: itself, the items of a list, or each of its variants. */
function variantsOf(schema: Json): Json[] {
  if (schema.properties) return [schema];
  if (schema.items) return variantsOf(schema.items as Json);
  return ((schema.anyOf as Json[] | undefined) ?? []).flatMap(variantsOf);
}

function membersOf({ properties, required }: Json, prefix: string): Field[] {
  const needed = (required as string[] | undefined) ?? [];
  return Object.entries(properties as Record<string, Json>).flatMap(([name, schema]) => {
    const path = prefix + name;
    const below = fieldsOf(schema, `${path}${isList(schema) ? "[]" : ""}.`);
    return [{ path, schema, isRequired: needed.includes(name), variants: null }, ...below];
  });
}

function isList(schema: Json): boolean {
  return schema.type === "array" || ((schema.anyOf as Json[] | undefined) ?? []).some(isList);
}

/** Null for an optional field of a request is the same as leaving it out (`D20`). */
function withoutNull(schema: Json): Json {
  const branches = (schema.anyOf as Json[] | undefined)?.filter((branch) => branch.type !== "null");
  if (branches) return { ...schema, anyOf: branches };
  return Array.isArray(schema.type) ? { ...schema, type: schema.type.filter((type) => type !== "null") } : schema;
}

/** TABLE: formats of strings, by names that readers know. */
const formats: Readonly<Record<string, string>> = {
  "date-time": "ISO 8601 instant",
  uri: "URL",
  binary: "file",
};

function typeOf(schema: Json): string {
  if (schema.anyOf) return anyTypeOf((schema.anyOf as Json[]).map(typeOf));
  if ("const" in schema) return code(String(schema.const));
  if (schema.enum) return (schema.enum as unknown[]).map((value) => code(String(value))).join(", ");
  if (schema.type === "array") return `list of ${nounOf(schema.items as Json)}${boundsOf(schema)}`;
  const types = [schema.type ?? "any"].flat() as string[];
  const named = types.map((type) => (type === "string" ? textType(schema) : type)).join(" or ");
  return `${named}${boundsOf(schema)}`;
}

/** Several types in words. Named values form one list, which is left out if any string is allowed. */
function anyTypeOf(types: readonly string[]): string {
  const isNamed = (type: string) => type.startsWith("`");
  const named = types.includes("string") ? [] : types.filter(isNamed).flatMap((type) => type.split(", "));
  const values = [...new Set(named)].join(", ");
  return [...new Set([values, ...types.filter((type) => !isNamed(type))])].filter((type) => type !== "").join(" or ");
}

function nounOf(schema: Json): string {
  return variantsOf(schema).length > 0 ? "objects" : `${typeOf(schema)}s`;
}

function textType({ format, pattern }: Json): string {
  if (pattern === DECIMAL) return "decimal string";
  return formats[String(format)] ?? "string";
}

function boundsOf({ maxLength, minimum, exclusiveMinimum, maximum, maxItems, default: usual }: Json): string {
  const isBound = (bound: unknown) => typeof bound === "number" && Math.abs(bound) < NO_BOUND;
  const words = [
    isBound(maxLength) ? `at most ${maxLength} characters` : "",
    isBound(minimum) && minimum !== 0 ? `from ${minimum}` : "",
    isBound(exclusiveMinimum) ? `above ${exclusiveMinimum}` : "",
    isBound(maximum) ? `to ${maximum}` : "",
    isBound(maxItems) ? `at most ${maxItems}` : "",
    usual === undefined ? "" : `default ${code(String(usual))}`,
  ].filter((word) => word !== "");
  return words.length > 0 ? `, ${words.join(" ")}` : "";
}

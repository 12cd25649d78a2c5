/** The fields of the service's answers, to check those that a script names. */
import { z } from "zod";
import { answers } from "../http/document/answers.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { truthFault, valuesIn } from "../scenarios/condition-checks.ts";
import { globOf, partsOf } from "../scenarios/conditions.ts";
import { nearest } from "../scenarios/schema-words.ts";

/** Why an answer's data can never have a path such as `items[0].id`; null if it can, or if that is unknown. */
export function missingField(endpoint: Endpoint, path: string): string | null {
  const found = schemasAt(endpoint, path);
  return typeof found === "string" ? found : null;
}

/** The schemas that an answer's data may have at a path, empty if they are unknown; else why it never has the path. */
function schemasAt(endpoint: Endpoint, path: string): readonly z.ZodType[] | string {
  let schemas: readonly z.ZodType[] = [answers[endpoint.answer]];
  const parts = partsOf(path);
  for (const [depth, part] of parts.entries()) {
    const objects = schemas.flatMap(bare);
    const above = `${written(parts.slice(0, depth))} of the answer of ${endpoint.method} ${endpoint.path}`;
    if (objects.every((schema) => schema instanceof z.ZodArray)) {
      if (!/^\d+$/.test(part))
        return `${above} is a list; its first item is ${written([...parts.slice(0, depth), "0"])}`;
      schemas = objects.map((schema) => schema.element as z.ZodType);
      continue;
    }
    if (objects.every(isOneValue)) return `${above} is one value, and has no field ${JSON.stringify(part)}`;
    const shapes = objects.flatMap((schema) => (schema instanceof z.ZodObject ? [schema.shape] : []));
    if (shapes.length === 0 || shapes.length < objects.length) return [];
    const found = shapes.flatMap((shape) => (Object.hasOwn(shape, part) ? [shape[part] as z.ZodType] : []));
    const known = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
    if (found.length === 0) return missingWords(part, endpoint, known);
    schemas = found;
  }
  return schemas.flatMap(bare);
}

/** Why a condition on an answer's data tests what it never has: the path itself, or a value; null if it may hold. */
export function unmeetable(endpoint: Endpoint, path: string, condition: unknown): string | null {
  const found = schemasAt(endpoint, path);
  if (typeof found === "string") return found;
  return faultOf(path, condition, (value) => truthFault(path, value) ?? partsFault(path, found, value));
}

/** Why what has parts is never a value; null if the path leads to none such, or for null, which it may be. */
function partsFault(path: string, schemas: readonly z.ZodType[], value: unknown): string | null {
  if (value === null || schemas.length === 0) return null;
  if (schemas.every((schema) => schema instanceof z.ZodArray))
    return `is a list, and no value: its first item is ${path}[0]`;
  const [field] = schemas.flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
  const isObject = schemas.every((schema) => schema instanceof z.ZodObject);
  return isObject ? `is no value: it has fields of its own, such as ${path}.${field}` : null;
}

/** Why a condition on an answer's data has a word that is never there, where its field has some words alone; else null. */
export function strangeWord(endpoint: Endpoint, path: string, condition: unknown): string | null {
  const found = schemasAt(endpoint, path);
  const words = typeof found === "string" ? [] : wordsIn(found);
  return faultOf(path, condition, (value) => wordFault(words, value));
}

/** The first fault of a value in a condition, as a sentence about the field at a path. */
function faultOf(path: string, condition: unknown, fault: (value: unknown) => string | null): string | null {
  const [first] = [...valuesIn(condition, [])].flatMap(([value]) => fault(value) ?? []);
  return first === undefined ? null : `${path} ${first}`;
}

/** The words of which a value is one; empty if it may be another. */
function wordsIn(schemas: readonly z.ZodType[]): string[] {
  const isOfWords = (schema: z.ZodType) => schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral;
  if (!schemas.every(isOfWords)) return [];
  const values = schemas.flatMap((schema) =>
    schema instanceof z.ZodEnum ? schema.options : [...(schema as z.ZodLiteral).values],
  );
  return [...new Set(values.map(String))];
}

/** Why a value is none of these words, as a glob of none of them; null if it may be. */
function wordFault(words: readonly string[], value: unknown): string | null {
  if (words.length === 0 || typeof value !== "string" || value.includes("${")) return null;
  const glob = globOf(value);
  return words.some((word) => glob.test(word)) ? null : `is never ${JSON.stringify(value)}${nearest(value, words)}`;
}

/** A path as references and conditions have it, such as `items[0].id`. */
function written(parts: readonly string[]): string {
  return parts.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index > 0 ? "." : ""}${part}`)).join("");
}

function missingWords(part: string, { method, path }: Endpoint, known: readonly string[]): string {
  return `the answer of ${method} ${path} has no field ${JSON.stringify(part)}${nearest(part, known)}`;
}

/** TABLE: the schemas of values without parts. */
const ONE_VALUE = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral, z.ZodNull];

function isOneValue(schema: z.ZodType): boolean {
  return ONE_VALUE.some((kind) => schema instanceof kind);
}

/** The schemas inside of optional and nullable schemas and unions. */
function bare(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(bare);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType);
  return [schema];
}

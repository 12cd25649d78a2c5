/** The fields of the service's answers, to check those that a script names. */
import { z } from "zod";
import { answers } from "../http/document/answers.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { partsOf } from "../scenarios/conditions.ts";
import { nearest } from "../scenarios/schema-words.ts";

/** Why an answer's data can never have a path such as `items[0].id`; null if it can, or if that is unknown. */
export function missingField(endpoint: Endpoint, path: string): string | null {
  let schemas: readonly z.ZodType[] = [answers[endpoint.answer]];
  for (const part of partsOf(path)) {
    const objects = schemas.flatMap(bare);
    if (/^\d+$/.test(part) && objects.every((schema) => schema instanceof z.ZodArray)) {
      schemas = objects.map((schema) => (schema as z.ZodArray).element as z.ZodType);
      continue;
    }
    const shapes = objects.flatMap((schema) => (schema instanceof z.ZodObject ? [schema.shape] : []));
    if (shapes.length === 0 || shapes.length < objects.length) return null;
    const found = shapes.flatMap((shape) => (Object.hasOwn(shape, part) ? [shape[part] as z.ZodType] : []));
    const known = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
    if (found.length === 0) return missingWords(part, endpoint, known);
    schemas = found;
  }
  return null;
}

function missingWords(part: string, { method, path }: Endpoint, known: readonly string[]): string {
  return `the answer of ${method} ${path} has no field ${JSON.stringify(part)}${nearest(part, known)}`;
}

/** The schemas inside of optional and nullable schemas and unions. */
function bare(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(bare);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType);
  return [schema];
}

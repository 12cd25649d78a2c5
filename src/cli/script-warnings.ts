/** What a merchant's script may well mean otherwise: it can be run, and probably does not do what it is to do. */
import { z } from "zod";
import { answers } from "../http/answers.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { endpoints } from "../http/endpoints.ts";
import { slipIn } from "../http/mistakes.ts";
import { partsOf } from "../scenarios/conditions.ts";
import { type Path, textsIn } from "../scenarios/findings.ts";
import type { LoadedScenario, Problem } from "../scenarios/loader.ts";
import { nearest } from "../scenarios/schema-words.ts";
import { nameIn, referencesIn } from "../scenarios/variables.ts";

type Step = NonNullable<LoadedScenario["content"]["merchant"]>[number];

/** The parts of a step in which references are filled in. */
const FILLED_IN = ["call", "body", "form", "as", "expect", "advance"] as const;

/** What a call saved, by name; null where it is not known what that is. */
type Saved = Map<string, Endpoint | null>;

/** Fields of bodies that are slips of the hand, and references to what the answer of a call does not have. */
export function scriptWarnings({ content, problemAt }: LoadedScenario): Problem[] {
  const saved: Saved = new Map();
  const found: Problem[] = [];
  const lookAt = (value: unknown, path: Path) => {
    for (const [text, at] of textsIn(value, path)) {
      for (const reference of referencesIn(text)) {
        const fault = referenceFault(reference, saved);
        if (fault !== null) found.push(problemAt(at, fault));
      }
    }
  };
  for (const [index, step] of (content.merchant ?? []).entries()) {
    const path = ["merchant", index];
    for (const part of FILLED_IN) lookAt(step[part], [...path, part]);
    const endpoint = endpointOf(step);
    const slip = endpoint && !expectsRefusal(step) ? slipIn(endpoint.input?.(), step.body) : null;
    if (slip) found.push(problemAt([...path, "body", slip.field], slipWords(slip, step.call)));
    if (step.save !== undefined) saved.set(step.save, expectsRefusal(step) ? null : endpoint);
  }
  lookAt(content.expect, ["expect"]);
  return found;
}

function slipWords({ field, meant }: { field: string; meant: string }, call: string | undefined): string {
  return `${call} does not know the field ${JSON.stringify(field)} and ignores it; did you mean "${meant}"?`;
}

function endpointOf({ call = "" }: Step): Endpoint | null {
  const [name] = call.split("?");
  return endpoints.find(({ method, path }) => `${method} ${path}` === name) ?? null;
}

/** A merchant may try what cannot be, to see it refused. */
function expectsRefusal({ expect }: Step): boolean {
  const { status = 200, error } = expect ?? {};
  return error !== undefined || typeof status === "string" || status >= 400;
}

/** What is wrong with a reference such as `list.items[0].id`; null where nothing is, or it is not known. */
function referenceFault(reference: string, saved: Saved): string | null {
  const endpoint = saved.get(nameIn(reference));
  if (!endpoint) return null;
  let schemas: readonly z.ZodType[] = [answers[endpoint.answer]];
  for (const part of partsOf(reference).slice(1)) {
    const objects = schemas.flatMap(bare);
    if (/^\d+$/.test(part) && objects.every((schema) => schema instanceof z.ZodArray)) {
      schemas = objects.map((schema) => (schema as z.ZodArray).element as z.ZodType);
      continue;
    }
    const shapes = objects.flatMap((schema) => (schema instanceof z.ZodObject ? [schema.shape] : []));
    if (shapes.length === 0 || shapes.length < objects.length) return null;
    const found = shapes.flatMap((shape) => (Object.hasOwn(shape, part) ? [shape[part] as z.ZodType] : []));
    const known = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))];
    if (found.length === 0) return missingWords(reference, part, endpoint, known);
    schemas = found;
  }
  return null;
}

function missingWords(reference: string, part: string, { method, path }: Endpoint, known: readonly string[]): string {
  const field = JSON.stringify(part);
  return `\${${reference}}: the answer of ${method} ${path} has no field ${field}${nearest(part, known)}`;
}

/** What may be left out, be null or be one of several, as what it is then. */
function bare(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(bare);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType);
  return [schema];
}

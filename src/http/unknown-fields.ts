/** The fields of a call that its endpoint does not know, and ignores (`D20`). */
import { z } from "zod";
import type { Path } from "../domain/path.ts";
import { isObject } from "../domain/plain-values.ts";
import { nearName } from "../domain/words/near-name.ts";

/** This many unknown fields of an object are looked at: more are no slip of the hand. */
export const MOST_UNKNOWN = 10;

/** A field that is not known at its place. */
export interface UnknownField {
  readonly path: Path;
  /** The name that was probably meant, of those known, not given and not meant by a field before; null if none is near. */
  readonly meant: string | null;
  /** The fields that are known at its place. */
  readonly known: readonly string[];
}

/** The fields of a body or query that a schema does not know, at most {@link MOST_UNKNOWN} of each object. */
export function* unknownFieldsIn(
  schema: z.ZodType | undefined,
  given: unknown,
  above: Path = [],
): Generator<UnknownField> {
  if (!(schema instanceof z.ZodObject) || !isObject(given)) return;
  const { shape } = schema;
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(shape, name));
  const free = unknown.length === 0 ? [] : Object.keys(shape).filter((known) => !Object.hasOwn(given, known));
  for (const field of unknown.slice(0, MOST_UNKNOWN)) {
    const meant = nearName(field, free);
    if (meant !== null) free.splice(free.indexOf(meant), 1);
    yield { path: [...above, field], meant, known: Object.keys(shape) };
  }
  for (const [name, value] of Object.entries(given)) {
    // A quick way past nearly every field of nearly every call.
    if (typeof value !== "object") continue;
    const inner = withoutWrapping(shape[name]);
    const place = [...above, name];
    if (!(inner instanceof z.ZodArray)) yield* unknownFieldsIn(inner, value, place);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.slice(0, MOST_UNKNOWN).entries()) {
        yield* unknownFieldsIn(inner.element as z.ZodType, item, [...place, index]);
      }
    }
  }
}

/** A schema without the wrappers that make it optional or nullable. */
function withoutWrapping(schema: z.ZodType | undefined): z.ZodType | undefined {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap() as z.ZodType;
  return inner;
}

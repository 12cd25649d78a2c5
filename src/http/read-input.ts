/** Reads the input of an endpoint by its schema; all faults are told at once (`D20`). */

import type { z } from "zod";
import { ExactNumber } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { ownWords, TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { FieldAtFault, faultsOf, invalidRequest } from "../service/together.ts";

/** What is wrong with a field: `words` follow its name. */
export interface Fault {
  readonly path: Path;
  readonly words: string;
}

const MUST_BE_OBJECT = "must be an object";

/**
 * Reads an input.
 * @param check checks fields beyond the schema; called where the schema rejects some fields, to find faults in the
 * others.
 * @throws {DomainError} `INVALID_REQUEST` that names every field at fault (`D20`).
 */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  check: (input: unknown) => unknown = () => {},
): z.infer<Schema> {
  const result = schema.safeParse(given, TO_BE_TOLD);
  // To a schema, an ExactNumber is an object without fields.
  if (result.success && !(given instanceof ExactNumber)) return result.data;
  const faults = faultsIn(result, given);
  const paths = faults.map(({ path }) => path);
  if (given instanceof ExactNumber || paths.some(({ length }) => length === 0)) {
    throw invalidRequest(["The body must be a JSON object"]);
  }
  throw invalidRequest([...firstOfEach(faults).map(faultWords), ...faultsOf(() => check(withoutFaults(given, paths)))]);
}

/** The faults that a schema finds in the fields of an object, at most one for each field. */
export function fieldFaults(schema: z.ZodType, given: object): Fault[] {
  return firstOfEach(faultsIn(schema.safeParse(given, TO_BE_TOLD), given));
}

function faultsIn({ error }: z.ZodSafeParseResult<unknown>, given: unknown): Fault[] {
  return (error?.issues ?? []).map((issue) => faultOf(issue, given));
}

/** `split[0].percentage is missing`. */
export function faultWords({ path, words }: Fault): string {
  return `${nameOf(path)} ${words}`;
}

/** Keeps the first fault of each field: a list in the place of a string may also be too short for one. */
function firstOfEach(faults: readonly Fault[]): Fault[] {
  const told = new Map<string, Fault>();
  for (const fault of faults) {
    const name = nameOf(fault.path);
    if (!told.has(name)) told.set(name, fault);
  }
  return [...told.values()];
}

function faultOf(issue: z.core.$ZodIssue, given: unknown): Fault {
  const { path } = issue;
  const numberAt = path.findIndex((_, depth) => valueAt(given, path.slice(0, depth)) instanceof ExactNumber);
  if (numberAt >= 0) return { path: path.slice(0, numberAt), words: MUST_BE_OBJECT };
  const isMissing = issue.code !== "custom" && issue.input === undefined;
  // Schemas of objects alone have no words of their own.
  return { path, words: isMissing ? "is missing" : (ownWords(issue) ?? MUST_BE_OBJECT) };
}

function valueAt(given: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null)?.[part], given);
}

/** A path as it is written in messages: `split[0].percentage`. */
export function nameOf(path: Path): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    "",
  );
}

/** The input as it came, but reading a field at fault throws {@link FieldAtFault}. */
function withoutFaults<Input>(given: Input, paths: readonly Path[]): Input {
  if (paths.length === 0 || typeof given !== "object" || given === null) return given;
  return new Proxy(given, {
    get(target, key) {
      const within = paths.filter(([first]) => String(first) === String(key)).map(([, ...rest]) => rest);
      if (within.some(({ length }) => length === 0)) throw new FieldAtFault();
      return withoutFaults(Reflect.get(target, key), within);
    },
  });
}

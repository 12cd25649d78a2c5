/** What an endpoint is given, read by its schema; all that is at fault is told at once (`D20`). */
import type { z } from "zod";
import { ExactNumber } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { FieldAtFault, faultsOf, invalidRequest } from "../service/together.ts";

/** What is wrong with a field: `words` go on behind its name. */
export interface Fault {
  readonly path: Path;
  readonly words: string;
}

const MUST_BE_OBJECT = "must be an object";

/**
 * Reads an input.
 * @param check looks at fields beyond what the schema says: here at those that the schema has nothing against.
 * @throws {DomainError} `INVALID_REQUEST` that names every field at fault (`D20`).
 */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  check: (input: unknown) => unknown = () => {},
): z.infer<Schema> {
  const result = schema.safeParse(given, { reportInput: true });
  // A number is an object to a schema, and one without any field.
  if (result.success && !(given instanceof ExactNumber)) return result.data;
  const faults = faultsIn(result, given);
  const paths = faults.map(({ path }) => path);
  if (given instanceof ExactNumber || paths.some(({ length }) => length === 0)) {
    throw invalidRequest(["The body must be a JSON object"]);
  }
  throw invalidRequest([...firstOfEach(faults).map(faultWords), ...faultsOf(() => check(withoutFaults(given, paths)))]);
}

/** What a schema has against the fields of an object, each field once. */
export function fieldFaults(schema: z.ZodType, given: object): Fault[] {
  return firstOfEach(faultsIn(schema.safeParse(given, { reportInput: true }), given));
}

function faultsIn({ error }: z.ZodSafeParseResult<unknown>, given: unknown): Fault[] {
  return (error?.issues ?? []).map((issue) => faultOf(issue, given));
}

/** `split[0].percentage is missing`. */
export function faultWords({ path, words }: Fault): string {
  return `${nameOf(path)} ${words}`;
}

/** Of a field the first fault alone: a list that is no string may be too short for one, too. */
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
  return { path, words: isMissing ? "is missing" : issue.message.replace(/^Invalid input: expected /, "must be ") };
}

function valueAt(given: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null)?.[part], given);
}

/** A path as it is told: `split[0].percentage`. */
export function nameOf(path: Path): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    "",
  );
}

/** An input as it came, which throws {@link FieldAtFault} where a field at fault is read. */
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

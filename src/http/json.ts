/** JSON bodies, with numbers kept as they were written (`D09`). */
import { DomainError } from "../domain/errors.ts";
import { ExactNumber } from "../domain/money.ts";
import { isTooDeep, MAX_DEPTH } from "../domain/nesting.ts";
import { WrittenJson } from "../domain/written-json.ts";

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const TOO_DEEP = `it is nested more than ${MAX_DEPTH} levels deep`;

/** Most values in a body of the service, counted by their separators: that many are read in a tenth of a second. */
const MAX_VALUES = 100_000;

/**
 * Reads a JSON body.
 * @param maxValues that it may have: the object made of each takes far more memory than its bytes.
 * @throws {DomainError} `INVALID_REQUEST` when it is not JSON in UTF-8 (`D20`), has too many values or is nested too
 * deeply.
 */
export function parseBody(body: Uint8Array, maxValues = MAX_VALUES): unknown {
  if (body.length > maxValues && hasMoreValues(body, maxValues)) throw notJson(`it has more than ${maxValues} values`);
  try {
    const text = utf8.decode(body);
    return parseSimple(text) ?? parseAny(text);
  } catch (error) {
    throw notJson(error instanceof RangeError ? TOO_DEEP : "it cannot be parsed");
  }
}

function parseAny(text: string): unknown {
  const value = parse(text, (_key, member, { source }) =>
    typeof member === "number" ? new ExactNumber(source ?? String(member)) : member,
  );
  if (isTooDeep(value)) throw new RangeError(TOO_DEEP);
  return value;
}

/** Characters up to which the quick way of reading is tried: most bodies are far shorter. */
const LONGEST_SIMPLE = 4_096;

const NO_NUMBER = String.raw`[^"\d-]|"(?:[^"\\]|\\.)*"`;

/** Valid JSON with a single number. */
const ONE_NUMBER = new RegExp(String.raw`^(?:${NO_NUMBER})*(-?\d[\d.eE+-]*)(?:${NO_NUMBER})*$`);

/** Valid JSON whose numbers are whole, and written as JSON.stringify would write them. */
const WHOLE_NUMBERS = new RegExp(String.raw`^(?:${NO_NUMBER}|(?!-0)-?\d{1,15}(?![\d.eE]))*$`);

/**
 * Reads an object that contains no others, with a single number or whole numbers only, such as the body of nearly every
 * call: asking for the source of each value takes two to three times as long. Undefined for anything else.
 */
function parseSimple(text: string): unknown {
  if (text.length > LONGEST_SIMPLE) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const members = value as Record<string, unknown>;
  const numbers: string[] = [];
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (name === "__proto__" || (typeof member === "object" && member !== null)) return undefined;
    if (typeof member === "number") numbers.push(name);
  }
  const single = numbers.length === 1 ? ONE_NUMBER.exec(text)?.[1] : undefined;
  if (numbers.length > 0 && single === undefined && !WHOLE_NUMBERS.test(text)) return undefined;
  for (const name of numbers) members[name] = new ExactNumber(single ?? String(members[name]));
  return value;
}

/**
 * Every value but the outermost stands behind one of these: there are as many as values, or more where texts contain
 * some.
 */
const BEFORE_VALUES = [",", "[", "{"].map((sign) => sign.charCodeAt(0));

function hasMoreValues(body: Uint8Array, most: number): boolean {
  let count = 0;
  for (const sign of BEFORE_VALUES) {
    for (let at = body.indexOf(sign); at >= 0; at = body.indexOf(sign, at + 1)) {
      if (++count > most) return true;
    }
  }
  return false;
}

function notJson(reason: string): DomainError {
  return new DomainError("INVALID_REQUEST", `The body must be JSON in UTF-8; ${reason}.`);
}

/** Writes the body of a success. @param beside the fields that follow its `data`. */
export function writeSuccess(data: unknown, beside: object): string {
  if (!(data instanceof WrittenJson)) return writeJson({ success: true, data, ...beside });
  const rest = writeJson(beside).slice(1);
  return `{"success":true,"data":${data.text}${rest === "}" ? "" : ","}${rest}`;
}

/** Writes JSON; exact numbers as the literals that they are (`D29`). */
export function writeJson(value: unknown): string {
  return JSON.stringify(value);
}

/** What a program without types gives wrongly, refused at once: unknown names, and values of another kind. */
import { didYouMean, sentence } from "../domain/near-name.ts";

/** As much of a text as a refusal shows. */
const SHOWN_CHARACTERS = 80;

/** TABLE: what takes the place of values that JSON does not have. */
const instead: Readonly<Record<string, string>> = {
  Date: "; give its toISOString()",
  Promise: "; await it",
};

/** @throws {Error} for a name that there is not, with the nearest. */
export function refuseUnknown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new Error(sentence(`There is no ${what} ${JSON.stringify(name)}${didYouMean(String(name), known)}`));
}

/** @throws {Error} for what is no object of options, and for an option that there is not, with the nearest. */
export function refuseWrongOptions(method: string, options: unknown, known: readonly string[]): void {
  if (!isRecord(options)) {
    const example = known.length === 1 ? `an object with ${known[0]}` : `an object of ${known.join(" and ")}`;
    throw new Error(`The options of ${method} must be ${example}, not ${told(options)}.`);
  }
  for (const name of Object.keys(options)) refuseUnknown(`option of ${method}`, name, known);
}

/** @throws {Error} for what is no object; a list and a function are none either. */
export function refuseNoObject(what: string, value: unknown, example: string): void {
  if (!isRecord(value)) throw new Error(`${what} must be an object such as ${example}, not ${told(value)}.`);
}

/** @throws {Error} for changes that come to nothing, as their values were never set. */
export function refuseNoChange(method: string, changes: unknown, example: string): void {
  refuseNoObject(`The changes of ${method}`, changes, example);
  const [name, ...others] = Object.entries(changes as object);
  if (name === undefined || [name, ...others].some(([, value]) => value !== undefined)) return;
  throw new Error(`${name[0]} of ${method} is undefined: give it a value, or null where it may have none.`);
}

/** @throws {Error} for an id that is no text, such as that of a variable that was never set. */
export function refuseNoText(what: string, value: unknown): void {
  if (typeof value !== "string") throw new Error(`${what} must be a text, not ${told(value)}.`);
}

/**
 * Values to hold others against: what nothing can be the same as would be waited for in vain, or not at all.
 * @throws {Error} names the place of the first value that JSON does not have.
 */
export function refuseNoJson(place: string, value: unknown): void {
  if (value === undefined) throw new Error(`${place} is undefined: give it a value, or leave it out.`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseNoJson(`${place}.${index}`, item);
  } else if (isRecord(value)) {
    for (const [key, member] of Object.entries(value)) refuseNoJson(`${place}.${key}`, member);
  } else if (!isPlain(value)) {
    const kinds = "a text, a number, true, false, null, or a list or an object of those";
    throw new Error(`${place} must be ${kinds}, not ${told(value)}${instead[tagOf(value)] ?? ""}.`);
  }
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** Told by its tag: test runners may run tests in a realm of their own, with an `Object` of its own. */
function isRecord(value: unknown): value is object {
  return tagOf(value) === "Object";
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** A value in a refusal: short, and of one line. */
function told(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, SHOWN_CHARACTERS));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null)
    return `${/^[AEIO]/.test(tagOf(value)) ? "an" : "a"} ${tagOf(value)}`;
  return String(value);
}

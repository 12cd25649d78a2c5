/** Refuses at once what a program without types may pass wrongly: unknown names, and values of another kind. */
import { didYouMean, joined, sentence } from "../domain/words/near-name.ts";

/** How much of a text a refusal shows. */
const SHOWN_CHARACTERS = 80;

/** TABLE: what to give instead of values that JSON does not have. */
const instead: Readonly<Record<string, string>> = {
  Date: "; give its toISOString()",
  Promise: "; await it",
  BigInt: "; give it as a text",
};

const JSON_VALUES = "a text, a number, true, false, null, or a list or an object of those";

/** TABLE: kinds of values that a body of JSON has as an empty object, or cannot have. */
const lostInJson: readonly string[] = ["Promise", "Map", "Set", "BigInt", "Symbol", "FormData", "URLSearchParams"];

/** @throws {Error} for an unknown name, with the nearest known one. */
export function refuseUnknown(what: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new Error(sentence(`There is no ${what} ${JSON.stringify(name)}${didYouMean(String(name), known)}`));
}

/** @throws {Error} if `options` is not an object, and for an unknown option, with the nearest known one. */
export function refuseWrongOptions(method: string, options: unknown, known: readonly string[]): void {
  if (!isRecord(options)) {
    const example = known.length === 1 ? `an object with ${known[0]}` : `an object of ${joined(known)}`;
    throw new Error(`The options of ${method} must be ${example}, not ${told(options)}.`);
  }
  refuseUnknownKeys(`option of ${method}`, options, known);
}

/** @throws {Error} for a key of an object that is none of the known ones, with the nearest of these. */
export function refuseUnknownKeys(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) refuseUnknown(what, name, known);
}

/** @throws {Error} if the value is not an object; a list or a function does not count as one. */
export function refuseNoObject(what: string, value: unknown, example: string): void {
  if (!isRecord(value)) throw new Error(`${what} must be an object such as ${example}, ${notSuch(value)}.`);
}

/** @throws {Error} for changes without effect because all their values are undefined. */
export function refuseNoChange(method: string, changes: unknown, example: string): void {
  refuseNoObject(`The changes of ${method}`, changes, example);
  const [name, ...others] = Object.entries(changes as object);
  if (name === undefined || [name, ...others].some(([, value]) => value !== undefined)) return;
  throw new Error(`${name[0]} of ${method} is undefined: give it a value, or null where it may have none.`);
}

/** @throws {Error} for an id that is not a text, such as a variable that was never set. */
export function refuseNoText(what: string, value: unknown): void {
  if (typeof value !== "string") throw new Error(`${what} must be a text, not ${told(value)}.`);
}

/**
 * Refuses values to compare with that are not JSON: nothing can equal them, so a wait would be in vain or match all.
 * @throws {Error} names the place of the first such value.
 */
export function refuseNoJson(place: string, value: unknown): void {
  if (value === undefined) throw new Error(`${place} is undefined: give it a value, or leave it out.`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseNoJson(`${place}.${index}`, item);
  } else if (isRecord(value)) {
    for (const [key, member] of Object.entries(value)) refuseNoJson(`${place}.${key}`, member);
  } else if (!isPlain(value)) {
    throw new Error(`${place} must be ${JSON_VALUES}, ${notSuch(value)}.`);
  }
}

/**
 * The body of a call as JSON.
 * @throws {Error} names the call and the field of a value that would be lost without a word, such as NaN or a promise that
 * was not awaited, and of a bigint.
 */
export function bodyAsJson(call: string, body: unknown): string {
  const paths = new Map<unknown, string>();
  return JSON.stringify(body, function (this: unknown, name, value) {
    const path = [paths.get(this), name].filter(Boolean).join(".");
    if (typeof value === "object" && value !== null) paths.set(value, path);
    if (!isLostInJson(value)) return value;
    const what = path === "" ? "the body must be an object" : `${path} must be ${JSON_VALUES}`;
    throw new Error(`${call}: ${what}, ${notSuch(value)}.`);
  });
}

/**
 * A value of a form or a query as its text.
 * @param rule the beginning of the refusal, such as `GET /v2/account/infractions: status must be a text`.
 * @throws {Error} for a value that has no text of its own, such as a promise that was not awaited.
 */
export function textOf(rule: string, value: unknown): string {
  const text = String(value);
  const isOwn = typeof value === "string" || !/^\[object .*\]$/.test(text);
  if (isOwn && typeof value !== "function") return text;
  throw new Error(`${rule}, ${notSuch(value)}.`);
}

/** Whether JSON would leave a value out, have an empty object or null in its place, or fail on it. */
function isLostInJson(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "function" || lostInJson.includes(tagOf(value));
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/**
 * Whether a value is an object of named values. Checked by its tag, since test runners may run tests in a realm with an
 * `Object` of its own.
 */
export function isRecord(value: unknown): value is object {
  return tagOf(value) === "Object";
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** The end of a refusal of a value: what it is, and what to give instead. */
export function notSuch(value: unknown): string {
  return `not ${told(value)}${instead[tagOf(value)] ?? ""}`;
}

/** A value as a refusal shows it: short, and on one line. */
function told(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return JSON.stringify(value.slice(0, SHOWN_CHARACTERS));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null)
    return `${/^[AEIO]/.test(tagOf(value)) ? "an" : "a"} ${tagOf(value)}`;
  return String(value);
}

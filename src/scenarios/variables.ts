/** References `${name.path}` in the merchant's script and in expectations: values from answers saved earlier. */
import { ExactNumber } from "../domain/money.ts";
import { withoutStop } from "../domain/words/near-name.ts";
import { FilledText, fieldAt, partsOf } from "./conditions.ts";
import { withLeaves } from "./leaves.ts";

const REFERENCE = /\$\{([^}]*)\}/g;
const WHOLE = /^\$\{([^}]*)\}$/;

/** The pattern of a text that is only a reference, for editors. */
export const REFERENCE_FORM = WHOLE.source;

/** A text that is only a reference. */
export type Reference = `\${${string}}`;

/** Saved answers, by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** A reference that cannot be resolved, or whose value does not fit its place; the message explains why. */
export class UnknownVariable extends Error {
  override readonly name = "UnknownVariable";
}

/**
 * Replaces every reference in a value; a text that is only a reference becomes the referenced value itself.
 * @throws {UnknownVariable}
 */
export function filled(value: unknown, variables: Variables): unknown {
  return withLeaves(value, (leaf) => (typeof leaf === "string" ? filledText(leaf, variables) : leaf));
}

/** Like {@link filled}, for a call: values in its query are percent-encoded. @throws {UnknownVariable} */
export function filledCall(call: string, variables: Variables): string {
  const end = call.indexOf("?");
  if (end < 0) return String(filledText(call, variables));
  const query = withTexts(call.slice(end), (path) => encodeURIComponent(textAt(path, variables).toWellFormed()));
  return filledText(call.slice(0, end), variables) + query;
}

/** Like {@link filled}, for conditions. @throws {UnknownVariable} also for a list or an object. */
export function filledConditions<Given>(given: Given, variables: Variables): Given {
  return withLeaves(given, (leaf) => (typeof leaf === "string" ? filledCondition(leaf, variables) : leaf)) as Given;
}

/** Like {@link filled}, for a name, which is always a text. @throws {UnknownVariable} also for a list or an object. */
export function filledName(text: string, variables: Variables): string {
  return String(partless(text, filledText(text, variables), "a name"));
}

/** Like {@link filled}, for a form, in which every value is a text. @throws {UnknownVariable} as {@link filledName}. */
export function filledTexts<Given>(given: Given, variables: Variables): Given {
  const textOf = (text: string) => String(partless(text, filledText(text, variables), "a text"));
  return withLeaves(given, (leaf) => (typeof leaf === "string" ? textOf(leaf) : leaf)) as Given;
}

/** Every reference anywhere in a value. */
export function referencesIn(value: unknown): string[] {
  if (typeof value === "string") {
    const [closed] = closedPart(value);
    return [...closed.matchAll(REFERENCE)].map(([, path = ""]) => path);
  }
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(referencesIn);
}

/** Appends to a sentence what the references in `value` resolve to, unless it says so. @throws {UnknownVariable} */
export function withReferences(sentence: string, value: unknown, variables: Variables): string {
  const found = [...new Set(referencesIn(value))].map((path) => [path, lookUp(path, variables)] as const);
  const untold = found.filter(
    ([, given]) => (given === null || typeof given !== "object") && !sentence.includes(String(given)),
  );
  if (untold.length === 0) return sentence;
  const told = untold.map(([path, given]) => `\${${path}} is ${JSON.stringify(given)}`);
  return [withoutStop(sentence), ...told].join("; ");
}

/** Whether a value is a text that is only a reference. */
export function isReference(value: unknown): value is Reference {
  return typeof value === "string" && WHOLE.test(value);
}

/** Whether a value is a text with a reference in it. */
export function holdsReference(value: unknown): boolean {
  return typeof value === "string" && referencesIn(value).length > 0;
}

/**
 * Like {@link filled}, for a count: every reference must resolve to a whole number.
 * @throws {UnknownVariable} also if one does not.
 */
export function filledCount<Given>(given: Given, variables: Variables): Given {
  return withLeaves(given, (leaf) => (typeof leaf === "string" ? countIn(leaf, variables) : leaf)) as Given;
}

/** Whether a text opens a reference that it does not close. */
export function isUnclosed(text: string): boolean {
  return closedPart(text)[1].includes("${");
}

/** The name that a reference such as `list.items[0].id` begins with. */
export function nameIn(reference: string): string {
  return reference.split(/[.[]/)[0] ?? "";
}

function filledText(text: string, variables: Variables): unknown {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) return lookUp(whole, variables);
  return withTexts(text, (path) => textAt(path, variables));
}

function withTexts(text: string, textOf: (reference: string) => string): string {
  const [closed, rest] = closedPart(text);
  return closed.replace(REFERENCE, (_match, path: string) => textOf(path)) + rest;
}

/** Fills in a condition's text: the author's `*` stay wildcards, and those in filled-in values are plain characters. */
function filledCondition(text: string, variables: Variables): unknown {
  const whole = WHOLE.exec(text)?.[1];
  if (whole !== undefined) {
    const found = lookUp(whole, variables);
    const value = found === null ? null : partless(text, found, "a condition");
    return typeof value === "string" ? new FilledText([value]) : value;
  }
  const [closed, rest] = closedPart(text);
  // Alternately the author's text and a reference.
  const pieces = closed.split(REFERENCE);
  if (pieces.length === 1) return text;
  pieces.push(`${pieces.pop()}${rest}`);
  const parts = [""];
  for (const [index, piece] of pieces.entries()) {
    const [first, ...others] = index % 2 === 1 ? [textAt(piece, variables)] : piece.split("*");
    parts.push(`${parts.pop()}${first}`, ...others);
  }
  return new FilledText(parts);
}

function countIn(reference: string, variables: Variables): ExactNumber {
  const text = filledName(reference, variables);
  if (/^\d{1,15}$/.test(text)) return new ExactNumber(text);
  throw new UnknownVariable(`${reference}: it is ${JSON.stringify(text)}, and a count is a whole number`);
}

/** The value of a reference within a text. */
function textAt(reference: string, variables: Variables): string {
  return String(partless(`\${${reference}}`, lookUp(reference, variables), "a text"));
}

/** Returns a value to be filled in. @throws {UnknownVariable} if it is null, a list or an object. */
function partless(reference: string, value: unknown, taker: string): unknown {
  if (value === null) throw new UnknownVariable(`${reference}: it is null, and not ${taker}`);
  if (typeof value !== "object") return value;
  const kind = Array.isArray(value) ? "a list" : "an object";
  throw new UnknownVariable(`${reference}: it is ${kind}, of which ${taker} takes no more than a part`);
}

/** Splits a text after its last `}`: in the rest, the pattern would search from every `${` to the end in vain. */
function closedPart(text: string): readonly [closed: string, rest: string] {
  const end = text.lastIndexOf("}") + 1;
  return [text.slice(0, end), text.slice(end)];
}

function lookUp(reference: string, variables: Variables): unknown {
  const name = nameIn(reference);
  if (!Object.hasOwn(variables, name)) {
    const there = Object.keys(variables).join(", ") || "nothing";
    throw new UnknownVariable(`\${${reference}}: nothing is saved as "${name}"; there is ${there}`);
  }
  const value = fieldAt(variables, reference);
  if (value !== null || isAt(variables, reference)) return value;
  const why = variables[name] === null ? "was saved from an answer without data" : "has no such part";
  throw new UnknownVariable(`\${${reference}}: "${name}" ${why}`);
}

/** Whether there is something at a path, be it null. */
function isAt(variables: Variables, reference: string): boolean {
  const parts = partsOf(reference);
  const whole = parts.length === 1 ? variables : fieldAt(variables, parts.slice(0, -1).join("."));
  return typeof whole === "object" && whole !== null && Object.hasOwn(whole, parts.at(-1) ?? "");
}

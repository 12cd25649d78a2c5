/** Compares what came with what was waited for. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../domain/plain-values.ts";
import { holdsDecimals, matches } from "../scenarios/conditions.ts";

/** Something that came, and its fields to compare. */
export interface Candidate {
  /** Its event, its call or its kind of entry. */
  readonly kind: string;
  /** What a message calls it, to tell it from the others. */
  readonly label: string;
  readonly fields: object;
}

/** How many candidates a message shows. */
const SHOWN_CANDIDATES = 10;
/** How much of a value a message shows. */
const SHOWN_CHARACTERS = 80;

/** Where fields differ from the wanted ones, each as a clause: `external_id is "order-2", not "order-1"`. */
export function differences(wanted: object, fields: object, outer = ""): string[] {
  return Object.entries(wanted).flatMap(([key, value]) => {
    const name = outer + key;
    const actual = Object.hasOwn(fields, key) ? (fields as Readonly<Record<string, unknown>>)[key] : undefined;
    if (actual === undefined) return [`it has no ${name}`];
    if (isObject(value) && isObject(actual)) return differences(value, actual, `${name}.`);
    return isSame(key, value, actual) ? [] : [`${name} is ${shown(actual)}, not ${shown(value)}`];
  });
}

/** Fields that hold an instant. */
const INSTANTS = /^(at|created_from|created_to)$|_at$/;

/** Compares as scenarios do: decimals by value, instants by time, all else for equality; a list item by item. */
function isSame(key: string, wanted: unknown, actual: unknown): boolean {
  if (isDeepStrictEqual(wanted, actual)) return true;
  if (Array.isArray(wanted) && Array.isArray(actual)) {
    return wanted.length === actual.length && wanted.every((each, index) => isSame(key, each, actual[index]));
  }
  if (isObject(wanted) && isObject(actual)) {
    const keys = Object.keys(wanted);
    const hasAll = keys.length === Object.keys(actual).length && keys.every((each) => Object.hasOwn(actual, each));
    return hasAll && keys.every((each) => isSame(each, wanted[each], actual[each]));
  }
  const isByValue = holdsDecimals(key) || INSTANTS.test(key);
  return isByValue && matches({ value: { gte: wanted, lte: wanted } }, { value: actual });
}

/**
 * Lines about what came instead, nearest first: those with the fewest differences; among equals, the latest.
 * @param isAll whether `came` is everything that came.
 */
export function tellInstead(kind: string, where: object, came: readonly Candidate[], isAll: boolean): string[] {
  const judged = came.map(({ fields, ...candidate }, index) => {
    const faults = differences(where, fields);
    const isOther = candidate.kind !== kind;
    return { ...candidate, index, isOther, faults, distance: faults.length + Number(isOther) };
  });
  judged.sort((a, b) => a.distance - b.distance || Number(a.isOther) - Number(b.isOther) || b.index - a.index);
  const lines = judged.slice(0, SHOWN_CANDIDATES).map(({ kind: other, label, faults, isOther }) => {
    const clauses = [...(isOther ? [`it is no ${kind}`] : []), ...faults];
    return `- ${other} ${label}: ${clauses.join("; ")}`;
  });
  const rest = judged.length - lines.length;
  return rest > 0 ? [...lines, `- and ${rest} more${isAll ? "" : " at least"}`] : lines;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

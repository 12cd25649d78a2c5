/** Holds what came against what was waited for. */
import { isDeepStrictEqual } from "node:util";
import { holdsDecimals, matches } from "../scenarios/conditions.ts";

/** Something that came: what it is called, and what can be known of it. */
export interface Candidate {
  /** The event, call or kind of entry that it is of. */
  readonly kind: string;
  /** Tells it from the others. */
  readonly label: string;
  readonly fields: object;
}

/** As many of those that came as a message shows. */
const SHOWN_CANDIDATES = 10;
/** As much of a value as a message shows. */
const SHOWN_CHARACTERS = 80;

/** Where fields are otherwise than they should be, each as a clause: `external_id is "order-2", not "order-1"`. */
export function differences(wanted: object, fields: object, outer = ""): string[] {
  return Object.entries(wanted).flatMap(([key, value]) => {
    const name = outer + key;
    const actual = (fields as Readonly<Record<string, unknown>>)[key];
    if (actual === undefined) return [`it has no ${name}`];
    if (isRecord(value) && isRecord(actual)) return differences(value, actual, `${name}.`);
    return isSame(key, value, actual) ? [] : [`${name} is ${shown(actual)}, not ${shown(value)}`];
  });
}

/** As scenarios hold values against fields: decimals by value, instants by time, all else as it is. */
function isSame(key: string, wanted: unknown, actual: unknown): boolean {
  if (isDeepStrictEqual(wanted, actual)) return true;
  const isByValue = holdsDecimals(key) || key.endsWith("_at");
  return isByValue && matches({ value: { gte: wanted, lte: wanted } }, { value: actual });
}

/**
 * Lines on what came instead, nearest first: that which differs in the fewest places, of those the latest.
 * @param isAll whether nothing else came.
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

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

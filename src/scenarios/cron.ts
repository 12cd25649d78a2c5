/** Recurring instants: cron patterns, evaluated by the library croner, on the world's clock and in any time zone. */
import { Cron } from "croner";
import { type Instant, LAST_INSTANT } from "../world/instants.ts";
import { quoted } from "./problems.ts";
import { instantMeant } from "./time-fields.ts";

/** TABLE: the parts of a pattern, with their values; a pattern of five parts has no second and no year. */
const PARTS: readonly (readonly [name: string, values: string])[] = [
  ["second", "0-59"],
  ["minute", "0-59"],
  ["hour", "0-23"],
  ["day of the month", "1-31 or L"],
  ["month", "1-12 or JAN-DEC"],
  ["day of the week", "0-7 or SUN-SAT"],
  ["year", "1-9999"],
];

const SUCH = 'must be a cron pattern such as "0 9 * * MON-FRI"';

/** Why a text is not a cron pattern, as the rest of a sentence that begins with it; null if it is one. */
export function patternFault(pattern: string): string | null {
  if (isPattern(pattern)) return null;
  const instant = instantMeant(pattern);
  if (instant !== null) return `${SUCH}; once, at an instant, is "at: ${instant}"`;
  const given = pattern.trim().split(/\s+/);
  const first = given.length === 5 ? 1 : 0;
  if (given.length < 5 || given.length > PARTS.length)
    return `${SUCH}: minute, hour, day of the month, month and day of the week`;
  const wrong = given.findIndex(
    (part, index) => !isPattern(given.map((_, at) => (at === index ? part : "*")).join(" ")),
  );
  const [name, values] = PARTS[first + wrong] ?? [];
  if (wrong < 0 || name === undefined) return SUCH;
  return `${SUCH}; the ${name} cannot be ${quoted(given[wrong] ?? "")}: it takes * and ${values}, lists, rising ranges and steps`;
}

function isPattern(text: string): boolean {
  if (text.includes(":")) return false; // The library takes an instant for a pattern of its own, too.
  try {
    new Cron(text, { paused: true });
    return true;
  } catch {
    return false;
  }
}

/** Whether the platform knows a time zone such as `America/Sao_Paulo`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The calendar repeats after this time (400 years), days of the week and changes of daylight saving time included. */
const CYCLE_MS = 146_097 * 86_400_000;

/** Later instants are looked up in an earlier cycle: the library stops in 3000 unless the pattern names years. */
const FAR = Date.UTC(2590);

/** The first instant after `after` that a pattern names; null if none is left up to `LAST_INSTANT`. */
export function nextRun(pattern: string, timezone: string, after: Instant): Instant | null {
  const [, , , , , , year = "*"] = pattern.trim().split(/\s+/);
  const isAnyYear = year === "*" || year === "?"; // The library takes both for the same.
  const cycles = isAnyYear && after > FAR ? Math.ceil((after - FAR) / CYCLE_MS) : 0;
  const next = new Cron(pattern, { paused: true, timezone }).nextRun(new Date(after - cycles * CYCLE_MS));
  const due = next === null ? null : next.getTime() + cycles * CYCLE_MS;
  return due === null || due > LAST_INSTANT ? null : due;
}

/** Durations as the sandbox's users write them: `500ms`, `5s`, `1h30m`, `2d`, `1w` or ISO 8601 (`PT5S`). */

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const PART = /\d+(?:ms|[smhdw])/g;
const WHOLE = /^(?:\d+(?:ms|[smhdw]))+$/;
const ISO = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?)?$/;

/** What a duration looks like, for messages. */
export const DURATION_EXAMPLES = "500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S";

/**
 * Reads a duration.
 * @returns milliseconds, or null if the text is no duration (signs are not accepted) or the milliseconds are no safe
 * integer, see {@link LONGEST_DURATION}.
 */
export function parseDuration(text: string): number | null {
  const total = WHOLE.test(text) ? sumOfParts(text) : sumOfIso(text);
  return total !== null && Number.isSafeInteger(total) ? total : null;
}

/** The milliseconds of a text that was checked when it was given. @throws {Error} if it is no duration. */
export function durationOf(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs === null) throw new Error(`${JSON.stringify(text)} is no duration, though it was taken for one.`);
  return durationMs;
}

/** The longest duration in whole days that is still a safe integer of milliseconds. */
export const LONGEST_DURATION = "104249991d";

/** What is said of a field that {@link isTooLong}. */
export const TOO_LONG = `is too long; the longest duration is ${LONGEST_DURATION}`;

/** Whether a text has the form of a duration but is too long, see {@link LONGEST_DURATION}. */
export function isTooLong(text: string): boolean {
  const isDuration = WHOLE.test(text) || (ISO.test(text) && !/[PT]$/.test(text));
  return isDuration && parseDuration(text) === null;
}

/** Formats milliseconds, from days down to `ms`, as {@link parseDuration} reads them: `5400000` gives `"1h30m"`. */
export function formatDuration(durationMs: number): string {
  let rest = durationMs;
  let text = "";
  for (const unit of ["d", "h", "m", "s", "ms"] as const) {
    const count = Math.floor(rest / UNIT_MS[unit]);
    rest -= count * UNIT_MS[unit];
    if (count > 0) text += `${count}${unit}`;
  }
  return text || "0s";
}

function sumOfParts(text: string): number {
  let total = 0;
  for (const part of text.match(PART) ?? []) {
    const unit = part.replace(/^\d+/, "") as keyof typeof UNIT_MS;
    total += Number(part.slice(0, -unit.length)) * UNIT_MS[unit];
  }
  return total;
}

function sumOfIso(text: string): number | null {
  const match = ISO.exec(text);
  if (!match || text.endsWith("P") || text.endsWith("T")) return null;
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0, fraction = "0"] = match;
  const whole =
    Number(weeks) * UNIT_MS.w + Number(days) * UNIT_MS.d + Number(hours) * UNIT_MS.h + Number(minutes) * UNIT_MS.m;
  return whole + Number(seconds) * UNIT_MS.s + Number(fraction.padEnd(3, "0"));
}

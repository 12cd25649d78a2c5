/** Instants of a world's clock: milliseconds since 1970 inside, ISO 8601 outside. */

/** An instant in milliseconds since 1970, UTC. */
export type Instant = number;

/** The last instant that ISO 8601 writes with a four-digit year. */
export const LAST_INSTANT: Instant = Date.parse("9999-12-31T23:59:59.999Z");

const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Cache of formatted instants: one operation formats the same few over and over. */
const written = new Map<Instant, string>();
const MOST_WRITTEN = 64;

/** `2026-01-01T12:00:00.000Z` (`D27`); what lies beyond {@link LAST_INSTANT}, such as a late expiry, is cut to it. */
export function formatInstant(instant: Instant): string {
  const known = written.get(instant);
  if (known !== undefined) return known;
  if (written.size === MOST_WRITTEN) written.clear();
  const text = new Date(Math.min(instant, LAST_INSTANT)).toISOString();
  written.set(instant, text);
  return text;
}

/** The same with an explicit offset, as in webhook envelopes: `2026-01-01T12:00:00.000+00:00` (`D27`). */
export function formatWithOffset(instant: Instant): string {
  return `${formatInstant(instant).slice(0, -1)}+00:00`;
}

/** Like {@link formatInstant}; null where there is none. */
export function formatInstantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

/** Whole Unix seconds. */
export function unixSeconds(instant: Instant): number {
  return Math.floor(instant / 1000);
}

/** An example for messages and editors. */
export const INSTANT_EXAMPLE = "2026-01-01T12:00:00Z";

/** The error message for an instant given in another form. */
export const INSTANT_WORDS = `must be an ISO 8601 instant with a zone, from 1970 to the year 9999, such as ${INSTANT_EXAMPLE}`;

/** Parses ISO 8601 with a zone; null if the text is anything else, before 1970 or beyond the year 9999. */
export function parseInstant(text: string): Instant | null {
  if (!WITH_ZONE.test(text)) return null;
  const instant = Date.parse(text);
  if (Number.isNaN(instant) || instant > LAST_INSTANT || instant < 0) return null;
  return isCalendarDay(text.slice(0, 10)) ? instant : null;
}

/** The instant of a text that was checked when it was given. @throws {Error} if it is none. */
export function instantOf(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`${JSON.stringify(text)} is no instant, though it was taken for one.`);
  return instant;
}

/** Rejects days such as February 30, which `Date` takes for a day in March. */
function isCalendarDay(day: string): boolean {
  return formatInstant(Date.parse(day)).startsWith(day);
}

const DAY_MS = 86_400_000;

/** The UTC day an instant lies in, as `2026-01-01`. */
export function utcDay(instant: Instant): string {
  return formatInstant(instant).slice(0, 10);
}

/** The UTC month an instant lies in, as `2026-01`. */
export function utcMonth(instant: Instant): string {
  return formatInstant(instant).slice(0, 7);
}

/** 00:00 UTC of the following day. */
export function startOfNextUtcDay(instant: Instant): Instant {
  return (Math.floor(instant / DAY_MS) + 1) * DAY_MS;
}

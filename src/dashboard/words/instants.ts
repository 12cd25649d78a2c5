/** Instants and spans of virtual time, as they are read. */

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** A span in its two greatest units: `4m 55s`, `3d 2h`, `500ms`. */
export function spanText(spanMs: number): string {
  let rest = Math.abs(Math.round(spanMs));
  const parts: string[] = [];
  for (const [unit, sizeMs] of UNITS) {
    const count = Math.floor(rest / sizeMs);
    rest -= count * sizeMs;
    // Milliseconds matter below a minute only.
    if (count > 0 && !(unit === "ms" && Math.abs(spanMs) >= 60_000)) parts.push(`${count}${unit}`);
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0s";
}

/** How far an instant is from now: `in 4m 55s`, `3s ago`, `now`. */
export function fromNow(instant: string, nowMs: number): string {
  const spanMs = Date.parse(instant) - nowMs;
  if (Math.abs(spanMs) < 1) return "now";
  // From a second on, whole seconds are shown: `in 5s` until it is 4.
  const text = spanText(Math.abs(spanMs) < 1_000 ? spanMs : Math.ceil(Math.abs(spanMs) / 1_000) * 1_000);
  return spanMs > 0 ? `in ${text}` : `${text} ago`;
}

/** `2026-01-01`. */
export function dateText(instant: string): string {
  return instant.slice(0, 10);
}

/** `12:00:05.250`; without the fraction where that is zero. */
function timeText(instant: string): string {
  return instant
    .slice(11)
    .replace(/Z$/, "")
    .replace(/\.000$/, "");
}

/** `01-02 12:00:05`; without the day where it is the one given, with the year where it is not. */
export function shortText(instant: string, today: string): string {
  if (dateText(instant) === today) return timeText(instant);
  const isThisYear = instant.slice(0, 4) === today.slice(0, 4);
  return `${isThisYear ? instant.slice(5, 10) : dateText(instant)} ${timeText(instant)}`;
}

/** `2026-01-01 12:00:05`, in UTC as everywhere. */
export function instantText(instant: string): string {
  return `${dateText(instant)} ${timeText(instant)}`;
}

/** The instant of a number of milliseconds since 1970. */
export function instantOf(ms: number): string {
  return new Date(Math.floor(ms)).toISOString();
}

/** Fields for durations and instants in files and calls, with suggestions for texts that are neither. */
import { z } from "zod";
import {
  DURATION_EXAMPLES,
  durationOf,
  formatDuration,
  isTooLong,
  parseDuration,
  TOO_LONG,
} from "../domain/durations.ts";
import { ExactNumber } from "../domain/money.ts";
import { asQuestion } from "../domain/words/near-name.ts";
import { INSTANT_EXAMPLE, INSTANT_WORDS, parseInstant } from "../world/instants.ts";
import { wordOf } from "./file-values.ts";

/** The pattern of a duration for editors; `parseDuration` is authoritative. */
export const DURATION_FORM = "([0-9]+(ms|[smhdw]))+|P(?!$)([0-9]+W)?([0-9]+D)?(T(?!$)([0-9]+H)?([0-9]+M)?([0-9.]+S)?)?";
/** The pattern of an instant for editors; `parseInstant` is authoritative. */
export const INSTANT_FORM =
  "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2})";

/** `5s`, `1h30m`, `PT5S`. @param unit what a number without one is probably in, for advice. */
export function durationFieldOf(unit: "ms" | "s") {
  const error = ({ input }: { input?: unknown }) => durationWords(input, unit);
  return z
    .string({ error })
    .refine((text) => parseDuration(text) !== null, { error })
    .meta({ pattern: `^(${DURATION_FORM})$`, examples: ["5s", "31m", "1h30m", "2d"] });
}

/** A duration where a number without a unit is probably in seconds. */
export const durationField = durationFieldOf("s");

/** A duration above zero. */
export const durationAboveZero = z
  .string({ error: wordsAboveZero })
  .refine((text) => (parseDuration(text) ?? 0) > 0, { error: wordsAboveZero });

/** `2026-01-01T12:00:00Z`. */
export const instantField = z
  .string({ error: ({ input }) => instantWords(input) })
  .refine((text) => parseInstant(text) !== null, { error: ({ input }) => instantWords(input) })
  .meta({ pattern: `^${INSTANT_FORM}$`, examples: [INSTANT_EXAMPLE] });

function durationWords(given: unknown, unit: "ms" | "s"): string {
  const meant = asQuestion(durationMeant(given, unit));
  return tooLongWords(given) ?? `must be a duration such as ${DURATION_EXAMPLES}${meant}`;
}

function wordsAboveZero({ input }: { input?: unknown }): string {
  const isZero = parseDuration(durationMeant(input) ?? wordOf(input)) === 0;
  return isZero ? `must be a duration above zero such as ${DURATION_EXAMPLES}` : durationWords(input, "s");
}

/** The message for a duration, or `+` and a duration, whose only fault is that it is too long; null otherwise. */
export function tooLongWords(given: unknown): string | null {
  const isSuch = typeof given === "string" && isTooLong(given.replace(/^\+/, ""));
  return isSuch ? TOO_LONG : null;
}

function instantWords(given: unknown): string {
  return INSTANT_WORDS + asQuestion(instantMeant(given));
}

/** TABLE: common spellings of the units of durations. */
const UNITS: Readonly<Record<string, string>> = {
  ms: "ms|msecs?|millis|milliseconds?",
  s: "s|secs?|seconds?",
  m: "m|mins?|minutes?",
  h: "h|hrs?|hours?",
  d: "d|days?",
  w: "w|wks?|weeks?",
};

/** Longer texts were not meant as durations, so that none is suggested. */
const LONGEST_MEANT = 100;

/** The duration that a number or a text such as `5 minutes` probably means; null if none. @param unit of a number. */
export function durationMeant(given: unknown, unit: "ms" | "s" = "s"): string | null {
  if (given instanceof ExactNumber) return /^\d{1,9}$/.test(given.source) ? `${given.source}${unit}` : null;
  if (typeof given !== "string" || given.length > LONGEST_MEANT) return null;
  const parts = [
    ...given
      .trim()
      .replace(/^\+/, "")
      .matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)[\s,]*/gi),
  ];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== given.trim().replace(/^\+/, "")) return null;
  const texts: (string | null)[] = [];
  for (const [, count = "", word = ""] of parts) texts.push(partMeant(count, word || smallerThan(texts.at(-1), unit)));
  return texts.includes(null) || isTooLong(texts.join("")) ? null : texts.join("");
}

/** The unit of a number without one: the next smaller than that of the part before, as in `1h30`, else the given one. */
function smallerThan(part: string | null | undefined, otherwise: string): string {
  const units = Object.keys(UNITS);
  const unit = units.indexOf(/[a-z]+$/.exec(part ?? "")?.[0] ?? "");
  return units[unit - 1] ?? otherwise;
}

function partMeant(count: string, word: string): string | null {
  const unit = Object.keys(UNITS).find((name) => new RegExp(`^(${UNITS[name]})$`, "i").test(word));
  if (unit === undefined || count.length > 9) return null;
  if (!count.includes(".")) return count + unit;
  return formatDuration(Math.round(Number(count) * durationOf(`1${unit}`)));
}

/** The instant that a date, or an instant without a zone, probably means; null if none. */
export function instantMeant(given: unknown): string | null {
  if (typeof given !== "string") return null;
  const text = given.trim().replace(" ", "T");
  const candidates = [`${text}Z`, `${text}T00:00:00Z`, text];
  return candidates.find((candidate) => parseInstant(candidate) !== null) ?? null;
}

/** The targets of `POST /clock/advance` (interface, section 4). */
import { z } from "zod";
import { durationOf, parseDuration } from "../domain/durations.ts";
import { eventNames, isEventName } from "../domain/events.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { isObject } from "../domain/plain-values.ts";
import { nearest } from "../scenarios/schema-words.ts";
import { durationField as durationText, instantField as instantText } from "../scenarios/time-fields.ts";
import { wholeNumberField } from "../service/input.ts";
import type { AdvanceTarget } from "../world/advance.ts";
import { advanceWords, targetOfWord } from "../world/advance-words.ts";
import { formatInstant, type Instant, instantOf, LAST_INSTANT } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { ControlError, notFound } from "./errors.ts";
import { noResource } from "./missing-resource.ts";

/** An instant as ISO 8601 text with a zone, read as milliseconds since 1970. */
export const instantField = instantText.transform((text) => instantOf(text));

const duration = durationText.transform((text) => durationOf(text));

const SIGNED = /^([+-]?)(.+)$/;

const ANY_OFFSET = "must be a duration with or without a sign, such as -1s";

const offset = z
  .string({ error: ANY_OFFSET })
  .refine((text) => signedDuration(text) !== null, { error: ANY_OFFSET })
  .transform((text) => signedDuration(text) ?? 0);

const ANY_TARGET = "must be next, idle, an event kind, or one of expiry, deadline and quote_expiry as an object";

const wordField = (known: readonly string[]) =>
  z.string({ error: ANY_TARGET }).superRefine((text, context) => {
    if (known.includes(text)) return;
    // A name of an event that is not known here is one of those that a setting adds.
    const words = isEventName(text)
      ? `cannot be ${text}, which is sent where the setting legacy_refund_events is on`
      : `must be next, idle or an event kind${nearest(text, known)}`;
    context.addIssue({ code: "custom", message: words });
  });

/** TABLE: moments of resources that the clock can advance to, and how each is found. */
const moments: Readonly<Record<"expiry" | "deadline" | "quote_expiry", (world: World, id: string) => Instant>> = {
  expiry: (world, id) => {
    const transaction = world.transactions.get(id);
    if (!transaction) throw noResource(world, "transaction", id);
    if (transaction.expires_at !== null) return transaction.expires_at;
    throw new ControlError(422, "INVALID_REQUEST", `The transaction ${id} does not expire.`);
  },
  deadline: (world, id) => {
    const dispute = world.disputes.get(id);
    if (!dispute) throw noResource(world, "dispute", id);
    return dispute.deadline_at;
  },
  quote_expiry: (world, pair) => {
    const [base = "", destination = ""] = pair.split("/");
    const quote = world.conversions.latestQuoteOfPair(base, destination);
    if (!quote) throw notFound("quote of the pair", pair);
    return quote.expires_at;
  },
};

const ANY_PAIR = "must be a pair such as BRL/USDT";

/** A moment of a resource, as a value of `until`. */
export const momentInput = z
  .strictObject({
    expiry: z.string({ error: "must be the id of a transaction" }).optional(),
    deadline: z.string({ error: "must be the id of a dispute" }).optional(),
    quote_expiry: z
      .string({ error: ANY_PAIR })
      .regex(/^[A-Z]+\/[A-Z]+$/, { error: ANY_PAIR })
      .optional(),
    offset: offset.optional(),
  })
  .refine(({ offset: _offset, ...named }) => Object.keys(named).length === 1, {
    error: "must have exactly one of expiry, deadline, quote_expiry",
  });

/**
 * The body of `POST /clock/advance`. {@link untilSchema} reads `until`; that exactly one target is given is checked
 * afterwards.
 */
export const advanceInput = onFirstUse(() =>
  z.strictObject({
    by: duration.optional(),
    to: instantField.optional(),
    until: z.unknown().optional(),
    max_timers: wholeNumberField(1, Number.MAX_SAFE_INTEGER).optional(),
  }),
);

const untilWord = onFirstUse(() => z.strictObject({ until: wordField(advanceWords()) }));
const untilLegacyWord = onFirstUse(() => z.strictObject({ until: wordField(advanceWords(eventNames)) }));
const untilMoment = onFirstUse(() => z.strictObject({ until: momentInput }));

/** The schema of `until`, by what was given, since each form has its own messages; `D55` adds event kinds. */
export function untilSchema(given: unknown, { settings }: World) {
  if (isObject(given)) return untilMoment();
  return settings.legacy_refund_events ? untilLegacyWord() : untilWord();
}

/**
 * The target that `until` names.
 * @throws {ControlError} 404 for an unknown id, 422 for what does not expire, 409 for a moment that has passed, 400
 * beyond the year 9999.
 */
export function untilTarget(operation: Operation, until: string | z.infer<typeof momentInput>): AdvanceTarget {
  if (typeof until === "string") return targetOfWord(until);
  const { offset: offsetMs = 0, ...named } = until;
  const [name = "expiry", id = ""] = Object.entries(named)[0] ?? [];
  const instant = moments[name as keyof typeof moments](operation.world, id) + offsetMs;
  refuseUnreachable(operation, instant);
  return { kind: "to", instant };
}

/** The target of `by`: a duration from now. @throws {ControlError} 400 beyond the year 9999. */
export function byTarget(operation: Operation, durationMs: number): AdvanceTarget {
  refuseUnreachable(operation, operation.now + durationMs);
  return { kind: "by", durationMs };
}

/** @throws {ControlError} 409 `CLOCK_BACKWARDS`, or 400 beyond the year 9999. */
export function refuseUnreachable({ world, now }: Pick<Operation, "world" | "now">, goal: Instant): void {
  if (goal > LAST_INSTANT) throw new ControlError(400, "INVALID_REQUEST", "The clock ends with the year 9999.");
  if (goal >= now) return;
  const [shown, asked] = [now, goal].map(formatInstant);
  const message = `The clock shows ${shown}, past ${asked}, and never goes back; restore a snapshot for that.`;
  const way =
    world.clock.mode === "running"
      ? " It runs by itself: freeze it first, and nothing passes while you ask for it."
      : "";
  throw new ControlError(409, "CLOCK_BACKWARDS", message + way, { now: shown });
}

function signedDuration(text: string): number | null {
  const [, sign = "", rest = ""] = SIGNED.exec(text) ?? [];
  const durationMs = parseDuration(rest);
  if (durationMs === null) return null;
  return sign === "-" ? -durationMs : durationMs;
}

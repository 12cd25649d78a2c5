/** What fault rules inject, in scenario files and by `PUT /faults` alike (interface, section 5). */
import { z } from "zod";
import { durationOf, formatDuration, parseDuration } from "../domain/durations.ts";
import {
  DomainError,
  type DomainErrorDetails,
  type ErrorCode,
  errorCatalogue,
  errorCodes,
  statusesOf,
} from "../domain/errors.ts";
import type { Settings } from "../domain/settings.ts";
import { LONGEST_HOLD_MS } from "../domain/webhook-schedule.ts";
import { addressField, wholeNumberField } from "../service/input.ts";
import type { DeliveryFault, RequestStrike } from "../world/interception.ts";
import { durationField, durationFieldOf } from "./time-fields.ts";

/** The longest that `latency` may hold back an answer, in real time. */
const MAX_LATENCY_MS = 600_000;
const MAX_COPIES = 100;
const MAX_SHUFFLED = 1_000;

const isTrue = z.literal(true, { error: "must be true" }).optional();

/** TABLE: what can be injected into a call, and what into a delivery. */
export const injectionsOf = {
  request: {
    error: z
      .enum(errorCodes, { error: `must be one of ${errorCodes.join(", ")}` })
      .optional()
      .meta({ description: "Refuses the call with this code." }),
    status: wholeNumberField(400, 599)
      .optional()
      .meta({ description: "Refuses the call with this status and the common failure body." }),
    latency: durationFieldOf("ms")
      .refine((text) => (parseDuration(text) ?? 0) <= MAX_LATENCY_MS, {
        error: `must be at most ${formatDuration(MAX_LATENCY_MS)}`,
      })
      .optional()
      .meta({ description: "Holds the answer back, in real time." }),
    disconnect: z
      .enum(["before", "after"], { error: "must be before or after" })
      .optional()
      .meta({ description: "Closes the connection without an answer, before or after the operation was executed." }),
    malformed: isTrue.meta({ description: "Answers with half of a JSON text." }),
  },
  delivery: {
    drop: isTrue.meta({ description: "Never sends the webhook." }),
    duplicate: wholeNumberField(1, MAX_COPIES).optional().meta({ description: "Sends this many more copies." }),
    delay: durationField.optional().meta({ description: "Sends the webhook this much later, on the world's clock." }),
    shuffle: wholeNumberField(2, MAX_SHUFFLED)
      .optional()
      .meta({
        description: `Holds this many webhooks and sends them in seeded random order; if too few come, they leave after ${LONGEST_HOLD_MS / 1000} s of the world's clock.`,
      }),
    source: addressField
      .optional()
      .meta({ description: "Sends the first attempt from this address, which is a wrong one." }),
  },
} as const;

/** What a rule strikes. */
export type Struckable = keyof typeof injectionsOf;

/** One fault, as an object with one key; {@link injectionFault} checks that it fits what its rule strikes. */
export const injection = z
  .strictObject(
    { ...injectionsOf.request, ...injectionsOf.delivery },
    {
      error: ({ code }) =>
        code === "invalid_type" ? "must be an object such as { status: 503 } or { drop: true }" : undefined,
    },
  )
  .meta({ description: "The fault that strikes." });

/** The fault of a rule: it has exactly one key once {@link injectionFault} has found nothing wrong. */
export type Injection = z.infer<typeof injection>;

/** Why an injection does not fit what its rule strikes, as the rest of a sentence that begins with it; else null. */
export function injectionFault(struck: Struckable, given: object): string | null {
  const known = Object.keys(injectionsOf[struck]);
  const names = Object.keys(given);
  if (names.length === 1 && known.includes(names[0] ?? "")) return null;
  const found = names.length === 0 ? "it has none" : `it has ${names.join(" and ")}`;
  return `of a ${struck} rule must have exactly one of ${known.join(", ")}; ${found}`;
}

/** What an injected refusal needs to know about its call and its rule. */
interface Refused {
  /** The hint in the answer, which names the rule. */
  readonly hint: string;
  readonly method: string;
  readonly settings: Settings;
}

/** The fault that an injection stands for, on a call. */
export function requestFault({ error, status, latency, disconnect }: Injection, call: Refused): RequestStrike {
  if (error !== undefined) return { kind: "refuse", error: refusal(error, statusOf(error, call.settings), call) };
  if (status !== undefined) return { kind: "refuse", error: refusal(codeOf(status), status, call) };
  if (latency !== undefined) return { kind: "latency", durationMs: durationOf(latency) };
  return disconnect === undefined ? { kind: "malformed" } : { kind: "disconnect", when: disconnect };
}

/** The fault that an injection stands for, on a webhook. @param group the group that a shuffled webhook waits in. */
export function deliveryFault({ duplicate, delay, shuffle, source }: Injection, group: string): DeliveryFault {
  if (duplicate !== undefined) return { kind: "duplicate", copies: duplicate };
  if (delay !== undefined) return { kind: "delay", durationMs: durationOf(delay) };
  if (shuffle !== undefined) return { kind: "shuffle", count: shuffle, group };
  return source === undefined ? { kind: "drop" } : { kind: "source", address: source };
}

/** TABLE: the code of an injected status for which the catalogue's first code is not the right one. */
const codesOfStatus: Readonly<Record<number, ErrorCode>> = { 401: "UNAUTHORIZED" };

/** The statuses that the service, or a fault rule, can give an answer of this code; null if one is among them. */
export function otherStatuses(status: number, code: ErrorCode): readonly number[] | null {
  const own = statusesOf(code);
  return own.includes(status) || codeOf(status) === code ? null : own;
}

/** The code of an injected status: the catalogue's first, or a general one if the catalogue lacks the status. */
function codeOf(status: number): ErrorCode {
  const first = errorCodes.find((code) => errorCatalogue[code].status === status);
  return codesOfStatus[status] ?? first ?? (status < 500 ? "INVALID_REQUEST" : "INTERNAL_ERROR");
}

/** The status of a code in a world (`D23`). */
function statusOf(code: ErrorCode, { duplicate_status }: Settings): number {
  return code === "DUPLICATE_EXTERNAL_ID" ? duplicate_status : errorCatalogue[code].status;
}

/** A refusal with the headers that its status requires (`D21`; Response headers). */
function refusal(code: ErrorCode, status: number, { method, hint }: Refused): DomainError {
  const headers: DomainErrorDetails =
    status === 429 ? { retryAfterSeconds: 1 } : status === 405 ? { allow: method } : {};
  return new DomainError(code, undefined, { hint, status, ...headers });
}

/** Schemas of the envelope around an answer's `data`, and of a refusal. */
import { z } from "zod";
import { type ErrorCode, type ErrorRow, errorCatalogue } from "../../domain/errors.ts";
import { instant, madeUp, text } from "./answer-fields.ts";
import { answers } from "./answers.ts";

const own = { request_id: text.regex(/^req_[0-9a-z]{24}$/), timestamp: instant };

/**
 * TABLE: fields that follow `data` in a success: none (`bare`, conversions/rate alone), or the token's again (`oauth`,
 * `D10`).
 */
const envelopes = { full: own, bare: {}, oauth: { ...own, ...answers.token.shape } } as const;

/** How an endpoint names the envelope of its answer. */
export type EnvelopeName = keyof typeof envelopes;

/** The body of a success. */
export function successOf(data: z.ZodType, envelope: EnvelopeName = "full"): z.ZodType {
  return z.strictObject({ success: z.literal(true), data, ...envelopes[envelope] });
}

/** `error` of the failure body; `group` and `retryable` follow from the code (`D22`, `D29`). */
export function errorOf(code: ErrorCode): z.ZodType {
  const { group, retryable, decision }: ErrorRow = errorCatalogue[code];
  return z.strictObject({
    code: decision ? madeUp(decision, z.literal(code)) : z.literal(code),
    message: text,
    // BUSINESS is the only group that the specification names.
    group: group === "BUSINESS" ? z.literal(group) : madeUp("D22", z.literal(group)),
    retryable: z.literal(retryable),
  });
}

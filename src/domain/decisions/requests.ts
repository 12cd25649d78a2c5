import { type DecisionChapter, decide } from "./decision.ts";

/** TABLE: decisions on requests, errors and the form of answers. */
export const requestDecisions: DecisionChapter = {
  title: "Requests and errors",
  decisions: [
    decide(
      "D20",
      "Missing or malformed parameters, JSON that cannot be parsed",
      `400 \`INVALID_REQUEST\`, group \`VALIDATION\`, with a message that names every field at fault (\`payer.name\`,
      \`split[0].percentage\`). Unknown fields are ignored; null for an optional field is the same as leaving it out. A
      wallet in a crypto currency without \`chain\` is such a fault; a chain for BRL or MXN is ignored.`,
    ),
    decide(
      "D21",
      "Unknown path, wrong method, wrong content type, body too large, unexpected fault",
      `404 \`NOT_FOUND\`; 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`; 415 \`UNSUPPORTED_MEDIA_TYPE\`; 413
      \`PAYLOAD_TOO_LARGE\` (over 1 MiB; the dispute reply 12 MiB); 500 \`INTERNAL_ERROR\`. All in the common failure
      body, with the headers of the rate limit.`,
    ),
    decide(
      "D22",
      "Groups, and what `retryable` means",
      `\`AUTH\` (401), \`VALIDATION\` (400, 404, 405, 413, 415), \`BUSINESS\` (409, 422), \`RATE_LIMIT\` (429),
      \`SECURITY\` (403, 423), \`PROVIDER\` (502, 503), \`INTERNAL\` (500). \`retryable\` means that the very same request
      may succeed later: true for 429, 502, 503 and 403 \`IP_BLOCKED_TEMPORARILY\`, false for the rest.`,
    ),
    decide("D23", "Status of `DUPLICATE_EXTERNAL_ID`", `\`409\`; with the setting \`422\`.`, "duplicate_status"),
    decide(
      "D24",
      'What "identical body" means',
      `Equal after JSON parsing, whatever the order of keys or spacing. The original is returned with its present state
      and the status code of the first answer. Holds for cash-in, cash-out, conversion and internal transfer; an
      external id is unique per account across all four. Over 64 characters: \`INVALID_REQUEST\`.`,
    ),
    decide(
      "D25",
      "Unsupported currency in cash-in, cash-out, transfer, `?currency=`, filters of lists",
      `422 \`INVALID_CURRENCY\`. MXN has no conversion: \`INVALID_CURRENCY\`. On the wallet endpoint a currency that the
      service names but does not offer there (POL by default) is \`UNSUPPORTED_CURRENCY\`, an unknown code
      \`INVALID_CURRENCY\`.`,
    ),
    decide(
      "D26",
      "Limits of an operation",
      `Over a daily or monthly limit, under the minimum or over the maximum per operation: 409 \`LIMIT_EXCEEDED\`.`,
    ),
    decide(
      "D26a",
      "The instant at which something ends",
      `What is valid for N seconds (token, quote, charge, nonce, block, rate window, deadline) is valid up to, and not
      at, its instant + N s. The tolerance of signatures is inclusive.`,
    ),
    decide(
      "D27",
      "Timestamps",
      `Bodies: ISO 8601 UTC with milliseconds and \`Z\`. The envelope of webhooks: the same with \`+00:00\`.`,
    ),
    decide(
      "D28",
      "`request_id`",
      `\`req_\` and 24 lower-case base-36 characters, also in the header \`X-Request-Id\`; absent from the body of
      \`/v2/conversions/rate\`.`,
    ),
    decide(
      "D29",
      "Failure body, nulls",
      `The failure body is just \`success\` and \`error\`; \`request_id\` is in the header. Fields that the specification
      lists are always present, null where there is no value, except where a row here says that they are added or left
      out. Numbers beyond 15 digits in \`conversions/new\` are written as exact literals.`,
    ),
  ],
};

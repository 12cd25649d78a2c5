import type { ErrorCode } from "../domain/errors.ts";

const played = (...scenarios: string[]) =>
  `Played by ${scenarios.map((name) => `[${name}](scenarios.md#${name})`).join(", ")}.`;

/** TABLE: how to cause each refusal in the sandbox, in Markdown. */
export const errorRecipes: Readonly<Record<ErrorCode, string>> = {
  MISSING_SIGNATURE: "Leave out `X-Signature`, `X-Timestamp` or `X-Nonce` of a cash-out or conversion.",
  INVALID_SIGNATURE: `Sign a different body than you send, use a nonce twice, or sign with a time that is further off
than \`signature_tolerance\`; \`X-Sandbox-Hint\` says which it was. ${played("signature-refused")}`,
  UNAUTHORIZED: "Call without a token or with a made-up one, or advance the clock by `1h`, when the token expires.",
  INVALID_CURRENCY: `Name an unknown currency, or convert MXN. ${played("currency-not-supported")}`,
  INSUFFICIENT_BALANCE: `Send more than \`GET /v2/account/balance\` shows. ${played("insufficient-balance")}`,
  UNSUPPORTED_CHAIN: 'Ask for a charge in USDT with `"chain": "bitcoin"`, or without a chain.',
  UNSUPPORTED_CURRENCY: "Ask for a fixed wallet in POL.",
  LIMIT_EXCEEDED: `Exceed a limit of \`GET /v2/account/limits\`, or go below its minimum; set lower limits with
\`PATCH /_sandbox/credentials/{client_id}\`. ${played("daily-limit-reset")}`,
  RATE_EXPIRED: `Simulate a conversion, advance the clock by \`60s\`, and execute it.
${played("rate-moves-quote-expired")}`,
  WALLET_LIMIT_REACHED: `Ask for a twenty-first fixed wallet. ${played("wallet-limit-reached")}`,
  PROVIDER_ERROR: `Only by a fault rule. ${played("provider-outage", "provider-fails-a-wallet")}`,
  DUPLICATE_EXTERNAL_ID: "Use an `external_id` again with another body.",
  RATE_LIMIT_EXCEEDED: `Call more often than the endpoint's limit allows, such as eleven transfers within a minute; or be
refused fifteen times within a minute. ${played("rate-limit-reached", "credential-blocked")}`,
  IP_BLOCKED_TEMPORARILY: `Ask for a token with a wrong secret five times; the block ends after \`5m\` of the world's clock. ${played("address-blocked")}`,
  IP_BLACKLISTED: `Put the address on the list: \`PUT /_sandbox/blocked-ips\` with \`{"ips": ["127.0.0.1"]}\`.
${played("address-blacklisted")}`,
  SECURITY_BLOCKED: `Put the account under review: \`PATCH /_sandbox/accounts/acme\` with \`{"status": "under_review"}\`.
${played("account-under-review")}`,
  INVALID_REQUEST: "Leave out a required field, or send a body that is not JSON; `message` names every field at fault.",
  NOT_FOUND: "Call an unknown path, or transfer to an unknown username.",
  METHOD_NOT_ALLOWED: "Call `GET /v2/transactions/cashin`.",
  UNSUPPORTED_MEDIA_TYPE: "Send a body with `Content-Type: text/plain`.",
  PAYLOAD_TOO_LARGE: "Send a body of more than 1 MiB, or a reply to a dispute of more than 12 MiB.",
  INFRACTION_NOT_OPEN: `Reply to a dispute twice, or after its deadline.
${played("chargeback-replied-twice", "chargeback-reply-too-late")}`,
  SERVICE_UNAVAILABLE:
    "By a fault rule; without one, the sandbox has no more room (memory or disk), and a hint says so.",
  INTERNAL_ERROR: "Only by a fault rule; without one it is a defect of the sandbox, and its log says more.",
};

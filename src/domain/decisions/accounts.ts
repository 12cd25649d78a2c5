import { type DecisionChapter, decide } from "./decision.ts";

/** TABLE: decisions on tokens, signatures and protections. */
export const accountDecisions: DecisionChapter = {
  title: "Tokens, signatures, protections",
  decisions: [
    decide(
      "D10",
      "Body and answer of `/v2/oauth/token`",
      `Takes JSON, or form fields as OAuth 2.0 clients send them: \`client_id\`, \`client_secret\`, optional
      \`grant_type=client_credentials\` (another grant: \`INVALID_REQUEST\`); or HTTP Basic. Answers the common envelope
      with data \`access_token\`, \`token_type\` \`Bearer\`, \`expires_in\` 3600, and the same three at the top level,
      so that stock OAuth 2.0 clients work. Wrong credentials: 401 \`UNAUTHORIZED\`, an authentication failure. As
      these clients expect, a token comes with \`Cache-Control: no-store\`, and a 401 to HTTP Basic with
      \`WWW-Authenticate\`.`,
    ),
    decide(
      "D11",
      "The token",
      `A JWT (HS256): \`sub\` the client id, \`iat\` and \`exp\` on the world's clock, \`jti\`. No refresh, no
      revocation; a new one leaves the old one valid until it expires.`,
    ),
    decide(
      "D12",
      "Where the signing key comes from",
      `It stands beside client id and secret: what is printed at the start, the dashboard, \`GET /_sandbox\`.`,
    ),
    decide(
      "D13",
      "Accepted difference of `X-Timestamp`",
      `300 s either way, inclusive; beyond it \`INVALID_SIGNATURE\`. Measured on the world's clock (\`world\`), on the
      wall clock (\`wall\`), or on whichever is nearer (\`either\`): a merchant signs with its own clock, which does not
      travel with the world's. A replay of a bundle uses the wall time that the bundle records.`,
      "signature_tolerance",
      "signature_clock",
    ),
    decide(
      "D14",
      "Reused nonce, malformed nonce or timestamp",
      `\`INVALID_SIGNATURE\`, as is a signature that is not lower-case hex. Any of the three headers absent or empty:
      \`MISSING_SIGNATURE\`. A nonce is burnt only by a request whose signature was right; its window runs on the world's
      clock. Cash-outs and \`conversions/new\` need the HMAC: the overview's "Bearer alone suffices" is overruled by the
      descriptions of the endpoints.`,
    ),
    decide(
      "D15",
      "Order of checks",
      `Path, method and size (404, 405, 413) → block of the address → bearer token → block of the credential → account
      under review → rate limit → signature → content type and body → business rules. A request that is refused before
      its credential is known counts in the window of its address and endpoint; any other counts in its credential's.`,
    ),
    decide(
      "D16",
      "Block of a credential after fifteen 4xx answers per minute",
      `The minute slides. After the fifteenth, every request that gets as far as this check, valid or not, gets 429
      \`RATE_LIMIT_EXCEEDED\` with \`Retry-After\`, for 300 s. The 429s of rate limits count as 4xx, and the one that
      begins the block says how long that lasts; those of the block itself neither count nor prolong it.`,
      "credential_block",
    ),
    decide(
      "D17",
      "`IP_BLACKLISTED`, `SECURITY_BLOCKED`",
      `Never by themselves: set by the control interface or a scenario and lifted the same way, whatever
      \`protections\` says. Under review a token can still be had and the profile be read, so that its \`status\` can be
      seen; all other endpoints answer 423.`,
    ),
    decide(
      "D18",
      "What counts as an authentication failure of an address",
      `A wrong client secret, an unknown client id, a wrong or expired token, a wrong HMAC; not a missing token or
      signature, a stale timestamp or a reused nonce. The fifth failure within 300 s starts the block; the requests
      after it get \`IP_BLOCKED_TEMPORARILY\`, without \`Retry-After\`: the seconds left are in \`message\` and
      \`X-Sandbox-Hint\`. With \`window\` a success does not reset the count; with \`consecutive\` it does.`,
      "auth_failures",
    ),
    decide(
      "D19",
      "Windows of the rate limits",
      `Fixed windows of 60 s per credential and endpoint (per address for the token), from the first request of the
      window, on the world's clock. Paths outside the table answer with 1 000 per minute. With \`enforce\` limits and
      blocks refuse; with \`report\` they count and show their headers and block nothing; with \`off\` they leave the
      counters alone too, and headers show a full window.`,
      "protections",
    ),
  ],
};

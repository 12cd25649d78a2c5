/** The error catalogue of the service, and the error class that refers to a row of it. */

/** A row; `retryable` says whether the very same request may succeed later (`D22`), `message` is the default. */
export interface ErrorRow {
  readonly status: number;
  readonly group: "AUTH" | "VALIDATION" | "BUSINESS" | "RATE_LIMIT" | "SECURITY" | "PROVIDER" | "INTERNAL";
  readonly retryable: boolean;
  readonly message: string;
  /** The decision in `domain/decisions.ts` that names the code; set only if the specification does not name it. */
  readonly decision?: string;
}

const row = (status: number, group: ErrorRow["group"], retryable: boolean, message: string, decision?: string) =>
  (decision ? { status, group, retryable, message, decision } : { status, group, retryable, message }) as ErrorRow;

/** Every code that a body of `/v2` can carry: the sixteen of the specification, then those that it leaves unnamed. */
export const errorCatalogue = {
  MISSING_SIGNATURE: row(401, "AUTH", false, "The signature headers are missing."),
  INVALID_SIGNATURE: row(401, "AUTH", false, "The signature is invalid."),
  UNAUTHORIZED: row(401, "AUTH", false, "The access token is invalid or expired."),
  INVALID_CURRENCY: row(422, "BUSINESS", false, "The currency is not supported."),
  INSUFFICIENT_BALANCE: row(422, "BUSINESS", false, "The balance is not sufficient."),
  UNSUPPORTED_CHAIN: row(422, "BUSINESS", false, "The chain is not supported for the currency."),
  UNSUPPORTED_CURRENCY: row(422, "BUSINESS", false, "The currency is not available for fixed wallets."),
  LIMIT_EXCEEDED: row(409, "BUSINESS", false, "A limit of the account has been reached."),
  RATE_EXPIRED: row(409, "BUSINESS", false, "The quote has expired; simulate again."),
  WALLET_LIMIT_REACHED: row(409, "BUSINESS", false, "The credential has reached its limit of fixed wallets."),
  PROVIDER_ERROR: row(502, "PROVIDER", true, "The provider failed; try again later."),
  DUPLICATE_EXTERNAL_ID: row(409, "BUSINESS", false, "The external_id was used with a different body."),
  RATE_LIMIT_EXCEEDED: row(429, "RATE_LIMIT", true, "Too many requests; wait for Retry-After seconds."),
  IP_BLOCKED_TEMPORARILY: row(403, "SECURITY", true, "The address is blocked for the time being."),
  IP_BLACKLISTED: row(403, "SECURITY", false, "The address is blocked; contact support."),
  SECURITY_BLOCKED: row(423, "SECURITY", false, "The account is under security review."),
  INVALID_REQUEST: row(400, "VALIDATION", false, "The request is invalid.", "D20"),
  NOT_FOUND: row(404, "VALIDATION", false, "There is nothing at this address.", "D21"),
  METHOD_NOT_ALLOWED: row(405, "VALIDATION", false, "The method is not allowed here.", "D21"),
  UNSUPPORTED_MEDIA_TYPE: row(415, "VALIDATION", false, "The content type must be application/json.", "D21"),
  PAYLOAD_TOO_LARGE: row(413, "VALIDATION", false, "The body is too large.", "D21"),
  INFRACTION_NOT_OPEN: row(409, "BUSINESS", false, "The dispute takes no reply any more.", "D51"),
  SERVICE_UNAVAILABLE: row(503, "PROVIDER", true, "The service is not available for the moment.", "D22"),
  INTERNAL_ERROR: row(500, "INTERNAL", false, "Something went wrong on our side.", "D21"),
} as const satisfies Record<string, ErrorRow>;

/** The group of each status (`D22`): all rows with a status have the same group. */
const groupOfStatus = new Map<number, ErrorRow["group"]>(
  Object.values(errorCatalogue).map(({ status, group }) => [status, group]),
);

/** An error code of the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;

/** The codes of the catalogue, in its order. */
export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

/** The statuses that a code can come with; the second one by a setting (`D23`). */
export function statusesOf(code: ErrorCode): readonly number[] {
  return code === "DUPLICATE_EXTERNAL_ID" ? [409, 422] : [errorCatalogue[code].status];
}

/** What a refusal may add to its row. `hint` goes into `X-Sandbox-Hint`, never into the body (R4). */
export interface DomainErrorDetails {
  readonly hint?: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly allow?: string;
  /** How the caller is to authenticate, for `WWW-Authenticate` (RFC 6749, section 5.2). */
  readonly authenticate?: string;
  /** Set if the refusal counts towards the block of the caller's address (`D18`). */
  readonly authenticationFailure?: boolean;
  /** Set if it does not count towards the block of the credential, because that block caused it (`D16`). */
  readonly uncounted?: boolean;
}

/** A refusal of the service: one row of {@link errorCatalogue}, with a message for this case. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  readonly details: DomainErrorDetails;

  constructor(code: ErrorCode, message?: string, details: DomainErrorDetails = {}) {
    super(message ?? errorCatalogue[code].message);
    this.code = code;
    this.details = details;
  }

  /** The HTTP status of the answer: the row's, unless a setting says otherwise (`D23`). */
  get status(): number {
    return this.details.status ?? errorCatalogue[this.code].status;
  }

  /** The group of the answer's status; if no row has that status, the group of the error's own row. */
  get group(): ErrorRow["group"] {
    return groupOfStatus.get(this.status) ?? errorCatalogue[this.code].group;
  }
}

/** The error catalogue against the specification's "Errors" and D20 to D23, D51. */
import { describe, expect, test } from "vitest";
import { DomainError, type ErrorCode, type ErrorRow, errorCatalogue } from "../../src/domain/errors.ts";

/** The table of the specification, with D23 for the status that it leaves open. */
const SPECIFIED: Readonly<Record<string, number>> = {
  MISSING_SIGNATURE: 401,
  INVALID_SIGNATURE: 401,
  UNAUTHORIZED: 401,
  INVALID_CURRENCY: 422,
  INSUFFICIENT_BALANCE: 422,
  UNSUPPORTED_CHAIN: 422,
  UNSUPPORTED_CURRENCY: 422,
  LIMIT_EXCEEDED: 409,
  RATE_EXPIRED: 409,
  WALLET_LIMIT_REACHED: 409,
  PROVIDER_ERROR: 502,
  DUPLICATE_EXTERNAL_ID: 409,
  RATE_LIMIT_EXCEEDED: 429,
  IP_BLOCKED_TEMPORARILY: 403,
  IP_BLACKLISTED: 403,
  SECURITY_BLOCKED: 423,
};

/** Names that the decisions had to make up. */
const DECIDED: Readonly<Record<string, [status: number, decision: RegExp]>> = {
  INVALID_REQUEST: [400, /^D20$/],
  NOT_FOUND: [404, /^D21$/],
  METHOD_NOT_ALLOWED: [405, /^D21$/],
  UNSUPPORTED_MEDIA_TYPE: [415, /^D21$/],
  PAYLOAD_TOO_LARGE: [413, /^D21$/],
  INTERNAL_ERROR: [500, /^D21$/],
  INFRACTION_NOT_OPEN: [409, /^D51$/],
  SERVICE_UNAVAILABLE: [503, /^D2[12]$/],
};

/** D22. */
const GROUPS: Readonly<Record<string, readonly number[]>> = {
  AUTH: [401],
  VALIDATION: [400, 404, 405, 413, 415],
  BUSINESS: [409, 422],
  RATE_LIMIT: [429],
  SECURITY: [403, 423],
  PROVIDER: [502, 503],
  INTERNAL: [500],
};

const rows = Object.entries(errorCatalogue) as [ErrorCode, ErrorRow][];

describe("the catalogue", () => {
  test("ERR-01 to ERR-16 D20 D21 D51 is the specification's codes and those of the decisions, no other", () => {
    expect(Object.keys(errorCatalogue).sort()).toEqual([...Object.keys(SPECIFIED), ...Object.keys(DECIDED)].sort());
  });

  test.each(Object.entries(SPECIFIED))("ERR-01 to ERR-16 D23 %s is %i, and nobody's decision", (code, status) => {
    const row = errorCatalogue[code as ErrorCode];
    expect([row.status, "decision" in row]).toEqual([status, false]);
  });

  test.each(Object.entries(DECIDED))("R3 %s has a status and names its decision", (code, [status, decision]) => {
    const row: ErrorRow = errorCatalogue[code as ErrorCode];
    expect([row.status, row.decision]).toEqual([status, expect.stringMatching(decision)]);
  });

  test.each(rows)("D22 %s: the group follows from the status, retryable from what may help", (code, row) => {
    expect(GROUPS[row.group]).toContain(row.status);
    expect(row.retryable).toBe([429, 502, 503].includes(row.status) || code === "IP_BLOCKED_TEMPORARILY");
  });

  test.each(rows)("%s has a message of one sentence or two", (_code, row) => {
    expect(row.message).toMatch(/^[A-Z].+\.$/);
  });
});

describe("a refusal", () => {
  test("carries its row, its own words, and a status that a setting may change", () => {
    const plain = new DomainError("INVALID_REQUEST");
    expect(plain).toMatchObject({
      code: "INVALID_REQUEST",
      status: 400,
      message: errorCatalogue.INVALID_REQUEST.message,
    });
    const own = new DomainError("DUPLICATE_EXTERNAL_ID", "Twice.", { status: 422 });
    expect(own).toMatchObject({ name: "DomainError", status: 422, message: "Twice." });
    expect(own).toBeInstanceOf(Error);
  });
});

/** What every answer of the service must look like, and what a refusal must have left alone. */
import { expect } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import type { Answer } from "./merchant.ts";

/** An instant in a body (D27). */
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A request id (D28). */
const REQUEST_ID = /^req_[0-9a-z]{24}$/;

/** D22, by status. */
const GROUPS: Readonly<Record<number, string>> = {
  400: "VALIDATION",
  401: "AUTH",
  403: "SECURITY",
  404: "VALIDATION",
  405: "VALIDATION",
  409: "BUSINESS",
  413: "VALIDATION",
  415: "VALIDATION",
  422: "BUSINESS",
  423: "SECURITY",
  429: "RATE_LIMIT",
  500: "INTERNAL",
  502: "PROVIDER",
  503: "PROVIDER",
};
const RETRYABLE = ["RATE_LIMIT_EXCEEDED", "PROVIDER_ERROR", "SERVICE_UNAVAILABLE", "IP_BLOCKED_TEMPORARILY"];

/** ENV-02: a success in the common envelope. @returns its data. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely.
export function expectSuccess(answer: Answer, status = 200): any {
  expect([answer.status, answer.body?.error]).toEqual([status, undefined]);
  expect(Object.keys(answer.body).slice(0, 4)).toEqual(["success", "data", "request_id", "timestamp"]);
  expect(answer.body).toMatchObject({
    success: true,
    data: expect.any(Object),
    request_id: expect.stringMatching(REQUEST_ID),
    timestamp: expect.stringMatching(INSTANT),
  });
  expectHeaders(answer);
  expect(answer.headers.get("x-request-id")).toBe(answer.body.request_id);
  return answer.body.data;
}

/** ENV-03, D22, D29: a refusal with a code, its message naming every one of `fields`. */
export function expectRefusal(answer: Answer, status: number, code: string, ...fields: string[]): void {
  expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  expect(answer.body).toStrictEqual({
    success: false,
    error: { code, message: expect.any(String), group: GROUPS[status], retryable: RETRYABLE.includes(code) },
  });
  expect(Object.keys(answer.body.error)).toEqual(["code", "message", "group", "retryable"]);
  expect(answer.body.error.message).toMatch(/^\S.*\.$/s);
  for (const field of fields) expect(answer.body.error.message).toContain(field);
  expectHeaders(answer);
}

/** ENV-05, HDR-01, HDR-05, D28, R4: what every answer carries. */
function expectHeaders({ status, headers }: Answer): void {
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("x-request-id")).toMatch(REQUEST_ID);
  expect(headers.get("x-ratelimit-limit")).toMatch(/^[1-9]\d*$/);
  expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
  expect(headers.get("x-ratelimit-reset")).toMatch(/^\d{10,}$/);
  expect(headers.get("x-sandbox-world")).toMatch(/^[a-z0-9-]+$/);
  expect(headers.get("x-sandbox-time")).toMatch(INSTANT);
  expect(headers.get("retry-after")).toEqual(status === 429 ? expect.stringMatching(/^[1-9]\d*$/) : null);
}

/** All that a refused call could have changed by mistake: money, transactions, timers, webhooks. */
export async function stateOf(world: WorldClient) {
  const { accounts } = await world.info();
  return {
    balances: accounts.map(({ username, balances }) => ({ username, balances })),
    postings: await world.all("/ledger"),
    transactions: await world.all("/transactions"),
    timers: await world.all("/timers"),
    webhooks: await world.webhooks(),
    sound: (await world.checkLedger()).ok,
  };
}

/** TABLE: the endpoints of the service; the one place that knows their paths, limits and checks. */
import { z } from "zod";
import { DomainError } from "../domain/errors.ts";
import { balanceEntries } from "../service/accounts.ts";
import { cashinRequest, createCharge } from "../service/cashin.ts";
import type { Credential } from "../store/accounts.ts";
import type { Operation } from "../world/operation.ts";
import { answerToken, tokenRequest } from "./token.ts";

/** What an endpoint works on once all checks have passed. */
export interface EndpointCall {
  readonly operation: Operation;
  /** Undefined at the token endpoint only. */
  readonly credential: Credential | undefined;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer before its envelope; `extra` members stand beside `data` (`D10`). */
export interface EndpointAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface Endpoint {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Requests per minute (Rate limits per endpoint). */
  readonly perMinute: number;
  readonly auth: "none" | "bearer";
  readonly media: "json" | "json_or_form" | "none";
  readonly handle: (call: EndpointCall) => EndpointAnswer;
}

const endpoint = <Schema extends z.ZodType>(
  row: Omit<Endpoint, "handle">,
  schema: Schema,
  handle: (input: z.infer<Schema>, call: EndpointCall) => EndpointAnswer,
): Endpoint => ({ ...row, handle: (call) => handle(read(schema, call.body), call) });

export const endpoints: readonly Endpoint[] = [
  endpoint(
    { method: "POST", path: "/v2/oauth/token", perMinute: 30, auth: "none", media: "json_or_form" },
    tokenRequest,
    (input, call) => answerToken(input, call),
  ),
  endpoint(
    { method: "POST", path: "/v2/transactions/cashin", perMinute: 12_000, auth: "bearer", media: "json" },
    cashinRequest,
    (input, { operation, credential, body }) => ({
      status: 200,
      data: createCharge(operation, required(credential), input, body),
    }),
  ),
  endpoint(
    { method: "GET", path: "/v2/account/balance", perMinute: 120, auth: "bearer", media: "none" },
    z.unknown(),
    (_input, { operation, credential, query }) => ({
      status: 200,
      data: { balances: balances(operation, credential, query) },
    }),
  ),
];

/** Requests per minute of paths outside the table (`D19`). */
export const OTHER_PATHS_PER_MINUTE = 1_000;

function balances(operation: Operation, credential: Credential | undefined, query: URLSearchParams) {
  const only = query.get("currency") ?? undefined;
  if (only !== undefined && !operation.world.currencies.currencies.has(only)) {
    throw new DomainError("INVALID_CURRENCY", `The currency ${only} is not supported.`);
  }
  return balanceEntries(operation.world, required(credential).username, only);
}

/** @throws {DomainError} `INVALID_REQUEST` that names every field at fault (`D20`). */
function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new DomainError("INVALID_REQUEST", `${result.error.issues.map(describe).join("; ")}.`);
}

function describe(issue: z.core.$ZodIssue): string {
  const path = issue.path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    "",
  );
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  const words = missing ? "is missing" : issue.message.replace(/^Invalid input: expected /, "must be ");
  return path ? `${path} ${words}` : "The body must be a JSON object";
}

function required(credential: Credential | undefined): Credential {
  if (!credential) throw new Error("An endpoint that needs a credential was reached without one.");
  return credential;
}

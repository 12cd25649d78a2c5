/** What a row of the endpoints table is, and how its input is read. */
import type { z } from "zod";
import type { ErrorCode } from "../domain/errors.ts";
import type { serviceCalls } from "../domain/service-calls.ts";
import type { Credential } from "../store/accounts.ts";
import type { Operation } from "../world/operation.ts";
import type { AnswerName } from "./document/answers.ts";
import type { EnvelopeName } from "./document/answers-envelope.ts";
import { readInput } from "./read-input.ts";
import type { FormPart } from "./reply-form.ts";

/** What an endpoint works on once all checks have passed. */
export interface EndpointCall {
  readonly operation: Operation;
  /** Undefined at the token endpoint only. */
  readonly credential: Credential | undefined;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly form: readonly FormPart[] | null | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Checks a client secret; see {@link proveCredential}. */
  readonly prove: (look: () => Credential | undefined) => Credential | undefined;
}

/** Sections of the OpenAPI document. */
export type Tag = "Authentication" | "Transactions" | "Internal transfers" | "Conversions" | "Account" | "Disputes";

/** Paths of the service; each with one method. */
type ServicePath = (typeof serviceCalls)[number] extends infer Call
  ? Call extends `${string} ${infer Path}`
    ? Path
    : never
  : never;

/** TABLE row: one endpoint of the service. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  readonly path: ServicePath;
  readonly summary: string;
  /** Requests per minute (Rate limits per endpoint). */
  readonly perMinute: number;
  readonly auth: "none" | "bearer";
  /** Whether the HMAC headers are required (`D14`). */
  readonly signed?: boolean;
  readonly media: "json" | "json_or_form" | "multipart" | "none";
  /** Whether an account under review may use it (`D17`). */
  readonly openUnderReview?: boolean;
  /** The schema of the body, or of the query of a GET; undefined where there is neither, and for a multipart form. */
  readonly input: (() => z.ZodType) | undefined;
  /** Its name and section in the OpenAPI document. */
  readonly operationId: string;
  readonly tag: Tag;
  /** Names the schema of its answer's `data`, which documents use; it is not loaded to serve calls. */
  readonly answer: AnswerName;
  /** The fields beside `data`; `full` unless said otherwise. */
  readonly envelope?: EnvelopeName;
  /** 200 unless said otherwise. */
  readonly status?: number;
  /** The refusals of its own business rules; those that follow from the rest of the row are not listed. */
  readonly errors: readonly ErrorCode[];
  /** Rows of `domain/decisions.ts` that bear on it, where the specification is silent. */
  readonly decisions?: readonly string[];
  /** A valid request. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** @returns the `data` of the answer, or the `WrittenJson` that it was written to. @throws {DomainError} */
  readonly handle: (call: EndpointCall) => object;
}

type Row<Schema extends z.ZodType> = Omit<Endpoint, "handle" | "input"> & { readonly input: () => Schema };

/**
 * A row whose input is the body.
 * @param check checks fields beyond the schema, as `handle` does too. It is called where the schema rejects some
 * fields, to find what is wrong with the others.
 */
export function withBody<Schema extends z.ZodType>(
  row: Row<Schema>,
  handle: (input: z.infer<Schema>, call: EndpointCall) => object,
  check: (input: z.infer<Schema>, call: EndpointCall) => unknown = () => {},
): Endpoint {
  const others = (call: EndpointCall) => (input: unknown) => check(input as z.infer<Schema>, call);
  return { ...row, handle: (call) => handle(readInput(row.input(), call.body, others(call)), call) };
}

/** A row whose input is the query. */
export function withQuery<Schema extends z.ZodType>(
  row: Row<Schema>,
  handle: (input: z.infer<Schema>, call: EndpointCall) => object,
): Endpoint {
  return { ...row, handle: (call) => handle(readInput(row.input(), Object.fromEntries(call.query)), call) };
}

/** The credential of a call whose token has been checked. */
export function callerOf({ credential }: EndpointCall): Credential {
  if (!credential) throw new Error("An endpoint that needs a credential was reached without one.");
  return credential;
}

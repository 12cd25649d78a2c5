/** What a row of the endpoints table is, and how its input is read. */
import type { z } from "zod";
import type { ErrorCode } from "../domain/errors.ts";
import type { serviceCalls } from "../domain/service-calls.ts";
import type { Credential } from "../store/accounts.ts";
import type { Operation } from "../world/operation.ts";
import type { AnswerName } from "./answers.ts";
import type { EnvelopeName } from "./answers-envelope.ts";
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
  /** Looks at a client secret; see {@link proveCredential}. */
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
  /** What the body, or the query of a GET, is read by; undefined where there is neither. */
  readonly input: (() => z.ZodType) | undefined;
  /** Its name and section in the OpenAPI document. */
  readonly operationId: string;
  readonly tag: Tag;
  /** What the `data` of its answer is: of use to documents, and not loaded to serve. */
  readonly answer: AnswerName;
  /** What stands beside `data`; `full` unless said otherwise. */
  readonly envelope?: EnvelopeName;
  /** 200 unless said otherwise. */
  readonly status?: number;
  /** The refusals of its own business; those that follow from the rest of the row are not named. */
  readonly errors: readonly ErrorCode[];
  /** Rows of `domain/decisions.ts` that bear on it, where the specification is silent. */
  readonly decisions?: readonly string[];
  /** A request that is right. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** @returns the `data` of the answer; a `WrittenJson` stands for what it was written from. @throws {DomainError} */
  readonly handle: (call: EndpointCall) => object;
}

type Row<Schema extends z.ZodType> = Omit<Endpoint, "handle" | "input"> & { readonly input: () => Schema };

/**
 * A row whose input is the body.
 * @param check looks at fields beyond what the schema says, as `handle` does too: where some are at fault by the schema,
 * it tells what is wrong with the others.
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

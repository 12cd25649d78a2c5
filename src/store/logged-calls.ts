/** What is logged of a call of `/v2` and its answer, whole and in the parts that are read of many. */
import type { WrittenJson } from "../domain/written-json.ts";
import type { AnswerHeaders } from "./logged-answers.ts";
import type { Sharable } from "./shared-texts.ts";

/** A call with its answer. */
export interface LoggedRequest {
  readonly request_id: string;
  /** Its number among all operations of the world, from 1. */
  readonly ordinal: number;
  /** The journal entry of the call. */
  readonly entry: number;
  readonly at: number;
  readonly client_id: string | null;
  readonly ip: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** With secrets masked. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether it had a body that was too large to be read. */
  readonly too_large: boolean;
  readonly status: number;
  readonly error_code: string | null;
  readonly answer_headers: AnswerHeaders;
  readonly response_body: Buffer;
  /** The instant on the wall clock, for signatures that are checked against it (`D13`). */
  readonly wall_at: number;
  /**
   * The ordinal of an operation: calls up to it had been answered when this one was sent. Null where that is not known.
   */
  readonly sent_after: number | null;
  /** Whether another call was under way when it came. */
  readonly in_company: boolean;
  readonly proof: Proof;
  /** How long its answer was held back. */
  readonly duration_ms: number;
}

/** A logged call with its place among them. */
export type PlacedCall = LoggedRequest & { readonly position: number };

/** A call as it is logged. */
export interface NewCall extends Omit<LoggedRequest, "headers" | "response_body"> {
  /** As JSON, secrets masked. */
  readonly headers: Sharable;
  readonly response_body: string;
  /** The part of its answer that other answers may have, too. */
  readonly shared?: WrittenJson | undefined;
}

/** What the checks of a call's secrets found: a replay uses it, since the secrets themselves are masked. */
export interface Proof {
  /** The client id of the token or client secret; null for a wrong one, undefined if none was checked. */
  readonly credential?: string | null;
  /** Whether the HMAC was right; undefined if it was not checked. */
  readonly signature?: boolean;
}

/** The part of a call that shows how it was answered. */
export type CallAnswer = Pick<LoggedRequest, "entry" | "error_code" | "answer_headers" | "response_body">;

/** The part of a call that is read when many are examined; of its answer, only what callers act on. */
export interface CallTrace
  extends Pick<
    LoggedRequest,
    | "request_id"
    | "ordinal"
    | "entry"
    | "at"
    | "wall_at"
    | "sent_after"
    | "in_company"
    | "client_id"
    | "ip"
    | "method"
    | "path"
    | "query"
    | "status"
    | "error_code"
    | "duration_ms"
  > {
  readonly position: number;
  /** The body as text; of one that is larger than {@link TRACED_BYTES}, its beginning. */
  readonly text: string;
  /** The size of the body, in bytes. */
  readonly size: number;
  readonly agent: string | null;
  readonly nonce: string | null;
  /** The header Retry-After of its answer. */
  readonly retry_after: string | null;
  /** The client id of the token or client secret; null for a wrong one, and if none was checked. */
  readonly proven: string | null;
  /** Whether its token or client secret was wrong; null if none was checked. */
  readonly wrong_credential: boolean | null;
  /** Whether the HMAC was right; null if it was not checked. */
  readonly signature: boolean | null;
}

/** The size of the largest body that a trace shows whole. */
export const TRACED_BYTES = 65_536;

/** How much of a larger one it shows: a reply to a dispute has its text, and what it is about, before its files. */
export const BEGINNING_BYTES = 8_192;

/** A call as it came in and as it is answered, free of any framework. */

import type { WrittenJson } from "../domain/written-json.ts";
import type { Proof } from "../store/logged-calls.ts";
import type { FormPart } from "./reply-form.ts";

/** A request, its body read to the end or found too large. */
export interface Incoming {
  readonly method: string;
  /** Below the world's base, without query: `/v2/transactions/cashin`. */
  readonly path: string;
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly bodyTooLarge: boolean;
  /** The parts of a multipart body; null if it cannot be read, undefined for calls that take none. */
  readonly form?: readonly FormPart[] | null;
  readonly ip: string;
  /** The machine's clock, for signatures (`D13`). */
  readonly wallAt: number;
  /**
   * The ordinal of an operation: calls up to it had been answered when this one was sent; null or left out if unknown.
   */
  readonly sentAfter?: number | null;
  /** Whether another call of the world was under way when it came; left out where that is not known. */
  readonly inCompany?: boolean;
  /** In a replay: what the checks of its secrets found, as the secrets themselves are masked. */
  readonly proof?: Proof;
}

/** An answer. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** The part of the body that other answers may have in common with it. */
  readonly shared?: WrittenJson | undefined;
  /** How long it is held back, in real time (fault `latency`). */
  readonly delayMs?: number;
  /** Whether it is never sent: the connection closes instead (fault `disconnect`). */
  readonly lost?: boolean;
  /** Whether half of it is missing (fault `malformed`). */
  readonly malformed?: boolean;
}

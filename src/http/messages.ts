/** A call as it came in and as it is answered, free of any framework. */

import type { WrittenJson } from "../domain/written-json.ts";
import type { Proof } from "../store/requests.ts";
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
  /** The parts of a multipart body; null where it is none that can be read, undefined where it is no such call. */
  readonly form?: readonly FormPart[] | null;
  readonly ip: string;
  /** The machine's clock, for signatures (`D13`). */
  readonly wallAt: number;
  /** Calls up to this operation had been answered when it was sent; left out or null where that is not known. */
  readonly sentAfter?: number | null;
  /** Whether another call of the world was under way when it came; left out where that is not known. */
  readonly inCompany?: boolean;
  /** In a replay: what was found of its secrets, which are masked. */
  readonly proof?: Proof;
}

/** An answer. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** What the body has in it that other answers may have as well. */
  readonly shared?: WrittenJson | undefined;
  /** Held back for so long, in real time (fault `latency`). */
  readonly delayMs?: number;
  /** Never given: the connection closes instead (fault `disconnect`). */
  readonly lost?: boolean;
  /** Whether half of it is missing (fault `malformed`). */
  readonly malformed?: boolean;
}

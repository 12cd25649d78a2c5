/** What fault rules do to calls to the service and to outgoing webhooks (interface, section 5). */
import type { DomainError } from "../domain/errors.ts";
import type { Operation } from "./operation.ts";

/** The beginning of the `X-Sandbox-Hint` of a call that a fault rule struck (interface, section 3). */
export const STRUCK_HINT = "A fault rule of this world struck this call";

/** What happens to a call that a rule strikes, and the hint of its answer. */
export type RequestFault = RequestStrike & { readonly hint: string };

/** What happens to a call that a rule strikes, without the hint. */
export type RequestStrike =
  | { readonly kind: "refuse"; readonly error: DomainError }
  /** Executed at once, but answered only after `durationMs` of real time. */
  | { readonly kind: "latency"; readonly durationMs: number }
  /** The connection closes without an answer, `before` or `after` the operation was executed. */
  | { readonly kind: "disconnect"; readonly when: "before" | "after" }
  /** Executed, but answered with half of a JSON text. */
  | { readonly kind: "malformed" };

/** What happens to a webhook that a rule strikes. */
export type DeliveryFault =
  | { readonly kind: "drop" }
  | { readonly kind: "duplicate"; readonly copies: number }
  | { readonly kind: "delay"; readonly durationMs: number }
  /** Held until the group has `count` webhooks, then sent in seeded random order. */
  | { readonly kind: "shuffle"; readonly count: number; readonly group: string }
  /** The first attempt is sent from a wrong address. */
  | { readonly kind: "source"; readonly address: string };

/** A call to the service as fault rules see it, after its secrets were checked and before its body is looked at. */
export interface StrikableRequest {
  readonly method: string;
  readonly path: string;
  readonly client_id: string | null;
  readonly username: string | null;
}

/** A webhook as fault rules see it. */
export interface StrikableWebhook {
  readonly webhook_id: string;
  readonly event: string;
  readonly transaction_id: string;
  readonly username: string;
  readonly client_id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A fault with the sequence of the journal entry that records it. */
export interface Struck<Fault> {
  readonly fault: Fault;
  readonly entry: number;
}

/** Called before a call is executed, and when an event becomes a webhook; null lets it through. */
export interface Interceptors {
  request: (operation: Operation, request: StrikableRequest) => Struck<RequestFault> | null;
  delivery: (operation: Operation, webhook: StrikableWebhook) => Struck<DeliveryFault> | null;
}

/** Lets everything through. */
export const noInterception: Interceptors = { request: () => null, delivery: () => null };

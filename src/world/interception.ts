/** What fault rules do to calls of the service and to webhooks on their way (interface, section 5). */
import type { DomainError } from "../domain/errors.ts";
import type { Operation } from "./operation.ts";

/** How that begins which a call that a rule struck says in `X-Sandbox-Hint` (interface, section 3). */
export const STRUCK_HINT = "A fault rule of this world struck this call";

/** What happens to a call that a rule strikes, and the sentence that tells of it. */
export type RequestFault = RequestStrike & { readonly hint: string };

/** What happens to it, alone. */
export type RequestStrike =
  | { readonly kind: "refuse"; readonly error: DomainError }
  /** Carried out at once, answered after so long in real time. */
  | { readonly kind: "latency"; readonly durationMs: number }
  /** The connection closes without an answer, `before` or `after` the operation was executed. */
  | { readonly kind: "disconnect"; readonly when: "before" | "after" }
  /** Executed, and answered with half of a JSON text. */
  | { readonly kind: "malformed" };

/** What happens to a webhook that a rule strikes. */
export type DeliveryFault =
  | { readonly kind: "drop" }
  | { readonly kind: "duplicate"; readonly copies: number }
  | { readonly kind: "delay"; readonly durationMs: number }
  /** Held until `count` of the group are there, then sent in seeded random order. */
  | { readonly kind: "shuffle"; readonly count: number; readonly group: string }
  /** The first attempt leaves from a wrong address. */
  | { readonly kind: "source"; readonly address: string };

/** A call of the service as fault rules see it: its secrets are checked, its body is not looked at. */
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

/** A fault with the journal entry that tells of it. */
export interface Struck<Fault> {
  readonly fault: Fault;
  readonly entry: number;
}

/** Asked before a call is carried out, and when an event becomes a webhook. */
export interface Interceptors {
  request: (operation: Operation, request: StrikableRequest) => Struck<RequestFault> | null;
  delivery: (operation: Operation, webhook: StrikableWebhook) => Struck<DeliveryFault> | null;
}

/** Lets everything through. */
export const noInterception: Interceptors = { request: () => null, delivery: () => null };

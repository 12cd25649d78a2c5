import type { AttemptErrorKind } from "./attempt-error-kinds.ts";

/** Fields of a webhook delivery attempt that `where` of `on: webhook.*` in a scenario may test. */
export interface AttemptFields {
  readonly webhook_id: string;
  readonly event: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  readonly manual: boolean;
  /** Whether the attempt sent an extra copy (fault `duplicate`). */
  readonly duplicate: boolean;
  /** The wrong source address that it was sent from; null for the sandbox's own. */
  readonly source: string | null;
  /** HTTP status of the receiver's answer, also of one that was broken off; null if none had begun. */
  readonly status: number | null;
  /** The kind of error; null if the receiver's answer is whole. */
  readonly error: AttemptErrorKind | null;
  /** The `transaction_id` of the webhook's envelope. */
  readonly transaction_id: string;
  readonly username: string;
}

const table: Readonly<Record<keyof AttemptFields, true>> = {
  webhook_id: true,
  event: true,
  attempt: true,
  manual: true,
  duplicate: true,
  source: true,
  status: true,
  error: true,
  transaction_id: true,
  username: true,
};

/** The names of {@link AttemptFields}. */
export const attemptFieldNames: readonly string[] = Object.keys(table);

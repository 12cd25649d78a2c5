/** What a scenario is told of an attempt to deliver a webhook: the fields that `where` of `on: webhook.*` may look at. */
export interface AttemptFields {
  readonly webhook_id: string;
  readonly event: string;
  /** Its number, from 1. */
  readonly attempt: number;
  readonly manual: boolean;
  /** Whether it was a further copy (fault `duplicate`). */
  readonly duplicate: boolean;
  /** The wrong address that it left from; null for the sandbox's own. */
  readonly source: string | null;
  /** Of the receiver's answer; null where there was none. */
  readonly status: number | null;
  /** The kind of what went wrong; null where the receiver answered. */
  readonly error: string | null;
  /** As in the webhook's envelope. */
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

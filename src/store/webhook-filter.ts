/** What a list of webhooks is narrowed by. */

/** Which webhooks a list has; any, where nothing is given. */
export interface WebhookFilter {
  readonly event?: string | undefined;
  readonly transaction_id?: string | undefined;
  readonly status?: string | undefined;
  /** In the data of the event. */
  readonly external_id?: string | undefined;
}

/** Of most bodies it is enough to look whether the text stands in them at all. */
const EXTERNAL_ID = "CAST(body AS TEXT) ->> '$.data.external_id'";

/** The condition on webhooks after a position, for the values of {@link narrowedBy}. */
export const NARROWED_WEBHOOKS = `position > ? AND (? IS NULL OR event = ?)
  AND (? IS NULL OR transaction_id = ? OR subject = ?) AND (? IS NULL OR status = ?)
  AND (? IS NULL OR instr(body, CAST(? AS BLOB)) > 0 AND ${EXTERNAL_ID} = ?)`;

/** The values that it takes, in their order. */
export function narrowedBy(position: number, filter: WebhookFilter) {
  const [event, id, status] = [filter.event ?? null, filter.transaction_id ?? null, filter.status ?? null];
  const own = filter.external_id ?? null;
  const text = own === null ? null : JSON.stringify(own);
  return [position, event, event, id, id, id, status, status, text, text, own];
}

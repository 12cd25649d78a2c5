/** What a list of webhooks is narrowed by. */

/** A filter of webhooks; what is left out matches any. */
export interface WebhookFilter {
  readonly event?: string | undefined;
  readonly transaction_id?: string | undefined;
  readonly status?: string | undefined;
  /** In the data of the event. */
  readonly external_id?: string | undefined;
}

/** Read from the JSON of a body only if the text occurs in the body at all, which rules most bodies out. */
const EXTERNAL_ID = "CAST(body AS TEXT) ->> '$.data.external_id'";

/** The condition on webhooks after a position, for the values of {@link narrowedBy}. */
export const NARROWED_WEBHOOKS = `position > ? AND (? IS NULL OR event = ?)
  AND (? IS NULL OR transaction_id = ? OR subject = ?) AND (? IS NULL OR status = ?)
  AND (? IS NULL OR instr(body, CAST(? AS BLOB)) > 0 AND ${EXTERNAL_ID} = ?)`;

/** The values for {@link NARROWED_WEBHOOKS}, in its order. */
export function narrowedBy(position: number, filter: WebhookFilter) {
  const [event, id, status] = [filter.event ?? null, filter.transaction_id ?? null, filter.status ?? null];
  const own = filter.external_id ?? null;
  const text = own === null ? null : JSON.stringify(own);
  return [position, event, event, id, id, id, status, status, text, text, own];
}

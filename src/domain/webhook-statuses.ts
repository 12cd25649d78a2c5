/** TABLE: the statuses of a webhook. */
export const webhookStatuses = ["pending", "delivered", "exhausted", "throttled", "undeliverable", "dropped"] as const;

/** The `status` of a webhook (interface, section 4). */
export type WebhookStatus = (typeof webhookStatuses)[number];

/** TABLE: what each status means, in words for readers. */
export const webhookStatusNotes: Readonly<Record<WebhookStatus, string>> = {
  pending: "An attempt is due: the first one, or the next one after a failure.",
  delivered: "An attempt was answered 2xx.",
  exhausted: "The last attempt has failed; no more will come by itself.",
  throttled: "It exceeded the rate and is put back.",
  undeliverable: "There was no `postback_url` to send it to.",
  dropped: "A fault rule kept it from being sent.",
};

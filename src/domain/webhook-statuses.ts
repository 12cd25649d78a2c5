/** TABLE: what has become of a webhook. */
export const webhookStatuses = ["pending", "delivered", "exhausted", "throttled", "undeliverable", "dropped"] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

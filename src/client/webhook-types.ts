/** Webhooks as a merchant receives them, typed by their event. */
import type { webhookView } from "../control/views.ts";
import type { EventData, EventKind, LegacyEventName } from "../domain/events.ts";
import type { Part } from "./wire.ts";

/** The name of a webhook's event, current or legacy. */
export type WebhookEvent = EventKind | LegacyEventName;

/** The `data` of a webhook; the flat body of `wallet_deposit`. */
export type WebhookData<Event extends WebhookEvent> = Event extends EventKind
  ? EventData<Event>
  : Event extends "refund_confirmed"
    ? EventData<"chargeback.confirmed">
    : EventData<"chargeback.responded">;

/** The body of a webhook: the V2 envelope, or the flat body of `wallet_deposit` (`D66`). */
export type WebhookBody<Event extends WebhookEvent> = Event extends "wallet_deposit"
  ? WebhookData<Event>
  : {
      readonly event: Event;
      readonly timestamp: string;
      readonly transaction_id: string;
      readonly data: WebhookData<Event>;
    };

/** The body of a webhook of unknown kind, which can be read without checks. */
// biome-ignore lint/suspicious/noExplicitAny: the kind is known only once the body is read.
type AnyBody = any;

/** The body of a webhook, typed as far as its event is known. */
type BodyOf<Event extends string> = Event extends WebhookEvent ? WebhookBody<Event> : AnyBody;

/** A webhook of an event; for several events, a union of one type each, told apart by `event`. */
type Of<View, Event extends string> = Event extends string
  ? Omit<View, "event" | "body" | "envelope"> & { event: Event; body: BodyOf<Event>; envelope: BodyOf<Event> }
  : never;

/** A webhook with all its delivery attempts. */
export type WebhookInfo<Event extends string = string> = Of<ReturnType<typeof webhookView>, Event>;

/** Values to find a webhook by: of its data and, where the data has no such field, of its account and destination. */
export type WebhookWhere<Event extends WebhookEvent> = Part<WebhookData<Event>> &
  Part<Pick<WebhookInfo, "transaction_id" | "username" | "client_id" | "destination">>;

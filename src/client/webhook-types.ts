/** Webhooks as a merchant gets them, by the kind of their event. */
import type { webhookView } from "../control/views.ts";
import type { EventData, EventKind, LegacyEventName } from "../domain/events.ts";
import type { Part } from "./wire.ts";

/** What a webhook can be called. */
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

/** The body of a webhook of some kind, looked into freely. */
// biome-ignore lint/suspicious/noExplicitAny: which kind it is of only shows when it is read.
type AnyBody = any;

/** The body of a webhook of some kind, known as far as its event is. */
type BodyOf<Event extends string> = Event extends WebhookEvent ? WebhookBody<Event> : AnyBody;

/** What is known of a webhook; of several events it is one of as many types, told apart by `event`. */
type Of<View, Event extends string> = Event extends string
  ? Omit<View, "event" | "body" | "envelope"> & { event: Event; body: BodyOf<Event>; envelope: BodyOf<Event> }
  : never;

/** A webhook with every attempt. */
export type WebhookInfo<Event extends string = string> = Of<ReturnType<typeof webhookView>, Event>;

/** Values that a webhook is told by: of its data and, where that has no such field, of whom and where it goes to. */
export type WebhookWhere<Event extends WebhookEvent> = Part<WebhookData<Event>> &
  Part<Pick<WebhookInfo, "transaction_id" | "username" | "client_id" | "destination">>;

/** What can be waited for: webhooks, calls of the service, entries of the journal. */
import { errorCodes } from "../domain/errors.ts";
import { type EventKind, eventDefinitions, eventNames, legacyEventNames } from "../domain/events.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import { webhookStatuses } from "../domain/webhook-statuses.ts";
import { jsonIn } from "../domain/written-json.ts";
import { FORM_TYPE, formFields, mediaTypeOf } from "../http/body.ts";
import { formOf } from "../http/reply-form.ts";
import { entryKinds } from "../insight/sentences/entry-sentences.ts";
import type { JournalEntryInfo, ServiceCallInfo } from "./control-types.ts";
import { differences } from "./differences.ts";
import { refuseUnknown, refuseUnknownKeys } from "./refusals.ts";
import type { ServiceCall, ServiceRequests } from "./service-types.ts";
import { type Awaited, refuseWrongWait, type WaitOptions, type WaitWords } from "./waits.ts";
import type { WebhookEvent, WebhookInfo } from "./webhook-types.ts";
import type { Part } from "./wire.ts";
import { isAbsence, pathWith, type WorldCalls } from "./world-calls.ts";

/**
 * Values to find a call of the service by; those of its `body`, JSON or a form, as the caller sent them, which a GET does
 * not have. Files of a form cannot be told.
 */
export type ServiceCallWhere<Call extends ServiceCall> = Part<
  Pick<ServiceCallInfo, "request_id" | "status" | "error_code" | "client_id" | "ip" | "query">
> & { readonly body?: Call extends `GET ${string}` ? never : Part<ServiceRequests[Call]> };

/** Values to find a journal entry by: its `sequence`, `at`, `subject`, `cause` and `rule`, and those of its data. */
export type EntryWhere = Readonly<Record<string, unknown>>;

/** Fields of a webhook besides those of its data. */
const ENVELOPE = ["transaction_id", "username", "client_id", "destination"] as const;

/** Fields of a call, except method and path, which say which call it is. */
const CALL_FIELDS: readonly (keyof ServiceCallInfo)[] = [
  ...(["request_id", "at", "client_id", "ip", "query", "headers", "body", "status", "error_code"] as const),
  ...(["response", "duration_ms", "findings"] as const),
];

/** TABLE: what refusals of each kind of wait show: an example of `where`, and the options. */
const words: Readonly<Record<"webhook" | "call" | "entry", WaitWords>> = {
  webhook: { example: '{ external_id: "order-1" }', options: ["timeoutMs", "status"] },
  call: { example: '{ body: { external_id: "order-1" } }', options: ["timeoutMs"] },
  entry: { example: '{ to: "confirmed" }', options: ["timeoutMs"] },
};

/**
 * Waits for a webhook of an event.
 * @throws {Error} for an unknown event, field, option or status, with the nearest known one, and for something that is
 * not a JSON value.
 */
export function webhookAwaited(
  calls: WorldCalls,
  event: WebhookEvent,
  where: object,
  options: WaitOptions & { readonly status?: string | undefined },
): Awaited<WebhookInfo> {
  refuseWrongWait(where, options, words.webhook);
  refuseUnknownFields(event, where);
  const { status } = options;
  if (status !== undefined) refuseUnknown("status of a webhook", status, webhookStatuses);
  const wanted = status === undefined ? where : { ...where, [STATUS]: status };
  const narrowed = {
    event: isKind(event) ? event : undefined,
    status,
    ...textsOf(where, "transaction_id", "external_id"),
  };
  return {
    noun: "webhook",
    kind: event,
    where: wanted,
    there: () => calls.each<WebhookInfo>(pathWith("/webhooks", narrowed)),
    toldBy: webhookTold(calls, event, where),
    candidate: (webhook) => ({
      kind: webhook.event,
      label: `${webhook.transaction_id} (${webhook.status})`,
      fields: fieldsOf(webhook),
    }),
    came: (of) =>
      calls.each<WebhookInfo>(of === "any" ? "/webhooks" : pathWith("/webhooks", { event: narrowed.event })),
  };
}

/** Finds the webhook that an entry tells of, if it may be one of those awaited. */
function webhookTold(calls: WorldCalls, event: WebhookEvent, where: object): Awaited<WebhookInfo>["toldBy"] {
  const isOther = otherWebhooks(where);
  // Not every entry about a webhook names its event: that of a postponed one does not.
  return async ({ data: { webhook_id: id, event: own = event, data } }) => {
    if (typeof id !== "string" || own !== event || isOther(id, data)) return undefined;
    const webhook = await calls.find<WebhookInfo>(`/webhooks/${id}`);
    return webhook && !isOther(id, webhook.body.data ?? webhook.body) ? webhook : undefined;
  };
}

/** Remembers by their data, where an entry has it, which webhooks do not match: they need not be fetched again. */
function otherWebhooks(where: object): (webhookId: string, data: unknown) => boolean {
  const others = new Set<string>();
  const isOfData = ([name]: [string, unknown]) => !ENVELOPE.some((own) => own === name);
  const ofData = Object.fromEntries(Object.entries(where).filter(isOfData));
  return (webhookId, data) => {
    // After a reset the same ids come again, maybe with other data.
    if (data !== undefined && differences(ofData, data as object).length === 0) others.delete(webhookId);
    else if (data !== undefined) others.add(webhookId);
    return others.has(webhookId);
  };
}

/** Lists can be filtered by the current event names alone, not by the legacy ones. */
function isKind(event: string): event is EventKind {
  return event in eventDefinitions;
}

/** What the delivery's status is called in messages: `status` is a field of the data, and means something else there. */
const STATUS = "delivery status";

function fieldsOf(webhook: WebhookInfo): object {
  const own = Object.fromEntries(ENVELOPE.map((name) => [name, webhook[name]]));
  return { ...own, ...(webhook.body.data ?? webhook.body), [STATUS]: webhook.status };
}

/**
 * Waits for a call of the service.
 * @throws {Error} for an unknown call, field, option or error code, with the nearest known one, and for something that
 * is not a JSON value.
 */
export function callAwaited(
  calls: WorldCalls,
  call: ServiceCall,
  where: { readonly error_code?: string | null | undefined },
  options: WaitOptions,
): Awaited<ServiceCallInfo> {
  refuseWrongWait(where, options, words.call);
  refuseUnknown("call of the service", call, serviceCalls);
  refuseUnknownKeys("field of a call", where, CALL_FIELDS);
  if (where.error_code != null) refuseUnknown("error code", where.error_code, errorCodes);
  return {
    noun: "call",
    kind: call,
    where,
    there: () => knownOf(calls.each<ServiceCallInfo>(pathWith("/requests", { call, ...textsOf(where, "client_id") }))),
    toldBy: async ({ kind, subject, data }) =>
      kind === "request" && `${data.method} ${data.path}` === call
        ? calls.find<ServiceCallInfo>(`/requests/${subject}`)
        : undefined,
    candidate: ({ method, path, ...fields }) => ({
      kind: `${method} ${path}`,
      label: `${fields.request_id} (${fields.status}${fields.error_code ? ` ${fields.error_code}` : ""})`,
      fields: { ...fields, body: readBody({ path, ...fields }) },
    }),
    came: (of) => calls.each<ServiceCallInfo>(of === "any" ? "/requests" : pathWith("/requests", { call })),
  };
}

/** What a list has; nothing, where it is narrowed by a credential that the world does not have, or not yet. */
async function* knownOf<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

/** Those of the awaited values that a list can be filtered by: the named ones, if they are texts. */
function textsOf(where: object, ...names: readonly string[]): Readonly<Record<string, string>> {
  const given = Object.entries(where).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(given.filter(([name]) => names.includes(name)));
}

/** The body of a call: JSON, or the plain fields of a form; the text itself if it is neither. */
function readBody({ path, headers, body }: Pick<ServiceCallInfo, "path" | "headers" | "body">): unknown {
  const value = jsonIn(body);
  if (value !== undefined) return value;
  if (mediaTypeOf(headers) === FORM_TYPE) return formFields(body);
  const { form } = formOf({ path, headers, body: Buffer.from(body) });
  const fields = form?.filter(({ fileName }) => fileName === undefined);
  // A form has every line break as CRLF.
  return fields
    ? Object.fromEntries(fields.map(({ name, content }) => [name, String(content).replaceAll("\r\n", "\n")]))
    : body;
}

/**
 * Waits for an entry of the journal.
 * @throws {Error} for an unknown kind or option, with the nearest known one, and for something that is not a JSON
 * value.
 */
export function entryAwaited(
  calls: WorldCalls,
  kind: string,
  where: EntryWhere,
  options: WaitOptions,
): Awaited<JournalEntryInfo> {
  refuseWrongWait(where, options, words.entry);
  refuseUnknown("kind of entry", kind, entryKinds);
  return {
    noun: "entry",
    kind,
    where,
    there: () => calls.each<JournalEntryInfo>(pathWith("/journal", { kind, ...textsOf(where, "subject") })),
    toldBy: async (entry) => entry,
    candidate: ({ kind: own, data, ...entry }) => ({
      kind: own,
      label: `${entry.sequence}${entry.subject === null ? "" : ` (${entry.subject})`}`,
      fields: { ...entry, ...data },
    }),
    came: (of) => calls.each<JournalEntryInfo>(of === "any" ? "/journal" : pathWith("/journal", { kind })),
  };
}

function refuseUnknownFields(event: string, where: object): void {
  const legacy = Object.entries(legacyEventNames);
  refuseUnknown("event", event, eventNames);
  const [kind = event] = legacy.find(([, name]) => name === event) ?? [];
  const known = [...new Set([...Object.keys(eventDefinitions[kind as EventKind].data.shape), ...ENVELOPE])];
  refuseUnknownKeys(`field of ${event}`, where, known);
}

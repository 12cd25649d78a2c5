/** What happened: webhooks, inbox, requests, journal, ledger. */
import { z } from "zod";
import { eventNames } from "../domain/events.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import { webhookStatuses } from "../domain/webhook-statuses.ts";
import { findingsIn } from "../insight/readiness/findings.ts";
import { entryKinds } from "../insight/sentences/entry-sentences.ts";
import { checkLedger } from "../service/ledger-check.ts";
import type { Webhook } from "../store/webhooks.ts";
import { prepareByHand } from "../webhooks/attempts.ts";
import { formatInstant } from "../world/instants.ts";
import { type ControlCall, type ControlRoute, command, inputOf, nothing, page, pageQuery } from "./call.ts";
import { ControlError, notFound } from "./errors.ts";
import { flyInTurn } from "./flights-by-hand.ts";
import { readQuery } from "./validation.ts";
import { entryView, postingView, requestView, webhookView } from "./views.ts";

/** The query of `GET /webhooks`; the legacy names are events too (`D55`). */
export const webhookQuery = onFirstUse(() =>
  z.strictObject({
    event: z.enum(eventNames).optional(),
    transaction_id: z.string().optional(),
    external_id: z.string().optional(),
    status: z.enum(webhookStatuses).optional(),
    ...pageQuery().shape,
  }),
);

/** The query of `GET /requests`; `call` is method and path of an endpoint. */
export const requestQuery = onFirstUse(() =>
  z.strictObject({
    call: z.enum(serviceCalls).optional(),
    client_id: z.string().min(1, "must not be empty").optional(),
    ...pageQuery().shape,
  }),
);

/** The query of `GET /journal`. */
const journalQuery = onFirstUse(() =>
  z.strictObject({
    kind: z.enum(entryKinds as [string, ...string[]]).optional(),
    subject: z.string().optional(),
    ...pageQuery().shape,
  }),
);

/** TABLE: calls of webhooks, inbox, requests, journal and ledger (interface, section 4). */
export const recordRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/webhooks",
    operationId: "listWebhooks",
    query: webhookQuery,
    answer: "WebhookPage",
    handle: listWebhooks,
  },
  {
    method: "GET",
    path: "/webhooks/:id",
    operationId: "getWebhook",
    answer: "Webhook",
    handle: (call) => webhookView(call.live.world, webhookOf(call)),
  },
  {
    method: "POST",
    path: "/webhooks/:id/redeliver",
    operationId: "redeliverWebhook",
    answer: "Webhook",
    handle: redeliver,
  },
  {
    method: "GET",
    path: "/inbox",
    operationId: "listInbox",
    query: pageQuery,
    answer: "InboxPage",
    handle: listInbox,
  },
  {
    method: "GET",
    path: "/requests",
    operationId: "listRequests",
    query: requestQuery,
    answer: "RequestPage",
    handle: listRequests,
  },
  { method: "GET", path: "/requests/:id", operationId: "getRequest", answer: "Request", handle: showRequest },
  {
    method: "GET",
    path: "/journal",
    operationId: "listJournal",
    query: journalQuery,
    answer: "JournalPage",
    handle: listJournal,
  },
  {
    method: "GET",
    path: "/ledger",
    operationId: "getLedger",
    query: pageQuery,
    answer: "LedgerPage",
    handle: listPostings,
  },
  {
    method: "GET",
    path: "/ledger/check",
    operationId: "checkLedger",
    answer: "LedgerCheck",
    handle: ({ live }) => checkLedger(live.world),
  },
];

/** Most bytes of bodies or data on a page: some bodies have megabytes, and a JavaScript string has a maximum length. */
const MOST_BYTES = 32 * 1024 * 1024;

function listWebhooks(call: ControlCall) {
  const { world } = call.live;
  const filter = readQuery(webhookQuery(), call.query);
  return page(call, {
    rowsAfter: (after, limit) => world.webhooks.after(after, limit, filter),
    positionOf: ({ position }) => position,
    show: (row) => webhookView(world, row),
    most: (after, asked) => world.webhooks.countWithin(MOST_BYTES, after, asked, filter),
  });
}

async function redeliver(call: ControlCall) {
  const webhook = webhookOf(call);
  inputOf(call, nothing);
  const attempt = command(call, webhook.webhook_id, (operation) => {
    const opened = prepareByHand(operation, webhook);
    if (opened) return opened;
    const message = "The webhook has no destination; give its credential or account a postback_url.";
    throw new ControlError(409, "UNDELIVERABLE", message);
  });
  await flyInTurn(call, [attempt]);
  return webhookView(call.live.world, webhookOf(call));
}

function listInbox(call: ControlCall) {
  return page(call, {
    rowsAfter: (after, limit) => call.live.world.inbox.after(after, limit),
    positionOf: ({ position }) => position,
    show: ({ at, headers, body }) => ({ at: formatInstant(at), headers, body: JSON.parse(body.toString()) }),
  });
}

function listRequests(call: ControlCall) {
  const { world } = call.live;
  const filter = readQuery(requestQuery(), call.query);
  const { client_id } = filter;
  if (client_id !== undefined && !world.accounts.credential(client_id)) throw notFound("credential", client_id);
  const rows = page(call, {
    rowsAfter: (after, limit) => world.requests.after(after, limit, filter),
    positionOf: ({ position }) => position,
    show: (row) => row,
    most: (after, asked) => world.requests.countWithin(MOST_BYTES, after, asked, filter),
  });
  const findings = findingsIn(world, rows.items);
  return { ...rows, items: rows.items.map((row) => requestView(row, findings.get(row.request_id))) };
}

function showRequest({ live, params }: ControlCall) {
  const row = live.world.requests.get(params.id ?? "");
  if (!row) throw notFound("request", params.id ?? "");
  return requestView(row, findingsIn(live.world, [row]).get(row.request_id));
}

function listJournal(call: ControlCall) {
  const { journal } = call.live.world;
  const filter = readQuery(journalQuery(), call.query);
  return page(call, {
    rowsAfter: (after, limit) => journal.after(after, limit, filter),
    positionOf: ({ sequence }) => sequence,
    show: entryView,
    most: (after, asked) => journal.countWithin(MOST_BYTES, after, asked, filter),
  });
}

function listPostings(call: ControlCall) {
  const { world } = call.live;
  const balances = world.ledger.balances().map(({ account, currency, amount }) => {
    return { account, currency, balance: world.currencies.format(amount, currency) };
  });
  const postings = page(call, {
    rowsAfter: (after, limit) => world.ledger.after(after, limit),
    positionOf: ({ position }) => position,
    show: (row) => postingView(world, row),
  });
  return { ...postings, balances };
}

function webhookOf({ live, params }: ControlCall): Webhook {
  const webhook = live.world.webhooks.get(params.id ?? "");
  if (!webhook) throw notFound("webhook", params.id ?? "");
  return webhook;
}

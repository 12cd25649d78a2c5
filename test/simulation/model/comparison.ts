/** Holds a whole world against its model: money, resources, webhooks, timers, and what the receiver got. */
import type { LedgerInfo, WebhookInfo, WorldClient } from "../../../src/index.ts";
import type { ReceivedWebhook } from "../../support/receiver.ts";
import { agree, Disagreement } from "./agreement.ts";
import { transactionAnswer } from "./cashin-call.ts";
import { decimalText, fraction } from "./decimals.ts";
import { scaleOf } from "./facts.ts";
import { balancesOf } from "./look-commands.ts";
import type { Branch } from "./stage.ts";
import { type Attempt, instantText, type State, type Timer } from "./state.ts";

/** What a world shows of itself; a test of the checks puts a double in its place. */
export type View = Pick<
  WorldClient,
  "call" | "all" | "webhooks" | "timers" | "ledger" | "checkLedger" | "clock" | "journal" | "explain"
>;

/** Everything but the receiver and the journal. @throws {Disagreement} */
export async function compare(view: View, state: State): Promise<void> {
  const { now, pending_timers } = await view.clock();
  agree("the clock", { now: instantText(state.now), pending_timers: state.timers.length }, { now, pending_timers });
  await compareAccounts(view, state);
  await compareResources(view, state);
  compareWebhooks(await view.webhooks(), state);
  await compareTimers(view, state);
  compareLedger(await view.ledger(), state);
  const ledger = await view.checkLedger();
  if (!ledger.ok) throw new Disagreement(`the ledger: ${JSON.stringify(ledger.checks.filter(({ ok }) => !ok))}`);
}

async function compareAccounts(view: View, state: State): Promise<void> {
  const expected = state.accounts.map(({ username, underReview, postback }) => ({
    username,
    status: underReview ? "under_review" : "active",
    postback_url: postback,
    balances: balancesOf(state, username),
  }));
  agree("the accounts", expected, await view.all("/accounts"));
}

async function compareResources(view: View, state: State): Promise<void> {
  agree(
    "the transactions",
    state.transactions.map((row) => transactionRow(state, row.id)),
    await view.all("/transactions"),
  );
  const transfers = state.transfers.map(({ id, sender, recipient, currency, amount, externalId, splitOf }) => ({
    ...(id === null ? {} : { transaction_id: id }),
    sender,
    recipient,
    external_id: externalId,
    amount: decimalText(amount, scaleOf(currency)),
    split_of: splitOf,
  }));
  agree("the transfers", transfers, await view.all("/transfers"));
  const conversions = state.conversions.map(({ id, status, username, spread, to }) => {
    return { conversion_id: id, status, username, spread: decimalText(spread, scaleOf(to)) };
  });
  agree("the conversions", conversions, await view.all("/conversions"));
  const wallets = state.wallets.map(({ id, username, address, network }) => ({
    wallet_id: id,
    username,
    address,
    network,
  }));
  agree("the wallets", wallets, await view.all("/wallets"));
  const disputes = state.disputes.map(({ id, transactionId, username, amount, status, reason, deadlineAt }) => ({
    infraction_id: id,
    transaction_id: transactionId,
    username,
    amount: decimalText(amount, scaleOf("BRL")),
    status,
    reason,
    deadline_at: instantText(deadlineAt),
  }));
  agree("the disputes", disputes, await view.all("/disputes"));
}

function transactionRow(state: State, id: string) {
  const row = state.transactions.find((each) => each.id === id);
  const instantOf = (at: number | null = null) => (at === null ? null : instantText(at));
  return {
    ...transactionAnswer(state, id),
    amount_refunded: decimalText(row?.refunded ?? 0n, scaleOf(row?.currency ?? "BRL")),
    source: row?.source,
    username: row?.username,
    client_id: row?.client,
    postback_url: row?.postback,
    expires_at: instantOf(row?.expiresAt),
    confirmed_at: instantOf(row?.confirmedAt),
  };
}

/** The events in their order, with what each says; the model learns the ids of the new ones. */
function compareWebhooks(found: readonly WebhookInfo[], state: State): void {
  const kinds = state.webhooks.map(({ event, username }) => `${event} to ${username}`);
  agree(
    "the events",
    kinds,
    found.map(({ event, username }) => `${event} to ${username}`),
  );
  for (const [place, webhook] of state.webhooks.entries()) {
    const shown = found[place];
    webhook.id ??= shown?.webhook_id ?? null;
    const { id, status, destination, createdAt, nextAt, fields } = webhook;
    const told = { webhook_id: id, status, destination, created_at: instantText(createdAt) };
    const next_attempt_at = nextAt === null ? null : instantText(nextAt);
    agree(`the webhook ${place} ${webhook.event}`, { ...told, next_attempt_at }, shown);
    const body = webhook.event === "wallet_deposit" ? shown?.body : shown?.body.data;
    agree(`the webhook ${place} ${webhook.event}`, fields, body);
  }
}

/** TABLE: what the sandbox calls the timers of the model. */
const kinds: Readonly<Record<Timer["kind"], string>> = {
  expiry: "charge.expiry",
  credit: "wallet.deposit",
  gateway: "cashout.gateway",
  deadline: "dispute.deadline",
  attempt: "webhook.attempt",
  release: "webhook.release",
  step: "scenario.step",
};

/** So too the timers of what has ended are seen to be gone. */
async function compareTimers(view: View, state: State): Promise<void> {
  const subjectOf = ({ kind, subject }: Timer) => (kind === "attempt" ? state.webhooks[Number(subject)]?.id : subject);
  // What the sandbox calls a group of held webhooks is its own affair.
  const line = (at: string, kind: string, subject: unknown) => `${at} ${kind} ${kind === kinds.release ? "" : subject}`;
  const expected = state.timers.map((timer) => line(instantText(timer.at), kinds[timer.kind], subjectOf(timer)));
  const found = (await view.timers()).map(({ at, kind, subject }) => line(at, kind, subject));
  agree("the timers", expected.sort(), found.sort());
}

/** Every currency sums to zero, and what is kept as a balance is what the postings come to. */
function compareLedger({ postings, balances }: LedgerInfo, state: State): void {
  const sums = new Map<string, bigint>();
  const add = (account: string, currency: string, units: bigint) => {
    const key = `${account} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + units);
  };
  const unitsOf = (text: string) => fraction(text.replace("-", "")).numerator * (text.startsWith("-") ? -1n : 1n);
  for (const { source, destination, currency, amount } of postings) {
    add(source, currency, -unitsOf(amount));
    add(destination, currency, unitsOf(amount));
  }
  const totals: Record<string, bigint> = {};
  for (const { account, currency, balance } of balances) {
    totals[currency] = (totals[currency] ?? 0n) + unitsOf(balance);
    agree(
      `the balance of ${account}`,
      `${sums.get(`${account} ${currency}`) ?? 0n} ${currency}`,
      `${unitsOf(balance)} ${currency}`,
    );
    sums.delete(`${account} ${currency}`);
  }
  for (const [key, sum] of sums) agree(`the balance of ${key}, which is not kept`, "0", String(sum));
  for (const [currency, total] of Object.entries(totals)) agree(`the sum of all ${currency}`, "0", String(total));
  for (const [key, { available, locked, disputed }] of Object.entries(state.balances)) {
    const [username, currency = ""] = key.split(" ");
    const kept = (part: string) =>
      balances.find(({ account, ...row }) => account === `merchant:${username}:${part}` && row.currency === currency)
        ?.balance;
    const parts = { available, locked, disputed };
    for (const [part, units] of Object.entries(parts)) {
      agree(
        `${part} of ${key}`,
        decimalText(units, scaleOf(currency)),
        kept(part) ?? decimalText(0n, scaleOf(currency)),
      );
    }
  }
}

/** What came to the receiver in a step: each attempt of the model's once, at its instant. */
export function compareReceived(
  { state }: Branch,
  made: readonly Attempt[],
  received: readonly ReceivedWebhook[],
): void {
  const expected = made
    .filter(({ destination }) => destination.startsWith("http"))
    .map(({ webhook, at, destination }) => {
      const { id, event } = state.webhooks[webhook] ?? {};
      return `${Math.floor(at / 1000)} ${event} ${id} ${new URL(destination).pathname}`;
    });
  const found = received.map(({ headers, path }) => {
    const { "x-webhook-timestamp": at, "x-webhook-event": event, "x-webhook-id": id } = headers;
    return `${at} ${event} ${id} ${path}`;
  });
  agree("the receiver", expected.sort(), found.sort());
}

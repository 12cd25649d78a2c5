/** What must hold in a world at any moment, told in words where it does not. */
import type { JournalEntryInfo, WorldClient } from "../../../src/index.ts";

/** TABLE: the event that tells of a change of a state, by resource and trigger ("States and transitions"). */
const eventOf: Readonly<Record<string, string>> = {
  "cashin pay": "cashin.confirmed",
  "cashin expire": "cashin.expired",
  "cashin refund": "cashin.refunded",
  "cashin charge_back": "cashin.refunded",
  "cashout confirm": "cashout.confirmed",
  "cashout fail": "cashout.failed",
  "cashout refund": "cashout.refunded",
  "conversion execute": "conversion.confirmed",
  "conversion refund": "conversion.refunded",
  "transfer execute": "transfer.confirmed",
  "wallet provision": "wallet.created",
  "dispute open": "chargeback.opened",
  "dispute reply": "chargeback.responded",
  "dispute win": "chargeback.won",
  "dispute lose": "chargeback.lost",
  "dispute cancel": "chargeback.canceled",
  "dispute finalize": "chargeback.confirmed",
};

/** TABLE: changes that no event tells of (`D33`, D54a, the transition table). */
const silent = ["cashin create", "cashin deposit", "cashin cancel", "cashin fail", "cashin dispute", "cashout create"];
const alsoSilent = [...silent, "wallet deposit"];

interface Charge {
  readonly transaction_id: string;
  readonly network: string;
  readonly confirmed_at: string | null;
  readonly expires_at: string | null;
}

interface Known {
  readonly journal: readonly JournalEntryInfo[];
  readonly networks: ReadonlyMap<string, string>;
}

/** Everything that is wrong with a world; empty when all holds. */
export async function faultsOf(world: WorldClient): Promise<string[]> {
  const journal = await world.journal();
  const charges = await world.all<Charge>("/transactions");
  const networks = new Map(charges.map(({ transaction_id, network }) => [transaction_id, network]));
  const ledger = await world.checkLedger();
  const unbalanced = ledger.checks.filter(({ ok }) => !ok).map((check) => `the ledger: ${JSON.stringify(check)}`);
  const faults = [...unbalanced, ...orderFaults(journal), ...eventFaults({ journal, networks }), ...late(charges)];
  return [...faults, ...(await webhookFaults(world, journal))].map((fault) => `${world.id}: ${fault}`);
}

/**
 * What time brings comes at its own instant, however long the process was away: no PIX charge is paid once it has
 * expired. On a chain, one that was paid in time may be confirmed later.
 */
function late(charges: readonly Charge[]): string[] {
  return charges.flatMap(({ transaction_id: id, network, confirmed_at: paid, expires_at: expired }) => {
    const isLate = network === "PIX" && paid !== null && expired !== null && paid >= expired;
    return isLate ? [`${id} was paid at ${paid}, and had expired at ${expired}`] : [];
  });
}

/** Entries are numbered without gaps, and time does not go back. */
function orderFaults(journal: readonly JournalEntryInfo[]): string[] {
  return journal.flatMap(({ sequence, at }, index) => {
    const before = journal[index - 1];
    const inOrder = sequence === index + 1 && (!before || before.at <= at);
    return inOrder ? [] : [`entry ${sequence} at ${at} comes after entry ${before?.sequence} at ${before?.at}`];
  });
}

/** No change of a state without its event. */
function eventFaults({ journal, networks }: Known): string[] {
  const told = new Map<number | null, string[]>();
  for (const { kind, cause, data } of journal) {
    if (kind === "webhook.created") told.set(cause, [...(told.get(cause) ?? []), String(data.event)]);
  }
  return journal.flatMap(({ sequence, kind, subject, data }) => {
    const change = `${data.resource} ${data.trigger}`;
    if (kind !== "transition" || alsoSilent.includes(change)) return [];
    // The expiry of other charges than PIX is silent (D32).
    if (change === "cashin expire" && networks.get(subject ?? "") !== "PIX") return [];
    const events = told.get(sequence) ?? [];
    return events.includes(eventOf[change] ?? "") ? [] : [`${change} of ${subject}: its event is missing (${events})`];
  });
}

/** Every event has its webhook, and one that waits is on the clock, in the air, or held with others. */
async function webhookFaults(world: WorldClient, journal: readonly JournalEntryInfo[]): Promise<string[]> {
  const [timers, webhooks] = [await world.timers(), await world.webhooks()];
  const known = new Set(webhooks.map(({ webhook_id }) => webhook_id));
  const onClock = new Set(timers.map(({ subject }) => subject));
  const isHeld = timers.some(({ kind }) => kind === "webhook.release");
  const lost = journal.filter(({ kind, data }) => kind === "webhook.created" && !known.has(String(data.webhook_id)));
  const waiting = webhooks.filter(({ status }) => status === "pending" || status === "throttled");
  const skipped: string[] = [];
  for (const { webhook_id, event } of waiting.filter((webhook) => !onClock.has(webhook.webhook_id))) {
    if (!isHeld && (await waitsForNothing(world, webhook_id))) skipped.push(`${event} ${webhook_id} waits for nothing`);
  }
  return [...lost.map(({ data }) => `${data.event} ${data.webhook_id} is gone`), ...skipped];
}

/** What is delivered meanwhile changes between two looks; what is forgotten stays so. */
const LOOKS = 3;

async function waitsForNothing(world: WorldClient, webhookId: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    const { attempts, status } = await world.webhook(webhookId);
    if (status !== "pending" || attempts.some(({ outcome }) => outcome === null)) return false;
    if ((await world.timers()).some(({ subject }) => subject === webhookId)) return false;
  }
  return true;
}

/** Once all time has passed: what no receiver got that has a destination and was not dropped by a fault rule. */
export async function undelivered(world: WorldClient, received: readonly string[]): Promise<string[]> {
  const bodies = new Set(received);
  const webhooks = await world.webhooks();
  return webhooks.flatMap(({ webhook_id, event, status, body }) => {
    if (status === "dropped" || status === "undeliverable") return [];
    const came = bodies.has(JSON.stringify(body));
    const isDone = status === "delivered" || status === "exhausted";
    return came && isDone ? [] : [`${world.id}: ${event} ${webhook_id} is ${status}${came ? "" : " and never came"}`];
  });
}

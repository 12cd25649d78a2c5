/** Probes: requests that test how a receiver handles special cases (interface, section 6). */
import { type EventData, eventDefinitions } from "../domain/events.ts";
import { formatAmount, type MinorUnits } from "../domain/money.ts";
import { required } from "../domain/required.ts";
import { balanceOf } from "../service/accounts.ts";
import { feeFor } from "../service/amounts.ts";
import { makePayer } from "../service/payers.ts";
import { bankIdOf } from "../service/transactions.ts";
import { PROBE, type Webhook } from "../store/webhooks.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { type PreparedAttempt, prepareByHand } from "./attempts.ts";
import { envelope } from "./outbox.ts";

/** Where probes are sent, and on whose behalf. */
export interface ProbeTarget {
  readonly username: string;
  readonly client_id: string;
  readonly destination: string;
}

const EVENT = "cashin.confirmed";

/** The currency and amount of the made-up payment. */
const CURRENCY = "BRL";
const SCALE = 2;
const AMOUNT = 100n;

/**
 * Opens the probes, to be sent in this order: a repeat of the last webhook that the receiver accepted, with the same id
 * and bytes; the same from a wrong address; one about a transaction that does not exist. If no webhook was accepted
 * yet, there is no repeat, and the one about the unknown transaction is also sent from the wrong address.
 * @param source the wrong address.
 */
export function openProbes(operation: Operation, target: ProbeTarget, source: string): PreparedAttempt[] {
  const taken = lastTakenBy(operation.world, target);
  const unknown = makeUp(operation, target);
  const attempts = [
    taken ? prepareByHand(operation, taken, { duplicate: true }) : null,
    prepareByHand(operation, taken ?? unknown, { source }),
    prepareByHand(operation, unknown),
  ];
  return attempts.filter((attempt) => attempt !== null);
}

/** The last webhook that the receiver accepted at this URL, or else at any URL of the same origin. */
function lastTakenBy({ webhooks }: World, { username, destination }: ProbeTarget): Webhook | undefined {
  const atAddress = webhooks.lastTaken(username, destination);
  if (atAddress) return atAddress;
  const last = webhooks.lastTaken(username);
  return last?.destination && new URL(last.destination).origin === new URL(destination).origin ? last : undefined;
}

/** Makes a well-formed webhook about a transaction that does not exist; it is only ever sent by hand. */
function makeUp(operation: Operation, { username, client_id, destination }: ProbeTarget): Webhook {
  const { world, now } = operation;
  const transaction_id = world.random.hexId("probe", now);
  const webhook_id = `evt_${world.random.base36Id("probe webhook", now)}`;
  const data = eventDefinitions[EVENT].data.parse(confirmedData(operation, username, transaction_id));
  const entry = operation.record("webhook.probe", transaction_id, { webhook_id, event: EVENT, data });
  const body = Buffer.from(JSON.stringify(envelope({ kind: EVENT, data, envelopeId: transaction_id }, EVENT, now)));
  const named = { webhook_id, event: EVENT, subject_type: PROBE, subject: transaction_id, transaction_id };
  const state = { status: "exhausted" as const, created_at: now, first_attempt_at: null, next_attempt_at: null };
  world.webhooks.insert({ ...named, ...state, entry, username, client_id, destination, body });
  return required(world.webhooks.get(webhook_id), `The webhook ${webhook_id} of a probe`);
}

function confirmedData(operation: Operation, username: string, id: string): EventData<typeof EVENT> {
  const { world, now } = operation;
  const currency = world.currencies.find(CURRENCY, "cashin");
  const fee = currency ? feeFor(world, "cashin", currency, AMOUNT) : 0n;
  const before = balanceOf(world, username, CURRENCY).available;
  const shown = (amount: MinorUnits) => formatAmount(amount, SCALE);
  const entropy = world.random.entropy("probe payment", id);
  return {
    transaction_id: id,
    external_id: `probe-${id.slice(-14)}`,
    type: "cashin",
    currency: CURRENCY,
    currency_type: "fiat",
    amount: shown(AMOUNT),
    fee: shown(fee),
    amount_net: shown(AMOUNT - fee),
    status: "confirmed",
    source: "dynamic_qr",
    network: "PIX",
    e2e_id: bankIdOf(operation, "PIX", entropy),
    payer: makePayer(world, "PIX", id),
    old_balance: shown(before),
    new_balance: shown(before + AMOUNT - fee),
    confirmed_at: formatInstant(now),
  };
}

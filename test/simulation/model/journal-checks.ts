/** Holds the journal against the lifecycles: every transition has its events, every event its transition, all a cause. */
import type { JournalEntryInfo } from "../../../src/index.ts";
import { agree, Disagreement } from "./agreement.ts";
import type { View } from "./comparison.ts";
import type { ModelSettings, State } from "./state.ts";

/** TABLE: the events of a change of a state ("States and transitions"); none for those that no event tells of. */
const eventsOf: Readonly<Record<string, readonly string[]>> = {
  "cashin create": [],
  "cashin deposit": [],
  "cashin cancel": [],
  "cashin fail": [],
  "cashin dispute": [],
  "cashin refund": ["cashin.refunded"],
  "cashin charge_back": ["cashin.refunded"],
  "cashout create": [],
  "cashout confirm": ["cashout.confirmed"],
  "cashout fail": ["cashout.failed"],
  "cashout refund": ["cashout.refunded"],
  "conversion execute": ["conversion.confirmed"],
  "conversion refund": ["conversion.refunded"],
  "transfer execute": ["transfer.confirmed", "transfer.confirmed"],
  "wallet provision": ["wallet.created"],
  "dispute open": ["chargeback.opened"],
  "dispute win": ["chargeback.won"],
  "dispute lose": ["chargeback.lost"],
  "dispute cancel": ["chargeback.canceled"],
};

/** What brings things about from outside, or by the service's own doing at the beginning. */
const ROOTS: readonly string[] = ["request", "control", "world.created"];

/** Entries of a step whose causes are followed to the root. */
const EXPLAINED = 2;

/** Looks at the entries after a sequence. @returns the sequence of the last one. @throws {Disagreement} */
export async function checkJournal(view: View, state: State, after: number): Promise<number> {
  const entries = await view.journal(after);
  for (const [index, { sequence, at, cause }] of entries.entries()) {
    agree("the journal's numbers", after + index + 1, sequence);
    if (cause !== null && cause >= sequence) throw new Disagreement(`entry ${sequence} has a later cause, ${cause}.`);
    if (at < (entries[index - 1]?.at ?? at)) throw new Disagreement(`entry ${sequence} goes back in time, to ${at}.`);
  }
  checkEvents(entries, state);
  for (const { sequence } of entries.slice(-EXPLAINED)) await checkCauses(view, String(sequence), sequence);
  const changed = entries.findLast(({ kind }) => kind === "transition");
  if (changed?.subject) await checkCauses(view, changed.subject);
  return after + entries.length;
}

/** Each transition with its events, and no event without one. */
function checkEvents(entries: readonly JournalEntryInfo[], state: State): void {
  const told = entries.filter(({ kind }) => kind === "webhook.created");
  const isOfDeposit = ({ data }: JournalEntryInfo) => data.event === "wallet_deposit";
  for (const { sequence, subject, data } of entries.filter(({ kind }) => kind === "transition")) {
    const change = `${data.resource} ${data.trigger}`;
    const events = told
      .filter((entry) => entry.cause === sequence && !isOfDeposit(entry))
      .map((entry) => entry.data.event);
    agree(`the events of ${change} of ${subject}`, expectedEvents(change, String(subject), state), events);
  }
  const transitions = new Map(
    entries.filter(({ kind }) => kind === "transition").map((entry) => [entry.sequence, entry]),
  );
  for (const entry of told) {
    const paid = [...transitions.values()].some(
      ({ subject, data }) => subject === entry.subject && data.trigger === "pay",
    );
    const hasCause = isOfDeposit(entry) ? paid : transitions.has(entry.cause ?? 0);
    if (!hasCause) throw new Disagreement(`entry ${entry.sequence} tells of ${entry.data.event} without a transition.`);
  }
}

function expectedEvents(change: string, subject: string, state: State): readonly string[] {
  const { settings, transactions } = state;
  const cashin = transactions.find(({ id }) => id === subject);
  if (change === "cashin pay") {
    const isSilent = cashin?.walletId !== null && settings.deposit_events === "wallet_deposit";
    return isSilent ? [] : ["cashin.confirmed"];
  }
  if (change === "cashin expire") {
    const isTold = settings.expired_event === "all" || cashin?.network === "PIX";
    return isTold && cashin?.walletId === null ? ["cashin.expired"] : [];
  }
  if (change === "dispute reply") return withLegacy(settings, "chargeback.responded", "refund_responded");
  if (change.startsWith("dispute finalize")) return withLegacy(settings, "chargeback.confirmed", "refund_confirmed");
  const events = eventsOf[change];
  if (!events) throw new Disagreement(`The transition "${change}" is in no table of the specification.`);
  return events;
}

function withLegacy({ legacy_refund_events }: ModelSettings, event: string, legacy: string): readonly string[] {
  return legacy_refund_events ? [event, legacy] : [event];
}

/** From an entry, or all that changed a resource, through the causes to what began it, without a gap. */
async function checkCauses(view: View, id: string, entry?: number): Promise<void> {
  const { chain } = await view.explain(id);
  const known = new Set(chain.map((link) => link.sequence));
  if (entry !== undefined && !known.has(entry)) throw new Disagreement(`explain ${id} leaves the entry itself out.`);
  for (const { sequence, cause } of chain) {
    if (cause !== null && !known.has(cause)) throw new Disagreement(`explain ${id}: ${sequence} has lost its cause.`);
  }
  const roots = chain.filter(({ cause }) => cause === null);
  const isRooted = roots.length > 0 && roots.every(({ kind }) => ROOTS.includes(kind));
  if (!isRooted) throw new Disagreement(`explain ${id} goes back to ${JSON.stringify(roots)}.`);
}

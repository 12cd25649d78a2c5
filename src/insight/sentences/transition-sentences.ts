/** TABLE: what each row of the lifecycle tables does, as a sentence. */
import { merchantOf, OUTSIDE } from "../../domain/ledger.ts";
import type { LifecycleName, TriggerOf } from "../../domain/lifecycles.ts";
import type { JournalEntry } from "../../store/journal.ts";

/** For a kind of posting that a transition does not have. */
const NOTHING = "nothing";

/** What a transition moved, as texts such as `150.00 BRL`; `nothing` where it moved nothing of the kind. */
interface Moved {
  /** What left a merchant's balance, or the blocked part of it. */
  readonly taken: string;
  /** What came onto a merchant's balance. */
  readonly given: string;
  /** What went out to the receiver of a cash-out. */
  readonly sent: string;
  /** Whose money left, and whose balance it came onto. */
  readonly from: string;
  readonly to: string;
}

/** How a transition reads, without its full stop. */
interface Wording {
  readonly says: (moved: Moved) => string;
  /** The reason, if it was neither a call nor a scenario that caused it, but the service's own timer. */
  readonly due?: string;
}

/** A row of the lifecycle tables, such as `cashin.pay`. */
type Row = { [Name in LifecycleName]: `${Name}.${TriggerOf<Name>}` }[LifecycleName];

/** TABLE: by resource and trigger. */
const wordings: Readonly<Record<Row, Wording>> = {
  "cashin.create": { says: () => "The charge was created" },
  "cashin.deposit": { says: () => "A deposit was sent to the fixed wallet" },
  "cashin.pay": { says: ({ given }) => `The payer paid ${given}`, due: "the deposit has all it had to wait for" },
  "cashin.expire": { says: () => "The cash-in expired unpaid", due: "its time was up" },
  "cashin.cancel": { says: () => "The system canceled the cash-in" },
  "cashin.fail": { says: () => "The cash-in failed" },
  "cashin.refund": { says: ({ taken }) => `${taken} went back to the payer` },
  "cashin.dispute": { says: () => "The payer disputed the payment" },
  "cashin.charge_back": {
    says: ({ taken }) => `The disputed ${taken} went back to the payer`,
    due: "nobody had answered the dispute when its deadline came",
  },
  "cashout.create": { says: ({ taken }) => `The cash-out was accepted and ${taken} locked for it` },
  "cashout.confirm": {
    says: ({ sent }) =>
      sent === NOTHING ? "The cash-out settled: its fee took all of it" : `The cash-out settled: ${sent} left`,
  },
  "cashout.fail": {
    says: ({ given }) => `The cash-out was rejected and ${given} went back to the balance`,
    due: "the gateway found that its address is none",
  },
  "cashout.refund": { says: ({ given }) => `The cash-out was reversed: ${given} came back` },
  "conversion.execute": { says: ({ taken, given }) => `${taken} became ${given}` },
  "conversion.refund": { says: ({ taken, given }) => `The conversion was reversed: ${taken} became ${given} again` },
  "transfer.execute": { says: ({ given, from, to }) => `${given} went from ${from} to ${to}` },
  "wallet.provision": { says: () => "The fixed wallet was provisioned" },
  "wallet.deposit": { says: () => "A deposit was sent to the fixed wallet" },
  "dispute.open": { says: ({ taken }) => `The dispute was opened and ${taken} blocked` },
  "dispute.reply": { says: () => "The merchant's reply was registered" },
  "dispute.win": { says: ({ given }) => `The merchant won the dispute and ${given} was unblocked` },
  "dispute.lose": {
    says: () => "The merchant lost the dispute",
    due: "nobody had answered it when its deadline came",
  },
  "dispute.cancel": { says: ({ given }) => `The payer withdrew the dispute and ${given} was unblocked` },
  "dispute.finalize": { says: () => "The chargeback is final" },
  "dispute.finalize_as_confirmed": { says: () => "The chargeback is final" },
};

/**
 * A transition as a sentence.
 * @param cause the entry that led to it; if it is of an earlier instant, a timer of the service lay between.
 */
export function tellTransition(entry: JournalEntry, cause: JournalEntry | undefined): string {
  const { resource, trigger, from, to, postings } = entry.data as TransitionData;
  // A journal of another version may have rows that are none any more.
  const wording = (wordings as Readonly<Partial<Record<string, Wording>>>)[`${resource}.${trigger}`];
  if (!wording) return `A ${resource} went from ${from ?? "nothing"} to ${to} by "${trigger}".`;
  const waited = cause !== undefined && cause.at < entry.at;
  return `${wording.says(movedBy(postings))}${waited && wording.due ? `: ${wording.due}` : ""}.`;
}

/** The data that the interpreter writes into a journal entry. */
type TransitionData = {
  readonly resource: LifecycleName;
  readonly from: string | null;
  readonly trigger: string;
  readonly to: string;
  readonly postings: readonly ShownPosting[];
};

interface ShownPosting {
  readonly source: string;
  readonly destination: string;
  readonly currency: string;
  readonly amount: string;
}

function movedBy(postings: readonly ShownPosting[]): Moved {
  const taken = postings.find(({ source }) => merchantOf(source) !== null);
  const given = postings.find(({ destination }) => merchantOf(destination) !== null);
  return {
    taken: amountOf(taken),
    given: amountOf(given),
    sent: amountOf(postings.find(({ destination }) => destination.startsWith(OUTSIDE))),
    from: taken ? (merchantOf(taken.source) ?? "") : "",
    to: given ? (merchantOf(given.destination) ?? "") : "",
  };
}

function amountOf(posting: ShownPosting | undefined): string {
  return posting ? `${posting.amount} ${posting.currency}` : NOTHING;
}

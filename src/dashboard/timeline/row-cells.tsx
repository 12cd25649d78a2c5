/** The rows of the timeline: the head of a thread, and an entry. */
import { useEffect, useState } from "preact/hooks";
import { wakeAfter } from "../browser.ts";
import { useAnswer } from "../live/answer.ts";
import { useScaled } from "../live/scales.ts";
import { topicOf } from "../live/topics.ts";
import { Cell, ShortId } from "../parts/cells.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { State } from "../parts/state.tsx";
import { Instant } from "../parts/times.tsx";
import { moneyText } from "../words/amounts.ts";
import { wordsOf } from "../words/entries.ts";
import { spanText } from "../words/instants.ts";
import { viewOfResource } from "../words/places.ts";
import { toneOf } from "../words/tones.ts";
import { visible } from "../words/visible.ts";
import type { TimelineRow } from "./rows.ts";
import type { Thread } from "./threads.ts";

/** The most steps by which entries are indented below their causes. */
const MOST_STEPS = 7;

/** An entry, indented below what led to it, with the time since its thread began. */
export function EntryCells({ row }: { row: Extract<TimelineRow, { kind: "entry" }> }) {
  const { entry, depth, thread, isLast } = row;
  const { icon, tone, text, mark, note } = wordsOf(entry);
  const begin = thread?.entries[0]?.entry.at;
  const sinceMs = begin === undefined ? 0 : Date.parse(entry.at) - Date.parse(begin);
  return (
    <>
      <Cell kind="time">
        <Instant at={entry.at} short />
      </Cell>
      <Cell kind={`thread-line ${thread ? (isLast ? "last" : "on") : "alone"}`} />
      <Cell kind="main entry">
        <span class="step-in" style={{ "--depth": Math.min(depth, MOST_STEPS) }} />
        <span class={`dot ${tone}`}>
          <Icon name={icon} />
        </span>
        <span class="text">{visible(text)}</span>
        {mark && <State state={mark} tone={tone} />}
        {note && <span class="note">{visible(note)}</span>}
      </Cell>
      <Cell kind="since" only="wide">
        {sinceMs > 0 ? `+${spanText(sinceMs)}` : ""}
      </Cell>
      <Cell kind="sequence" only="wide">
        {entry.sequence}
      </Cell>
    </>
  );
}

/** What heads show of transactions, transfers, conversions, wallets and disputes. */
interface Subject {
  readonly amount?: string;
  readonly currency?: string;
  readonly amount_from?: unknown;
  readonly currency_from?: string;
  readonly currency_to?: string;
  readonly external_id?: string | null;
  readonly status?: string;
  readonly network?: string;
}

const icons: Readonly<Record<string, { readonly icon: IconName; readonly name: string }>> = {
  cashin: { icon: "charge", name: "Charge" },
  cashout: { icon: "cashout", name: "Cash-out" },
  transfer: { icon: "transfer", name: "Transfer" },
  conversion: { icon: "conversion", name: "Conversion" },
  wallet: { icon: "wallet", name: "Wallet" },
  dispute: { icon: "dispute", name: "Dispute" },
  probe: { icon: "webhook", name: "Probe about an unknown payment" },
};

interface ThreadCellsProps {
  readonly thread: Thread;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/**
 * The head of a thread: its newest instant and, for a resource, its current state, read when the row comes into sight.
 */
export function ThreadCells({ thread, isOpen, onToggle }: ThreadCellsProps) {
  const { resource, subject, entries } = thread;
  const view = resource === null ? undefined : viewOfResource(resource);
  const value = useSettled(view && subject !== null ? `/${view}/${encodeURIComponent(subject)}` : null, subject);
  const scaled = useScaled();
  const { icon, name } = icons[resource ?? ""] ?? { icon: "world" as const, name: nameOf(thread) };
  const last = entries.at(-1)?.entry;
  return (
    <>
      <Cell kind="time">{last && <Instant at={last.at} short />}</Cell>
      <Cell kind="thread-line head">
        <button
          type="button"
          tabIndex={-1}
          class="fold"
          aria-expanded={isOpen ? "true" : "false"}
          aria-label={isOpen ? "Fold this thread" : "Unfold this thread"}
          onClick={onToggle}
        >
          <Icon name="chevron" />
        </button>
      </Cell>
      <Cell kind="main head">
        <Icon name={icon} />
        <b>{visible(name)}</b>
        {value && <span class="amount">{amountOf(value, scaled)}</span>}
        {value?.external_id && <span class="external-id">{visible(value.external_id)}</span>}
        {value?.status && <State state={value.status} tone={toneOf(value.status, resource ?? undefined)} />}
        {value?.network && <span class="note">{value.network}</span>}
        {thread.beginsEarlier && <span class="note">begins further back</span>}
      </Cell>
      <Cell kind="since" only="wide">
        {entries.length}
      </Cell>
      <Cell kind="sequence" only="wide">
        {subject !== null && <ShortId id={subject} />}
      </Cell>
    </>
  );
}

/** How long a row must stay in sight before it is read: rows that are scrolled past are not. */
const SETTLED_MS = 90;

function useSettled(path: string | null, subject: string | null): Subject | undefined {
  const [settled, setSettled] = useState(false);
  useEffect(() => wakeAfter(SETTLED_MS, () => setSettled(true)), []);
  return useAnswer<Subject>(settled ? path : null, [topicOf(subject ?? "")]).value;
}

function amountOf(subject: Subject, scaled: ReturnType<typeof useScaled>): string {
  const { amount, currency = "", amount_from, currency_from = "", currency_to } = subject;
  if (amount_from !== undefined)
    return `${moneyText(scaled(amount_from, currency_from), currency_from)} → ${currency_to}`;
  return amount === undefined ? currency : moneyText(amount, currency);
}

function nameOf({ entries, subject }: Thread): string {
  const first = entries[0]?.entry;
  if (first?.kind === "world.created") return "The making of the world";
  return subject ?? (first ? wordsOf(first).text : "");
}

/** What the server prints while it runs: lines for people on a terminal, JSON for programs. */
import { oneLine, visible } from "../../domain/words/visible.ts";
import { type Reasons, reasonsOf } from "../../insight/reasons.ts";
import { monotonicNow } from "../../runtime.ts";
import type { JournalEntry } from "../../store/journal.ts";
import { isDamage, isStorageFault } from "../../store/storage-fault.ts";
import { formatInstant } from "../../world/instants.ts";
import type { World } from "../../world/world.ts";
import { tellFault } from "../terminal.ts";

/** TABLE: what `--log` takes (interface, section 2). */
export const logModes = ["pretty", "json", "silent"] as const;

/** A value of `--log`; `silent` prints nothing but the start information and faults of the sandbox itself. */
export type LogMode = (typeof logModes)[number];

/** The kinds of journal entries that are printed. */
const SHOWN = new Set(["request", "transition", "webhook.delivered", "webhook.failed", "webhook.exhausted", "fault"]);

/** How long a fault of the storage is not reported again. */
const QUIET_MS = 60_000;

/** Writes committed journal entries to stdout, one line each, and faults to stderr. */
export class Log {
  readonly mode: LogMode;
  /** Until when a fault of the storage is not reported again, by the damaged file; empty for all other faults. */
  readonly #quietUntil = new Map<string, number>();

  constructor(mode: LogMode) {
    this.mode = mode;
  }

  /** Prints entries that a world has committed. */
  entries(id: string, { requests }: Pick<World, "requests">, entries: readonly JournalEntry[]): void {
    if (this.mode === "silent") return;
    const told = reasonsOfRefusals(requests, entries);
    let text = "";
    for (const entry of entries) if (SHOWN.has(entry.kind)) text += this.#line(id, entry, told.get(entry.sequence));
    if (text) process.stdout.write(text);
  }

  /** Prints a fault of the sandbox in every mode, with how to report it; one of the storage only once in {@link QUIET_MS}. */
  fault(error: unknown): void {
    if (isStorageFault(error)) {
      const now = monotonicNow();
      const file = isDamage(error) ? (error as Error).message : "";
      if (now < (this.#quietUntil.get(file) ?? 0)) return;
      this.#quietUntil.set(file, now + QUIET_MS);
    }
    tellFault(error);
  }

  #line(world: string, { at, kind, subject, data }: JournalEntry, told: Reasons | undefined): string {
    if (this.mode === "json") {
      // An entry's own `event`, that of a webhook, must not overwrite the line's.
      const { event: webhook_event, ...others } = data;
      const line = { event: kind, world, at: formatInstant(at), subject, webhook_event, ...others, ...told };
      return `${JSON.stringify(line)}\n`;
    }
    const text = `${formatInstant(at)} ${world} ${summary(kind, subject, data)}${wordsOf(told)}`;
    return `${visible(oneLine(text))}\n`;
  }
}

/** Messages and hints of refused calls, by the sequence of their entry: the journal only has the error code. */
function reasonsOfRefusals(requests: World["requests"], entries: readonly JournalEntry[]): Map<number, Reasons> {
  const calls = entries.filter(({ kind }) => kind === "request");
  const refused = new Set(calls.filter(({ data }) => isRefusal(data)).map(({ sequence }) => sequence));
  if (refused.size === 0) return new Map();
  const answers = requests.latestAnswers(calls.length).filter(({ entry }) => refused.has(entry));
  return new Map(answers.map((answer) => [answer.entry, reasonsOf(answer)]));
}

/** Whether a caller received a refusal; a lost answer was received by nobody. */
function isRefusal({ status, lost }: JournalEntry["data"]): boolean {
  return typeof status === "number" && status >= 400 && lost !== true;
}

function wordsOf(told: Reasons | undefined): string {
  const words = [told?.message, told?.hint].filter(Boolean).join(" ");
  return words === "" ? "" : `: ${words}`;
}

function summary(kind: string, subject: string | null, data: Readonly<Record<string, unknown>>): string {
  if (kind === "request") return `${data.method} ${data.path} ${data.status}${data.error ? ` ${data.error}` : ""}`;
  if (kind === "transition") return `${data.resource} ${subject} ${data.from ?? "·"} → ${data.to}`;
  if (kind === "fault") return `fault ${data.message}`;
  // The entry of a webhook that is given up has no outcome: it is not an attempt.
  const outcome = [data.status, data.error].filter((part) => part !== null && part !== undefined);
  return [`${kind} ${data.event} attempt ${data.attempt}`, ...outcome].join(" ");
}

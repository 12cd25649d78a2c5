/** The timers of a world, which are due in the order of (due, sequence). */
import { remembering } from "../domain/remembering.ts";
import type { Added } from "./additions.ts";
import type { Database } from "./database.ts";

/** A place in the order of timers. */
export interface TimerPlace {
  /** The instant, on the world's clock. */
  readonly due: number;
  readonly sequence: number;
}

/** Whether a place comes before another one. */
export function isBefore(one: TimerPlace, other: TimerPlace): boolean {
  return one.due < other.due || (one.due === other.due && one.sequence < other.sequence);
}

/** The public id of a timer, made of its place in the order: its instant in milliseconds, then its sequence. */
export function timerId({ due, sequence }: TimerPlace): string {
  return `${due}-${sequence}`;
}

/** The place that a timer's id stands for; null for any other text. */
export function placeOfTimer(id: string): TimerPlace | null {
  const [, due, sequence] = /^(\d{1,16})-(\d{1,15})$/.exec(id) ?? [];
  return due === undefined || sequence === undefined ? null : { due: Number(due), sequence: Number(sequence) };
}

/** Something that is due at an instant of the clock. */
export interface Timer extends TimerPlace {
  readonly kind: string;
  /** The id of the resource that it acts on. */
  readonly subject: string;
  /** The journal entry that scheduled it. */
  readonly cause: number | null;
  readonly rule: string | null;
  /** Recurring timers do not keep a world from being idle. */
  readonly recurring: boolean;
  /** Timers share it: not to be changed. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The payload of a recurring timer: what is known beforehand of its turn, for an advance that waits for an event. */
export type RecurringPayload = {
  /** It cannot cause an event, nor can those after it. */
  readonly uneventful?: true;
  /** It goes by without effect; one after it may cause an event. */
  readonly passing?: true;
};

/** A turn of a recurring timer that is not `uneventful`. */
export interface Turn {
  readonly subject: string;
  readonly due: number;
  readonly isPassing: boolean;
}

type Row = Omit<Timer, "payload" | "recurring"> & { payload: string; recurring: number };

const ADDED = ["due", "sequence", "kind", "subject", "cause", "rule", "recurring", "payload"] as const;
const COLUMNS = ADDED.join(", ");
const FIRST = `SELECT ${COLUMNS} FROM timers ORDER BY due, sequence LIMIT 1`;
const ONE = `SELECT ${COLUMNS} FROM timers WHERE due = ? AND sequence = ?`;
const BEHIND = `SELECT ${COLUMNS} FROM timers WHERE (due, sequence) > (?, ?) ORDER BY due, sequence LIMIT ? + 0`;

/** Comes before every timer. */
const BEGINNING: TimerPlace = { due: Number.MIN_SAFE_INTEGER, sequence: 0 };

/** Timers by their place; the first one is remembered, since every turn of the world asks for it. */
export class TimerStore {
  readonly #database: Database;
  readonly #added: Added;
  /** The first in order, null for none; undefined when it has to be looked up. */
  #first: Timer | null | undefined;
  #firstAdded: TimerPlace | null = null;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("timers", ADDED);
  }

  insert(timer: Timer): void {
    if (!this.#first || isBefore(timer, this.#first)) this.forget();
    if (this.#firstAdded === null || isBefore(timer, this.#firstAdded)) this.#firstAdded = timer;
    const { due, sequence, kind, subject, cause, rule, recurring, payload } = timer;
    this.#added.add([due, sequence, kind, subject, cause, rule, recurring ? 1 : 0, JSON.stringify(payload)]);
  }

  /** The earliest instant that anything is due at; null for nothing. */
  earliest(): number | null {
    return this.next()?.due ?? null;
  }

  /** Whether anything is due at an instant, or before. */
  isDueBy(instant: number): boolean {
    const earliest = this.earliest();
    return earliest !== null && earliest <= instant;
  }

  /** The first in order of the timers added since the last call of this; null if there are none. */
  takeFirstAdded(): TimerPlace | null {
    const first = this.#firstAdded;
    this.#firstAdded = null;
    return first;
  }

  /** Forgets the remembered first timer, because what was written may have been undone. */
  forget(): void {
    this.#first = undefined;
  }

  remove(due: number, sequence: number): boolean {
    if (!this.#first || !isBefore(this.#first, { due, sequence })) this.forget();
    return this.#database.run("DELETE FROM timers WHERE due = ? AND sequence = ?", due, sequence) > 0;
  }

  removeOf(subject: string, kind: string): number {
    if (this.#first?.subject === subject) this.forget();
    return this.#database.run("DELETE FROM timers WHERE subject = ? AND kind = ?", subject, kind);
  }

  /** The first timer in order. Looked up only when something was taken out, or put before it. */
  next(): Timer | undefined {
    if (this.#first === undefined) {
      const row = this.#database.get<Row>(FIRST);
      this.#first = row ? parse(row) : null;
    }
    return this.#first ?? undefined;
  }

  get(due: number, sequence: number): Timer | undefined {
    const row = this.#database.get<Row>(ONE, due, sequence);
    return row && parse(row);
  }

  /** The first timer in order, behind `after`, that is not of this kind, nor about one of the subjects `except`. */
  firstBut(
    kind: string,
    { except = [], after = BEGINNING }: { except?: readonly string[]; after?: TimerPlace | undefined } = {},
  ): Timer | undefined {
    const sql = `SELECT ${COLUMNS} FROM timers WHERE (due, sequence) > (?, ?) AND kind <> ?
      AND subject NOT IN (SELECT value FROM json_each(?)) ORDER BY due, sequence LIMIT 1`;
    const row = this.#database.get<Row>(sql, after.due, after.sequence, kind, JSON.stringify(except));
    return row && parse(row);
  }

  /** Timers after (due, sequence) in order, for listing page by page. */
  after({ due, sequence }: TimerPlace, limit: number): Timer[] {
    return this.#database.all<Row>(BEHIND, due, sequence, limit).map(parse);
  }

  of(subject: string): Timer[] {
    const sql = `SELECT ${COLUMNS} FROM timers WHERE subject = ? ORDER BY due, sequence`;
    return this.#database.all<Row>(sql, subject).map(parse);
  }

  count(): number {
    return this.#database.count("SELECT count(*) AS count FROM timers");
  }

  /** Whether anything but recurring timers is waiting. */
  hasOneShot(): boolean {
    return this.#database.get("SELECT 1 FROM timers WHERE recurring = 0 LIMIT 1") !== undefined;
  }

  /** The waiting turns of recurring timers that may cause an event; few, as each rule on the clock has one. */
  turns(): Turn[] {
    const sql = `SELECT subject, due, payload ->> '$.passing' IS NOT NULL AS passing FROM timers
      WHERE recurring = 1 AND payload ->> '$.uneventful' IS NULL`;
    const rows = this.#database.all<{ subject: string; due: number; passing: number }>(sql);
    return rows.map(({ passing, ...row }) => ({ ...row, isPassing: passing === 1 }));
  }
}

const LONGEST_KNOWN_PAYLOAD = 1_000;

/** Cached: the timers of all charges that a rule pays have the same. */
const payloadOf = remembering<Timer["payload"]>((text) => JSON.parse(text), LONGEST_KNOWN_PAYLOAD);

function parse(row: Row): Timer {
  return { ...row, recurring: row.recurring === 1, payload: payloadOf(row.payload) };
}

/**
 * Figures that nearly every operation changes: balances, what is used of limits, windows, counters. They are kept in
 * memory and written once per transaction, before it ends; if it is undone, they get their former values back.
 */
import type { SqlValue } from "./sql-value.ts";

/** How figures of one table are read and written. */
export interface FigureTable<Value> {
  /** The value of a missing row. */
  readonly absent: Value;
  readonly read: (...key: SqlValue[]) => Value | undefined;
  /** Inserts or replaces a row. */
  readonly write: (value: Value, ...key: SqlValue[]) => void;
}

interface Figure<Value> {
  readonly key: readonly SqlValue[];
  readonly table: FigureTable<Value>;
  /** Undefined where there is no row. */
  value: Value | undefined;
}

interface Change {
  readonly figure: Figure<unknown>;
  readonly before: unknown;
}

/** A figure that was first read inside a transaction: what was read may be undone with it, and is then forgotten. */
interface Reading {
  readonly forget: () => void;
}

/** The changes of the current transaction. */
export class FigureChanges {
  readonly #changes: (Change | Reading)[] = [];
  readonly #unwritten = new Set<Figure<unknown>>();

  get areNone(): boolean {
    return this.#changes.length === 0;
  }

  /** The point that the transaction has reached, for {@link rewind}. */
  get mark(): number {
    return this.#changes.length;
  }

  set<Value>(figure: Figure<Value>, value: Value | undefined): void {
    const changed = figure as Figure<unknown>;
    this.#changes.push({ figure: changed, before: changed.value });
    this.#unwritten.add(changed);
    changed.value = value;
  }

  noteReading(forget: () => void): void {
    this.#changes.push({ forget });
  }

  write(): void {
    for (const { table, value, key } of this.#unwritten) if (value !== undefined) table.write(value, ...key);
    this.#unwritten.clear();
  }

  /** Undoes the changes since a {@link mark}. Earlier ones will be written again, since that may be undone too. */
  rewind(mark: number): void {
    for (const change of this.#changes.splice(mark).reverse()) {
      if ("forget" in change) change.forget();
      else change.figure.value = change.before;
    }
    this.#unwritten.clear();
    for (const change of this.#changes) if ("figure" in change) this.#unwritten.add(change.figure);
  }

  /** Forgets the changes, since they are committed. */
  keep(): void {
    this.#changes.length = 0;
  }
}

/** With this many figures of a table in memory, all are forgotten when nothing is changed: callers may choose keys. */
const MOST_KNOWN = 1_000;

/** The figures of one table, by the key of its rows. */
export class Figures<Value> {
  readonly #table: FigureTable<Value>;
  readonly #changes: FigureChanges;
  readonly #isInTransaction: () => boolean;
  readonly #known = new Map<string, Figure<Value>>();

  constructor(table: FigureTable<Value>, changes: FigureChanges, isInTransaction: () => boolean) {
    this.#table = table;
    this.#changes = changes;
    this.#isInTransaction = isInTransaction;
  }

  get(...key: SqlValue[]): Value {
    return this.#figure(key).value ?? this.#table.absent;
  }

  set(value: Value, ...key: SqlValue[]): void {
    this.#change(this.#figure(key), value);
  }

  /** Replaces a figure with what `next` returns for it; if that throws, the figure stays. @returns the new value. */
  move<Next extends Value>(next: (value: Value) => Next, ...key: SqlValue[]): Next {
    const figure = this.#figure(key);
    const value = next(figure.value ?? this.#table.absent);
    this.#change(figure, value);
    return value;
  }

  #change(figure: Figure<Value>, value: Value): void {
    this.#changes.set(figure, value);
    if (this.#isInTransaction()) return;
    this.#changes.write();
    this.#changes.keep();
  }

  /** Writes all changes. To be called before other statements read the table. */
  write(): void {
    this.#changes.write();
  }

  /** Makes the figures whose key begins like this absent, since their rows are deleted. */
  forget(...beginning: SqlValue[]): void {
    for (const figure of this.#known.values()) {
      if (beginning.every((part, index) => figure.key[index] === part)) this.#changes.set(figure, undefined);
    }
  }

  #figure(key: readonly SqlValue[]): Figure<Value> {
    const name = key.join("\n");
    const known = this.#known.get(name);
    if (known) return known;
    const figure = { key, table: this.#table, value: this.#table.read(...key) };
    if (this.#known.size >= MOST_KNOWN && this.#changes.areNone) this.#known.clear();
    this.#known.set(name, figure);
    if (this.#isInTransaction()) this.#changes.noteReading(() => this.#known.delete(name));
    return figure;
  }
}

/**
 * Figures that nearly every operation moves: balances, what is used of limits, windows, counters. They are known in
 * memory and written once a transaction, before it ends; when it is undone they are what they were.
 */
import type { SqlValue } from "./sql-value.ts";

/** How figures of one table are read and written. */
export interface FigureTable<Value> {
  /** What a missing row stands for. */
  readonly absent: Value;
  readonly read: (...key: SqlValue[]) => Value | undefined;
  /** Puts a row in the place of what was there. */
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

/** A figure that was read while something was under way that may be undone: what was read may be undone with it. */
interface Reading {
  readonly forget: () => void;
}

/** What the transaction under way has changed. */
export class FigureChanges {
  readonly #changes: (Change | Reading)[] = [];
  readonly #unwritten = new Set<Figure<unknown>>();

  get areNone(): boolean {
    return this.#changes.length === 0;
  }

  /** How far it has come, to go back to. */
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

  /** Tells that what was changed since a {@link mark} is undone; what was written before may be undone too. */
  rewind(mark: number): void {
    for (const change of this.#changes.splice(mark).reverse()) {
      if ("forget" in change) change.forget();
      else change.figure.value = change.before;
    }
    this.#unwritten.clear();
    for (const change of this.#changes) if ("figure" in change) this.#unwritten.add(change.figure);
  }

  /** Tells that all of it is committed. */
  keep(): void {
    this.#changes.length = 0;
  }
}

/** As many as are known of a table while nothing is changed: keys may come from callers. */
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

  /** Puts what `next` makes of a figure in its place; what it throws leaves the figure as it is. @returns the new one. */
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

  /** To be called before the table is read by other statements. */
  write(): void {
    this.#changes.write();
  }

  /** Tells that the rows whose key begins like this have been deleted. */
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

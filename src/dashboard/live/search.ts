/** The items of a long list that are looked for: read page by page from the newest on, until there are enough. */
import type { Page } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";
import { ControlError } from "../wire/control.ts";
import { Emitter } from "./signal.ts";

const PAGE_SIZE = 500;

/** As many matches are looked for at a time, and as many items are looked at. */
const ENOUGH_MATCHES = 100;
const ENOUGH_LOOKED_AT = 5_000;

export interface Match<Item> {
  readonly position: number;
  readonly item: Item;
}

/** A search as a list shows it. */
export type AnySearch = Pick<Search<unknown>, "matches" | "lookedAt" | "isRunning" | "isDone" | "more">;

export class Search<Item> extends Emitter {
  readonly #read: (after: number, limit: number) => Promise<Page<Item>>;
  readonly #test: (item: Item) => boolean;
  readonly #base: number;
  #newest: number;
  #position: number;
  #found: readonly Match<Item>[] = [];
  #stopped = false;
  /** Those of the search before this one, until the first page of this one has been read. */
  matches: readonly Match<Item>[];
  lookedAt = 0;
  isRunning = false;

  /** @param range the position of the newest item, and that before the oldest. @param shown see `matches`. */
  constructor(
    control: Control,
    path: string,
    range: { readonly from: number; readonly base: number },
    test: (item: Item) => boolean,
    shown: readonly Match<Item>[] = [],
  ) {
    super();
    const joint = path.includes("?") ? "&" : "?";
    this.#read = (after, limit) => control.get<Page<Item>>(`${path}${joint}cursor=${after}&limit=${limit}`);
    this.#test = test;
    this.#base = range.base;
    this.#newest = range.from;
    this.#position = range.from;
    this.matches = shown;
  }

  /** Whether everything has been looked at. */
  get isDone(): boolean {
    return this.#position <= this.#base;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Takes what the list has got since it was begun, where its items do not change. */
  take(items: readonly Match<Item>[]): void {
    const fresh = items.filter(({ position }) => position > this.#newest);
    this.#newest = fresh.at(-1)?.position ?? this.#newest;
    this.#found = [...fresh.filter(({ item }) => this.#test(item)).reverse(), ...this.#found];
    this.matches = this.#found;
    this.lookedAt += fresh.length;
    this.emit();
  }

  /** Looks further. */
  async more(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    const [matches, lookedAt] = [this.#found.length + ENOUGH_MATCHES, this.lookedAt + ENOUGH_LOOKED_AT];
    try {
      while (!this.#stopped && !this.isDone && this.#found.length < matches && this.lookedAt < lookedAt) {
        await this.#readPage();
      }
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
    }
    this.isRunning = false;
    this.emit();
  }

  async #readPage(): Promise<void> {
    const after = Math.max(this.#base, this.#position - PAGE_SIZE);
    const { items } = await this.#read(after, this.#position - after);
    const found = items
      .map((item, index) => ({ position: after + 1 + index, item }))
      .filter(({ item }) => this.#test(item))
      .reverse();
    this.#found = [...this.#found, ...found];
    this.matches = this.#found;
    this.lookedAt += items.length;
    this.#position = after;
    this.emit();
  }
}

/** Searches a long list: reads it page by page from the newest item on, until there are enough matches. */
import type { Control } from "../wire/control.ts";
import { ControlError } from "../wire/control.ts";
import { Pace } from "./pace.ts";
import { type ReadAfter, readAfter } from "./read-after.ts";
import { Emitter } from "./signal.ts";

const PAGE_SIZE = 500;

/** A search pauses after this many matches, or after looking at this many items. */
const ENOUGH_MATCHES = 100;
const ENOUGH_LOOKED_AT = 5_000;

/** The pause between two repeated searches while the list keeps changing. */
const PAUSE_MS = 1_000;

interface Match<Item> {
  readonly position: number;
  readonly item: Item;
}

interface SearchRange {
  /** The newest item's position. */
  readonly from: number;
  /** The position before the oldest. */
  readonly base: number;
  /** After how many matches it pauses; {@link ENOUGH_MATCHES} unless given. */
  readonly enoughMatches?: number;
}

interface SearchOptions<Item> {
  /** Whether an item is what is looked for. */
  readonly test: (item: Item) => boolean;
  /** Matches to show at first; none unless given. */
  readonly shown?: readonly Match<Item>[] | undefined;
}

/** One pass through the list, from its newest item down to `position`. */
interface Pass<Item> {
  found: readonly Match<Item>[];
  lookedAt: number;
  newest: number;
  position: number;
}

/** A search as a list shows it. */
export type AnySearch = Pick<Search<unknown>, "matches" | "lookedAt" | "isRunning" | "isDone" | "more">;

/** One search of one list for one thing; another search term needs a new search. */
export class Search<Item> extends Emitter {
  readonly #read: ReadAfter<Item>;
  readonly #test: (item: Item) => boolean;
  readonly #base: number;
  readonly #enoughMatches: number;
  readonly #pace = new Pace(() => this.#inTurn(() => this.#lookAnew()), { pauseMs: PAUSE_MS });
  #shown: Pass<Item>;
  /** The matches of the previous search, shown until the first page of this one has been read. */
  #before: readonly Match<Item>[] | null;
  #end: number;
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;
  /** Whether items have been taken. */
  #takes = false;
  isRunning = false;
  /** Why the last reading failed: what was found before it is shown still. */
  error: ControlError | null = null;

  /** @param range where it begins and ends, and pauses. */
  constructor(
    control: Pick<Control, "get">,
    path: string,
    range: SearchRange,
    { test, shown = [] }: SearchOptions<Item>,
  ) {
    super();
    this.#read = readAfter(control, path);
    this.#test = test;
    this.#base = range.base;
    this.#enoughMatches = range.enoughMatches ?? ENOUGH_MATCHES;
    this.#end = range.from;
    this.#shown = passFrom(range.from);
    this.#before = shown;
  }

  get matches(): readonly Match<Item>[] {
    return this.#before ?? this.#shown.found;
  }

  get lookedAt(): number {
    return this.#shown.lookedAt;
  }

  /** Whether the whole list has been searched. */
  get isDone(): boolean {
    return this.#shown.position <= this.#base;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Adds items that were appended to the list since; only for lists whose items never change. */
  take(items: readonly Match<Item>[]): void {
    this.#takes = true;
    const pass = this.#shown;
    const fresh = items.filter(({ position }) => position > pass.newest);
    pass.newest = fresh.at(-1)?.position ?? pass.newest;
    pass.found = [...fresh.filter(({ item }) => this.#test(item)).reverse(), ...pass.found];
    pass.lookedAt += fresh.length;
    this.#show(pass);
  }

  /** Searches on for another portion. */
  async more(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    await this.#inTurn(async () => {
      const pass = this.#shown;
      const [matches, lookedAt] = [pass.found.length + this.#enoughMatches, pass.lookedAt + ENOUGH_LOOKED_AT];
      const isEnough = () => pass.found.length >= matches || pass.lookedAt >= lookedAt;
      await this.#look(pass, isEnough, () => this.#show(pass));
      this.#before = null;
    });
    this.isRunning = false;
    this.emit();
  }

  /** Searches again what may have changed; the old matches stay until then. @param end the newest item's position. */
  again(end: number): Promise<void> {
    this.#end = end;
    return this.touch();
  }

  /** Searches again up to the end that is known. */
  touch(): Promise<void> {
    return this.#pace.ask();
  }

  async #lookAnew(): Promise<void> {
    const { position, lookedAt } = this.#shown;
    const pass = passFrom<Item>(this.#end);
    // If the list has become shorter than what was searched, the search starts over.
    const isEnough =
      lookedAt > 0 && position < this.#end
        ? () => pass.position <= position
        : () => pass.found.length >= this.#enoughMatches || pass.lookedAt >= ENOUGH_LOOKED_AT;
    await this.#look(pass, isEnough);
    if (this.#takes) this.#keepNewer(pass);
    if (!this.#stopped) this.#show(pass);
  }

  /** Adds what was taken while an older end of the list was being searched again. */
  #keepNewer(pass: Pass<Item>): void {
    const { found, newest } = this.#shown;
    if (newest <= pass.newest) return;
    pass.found = [...found.filter(({ position }) => position > pass.newest), ...pass.found];
    pass.lookedAt += newest - pass.newest;
    pass.newest = newest;
  }

  /** Runs work one at a time: each run continues from where the one before ended. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      try {
        this.error = null;
        await work();
      } catch (error) {
        if (!(error instanceof ControlError)) throw error;
        this.error = error;
        this.emit();
      }
    });
    return this.#turn;
  }

  async #look(pass: Pass<Item>, isEnough: () => boolean, onPage = () => {}): Promise<void> {
    while (!this.#stopped && pass.position > this.#base && !isEnough()) {
      await this.#readPage(pass);
      onPage();
    }
  }

  async #readPage(pass: Pass<Item>): Promise<void> {
    const after = Math.max(this.#base, pass.position - PAGE_SIZE);
    const { items } = await this.#read(after, pass.position - after);
    const found = items
      .map((item, index) => ({ position: after + 1 + index, item }))
      .filter(({ item }) => this.#test(item))
      .reverse();
    pass.found = [...pass.found, ...found];
    pass.lookedAt += items.length;
    pass.position = after;
  }

  #show(pass: Pass<Item>): void {
    this.#shown = pass;
    this.#before = null;
    this.emit();
  }
}

function passFrom<Item>(newest: number): Pass<Item> {
  return { found: [], lookedAt: 0, newest, position: newest };
}

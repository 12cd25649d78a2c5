import type { Page } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";
import { ControlError } from "../wire/control.ts";
import { endOfList } from "./end-of-list.ts";
import { Pace } from "./pace.ts";
import { Emitter } from "./signal.ts";

const PAGE_SIZE = 100;

/** As many pages as are kept. */
const MOST_PAGES = 60;

interface KeptPage<Item> {
  items: readonly Item[];
  /** How many items it should have had when it was read last; -1 for one that is old or was not read yet. */
  expected: number;
  reading: boolean;
  /** Whether it was refused: it is asked for again when something else is looked at, or all is read anew. */
  isRefused: boolean;
}

/** A list of any length, newest first, of which only the pages that are looked at are read. */
export class PagedList<Item> extends Emitter {
  readonly #control: Control;
  readonly #path: string;
  /** The position before the first item. */
  readonly #base: number;
  readonly #pages = new Map<number, KeptPage<Item>>();
  readonly #pace = new Pace(() => this.#refresh());
  #end: number;
  /** Counts histories: what was asked of another one is not taken. */
  #history = 0;
  #wanted: readonly [number, number] = [0, PAGE_SIZE];
  /** Counts how often it was found to have changed. */
  version = 0;
  /** Whether it has been read: before that it is not known to be empty. */
  isReady = false;
  error: ControlError | null = null;

  /** @param base where its positions begin: they count from one behind it. */
  constructor(control: Control, path: string, base = 0) {
    super();
    this.#control = control;
    this.#path = path;
    this.#base = base;
    this.#end = base;
  }

  get count(): number {
    return this.#end - this.#base;
  }

  /** The position of the newest item. */
  get end(): number {
    return this.#end;
  }

  /** The item at an index from the newest; undefined while it is not here yet. */
  at(index: number): Item | undefined {
    return this.itemOf(this.#end - index);
  }

  /** The item of a position. */
  itemOf(position: number): Item | undefined {
    const { number, place } = this.#placeOf(position);
    return this.#pages.get(number)?.items[place];
  }

  /** Says which indexes are looked at; they are read where they are not here. */
  want(from: number, to: number): void {
    if (from !== this.#wanted[0] || to !== this.#wanted[1]) this.#forgetRefusals();
    this.#wanted = [from, to];
    if (this.isReady) void this.#readWanted();
  }

  #forgetRefusals(): void {
    for (const page of this.#pages.values()) {
      if (page.isRefused) page.expected = -1;
      page.isRefused = false;
    }
  }

  /** Something in it may have changed or come: what is looked at is read anew. */
  touch(): Promise<void> {
    return this.#pace.ask();
  }

  /** Forgets all of it: the list is that of another history. */
  restart(): Promise<void> {
    this.#history++;
    this.#pages.clear();
    this.#end = this.#base;
    this.isReady = false;
    return this.touch();
  }

  /** Takes items that came by another way; the last of them has this position. */
  append(items: readonly Item[], end: number): void {
    items.forEach((item, index) => {
      this.#put(end - items.length + 1 + index, item);
    });
    this.#end = Math.max(this.#end, end);
    this.emit();
  }

  #placeOf(position: number): { number: number; place: number } {
    const offset = position - this.#base - 1;
    return { number: Math.floor(offset / PAGE_SIZE), place: offset % PAGE_SIZE };
  }

  /** What does not follow on what is here leaves a hole, which is read when it is looked at. */
  #put(position: number, item: Item): void {
    const { number, place } = this.#placeOf(position);
    const page = this.#pages.get(number) ?? (place === 0 ? this.#keep(number) : undefined);
    if (!page || page.items.length < place) return;
    page.items = [...page.items.slice(0, place), item, ...page.items.slice(place + 1)];
    page.expected = page.items.length;
  }

  async #refresh(): Promise<void> {
    const history = this.#history;
    for (const page of this.#pages.values()) page.expected = -1;
    const isRead = await this.#guarded(async () => {
      const end = await endOfList((after, limit) => this.#read(after, limit), this.#end, PAGE_SIZE);
      if (history === this.#history) this.#end = Math.max(this.#end, end);
    });
    if (history !== this.#history) return;
    this.isReady ||= isRead;
    this.version++;
    const read = this.#readWanted();
    this.emit();
    await read;
  }

  async #readWanted(): Promise<void> {
    if (this.count === 0) return;
    const [from, to] = this.#wanted;
    const pageOf = (index: number) => this.#placeOf(this.#end - Math.min(Math.max(index, 0), this.count - 1)).number;
    const reads: Promise<void>[] = [];
    for (let number = pageOf(from); number >= pageOf(to); number--) reads.push(this.#readPage(number));
    await Promise.all(reads);
  }

  async #readPage(number: number): Promise<void> {
    const expected = Math.min(PAGE_SIZE, this.count - number * PAGE_SIZE);
    const page = this.#pages.get(number) ?? this.#keep(number);
    if (page.reading || page.expected >= expected) return;
    page.reading = true;
    page.expected = expected;
    const isRead = await this.#guarded(async () => {
      const { items } = await this.#read(this.#base + number * PAGE_SIZE, PAGE_SIZE);
      // What was put behind them meanwhile stays.
      page.items = [...items, ...page.items.slice(items.length)];
    });
    page.reading = false;
    this.emit();
    // It has been touched meanwhile, so that the answer may be old.
    if (!isRead) page.isRefused = true;
    else if (page.expected < 0) await this.#readPage(number);
  }

  /** Does what may be refused. @returns whether it was not. */
  async #guarded(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.error = null;
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.error = error;
    }
    return this.error === null;
  }

  #keep(number: number): KeptPage<Item> {
    const page = { items: [], expected: -1, reading: false, isRefused: false };
    this.#pages.set(number, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }

  #read(after: number, limit: number): Promise<Page<Item>> {
    const joint = this.#path.includes("?") ? "&" : "?";
    return this.#control.get<Page<Item>>(`${this.#path}${joint}cursor=${after}&limit=${limit}`);
  }
}

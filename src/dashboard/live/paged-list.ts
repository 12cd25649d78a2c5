import type { Control } from "../wire/control.ts";
import { ControlError } from "../wire/control.ts";
import { endOfList } from "./end-of-list.ts";
import { Pace } from "./pace.ts";
import { type ReadAfter, readAfter } from "./read-after.ts";
import { Emitter } from "./signal.ts";

const PAGE_SIZE = 100;

/** How many pages are kept. */
const MOST_PAGES = 60;

interface KeptPage<Item> {
  items: readonly Item[];
  /** How many items it should have had when it was last read; -1 if it is out of date or was never read. */
  expected: number;
  reading: boolean;
  /** Why reading it was refused: it is tried again when other rows are wanted, or everything is read again. */
  refusal: ControlError | null;
}

/** A list of any length, newest first, of which only the pages in sight are read. */
export class PagedList<Item> extends Emitter {
  readonly #read: ReadAfter<Item>;
  /** The position before the first item. */
  readonly #base: number;
  readonly #pages = new Map<number, KeptPage<Item>>();
  readonly #pace = new Pace(() => this.#refresh());
  #end: number;
  /** Counts histories: an answer to a request from another one is dropped. */
  #history = 0;
  #wanted: readonly [number, number] = [0, PAGE_SIZE];
  /** Counts the detected changes of the list. */
  version = 0;
  /** Whether it has been read; before that, it is unknown whether it is empty. */
  isReady = false;
  /** Why the end of the list could not be found when it was last looked for. */
  #endRefusal: ControlError | null = null;

  /** @param base the position before the first item: positions count from `base + 1`. */
  constructor(control: Control, path: string, base = 0) {
    super();
    this.#read = readAfter(control, path);
    this.#base = base;
    this.#end = base;
  }

  /** Why it cannot be shown in full: what was read beside a refused part does not make up for it. */
  get error(): ControlError | null {
    return this.#endRefusal ?? [...this.#pages.values()].find(({ refusal }) => refusal)?.refusal ?? null;
  }

  get count(): number {
    return this.#end - this.#base;
  }

  /** The position of the newest item. */
  get end(): number {
    return this.#end;
  }

  /** The item at an index counted from the newest; undefined if it has not been read yet. */
  at(index: number): Item | undefined {
    return this.itemOf(this.#end - index);
  }

  /** The item at a position; undefined if it has not been read yet. */
  itemOf(position: number): Item | undefined {
    const { number, place } = this.#placeOf(position);
    return this.#pages.get(number)?.items[place];
  }

  /** Sets which indexes are in sight; those that are missing are read. */
  want(from: number, to: number): void {
    if (from !== this.#wanted[0] || to !== this.#wanted[1]) this.#forgetRefusals();
    this.#wanted = [from, to];
    if (this.isReady) void this.#readWanted();
  }

  #forgetRefusals(): void {
    for (const page of this.#pages.values()) {
      if (page.refusal) page.expected = -1;
      page.refusal = null;
    }
  }

  /** Tells that items may have changed or been added: what is in sight is read again. */
  touch(): Promise<void> {
    return this.#pace.ask();
  }

  /** Forgets everything, as the list now belongs to another history. */
  restart(): Promise<void> {
    this.#history++;
    this.#pages.clear();
    this.#end = this.#base;
    this.isReady = false;
    return this.touch();
  }

  /** Adds items that came in another way; `end` is the position of the last. */
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

  /** An item that does not follow the known ones leaves a gap, which is read when it comes into sight. */
  #put(position: number, item: Item): void {
    const { number, place } = this.#placeOf(position);
    const page = this.#pages.get(number) ?? (place === 0 ? this.#keep(number) : undefined);
    if (!page || page.items.length < place) return;
    page.items = [...page.items.slice(0, place), item, ...page.items.slice(place + 1)];
    page.expected = page.items.length;
  }

  async #refresh(): Promise<void> {
    const history = this.#history;
    for (const page of this.#pages.values()) Object.assign(page, { expected: -1, refusal: null });
    const refusal = await refusalOf(async () => {
      const end = await endOfList(this.#read, this.#end, PAGE_SIZE);
      if (history === this.#history) this.#end = Math.max(this.#end, end);
    });
    if (history !== this.#history) return;
    this.#endRefusal = refusal;
    this.isReady ||= refusal === null;
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
    page.refusal = await refusalOf(async () => {
      const { items } = await this.#read(this.#base + number * PAGE_SIZE, PAGE_SIZE);
      // Items that were appended meanwhile stay.
      page.items = [...items, ...page.items.slice(items.length)];
    });
    page.reading = false;
    this.emit();
    // It was touched meanwhile, so that the answer may be out of date.
    if (!page.refusal && page.expected < 0) await this.#readPage(number);
  }

  #keep(number: number): KeptPage<Item> {
    const page = { items: [], expected: -1, reading: false, refusal: null };
    this.#pages.set(number, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }
}

/** Does work that may be refused. @returns why it was, null if it was not. */
async function refusalOf(work: () => Promise<void>): Promise<ControlError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return error;
  }
}

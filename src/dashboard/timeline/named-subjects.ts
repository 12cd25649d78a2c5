/** Searches for what heads of threads show but no journal entry has, such as an external id: it is found in lists. */
import { useEffect, useMemo } from "preact/hooks";
import { wakeAfter } from "../browser.ts";
import { askAgain } from "../live/ask-again.ts";
import { endOfList } from "../live/end-of-list.ts";
import { Pace } from "../live/pace.ts";
import { readAfter } from "../live/read-after.ts";
import { useScaled } from "../live/scales.ts";
import { Search } from "../live/search.ts";
import { useSession } from "../live/session.ts";
import { Emitter, useListening } from "../live/signal.ts";
import { concerns } from "../live/topics.ts";
import { type Control, ControlError } from "../wire/control.ts";
import { says, soughtText } from "../words/sought.ts";

/** The lists of resources that threads are about; each has a topic of its name. */
const LISTS = ["transactions", "transfers", "conversions"];

/** The page size for finding the end of a list. */
const PAGE_SIZE = 100;

interface Named {
  readonly transaction_id?: string;
  readonly conversion_id?: string;
}

/** The resources whose external id, amount or state contains a text, as far as their lists have been searched. */
export class NamedSubjects extends Emitter {
  readonly #control: Pick<Control, "get">;
  readonly #searches: readonly { readonly path: string; readonly search: Search<Named> }[];
  readonly #pace = new Pace(() => this.#look());
  /** Their ids. */
  subjects: ReadonlySet<string> = new Set();
  #endRefusal: ControlError | null = null;

  /** @param text in lower case; empty to search for nothing. @param scaled writes amounts as heads show them. */
  constructor(control: Pick<Control, "get">, text: string, scaled: ReturnType<typeof useScaled>) {
    super();
    this.#control = control;
    const test = (item: Named) => says(soughtText(item, scaled), text);
    // A list counts as empty until its end is known; ids are few bytes, so that any number of matches may be kept.
    const range = { from: 0, base: 0, enoughMatches: Number.POSITIVE_INFINITY };
    this.#searches = (text === "" ? [] : LISTS).map((list) => {
      const path = `/${list}`;
      const search = new Search<Named>(control, path, range, { test });
      search.listen(() => this.#collectMatches());
      return { path, search };
    });
  }

  /** Why the last reading of a list failed. */
  get error(): ControlError | null {
    return this.#endRefusal ?? this.#searches.find(({ search }) => search.error)?.search.error ?? null;
  }

  get isRunning(): boolean {
    return this.#searches.some(({ search }) => search.isRunning);
  }

  /** Whether the whole lists have been searched. */
  get isDone(): boolean {
    return this.#searches.every(({ search }) => search.isDone);
  }

  /** Searches a first portion of each list, or again what has been searched of it. */
  touch(): Promise<void> {
    return this.#pace.ask();
  }

  /** Searches another portion of each list. */
  async more(): Promise<void> {
    await Promise.all(this.#searches.map(({ search }) => search.more()));
  }

  stop(): void {
    for (const { search } of this.#searches) search.stop();
  }

  async #look(): Promise<void> {
    try {
      await Promise.all(this.#searches.map(async ({ path, search }) => search.again(await this.#endOf(path))));
      this.#endRefusal = null;
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.#endRefusal = error;
      this.emit();
    }
  }

  #endOf(path: string): Promise<number> {
    return endOfList(readAfter(this.#control, path), 0, PAGE_SIZE);
  }

  #collectMatches(): void {
    const found = this.#searches.flatMap(({ search }) => search.matches);
    this.subjects = new Set(found.map(({ item }) => item.transaction_id ?? item.conversion_id ?? ""));
    this.emit();
  }
}

/** How long typing must pause before it is searched for. */
const SETTLED_MS = 200;

/** The {@link NamedSubjects} of a text, searched for again when something is created or changes its state. */
export function useNamedSubjects(text: string): NamedSubjects {
  const { control, feed } = useSession();
  const scaled = useScaled();
  const named = useMemo(() => new NamedSubjects(control, text, scaled), [control, text]);
  useListening(named);
  useEffect(() => {
    const look = () => void named.touch();
    const ends = [
      askAgain(feed, named),
      wakeAfter(SETTLED_MS, look),
      feed.replaced.listen(look),
      feed.take((_entries, touched) => {
        if (concerns(touched, LISTS)) look();
      }),
      () => named.stop(),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [feed, named]);
  return named;
}

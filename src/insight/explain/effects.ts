/** What an entry of the journal brought about, without an index over causes. */
import type { JournalEntry } from "../../store/journal.ts";
import type { World } from "../../world/world.ts";

/** Most effects that an answer shows. */
const EFFECTS_LIMIT = 100;

/**
 * Most effects that are searched: more than are shown, so that the first ones are among them in whatever order they are
 * found.
 */
const SEARCH_LIMIT = 1000;

/** Entries that follow directly are read this many at a time. */
const PAGE = 50;

/**
 * All that an entry led to, oldest first. An operation writes its entries one after another, and a later operation
 * begins with an entry about a subject that an earlier one named: so all effects directly follow a known entry, or are
 * about the same subjects. Rules on the clock name no subject: what they do is no effect of the call that loaded them.
 */
export function effectsOf(world: World, entry: JournalEntry): { effects: JournalEntry[]; truncated: boolean } {
  const search = new Search(world, entry);
  search.run();
  const effects = search.found.sort((left, right) => left.sequence - right.sequence);
  return { effects: effects.slice(0, EFFECTS_LIMIT), truncated: effects.length > EFFECTS_LIMIT || search.truncated };
}

class Search {
  readonly found: JournalEntry[] = [];
  truncated = false;
  readonly #world: World;
  readonly #first: JournalEntry;
  readonly #sequences: Set<number>;
  readonly #subjects = new Map<string, readonly JournalEntry[]>();

  constructor(world: World, first: JournalEntry) {
    this.#world = world;
    this.#first = first;
    this.#sequences = new Set([first.sequence]);
  }

  run(): void {
    this.#follow(this.#first);
    for (let before = -1; before < this.found.length; ) {
      before = this.found.length;
      for (const entries of [...this.#subjects.values()]) for (const entry of entries) this.#look(entry);
    }
  }

  /** Adds an entry if its cause is known, with what directly follows it. */
  #look(entry: JournalEntry): void {
    if (this.#add(entry)) this.#follow(entry);
  }

  #follow(entry: JournalEntry): void {
    this.#learn(entry.subject);
    for (let last: number | undefined = entry.sequence; last !== undefined; ) {
      const next = this.#world.journal.after(last, PAGE);
      for (const follower of next) if (!this.#add(follower)) return;
      last = next.at(-1)?.sequence;
    }
  }

  /** @returns whether it is an effect that was not known yet. */
  #add(entry: JournalEntry): boolean {
    if (entry.cause === null || !this.#sequences.has(entry.cause) || this.#sequences.has(entry.sequence)) return false;
    if (this.found.length >= SEARCH_LIMIT) {
      this.truncated = true;
      return false;
    }
    this.#sequences.add(entry.sequence);
    this.found.push(entry);
    this.#learn(entry.subject);
    return true;
  }

  #learn(subject: string | null): void {
    if (subject === null || this.#subjects.has(subject)) return;
    const later = this.#world.journal.after(this.#first.sequence, SEARCH_LIMIT, { subject });
    if (later.length === SEARCH_LIMIT) this.truncated = true;
    this.#subjects.set(subject, later);
  }
}

/** Reads the journal along its causes: each entry once, by its primary key. */
import type { JournalEntry, JournalStore } from "../../store/journal.ts";
import type { World } from "../../world/world.ts";
import { LOOKED_BACK } from "../reach.ts";
import { isWithoutFile } from "../sentences/rule-places.ts";

/** Links of a chain that an answer shows: the first ones from the root, and more of the latest. */
const SHOWN = { first: 100, last: 400 };

/** Most entries that are read for a chain, so that no world makes one expensive. */
const READ_LIMIT = 10_000;

/** Kinds of entries that a rule causes. */
const RULED = ["rule.fired", "fault.injected"];

/** Links in the middle of a chain that an answer leaves out. */
export interface LeftOut {
  /** The sequence of the link that they come after. */
  readonly after: number;
  readonly links: number;
}

/** Entries that have been read are kept: an explanation passes the same causes many times. */
export class Causes {
  readonly #journal: JournalStore;
  readonly #read = new Map<number, JournalEntry | undefined>();

  constructor(world: World) {
    this.#journal = world.journal;
  }

  /** The entry of a sequence; undefined where there is none. */
  entry(sequence: number): JournalEntry | undefined {
    if (!this.#read.has(sequence)) this.#read.set(sequence, this.#journal.get(sequence));
    return this.#read.get(sequence);
  }

  /** The entry that led to this one; undefined for a root. */
  causeOf({ cause }: JournalEntry): JournalEntry | undefined {
    return cause === null ? undefined : this.entry(cause);
  }

  /** The call or step that set the rule which struck here or, for a rule in no file, the loading of its scenario. */
  #setterOf(entry: JournalEntry): JournalEntry | undefined {
    const { kind, data } = entry;
    if (!RULED.includes(kind)) return undefined;
    if (typeof data.set_by === "number") return this.entry(data.set_by);
    return isWithoutFile(entry.rule) ? this.#loadingOf(entry) : undefined;
  }

  #loadingOf({ data, sequence }: JournalEntry): JournalEntry | undefined {
    const before = this.#journal.ofKind("scenario.loaded", sequence - LOOKED_BACK, sequence);
    return before.findLast(({ data: loaded }) => loaded.scenario === data.scenario);
  }

  /** An entry and its causes, newest first, down to the root. */
  *upwards(entry: JournalEntry): Generator<JournalEntry> {
    let current: JournalEntry | undefined = entry;
    for (let depth = 0; current && depth < READ_LIMIT; depth++) {
      yield current;
      current = this.causeOf(current);
    }
  }

  /** These entries and all that led to them, oldest first; of a very long chain only both ends. */
  chainTo(entries: readonly JournalEntry[]): { chain: JournalEntry[]; leftOut: LeftOut | null } {
    const found = new Map<number, JournalEntry>();
    const waiting = [...entries];
    while (waiting.length > 0 && found.size < READ_LIMIT) {
      for (const link of this.upwards(waiting.pop() as JournalEntry)) {
        if (found.has(link.sequence)) break;
        found.set(link.sequence, link);
        const setBy = this.#setterOf(link);
        if (setBy) waiting.push(setBy);
      }
    }
    return shortened([...found.values()].sort((left, right) => left.sequence - right.sequence));
  }

  /** The origin of an entry: the nearest rule of a scenario among the entry and its causes, else the root. */
  originOf(entry: JournalEntry): JournalEntry {
    let last = entry;
    for (const link of this.upwards(entry)) {
      if (link.rule !== null) return link;
      last = link;
    }
    return last;
  }
}

function shortened(chain: JournalEntry[]): { chain: JournalEntry[]; leftOut: LeftOut | null } {
  const links = chain.length - SHOWN.first - SHOWN.last;
  if (links <= 0) return { chain, leftOut: null };
  const first = chain.slice(0, SHOWN.first);
  return { chain: [...first, ...chain.slice(-SHOWN.last)], leftOut: { after: first.at(-1)?.sequence ?? 0, links } };
}

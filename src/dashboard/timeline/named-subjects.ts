/** Searches for what heads of threads show but no journal entry has, such as an external id: it is found in lists. */
import { useEffect, useState } from "preact/hooks";
import { wakeAfter } from "../browser.ts";
import { endOfList } from "../live/end-of-list.ts";
import { Pace } from "../live/pace.ts";
import { Search } from "../live/search.ts";
import { useSession } from "../live/session.ts";
import type { Page } from "../wire/answers.ts";
import { type Control, ControlError } from "../wire/control.ts";
import { soughtText } from "../words/sought.ts";

/** The lists of resources that threads are about. */
const PATHS = ["/transactions", "/transfers", "/conversions"];

/** The page size for finding the end of a list. */
const PAGE_SIZE = 100;

interface Named {
  readonly transaction_id?: string;
  readonly conversion_id?: string;
}

/** The ids of resources whose external id, amount or state contains a text, as far as one search of each list gets. */
export async function subjectsNamed(control: Pick<Control, "get">, text: string): Promise<ReadonlySet<string>> {
  const found = await Promise.all(PATHS.map((path) => namedIn(control as Control, path, text)));
  return new Set(found.flat());
}

async function namedIn(control: Control, path: string, text: string): Promise<string[]> {
  try {
    const read = (after: number, limit: number) => control.get<Page<Named>>(`${path}?cursor=${after}&limit=${limit}`);
    const range = { from: await endOfList(read, 0, PAGE_SIZE), base: 0 };
    const search = new Search<Named>(control, path, range, (item) => soughtText(item).includes(text));
    await search.more();
    return search.matches.map(({ item }) => item.transaction_id ?? item.conversion_id ?? "");
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    return [];
  }
}

const NONE: ReadonlySet<string> = new Set();

/** How long typing must pause before it is searched for. */
const SETTLED_MS = 200;

/** The ids of {@link subjectsNamed}, searched again when something is created. */
export function useNamedSubjects(text: string): ReadonlySet<string> {
  const { control, feed } = useSession();
  const [named, setNamed] = useState({ text: "", subjects: NONE });
  useEffect(() => {
    if (text === "") return;
    let isLeft = false;
    const pace = new Pace(async () => {
      const subjects = await subjectsNamed(control, text);
      if (!isLeft) setNamed({ text, subjects });
    });
    const callOff = wakeAfter(SETTLED_MS, () => void pace.ask());
    const took = feed.take((entries) => {
      if (entries.some(({ kind, data }) => kind === "transition" && data.from === null)) void pace.ask();
    });
    return () => {
      isLeft = true;
      callOff();
      took();
    };
  }, [control, feed, text]);
  return named.text === text ? named.subjects : NONE;
}

/** Shrinks a failing list for as long as it still fails. */

/**
 * Shrinks a failing list, one step at a time, by leaving out an item or replacing it with a simpler one.
 * @param simpler the items that may replace an item, the simplest first; they must not lead back to it.
 * @param fails plays a list; resolves to the outcome if it fails, else to null.
 */
export async function smallest<Item, Outcome>(
  failing: { readonly items: readonly Item[]; readonly outcome: Outcome },
  simpler: (item: Item) => readonly Item[],
  fails: (items: readonly Item[]) => Promise<Outcome | null>,
): Promise<{ readonly items: readonly Item[]; readonly outcome: Outcome }> {
  let best = failing;
  const tried = new Set<string>();
  for (let next = untried(); next; next = untried()) {
    tried.add(JSON.stringify(next));
    const outcome = await fails(next);
    if (outcome !== null) best = { items: next, outcome };
  }
  return best;

  function untried(): readonly Item[] | undefined {
    return smallerThan(best.items, simpler).find((items) => !tried.has(JSON.stringify(items)));
  }
}

function smallerThan<Item>(items: readonly Item[], simpler: (item: Item) => readonly Item[]): (readonly Item[])[] {
  const without = items.length > 1 ? items.map((_item, index) => items.toSpliced(index, 1)) : [];
  const milder = items.flatMap((item, index) => simpler(item).map((other) => items.with(index, other)));
  return [...without, ...milder];
}

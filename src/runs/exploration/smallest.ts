/** Makes what fails smaller, for as long as it goes on failing. */

/**
 * The smallest list that still fails, of those that come of leaving items out and of simpler items, one at a time.
 * @param simpler for an item those that may take its place, the simplest first; none of them leads back to it.
 * @param fails plays a list; null where it holds, else what came of it.
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

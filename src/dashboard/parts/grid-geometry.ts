/** Calculates which rows of a grid are in sight, and by how many rows they have moved. */

/** Rows that were in sight, with their indexes then. */
export type Sighted = { readonly key: string; readonly index: number }[];

/** How many rows beyond each edge are drawn too, so that they are there when the list is scrolled. */
const AROUND = 10;

/** The first row to draw, and the one after the last. */
export function rowsInSight(topPx: number, heightPx: number, rowPx: number, count: number): readonly [number, number] {
  const first = Math.max(0, Math.floor(topPx / rowPx) - AROUND);
  const last = Math.ceil((topPx + heightPx) / rowPx) + AROUND;
  return [Math.min(first, Math.max(0, count - 1)), Math.max(last, 2 * AROUND)];
}

/**
 * How many rows were inserted before those in sight, by the majority of these: a single row may itself have moved to
 * the top. @param heldKey the row that keys have chosen: if it was in sight, it stays there, whatever the others do.
 */
export function shiftOf(
  sighted: Sighted,
  model: { indexOf(key: string, near: number): number },
  heldKey: string | null = null,
): number {
  const votes = new Map<number, number>();
  for (const { key, index } of sighted) {
    const now = model.indexOf(key, index);
    if (now < 0) continue;
    if (key === heldKey) return now - index;
    votes.set(now - index, (votes.get(now - index) ?? 0) + 1);
  }
  let best = 0;
  let most = 0;
  for (const [shift, count] of votes) {
    if (count > most) [best, most] = [shift, count];
  }
  return best;
}

/** Tables that may be long, read a page at a time. */

const PAGE = 1_000;

/** All rows of a table, in their order. @param fetch the rows beyond a place, at most `limit`. @param key what says the place. */
export function* everyRow<Key extends string, Row extends Readonly<Record<Key, number>>>(
  key: Key,
  fetch: (after: number, limit: number) => readonly Row[],
): Generator<Row> {
  for (let after = 0; ; ) {
    const rows = fetch(after, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last[key];
  }
}

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

/** How many rows, of at most `limit`, have no more than so many bytes together; one at least. @param sizes those of these rows. */
export function rowsWithin(bytes: number, sizes: readonly { readonly size: number }[], limit: number): number {
  let left = bytes;
  const beyond = sizes.findIndex(({ size }) => {
    left -= size;
    return left < 0;
  });
  return beyond < 0 ? limit : Math.max(1, beyond);
}

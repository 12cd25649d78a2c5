/** Reads tables that may be long, a page at a time. */

const PAGE = 1_000;

/**
 * All rows of a table, in their order.
 * @param key the column by which they are ordered.
 * @param read gives the rows after a value of that column, at most `limit`.
 */
export function* everyRow<Key extends string, Row extends Readonly<Record<Key, number>>>(
  key: Key,
  read: (after: number, limit: number) => readonly Row[],
): Generator<Row> {
  for (let after = 0; ; ) {
    const rows = read(after, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last[key];
  }
}

/**
 * How many rows have at most `bytes` bytes together: at least 1; `limit` if all of them fit.
 * @param sizes the sizes of these rows, in order.
 */
export function rowsWithin(bytes: number, sizes: readonly { readonly size: number }[], limit: number): number {
  let left = bytes;
  const beyond = sizes.findIndex(({ size }) => {
    left -= size;
    return left < 0;
  });
  return beyond < 0 ? limit : Math.max(1, beyond);
}

/** Rows read with exact integers: amounts stay bigint, the columns named here become numbers. */

/** Turns the named columns of a row into numbers. */
export function withNumbers<Row extends object>(row: object, columns: readonly (keyof Row)[]): Row {
  const copy = { ...row } as Record<keyof Row, unknown>;
  for (const column of columns) {
    const value = copy[column];
    if (typeof value === "bigint") copy[column] = Number(value);
  }
  return copy as Row;
}

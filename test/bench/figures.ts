/** Medians and tables. */

/** The middle of several; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** A whole number with thin groups: `12 345`. */
export function whole(value: number | null): string {
  return value === null || Number.isNaN(value) ? "–" : Math.round(value).toLocaleString("en").replaceAll(",", " ");
}

/** A share or ratio: `0.31`. */
export function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : "–";
}

/** Rows in columns under a title and a head; the first column to the left, the others to the right. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join("  ");
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return ["", title, rule, line(head), rule, ...rows.map(line), ""].join("\n");
}

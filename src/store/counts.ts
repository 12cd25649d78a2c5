/** Rows of a count, by name. */
import type { Database } from "./database.ts";

/** What a statement that gives `name` and `count` counts. */
export function countsOf(database: Database, sql: string): ReadonlyMap<string, number> {
  const rows = database.all<{ name: string | null; count: number }>(sql);
  return new Map(rows.flatMap(({ name, count }) => (name === null ? [] : [[name, count] as const])));
}

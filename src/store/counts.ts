/** Counts by name. */
import type { Database } from "./database.ts";

/** The counts of a query that selects `name` and `count`; rows whose name is null are left out. */
export function countsOf(database: Database, sql: string): ReadonlyMap<string, number> {
  const rows = database.all<{ name: string | null; count: number }>(sql);
  return new Map(rows.flatMap(({ name, count }) => (name === null ? [] : [[name, count] as const])));
}

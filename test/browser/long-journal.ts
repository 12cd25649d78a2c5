/** A data folder whose default world has a journal of any length, without waiting for that much to happen. */
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { startSandbox } from "../../src/index.ts";

/** Puts notes behind what the making of the world has left. @returns the length of the journal. */
export async function writeLongJournal(folder: string, notes: number): Promise<number> {
  await (await startSandbox({ data: folder })).stop();
  const file = new Sqlite(join(folder, "default.db"));
  const { last, at } = file.prepare("SELECT max(sequence) AS last, max(at) AS at FROM journal").get() as {
    last: number;
    at: number;
  };
  file
    .prepare(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)
       INSERT INTO journal (sequence, at, kind, subject, cause, rule, data)
       SELECT ? + n, ?, 'step', NULL, NULL, NULL, '{"scenario":"long","action":"note","note":"entry ' || n || '"}' FROM counted`,
    )
    .run(notes, last, at);
  file.close();
  return last + notes;
}

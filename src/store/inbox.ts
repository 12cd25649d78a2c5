/** What the inbox of a world got: webhooks whose destination is `sandbox://inbox`. */
import type { Database } from "./database.ts";

/** Webhooks of the inbox by position. */
export class InboxStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(at: number, webhookId: string, headers: Readonly<Record<string, string>>, body: Buffer): void {
    const sql = "INSERT INTO inbox (at, webhook_id, headers, body) VALUES (?, ?, ?, ?)";
    this.#database.run(sql, at, webhookId, JSON.stringify(headers), body);
  }

  after(position: number, limit: number): { position: number; at: number; headers: object; body: Buffer }[] {
    const sql = "SELECT position, at, headers, body FROM inbox WHERE position > ? ORDER BY position LIMIT ? + 0";
    return this.#database
      .all<{ position: number; at: number; headers: string; body: Buffer }>(sql, position, limit)
      .map((row) => ({ ...row, headers: JSON.parse(row.headers) }));
  }
}

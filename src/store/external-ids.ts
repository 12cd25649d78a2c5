/** Which external ids an account has used, for which body, and what came of it (`D24`). */
import type { Database } from "./database.ts";

/** An external id, and the resource that it stands for. */
export interface UsedExternalId {
  readonly username: string;
  readonly external_id: string;
  readonly operation: string;
  /** Digest of the parsed body, whatever the order of its keys. */
  readonly body_digest: string;
  readonly resource_id: string;
}

/** External ids of each account: one account's stand in no other's way (`TX-04`). */
export class ExternalIdStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(username: string, externalId: string): UsedExternalId | undefined {
    return this.#database.get(
      "SELECT * FROM external_ids WHERE username = ? AND external_id = ?",
      username,
      externalId,
    );
  }

  /** What came of an external id, whoever used it. */
  resourceOf(externalId: string): string | undefined {
    const sql = "SELECT resource_id FROM external_ids WHERE external_id = ? ORDER BY username LIMIT 1";
    return this.#database.get<{ resource_id: string }>(sql, externalId)?.resource_id;
  }

  insert(row: UsedExternalId): void {
    this.#database.run(
      "INSERT INTO external_ids VALUES (?, ?, ?, ?, ?)",
      row.username,
      row.external_id,
      row.operation,
      row.body_digest,
      row.resource_id,
    );
  }
}

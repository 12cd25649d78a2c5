/** Which external ids an account has used, for which body, and what came of it (`D24`). */
import type { Added } from "./additions.ts";
import type { Database } from "./database.ts";
import type { SqlValue } from "./sql-value.ts";

/** An external id, and the resource that it stands for. */
export interface UsedExternalId {
  readonly username: string;
  readonly external_id: string;
  readonly operation: string;
  /** Digest of the parsed body, whatever the order of its keys. */
  readonly body_digest: string;
  readonly resource_id: string;
}

const COLUMNS = ["username", "external_id", "operation", "body_digest", "resource_id"] as const;
const ONE = "SELECT * FROM external_ids WHERE username = ? AND external_id = ?";

/** External ids of each account: one account's stand in no other's way (`TX-04`). */
export class ExternalIdStore {
  readonly #database: Database;
  readonly #added: Added;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("external_ids", COLUMNS);
  }

  /** Every call that moves money asks, nearly always for one that there is not: that need not wait for all to be written. */
  get(username: string, externalId: string): UsedExternalId | undefined {
    const waiting = this.#added.find(([user, id]) => user === username && id === externalId);
    return waiting ? asUsed(waiting) : this.#database.getWritten(ONE, username, externalId);
  }

  /** What came of an external id, whoever used it. */
  resourceOf(externalId: string): string | undefined {
    const sql = "SELECT resource_id FROM external_ids WHERE external_id = ? ORDER BY username LIMIT 1";
    return this.#database.get<{ resource_id: string }>(sql, externalId)?.resource_id;
  }

  insert(row: UsedExternalId): void {
    this.#added.add(COLUMNS.map((column) => row[column]));
  }
}

function asUsed(values: readonly SqlValue[]): UsedExternalId {
  return Object.fromEntries(COLUMNS.map((column, index) => [column, values[index]])) as unknown as UsedExternalId;
}

/** Which external ids an account has used, for which body and which resource (`D24`). */
import type { Added } from "./additions.ts";
import type { Database } from "./database.ts";
import { SeenTexts } from "./seen-texts.ts";
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
const FIRST = "SELECT username, external_id FROM external_ids LIMIT ? + 0";

/** After so many lookups all external ids are read into a filter in memory. */
const FEW = 200;

/** The most rows that are read for the filter, since a call waits for that. */
const MOST_READ = 20_000;

/** External ids by account: accounts may use the same ones (`TX-04`). */
export class ExternalIdStore {
  readonly #database: Database;
  readonly #added: Added;
  /** Filter of all external ids; null before there were enough lookups, and for good if there are too many to read. */
  #seen: SeenTexts | null = null;
  #asked = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("external_ids", COLUMNS);
  }

  /** Every call that moves money asks, nearly always for an unused id, which the filter tells without a query. */
  get(username: string, externalId: string): UsedExternalId | undefined {
    if (++this.#asked === FEW) this.#seen = this.#readAll();
    if (this.#seen?.mayHave(keyOf(username, externalId)) === false) return undefined;
    // Rows that wait to be written are searched in memory, and need not be written for this.
    const waiting = this.#added.find(([user, id]) => user === username && id === externalId);
    return waiting ? asUsed(waiting) : this.#database.getWritten(ONE, username, externalId);
  }

  /** The resources of an external id, one for each account that used it. */
  resourcesOf(externalId: string): { readonly username: string; readonly resource_id: string }[] {
    // Account by account: no index begins with the external id.
    const sql = `SELECT username, resource_id FROM external_ids
      WHERE username IN (SELECT username FROM accounts) AND external_id = ? ORDER BY username`;
    return this.#database.all(sql, externalId);
  }

  insert(row: UsedExternalId): void {
    this.#added.add(COLUMNS.map((column) => row[column]));
    this.#seen?.add(keyOf(row.username, row.external_id));
  }

  #readAll(): SeenTexts | null {
    const all = this.#database.all<Pick<UsedExternalId, "username" | "external_id">>(FIRST, MOST_READ + 1);
    if (all.length > MOST_READ) return null;
    const seen = new SeenTexts();
    for (const { username, external_id } of all) seen.add(keyOf(username, external_id));
    return seen;
  }
}

function keyOf(username: string, externalId: string): string {
  return `${username}/${externalId}`;
}

function asUsed(values: readonly SqlValue[]): UsedExternalId {
  return Object.fromEntries(COLUMNS.map((column, index) => [column, values[index]])) as unknown as UsedExternalId;
}

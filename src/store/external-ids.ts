/** Which external ids an account has used, for which body, and what came of it (`D24`). */
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

/** So often one is asked for before it is worth knowing all of them. */
const FEW = 200;

/** So many at most are read to know all of them: a call waits for that. */
const MOST_READ = 20_000;

/** External ids of each account: one account's stand in no other's way (`TX-04`). */
export class ExternalIdStore {
  readonly #database: Database;
  readonly #added: Added;
  /** All of them; null while that is not worth it, and for good where there are too many to read. */
  #seen: SeenTexts | null = null;
  #asked = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("external_ids", COLUMNS);
  }

  /** Every call that moves money asks, nearly always for one that there is not: that is known without a statement. */
  get(username: string, externalId: string): UsedExternalId | undefined {
    if (++this.#asked === FEW) this.#seen = this.#readAll();
    if (this.#seen?.mayHave(keyOf(username, externalId)) === false) return undefined;
    // What waits to be written need not be written for it.
    const waiting = this.#added.find(([user, id]) => user === username && id === externalId);
    return waiting ? asUsed(waiting) : this.#database.getWritten(ONE, username, externalId);
  }

  /** What came of an external id, of each account that used it. */
  resourcesOf(externalId: string): { readonly username: string; readonly resource_id: string }[] {
    // By account: the ids stand in no order of their own.
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

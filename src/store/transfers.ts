/** Internal transfers, splits of cash-ins among them. */
import type { StateOf } from "../domain/lifecycles.ts";
import type { MinorUnits } from "../domain/money.ts";
import type { Database } from "./database.ts";
import { withNumbers } from "./exact-rows.ts";
import { Insertion } from "./insertion.ts";

/** An internal transfer. */
export interface Transfer {
  readonly position: number;
  readonly transaction_id: string;
  /** The sender. */
  readonly username: string;
  readonly client_id: string;
  readonly recipient: string;
  readonly external_id: string | null;
  readonly currency: string;
  readonly amount: MinorUnits;
  readonly fee: MinorUnits;
  readonly status: StateOf<"transfer">;
  readonly description: string | null;
  /** The cash-in that it is a split of; null if it is none. */
  readonly split_of: string | null;
  readonly created_at: number;
}

const INSERTION = new Insertion("transfers", [
  ...(["transaction_id", "username", "client_id", "recipient", "external_id", "currency", "amount", "fee"] as const),
  ...(["status", "description", "split_of", "created_at"] as const),
]);

/** Transfers by id and by position: one row for both sides, which share the id (`D38`). */
export class TransferStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns the transfer as it is kept. */
  insert(row: Omit<Transfer, "position">): Transfer {
    return { ...row, position: this.#database.insertRow(INSERTION, row) };
  }

  get(transactionId: string): Transfer | undefined {
    const row = this.#database.exactGet<object>("SELECT * FROM transfers WHERE transaction_id = ?", transactionId);
    return row && parse(row);
  }

  after(position: number, limit: number): Transfer[] {
    const sql = "SELECT * FROM transfers WHERE position > ? ORDER BY position LIMIT ? + 0";
    return this.#database.exactAll<object>(sql, position, limit).map(parse);
  }
}

function parse(row: object): Transfer {
  return withNumbers(row, ["position", "created_at"]);
}

/** Disputes of cash-ins and the merchant's replies, files included. */
import type { StateOf } from "../domain/lifecycles.ts";
import type { MinorUnits } from "../domain/money.ts";
import type { Database } from "./database.ts";
import { withNumbers } from "./exact-rows.ts";
import { Insertion } from "./insertion.ts";

/** A dispute; its amount is the gross amount of the cash-in (`D52`). */
export interface Dispute {
  readonly position: number;
  readonly infraction_id: string;
  readonly transaction_id: string;
  readonly username: string;
  readonly client_id: string;
  readonly amount: MinorUnits;
  readonly currency: string;
  readonly e2e_id: string | null;
  readonly status: StateOf<"dispute">;
  readonly reason: string;
  readonly deadline_at: number;
  readonly created_at: number;
  readonly reply_id: number | null;
  readonly reply_text: string | null;
  readonly responded_at: number | null;
  readonly resolved_at: number | null;
}

const UNANSWERED = { reply_id: null, reply_text: null, responded_at: null, resolved_at: null } as const;

/** A dispute that is being opened. */
type NewDispute = Omit<Dispute, "position" | keyof typeof UNANSWERED>;

const INSERTION = new Insertion("disputes", [
  ...(["infraction_id", "transaction_id", "username", "client_id", "amount", "currency", "e2e_id", "status"] as const),
  ...(["reason", "deadline_at", "created_at"] as const),
]);

/** A file of a reply. */
export interface ReplyFile {
  readonly name: string;
  /** Media type, detected from the content. */
  readonly type: string;
  readonly content: Buffer;
}

/** Disputes by id, by cash-in and by account. A reply is stored in the row of its dispute, its files separately. */
export class DisputeStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns the dispute as it is kept, without a reply. */
  insert(row: NewDispute): Dispute {
    return { ...row, position: this.#database.insertRow(INSERTION, row), ...UNANSWERED };
  }

  /** Saves a dispute after a transition. */
  save(row: Dispute): void {
    this.#database.run(
      `UPDATE disputes SET status = ?, reply_id = ?, reply_text = ?, responded_at = ?, resolved_at = ?
       WHERE infraction_id = ?`,
      row.status,
      row.reply_id,
      row.reply_text,
      row.responded_at,
      row.resolved_at,
      row.infraction_id,
    );
  }

  get(infractionId: string): Dispute | undefined {
    const row = this.#database.exactGet<object>("SELECT * FROM disputes WHERE infraction_id = ?", infractionId);
    return row && parse(row);
  }

  /** The last dispute of a cash-in. */
  lastOf(transactionId: string): Dispute | undefined {
    const sql = "SELECT * FROM disputes WHERE transaction_id = ? ORDER BY position DESC LIMIT 1";
    const row = this.#database.exactGet<object>(sql, transactionId);
    return row && parse(row);
  }

  /** The dispute that a reply is to. */
  ofReply(replyId: number): Dispute | undefined {
    const row = this.#database.exactGet<object>("SELECT * FROM disputes WHERE reply_id = ?", replyId);
    return row && parse(row);
  }

  after(position: number, limit: number): Dispute[] {
    const sql = "SELECT * FROM disputes WHERE position > ? ORDER BY position LIMIT ? + 0";
    return this.#database.exactAll<object>(sql, position, limit).map(parse);
  }

  /** An account's disputes, newest first. */
  ofAccount(
    username: string,
    filter: { status?: string | undefined; transactionId?: string | undefined },
    page: { limit: number; offset: number },
  ): Dispute[] {
    const sql = `SELECT * FROM disputes WHERE username = ? || '' AND (? IS NULL OR status = ?)
      AND (? IS NULL OR transaction_id = ?) ORDER BY position DESC LIMIT ? + 0 OFFSET ? + 0`;
    const [status, id] = [filter.status ?? null, filter.transactionId ?? null];
    return this.#database.exactAll<object>(sql, username, status, status, id, id, page.limit, page.offset).map(parse);
  }

  insertFile(replyId: number, number: number, file: ReplyFile): void {
    const sql = "INSERT INTO reply_files VALUES (?, ?, ?, ?, ?)";
    this.#database.run(sql, replyId, number, file.name, file.type, file.content);
  }

  filesOf(replyId: number): ReplyFile[] {
    const sql = "SELECT name, type, content FROM reply_files WHERE reply_id = ? ORDER BY number";
    return this.#database.all(sql, replyId);
  }
}

function parse(row: object): Dispute {
  return withNumbers(row, ["position", "deadline_at", "created_at", "reply_id", "responded_at", "resolved_at"]);
}

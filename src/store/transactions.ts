/** Cash-ins and cash-outs. */

import type { CashinSource } from "../domain/cashin-sources.ts";
import { INBOX } from "../domain/destinations.ts";
import { OUTSIDE } from "../domain/ledger.ts";
import type { StateOf } from "../domain/lifecycles.ts";
import type { MinorUnits } from "../domain/money.ts";
import type { Added } from "./additions.ts";
import type { Database } from "./database.ts";
import type { Figures } from "./figures.ts";

/** Fields that only some transactions have; stored together as one JSON text. */
export interface TransactionDetails {
  readonly payer?: { readonly name: string | null; readonly document: string | null };
  readonly qr_code?: string;
  readonly address?: string;
  readonly clabe?: string;
  readonly e2e_id?: string;
  readonly tx_hash?: string;
  readonly confirmations?: number;
  readonly reason?: string;
  /** Shares of the net amount, paid over on confirmation (`D35`). */
  readonly split?: readonly SplitShare[];
  /** The fixed wallet that a deposit came into. */
  readonly wallet_id?: number;
  /** The hash that a deposit was sent with: its `tx_hash`, once it is credited. */
  readonly sent_hash?: string;
  /** Who gave a deposit, for QA alone: never sent (`D67`). */
  readonly depositor?: { readonly name: string | null; readonly document: string | null };
  /** Destination of a cash-out: PIX key, CLABE or address. */
  readonly wallet?: string;
  readonly key_type?: string;
  /** What a cash-out took from the balance, as a decimal text in minor units. */
  readonly debit?: string;
  readonly hash?: string;
  readonly receiver?: { readonly name: string; readonly document: string; readonly bank: string };
  readonly error_code?: string;
  readonly error_message?: string;
}

/** One share of a split: a percentage of the net amount, or a fixed amount of the currency. */
export interface SplitShare {
  readonly username: string;
  readonly percentage?: string;
  readonly amount?: string;
}

/** A cash-in or cash-out. */
export interface Transaction {
  readonly transaction_id: string;
  readonly username: string;
  readonly client_id: string;
  readonly type: "cashin" | "cashout";
  readonly external_id: string | null;
  readonly currency: string;
  readonly amount: MinorUnits;
  readonly fee: MinorUnits;
  readonly amount_net: MinorUnits;
  /** How much has been given back: of `amount` of a cash-in, of the debit of a cash-out. */
  readonly refunded: MinorUnits;
  readonly status: StateOf<"cashin" | "cashout">;
  readonly source: CashinSource | null;
  readonly network: string;
  readonly chain: string | null;
  /** Overrides the credential's destination. */
  readonly postback_url: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly confirmed_at: number | null;
  readonly details: TransactionDetails;
}

/** What a transition may write beside the status. */
export type TransactionChanges = Partial<
  Pick<Transaction, "amount" | "fee" | "amount_net" | "refunded" | "confirmed_at" | "details">
>;

/** The fields by which an account's list can be filtered. */
const transactionFilters = ["type", "currency", "status", "external_id", "transaction_id", "source"] as const;

/** The columns by which all transactions of a world can be filtered. */
export const transactionColumns = [
  "type",
  "currency",
  "status",
  "external_id",
  "source",
  "username",
  "network",
  "chain",
] as const;

/** A filter of all transactions: the values that columns must have. */
export type TransactionColumns = Readonly<Partial<Record<(typeof transactionColumns)[number], string>>>;

/** The SQL of a filter; `+` keeps SQLite from using an index of the column, so that rows are read by position. */
function narrowedBy(filter: TransactionColumns) {
  const names = transactionColumns.filter((name) => filter[name] !== undefined);
  return {
    conditions: names.map((name) => ` AND +${name} = ?`).join(""),
    values: names.map((name) => filter[name] ?? null),
  };
}

type Exact<Row> = { [Key in keyof Row]: Row[Key] extends number ? bigint : Row[Key] };
type Row = Exact<Omit<Transaction, "details" | "expires_at" | "confirmed_at">> & {
  expires_at: bigint | null;
  confirmed_at: bigint | null;
  details: string;
  position: bigint;
};

const KEPT = [
  ...["transaction_id", "username", "client_id", "type", "external_id", "currency", "amount", "fee", "amount_net"],
  ...["refunded", "status", "source", "network", "chain", "postback_url", "created_at", "expires_at", "confirmed_at"],
  "details",
];
const COLUMNS = KEPT.join(", ");
const LAST_ORDINAL = "SELECT max(account_ordinal) AS ordinal FROM transactions WHERE username = ?";
const ONE = `SELECT position, ${COLUMNS} FROM transactions WHERE transaction_id = ?`;

/** How many results are remembered: few, since a page of a list may have a hundred transactions. */
const MOST_REMEMBERED = 20;

/** Transactions by id, by account and by position; all amounts are minor units. */
export class TransactionStore {
  readonly #database: Database;
  readonly #added: Added;
  /** The last ordinal of each account. A subquery for it would make SQLite plan its statement anew at every run. */
  readonly #lastOrdinals: Figures<number>;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("transactions", [...KEPT, "account_ordinal"]);
    this.#lastOrdinals = database.figures({
      absent: 0,
      read: (username) => database.get<{ ordinal: number | null }>(LAST_ORDINAL, username)?.ordinal ?? undefined,
      // Nothing to write: the ordinals are in the rows themselves.
      write: () => {},
    });
  }

  insert(row: Transaction): void {
    const ordinal = this.#lastOrdinals.get(row.username) + 1;
    this.#added.add([
      row.transaction_id,
      row.username,
      row.client_id,
      row.type,
      row.external_id,
      row.currency,
      row.amount,
      row.fee,
      row.amount_net,
      row.refunded,
      row.status,
      row.source,
      row.network,
      row.chain,
      row.postback_url,
      row.created_at,
      row.expires_at,
      row.confirmed_at,
      JSON.stringify(row.details),
      ordinal,
    ]);
    this.#lastOrdinals.set(ordinal, row.username);
  }

  /** Transactions that have a destination of their own deliver to the inbox from now on. */
  redirectToInbox(): void {
    this.#database.run("UPDATE transactions SET postback_url = ? WHERE postback_url IS NOT NULL", INBOX);
  }

  /** Saves a transaction after a transition; the object is remembered and must not be changed afterwards. */
  save(row: Transaction): void {
    this.#database.run(
      `UPDATE transactions SET status = ?, amount = ?, fee = ?, amount_net = ?, refunded = ?, confirmed_at = ?,
        details = ? WHERE transaction_id = ?`,
      row.status,
      row.amount,
      row.fee,
      row.amount_net,
      row.refunded,
      row.confirmed_at,
      JSON.stringify(row.details),
      row.transaction_id,
    );
    this.#one(row.transaction_id, () => row);
  }

  /**
   * The last one is remembered until a transaction is written, because a step, its action and what follows all read the
   * same one. Callers must not change it.
   */
  get(transactionId: string): Transaction | undefined {
    return this.#one(transactionId, () => {
      const row = this.#database.exactGet<Row>(ONE, transactionId);
      return row && parse(row);
    });
  }

  #one<Found extends Transaction | undefined>(transactionId: string, make: () => Found): Found {
    return this.#database.remembered({ table: "transactions", what: ONE, key: transactionId, most: 1 }, make);
  }

  /** The ids of cash-ins whose state and whose postings disagree on whether they were credited. */
  cashinsUnlikePostings(): string[] {
    const rows = this.#database.all<{ id: string }>(
      `SELECT transaction_id AS id FROM transactions
       WHERE type = 'cashin' AND (status IN ('confirmed', 'refunded')) <>
         (transaction_id IN (SELECT subject FROM postings WHERE source LIKE '${OUTSIDE}%'))`,
    );
    return rows.map(({ id }) => id);
  }

  /** Transactions that banks or chains know by an id, newest first; all are scanned, since there is no index. */
  ofPayment(id: string, limit: number): Transaction[] {
    const sql = `SELECT position, ${COLUMNS} FROM transactions WHERE ? IN (details ->> '$.e2e_id', details ->> '$.tx_hash')
      ORDER BY position DESC LIMIT ? + 0`;
    return this.#database.exactAll<Row>(sql, id, limit).map(parse);
  }

  /** What `make` derives from transactions, remembered until one is written: callers who wait for one poll. */
  remembered<Value>(what: string, key: string, make: () => Value): Value {
    return this.#database.remembered({ table: "transactions", what, key, most: MOST_REMEMBERED }, make);
  }

  /** An account's transactions, newest first, narrowed by what is given (`D47`). */
  ofAccount(
    username: string,
    filter: Readonly<Partial<Record<(typeof transactionFilters)[number], string>>>,
    window: { from?: number | undefined; to?: number | undefined },
    page: { limit: number; offset: number },
  ): Transaction[] {
    const names = transactionFilters.filter((name) => filter[name] !== undefined);
    const given = [
      ...names.map((name) => [` AND ${name} = ?`, filter[name]] as const),
      [" AND created_at >= ?", window.from] as const,
      [" AND created_at <= ?", window.to] as const,
    ].flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
    if (given.length === 0) return this.#page(username, page);
    const conditions = given.map(({ condition }) => condition).join("");
    const values = given.map(({ value }) => value);
    const sql = `SELECT position, ${COLUMNS} FROM transactions WHERE username = ? || ''${conditions}
      ORDER BY account_ordinal DESC LIMIT ? + 0 OFFSET ? + 0`;
    return this.#database.exactAll<Row>(sql, username, ...values, page.limit, page.offset).map(parse);
  }

  /** A page without a filter, whose place is known by the ordinals: a late page costs no more than the first. */
  #page(username: string, { limit, offset }: { limit: number; offset: number }): Transaction[] {
    const sql = `SELECT position, ${COLUMNS} FROM transactions WHERE username = ? || ''
      AND account_ordinal <= ? ORDER BY account_ordinal DESC LIMIT ? + 0`;
    const newest = this.#lastOrdinals.get(username) - offset;
    return this.#database.exactAll<Row>(sql, username, newest, limit).map(parse);
  }

  /** Transactions after a position, oldest first, with their positions as cursors, narrowed by what is given. */
  after(
    position: number,
    limit: number,
    filter: TransactionColumns = {},
  ): { position: number; transaction: Transaction }[] {
    const { conditions, values } = narrowedBy(filter);
    const sql = `SELECT position, ${COLUMNS} FROM transactions WHERE position > ?${conditions}
      ORDER BY position LIMIT ? + 0`;
    return this.#database
      .exactAll<Row>(sql, position, ...values, limit)
      .map((row) => ({ position: Number(row.position), transaction: parse(row) }));
  }

  /** How many transactions match a filter. */
  count(filter: TransactionColumns): number {
    const { conditions, values } = narrowedBy(filter);
    const sql = `SELECT count(*) AS count FROM transactions WHERE true${conditions}`;
    return this.#database.count(sql, ...values);
  }
}

function parse({ position: _, ...row }: Row): Transaction {
  return {
    ...row,
    created_at: Number(row.created_at),
    expires_at: row.expires_at === null ? null : Number(row.expires_at),
    confirmed_at: row.confirmed_at === null ? null : Number(row.confirmed_at),
    details: JSON.parse(row.details),
  };
}

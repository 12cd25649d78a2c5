/** Conversions, and the quotes that simulations gave. */
import type { StateOf } from "../domain/lifecycles.ts";
import type { MinorUnits } from "../domain/money.ts";
import type { Database } from "./database.ts";
import { withNumbers } from "./exact-rows.ts";
import { Insertion } from "./insertion.ts";

/** A conversion that was executed. */
export interface Conversion {
  readonly position: number;
  readonly conversion_id: string;
  readonly username: string;
  readonly client_id: string;
  readonly external_id: string | null;
  readonly currency_from: string;
  readonly amount_from: MinorUnits;
  readonly currency_to: string;
  readonly amount_to: MinorUnits;
  /** Plain decimal, units of destination per unit of base. */
  readonly rate: string;
  /** In the destination currency, as is `spread`. */
  readonly fee: MinorUnits;
  readonly spread: MinorUnits;
  readonly status: StateOf<"conversion">;
  readonly completed_at: number;
}

/** The quote of a simulation, valid until it expires or is used (`D40`). */
export interface Quote {
  readonly position: number;
  readonly username: string;
  readonly currency_from: string;
  readonly currency_to: string;
  readonly amount_from: MinorUnits;
  readonly rate: string;
  readonly created_at: number;
  readonly expires_at: number;
}

const CONVERSION = new Insertion("conversions", [
  ...(["conversion_id", "username", "client_id", "external_id", "currency_from", "amount_from"] as const),
  ...(["currency_to", "amount_to", "rate", "fee", "spread", "status", "completed_at"] as const),
]);

const QUOTE = new Insertion("quotes", [
  "username",
  "currency_from",
  "currency_to",
  "amount_from",
  "rate",
  "created_at",
  "expires_at",
]);

/** Conversions by id and by position; quotes by account, pair and amount, of which the latest counts (`D40`). */
export class ConversionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns the conversion as it is kept. */
  insert(row: Omit<Conversion, "position">): Conversion {
    return { ...row, position: this.#database.insertRow(CONVERSION, row) };
  }

  saveStatus(conversionId: string, status: StateOf<"conversion">): void {
    this.#database.run("UPDATE conversions SET status = ? WHERE conversion_id = ?", status, conversionId);
  }

  get(conversionId: string): Conversion | undefined {
    const row = this.#database.exactGet<object>("SELECT * FROM conversions WHERE conversion_id = ?", conversionId);
    return row && parse(row);
  }

  after(position: number, limit: number): Conversion[] {
    const sql = "SELECT * FROM conversions WHERE position > ? ORDER BY position LIMIT ? + 0";
    return this.#database.exactAll<object>(sql, position, limit).map(parse);
  }

  /** Of the `span` conversions before one, the last of the same account, pair and amount. */
  lastAlikeBefore(conversion: Conversion, span: number): Conversion | undefined {
    const { position, username, currency_from, currency_to, amount_from } = conversion;
    const row = this.#database.exactGet<object>(
      `SELECT * FROM conversions WHERE position < ? AND position >= ? AND username = ? AND currency_from = ?
       AND currency_to = ? AND amount_from = ? ORDER BY position DESC LIMIT 1`,
      position,
      position - span,
      username,
      currency_from,
      currency_to,
      amount_from,
    );
    return row && parse(row);
  }

  /** The latest quote of a pair, of any account, whether used, expired or valid. */
  latestQuoteOfPair(base: string, destination: string): Quote | undefined {
    const sql = "SELECT * FROM quotes WHERE currency_from = ? AND currency_to = ? ORDER BY position DESC LIMIT 1";
    const row = this.#database.exactGet<object>(sql, base, destination);
    return row && parseQuote(row);
  }

  insertQuote(quote: Omit<Quote, "position">): void {
    this.#database.insertRow(QUOTE, quote);
  }

  /** An account's latest quote of a pair and amount; undefined if it is used, as earlier ones count as used then. */
  latestQuote(username: string, from: string, to: string, amount: MinorUnits): Quote | undefined {
    const row = this.#database.exactGet<object>(
      `SELECT * FROM (SELECT * FROM quotes WHERE username = ? || '' AND currency_from = ? || ''
       AND currency_to = ? || '' AND amount_from = ? + 0 ORDER BY position DESC LIMIT 1) WHERE consumed = 0`,
      username,
      from,
      to,
      amount,
    );
    return row && parseQuote(row);
  }

  /** Marks a quote as used, and thereby all earlier ones of its pair and amount, see {@link latestQuote}. */
  consumeQuote({ position }: Quote): void {
    this.#database.run("UPDATE quotes SET consumed = 1 WHERE position = ?", position);
  }
}

function parse(row: object): Conversion {
  return withNumbers(row, ["position", "completed_at"]);
}

function parseQuote(row: object): Quote {
  return withNumbers(row, ["position", "created_at", "expires_at"]);
}

/** Postings, and the balances that follow from them. */
import type { Posting } from "../domain/ledger.ts";
import type { MinorUnits } from "../domain/money.ts";
import type { Added } from "./additions.ts";
import type { Database } from "./database.ts";
import { withNumbers } from "./exact-rows.ts";
import type { Figures } from "./figures.ts";
import { holdable } from "./holdable.ts";
import { LateIndex } from "./late-index.ts";

/** A posting as stored in the ledger, with the journal entry that made it. */
export interface LedgerPosting extends Posting {
  readonly position: number;
  readonly entry: number;
  readonly at: number;
  readonly subject: string;
}

const ADDED = ["entry", "at", "subject", "source", "destination", "currency", "amount"] as const;
const COLUMNS = `position, ${ADDED.join(", ")}`;

/** How many of the latest postings are scanned for those that left an account. */
const LOOKED_BACK = 10_000;

const READ = "SELECT amount FROM balances WHERE account = ? AND currency = ?";
const WRITE =
  "INSERT INTO balances VALUES (?, ?, ?) ON CONFLICT (account, currency) DO UPDATE SET amount = excluded.amount";

/** Postings, which are only ever added, and the balances, which are stored besides; all in minor units. */
export class LedgerStore {
  readonly #database: Database;
  readonly #balances: Figures<MinorUnits>;
  readonly #added: Added;
  readonly #bySubject: LateIndex;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("postings", ADDED);
    this.#bySubject = new LateIndex(database, "postings", "subject");
    this.#balances = database.figures({
      absent: 0n,
      read: (...key) => database.exactGet<{ amount: bigint }>(READ, ...key)?.amount,
      write: (amount, ...key) => database.run(WRITE, ...key, amount),
    });
  }

  /**
   * Writes a posting and moves both balances.
   * @throws {DomainError} `LIMIT_EXCEEDED` if a balance would exceed what the store holds.
   */
  post(entry: number, at: number, subject: string, posting: Posting): void {
    const { source, destination, currency, amount } = posting;
    this.#added.add([entry, at, subject, source, destination, currency, amount]);
    this.#move(source, currency, -amount);
    this.#move(destination, currency, amount);
  }

  #move(account: string, currency: string, amount: MinorUnits): void {
    const next = (balance: MinorUnits) => holdable(balance + amount, `A balance of ${currency}`);
    this.#balances.move(next, account, currency);
  }

  balance(account: string, currency: string): MinorUnits {
    return this.#balances.get(account, currency);
  }

  /** A function like {@link balance} for the given accounts, whose balances are all read with one query. */
  balancesOf(accounts: readonly string[]): (account: string, currency: string) => MinorUnits {
    this.#balances.write();
    const sql = `SELECT account, currency, amount FROM balances WHERE account IN (${accounts.map(() => "?").join(", ")})`;
    const rows = this.#database.exactAll<{ account: string; currency: string; amount: bigint }>(sql, ...accounts);
    const amounts = new Map(rows.map(({ account, currency, amount }) => [`${account}\n${currency}`, amount]));
    return (account, currency) => amounts.get(`${account}\n${currency}`) ?? 0n;
  }

  /** Every balance of every ledger account. */
  balances(): { account: string; currency: string; amount: MinorUnits }[] {
    this.#balances.write();
    return this.#database.exactAll("SELECT account, currency, amount FROM balances ORDER BY account, currency");
  }

  /**
   * The balances computed from the postings alone, for the check against the stored ones. The turnover of an account
   * may exceed what a sum of SQLite holds, so upper and lower halves of the amounts are summed separately.
   */
  derivedBalances(): { account: string; currency: string; amount: MinorUnits }[] {
    const rows = this.#database.exactAll<{ account: string; currency: string; upper: bigint; lower: bigint }>(
      `SELECT account, currency, sum(sign * (amount >> 32)) AS upper, sum(sign * (amount & 0xffffffff)) AS lower FROM (
         SELECT source AS account, currency, amount, -1 AS sign FROM postings
         UNION ALL SELECT destination, currency, amount, 1 FROM postings
       ) GROUP BY account, currency ORDER BY account, currency`,
    );
    return rows.map(({ account, currency, upper, lower }) => ({ account, currency, amount: (upper << 32n) + lower }));
  }

  of(subject: string): LedgerPosting[] {
    this.#bySubject.seeToIt();
    const sql = `SELECT ${COLUMNS} FROM postings WHERE subject = ? ORDER BY position`;
    return this.#database.exactAll<object>(sql, subject).map(parse);
  }

  /** Postings from an account before a journal entry, newest first; without an index, only the latest are scanned. */
  latestFrom(account: string, currency: string, entry: number, limit: number): LedgerPosting[] {
    const sql = `SELECT ${COLUMNS} FROM postings WHERE position > (SELECT max(position) FROM postings) - ${LOOKED_BACK}
      AND entry < ? + 0 AND source = ? || '' AND currency = ? || '' ORDER BY position DESC LIMIT ? + 0`;
    return this.#database.exactAll<object>(sql, entry, account, currency, limit).map(parse);
  }

  after(position: number, limit: number): LedgerPosting[] {
    const sql = `SELECT ${COLUMNS} FROM postings WHERE position > ? ORDER BY position LIMIT ? + 0`;
    return this.#database.exactAll<object>(sql, position, limit).map(parse);
  }
}

function parse(row: object): LedgerPosting {
  return withNumbers(row, ["position", "entry", "at"]);
}

/** Fixed wallets. */
import type { StateOf } from "../domain/lifecycles.ts";
import type { Database } from "./database.ts";
import { Insertion } from "./insertion.ts";

/** A fixed wallet: a deposit address, a static PIX key or a permanent CLABE. */
export interface Wallet {
  readonly wallet_id: number;
  readonly username: string;
  readonly client_id: string;
  readonly currency: string;
  readonly chain: string | null;
  readonly network: string;
  /** On-chain address, PIX key or CLABE. */
  readonly address: string;
  readonly min_confirmations: number;
  readonly status: StateOf<"wallet">;
  readonly created_at: number;
}

const KEPT = [
  ...(["wallet_id", "username", "client_id", "currency", "chain", "network", "address"] as const),
  ...(["min_confirmations", "status", "created_at"] as const),
];
const COLUMNS = KEPT.join(", ");
const INSERTION = new Insertion("wallets", KEPT);

/** Wallets by id, which is the order in which they were made, too. */
export class WalletStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(row: Wallet): void {
    this.#database.insertRow(INSERTION, row);
  }

  get(walletId: number): Wallet | undefined {
    return this.#database.get(`SELECT ${COLUMNS} FROM wallets WHERE wallet_id = ?`, walletId);
  }

  /** {@link get} by an id as text, which must be plain digits, not another notation of a number. */
  written(id: string): Wallet | undefined {
    return /^[1-9]\d{0,14}$/.test(id) ? this.get(Number(id)) : undefined;
  }

  /** The newest wallet of an address, or of a currency and chain written as `USDT/tron` or `BRL`. */
  named(name: string): Wallet | undefined {
    const sql = `SELECT ${COLUMNS} FROM wallets WHERE address = ? OR currency || coalesce('/' || chain, '') = ?
      ORDER BY wallet_id DESC LIMIT 1`;
    return this.#database.get(sql, name, name);
  }

  countOf(clientId: string): number {
    const sql = "SELECT count(*) AS count FROM wallets WHERE client_id = ?";
    return this.#database.count(sql, clientId);
  }

  /** The newest ones of a credential, newest first. */
  latestOf(clientId: string, limit: number): Wallet[] {
    const sql = `SELECT ${COLUMNS} FROM wallets WHERE client_id = ? ORDER BY wallet_id DESC LIMIT ? + 0`;
    return this.#database.all(sql, clientId, limit);
  }

  after(walletId: number, limit: number): Wallet[] {
    return this.#database.all(
      `SELECT ${COLUMNS} FROM wallets WHERE wallet_id > ? ORDER BY wallet_id LIMIT ? + 0`,
      walletId,
      limit,
    );
  }
}

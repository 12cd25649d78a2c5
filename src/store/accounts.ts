/** Accounts and their credentials. */

import type { AccountStatus } from "../domain/account-statuses.ts";
import { INBOX } from "../domain/destinations.ts";
import type { LimitRow } from "../domain/limits.ts";
import type { Database } from "./database.ts";
import { Insertion } from "./insertion.ts";

/** A merchant's account; instants of rows are milliseconds since 1970, on the world's clock. */
export interface Account {
  readonly username: string;
  readonly name: string;
  readonly document: string;
  readonly email: string;
  readonly status: AccountStatus;
  readonly postback_url: string | null;
  readonly created_at: number;
}

/** The secrets that a program of an account authenticates and signs with. */
export interface Credential {
  readonly client_id: string;
  readonly username: string;
  readonly client_secret: string;
  readonly signing_key: string;
  /** null: inherited from the account (`D46`). */
  readonly postback_url: string | null;
  readonly created_at: number;
}

const OF_ACCOUNTS = ["username", "name", "document", "email", "status", "postback_url", "created_at"] as const;
const OF_CREDENTIALS = ["client_id", "username", "client_secret", "signing_key", "postback_url", "created_at"] as const;
const ACCOUNT = OF_ACCOUNTS.join(", ");
const CREDENTIAL = OF_CREDENTIALS.join(", ");
const INSERT_ACCOUNT = new Insertion("accounts", OF_ACCOUNTS, nextPosition("accounts"));
const INSERT_CREDENTIAL = new Insertion("credentials", OF_CREDENTIALS, nextPosition("credentials"));
const ACCOUNT_OF = `SELECT ${ACCOUNT} FROM accounts WHERE username = ?`;
const CREDENTIAL_OF = `SELECT ${CREDENTIAL} FROM credentials WHERE client_id = ?`;
const LIMITS_OF = "SELECT limits FROM credentials WHERE client_id = ?";

/**
 * Accounts and credentials in the order in which they were made: the first account is the default one (interface,
 * section 3a).
 */
export class AccountStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(account: Account): void {
    this.#database.insertRow(INSERT_ACCOUNT, account);
  }

  update(username: string, changes: Partial<Omit<Account, "username" | "created_at">>): void {
    for (const [column, value] of Object.entries(changes)) {
      this.#database.run(`UPDATE accounts SET ${column} = ? WHERE username = ?`, value, username);
    }
  }

  get(username: string): Account | undefined {
    return this.#database.recall("accounts", ACCOUNT_OF, username, (row?: Account) => row);
  }

  all(): Account[] {
    return this.#database.all(`SELECT ${ACCOUNT} FROM accounts ORDER BY position`);
  }

  insertCredential(credential: Credential): void {
    this.#database.insertRow(INSERT_CREDENTIAL, credential);
  }

  /** Accounts and credentials that have a destination deliver to the inbox from now on. */
  redirectToInbox(): void {
    for (const table of ["accounts", "credentials"]) {
      this.#database.run(`UPDATE ${table} SET postback_url = ? WHERE postback_url IS NOT NULL`, INBOX);
    }
  }

  setCredentialPostback(clientId: string, postbackUrl: string | null): void {
    this.#database.run("UPDATE credentials SET postback_url = ? WHERE client_id = ?", postbackUrl, clientId);
  }

  /** The limits of a credential that override the world's, in the shape of `fixtures/limits.json`. */
  limitsOf(clientId: string): readonly Partial<LimitRow>[] {
    return this.#database.recall("credentials", LIMITS_OF, clientId, (row?: { limits: string }) =>
      JSON.parse(row?.limits ?? "[]"),
    );
  }

  setLimits(clientId: string, limits: readonly { [Key in keyof LimitRow]?: LimitRow[Key] | undefined }[]): void {
    this.#database.run("UPDATE credentials SET limits = ? WHERE client_id = ?", JSON.stringify(limits), clientId);
  }

  credential(clientId: string): Credential | undefined {
    return this.#database.recall("credentials", CREDENTIAL_OF, clientId, (row?: Credential) => row);
  }

  countCredentials(username: string): number {
    const sql = "SELECT count(*) AS count FROM credentials WHERE username = ?";
    return this.#database.count(sql, username);
  }

  credentialsOf(username: string): Credential[] {
    return this.#database.all(`SELECT ${CREDENTIAL} FROM credentials WHERE username = ? ORDER BY position`, username);
  }
}

function nextPosition(table: string) {
  return { position: `(SELECT coalesce(max(position), 0) + 1 FROM ${table})` };
}

import type { Database } from "./database.ts";

/** What protects the service: used nonces, offences, blocks, the black list. */
export class ProtectionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** When a nonce was last used. */
  nonceUsedAt(clientId: string, nonce: string): number | undefined {
    const sql = "SELECT used_at FROM nonces WHERE client_id = ? AND nonce = ?";
    return this.#database.get<{ used_at: number }>(sql, clientId, nonce)?.used_at;
  }

  burnNonce(clientId: string, nonce: string, at: number): void {
    const sql = "INSERT INTO nonces VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET used_at = excluded.used_at";
    this.#database.run(sql, clientId, nonce, at);
  }

  addOffence(scope: string, at: number): void {
    this.#database.run("INSERT INTO offences (scope, at) VALUES (?, ?)", scope, at);
  }

  /** Offences of a scope after an instant. */
  offencesSince(scope: string, after: number): number {
    const sql = "SELECT count(*) AS count FROM offences WHERE scope = ? AND at > ?";
    return this.#database.get<{ count: number }>(sql, scope, after)?.count ?? 0;
  }

  clearOffences(scope: string): void {
    this.#database.run("DELETE FROM offences WHERE scope = ?", scope);
  }

  block(scope: string, until: number): void {
    const sql = "INSERT INTO blocks VALUES (?, ?) ON CONFLICT DO UPDATE SET until = excluded.until";
    this.#database.run(sql, scope, until);
  }

  blockedUntil(scope: string): number | undefined {
    const sql = "SELECT until FROM blocks WHERE scope = ?";
    return this.#database.recall("blocks", sql, scope, (row?: { until: number }) => row?.until);
  }

  blacklist(): string[] {
    return this.#database.all<{ ip: string }>("SELECT ip FROM blacklist ORDER BY ip").map((row) => row.ip);
  }

  isBlacklisted(ip: string): boolean {
    return this.#database.recall("blacklist", "SELECT 1 FROM blacklist WHERE ip = ?", ip, (row) => row !== undefined);
  }

  setBlacklist(ips: readonly string[]): void {
    this.#database.run("DELETE FROM blacklist");
    for (const ip of ips) this.#database.run("INSERT OR IGNORE INTO blacklist VALUES (?)", ip);
  }
}

import type { Database } from "./database.ts";
import type { Figures } from "./figures.ts";

/** A rate window as stored: when it began, and how many calls it has counted. */
interface StoredWindow {
  readonly started_at: number;
  readonly used: number;
}

const READ_WINDOW = "SELECT started_at, used FROM rate_windows WHERE scope = ? AND endpoint = ?";
const WRITE_WINDOW = `INSERT INTO rate_windows VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET started_at = excluded.started_at, used = excluded.used`;

/** What protects the service: used nonces, offences, blocks, the black list, the window of each rate limit (`D19`). */
export class ProtectionStore {
  readonly #database: Database;
  readonly #windows: Figures<StoredWindow | null>;

  constructor(database: Database) {
    this.#database = database;
    this.#windows = database.figures<StoredWindow | null>({
      absent: null,
      read: (...key) => database.get<StoredWindow>(READ_WINDOW, ...key),
      write: (window, ...key) => {
        if (window) database.run(WRITE_WINDOW, ...key, window.started_at, window.used);
      },
    });
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

  /** How many offences a scope has after an instant. */
  offencesSince(scope: string, after: number): number {
    const sql = "SELECT count(*) AS count FROM offences WHERE scope = ? AND at > ?";
    return this.#database.count(sql, scope, after);
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

  /**
   * Replaces the fixed window of a scope (credential or address) and endpoint with what `next` returns (`D19`).
   * @param next gets null if no window has begun yet.
   */
  moveRateWindow(scope: string, endpoint: string, next: (window: StoredWindow | null) => StoredWindow): StoredWindow {
    return this.#windows.move(next, scope, endpoint);
  }
}

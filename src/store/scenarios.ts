/** The scenario files loaded into a world, and how often their rules matched. */
import type { Database } from "./database.ts";

export interface StoredScenario {
  readonly name: string;
  readonly position: number;
  /** The file's path as it is named in causes. */
  readonly file: string;
  /** The text, as it came. */
  readonly source: string;
  readonly loaded_at: number;
}

export class ScenarioStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order of loading. */
  all(): StoredScenario[] {
    return this.#database.all("SELECT name, position, file, source, loaded_at FROM scenarios ORDER BY position");
  }

  /** Adds a scenario, or replaces the one of its name; the newest is the last loaded. @returns whether it replaced. */
  put(name: string, file: string, source: string, loadedAt: number): boolean {
    const replaced = this.remove(name);
    const sql = "INSERT INTO scenarios VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM scenarios), ?, ?, ?)";
    this.#database.run(sql, name, file, source, loadedAt);
    return replaced;
  }

  remove(name: string): boolean {
    this.forgetCounters(name);
    return this.#database.run("DELETE FROM scenarios WHERE name = ?", name) > 0;
  }

  forgetCounters(scenario: string): void {
    this.#database.run("DELETE FROM rule_counters WHERE scenario = ?", scenario);
  }

  counters(scenario: string, rule: number): { matched: number; fired: number } {
    const sql = "SELECT matched, fired FROM rule_counters WHERE scenario = ? AND rule = ?";
    return this.#database.get(sql, scenario, rule) ?? { matched: 0, fired: 0 };
  }

  count(scenario: string, rule: number, fired: boolean): void {
    const sql = `INSERT INTO rule_counters VALUES (?, ?, 1, ?)
      ON CONFLICT DO UPDATE SET matched = matched + 1, fired = fired + excluded.fired`;
    this.#database.run(sql, scenario, rule, fired ? 1 : 0);
  }
}

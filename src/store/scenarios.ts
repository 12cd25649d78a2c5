/** The scenario files loaded into a world, and how often their rules matched. */
import type { Database } from "./database.ts";
import type { Figures } from "./figures.ts";

/** A scenario that is loaded. */
export interface StoredScenario {
  readonly name: string;
  readonly position: number;
  /** The file's path as it is named in causes. */
  readonly file: string;
  /** The text, as it came. */
  readonly source: string;
  readonly loaded_at: number;
  /** The journal's last entry before it was loaded. */
  readonly loaded_after: number;
}

/** A scenario that is being loaded. */
type NewScenario = Omit<StoredScenario, "position" | "loaded_after">;

/** How often a rule matched, and how often it then acted. */
interface RuleCounters {
  readonly matched: number;
  readonly fired: number;
}

const COLUMNS = "name, position, file, source, loaded_at, loaded_after";
const NEVER: RuleCounters = { matched: 0, fired: 0 };
const READ = "SELECT matched, fired FROM rule_counters WHERE scenario = ? AND rule = ?";
const WRITE = `INSERT INTO rule_counters VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET matched = excluded.matched, fired = excluded.fired`;

/** Scenarios by name. Counters of rules by scenario and number, those of faults set by hand among them. */
export class ScenarioStore {
  readonly #database: Database;
  readonly #counters: Figures<RuleCounters>;

  constructor(database: Database) {
    this.#database = database;
    this.#counters = database.figures({
      absent: NEVER,
      read: (...key) => database.get<RuleCounters>(READ, ...key),
      write: ({ matched, fired }, ...key) => database.run(WRITE, ...key, matched, fired),
    });
  }

  /** The scenarios in order of their positions. */
  all(): StoredScenario[] {
    return this.#database.all(`SELECT ${COLUMNS} FROM scenarios ORDER BY position`);
  }

  /**
   * Adds a scenario, or replaces the one of its name.
   * @param position if another one has it, that one and all after it move on; if left out, the scenario comes last.
   * @returns whether it replaced.
   */
  put({ name, file, source, loaded_at }: NewScenario, position?: number): boolean {
    const replaced = this.remove(name);
    if (position !== undefined) this.#makeRoom(position);
    const sql = `INSERT INTO scenarios (${COLUMNS})
      VALUES (?, coalesce(?, (SELECT coalesce(max(position), 0) + 1 FROM scenarios)), ?, ?, ?,
        (SELECT coalesce(max(sequence), 0) FROM journal))`;
    this.#database.run(sql, name, position ?? null, file, source, loaded_at);
    return replaced;
  }

  /** Moves a scenario to a position; if another one has it, that one and all after it move on. */
  move(name: string, position: number): void {
    this.#makeRoom(position);
    this.#database.run("UPDATE scenarios SET position = ? WHERE name = ?", position, name);
  }

  #makeRoom(position: number): void {
    if (!this.#database.get("SELECT 1 FROM scenarios WHERE position = ?", position)) return;
    // By way of negative ones: positions move one by one, and no two may be the same in between.
    this.#database.run("UPDATE scenarios SET position = -position - 1 WHERE position >= ?", position);
    this.#database.run("UPDATE scenarios SET position = -position WHERE position < 0");
  }

  remove(name: string): boolean {
    this.forgetCounters(name);
    return this.#database.run("DELETE FROM scenarios WHERE name = ?", name) > 0;
  }

  forgetCounters(scenario: string): void {
    this.#counters.forget(scenario);
    this.#database.run("DELETE FROM rule_counters WHERE scenario = ?", scenario);
  }

  /** Forgets the counters of one rule only. */
  forgetCounter(scenario: string, rule: number): void {
    this.#counters.forget(scenario, rule);
    this.#database.run("DELETE FROM rule_counters WHERE scenario = ? AND rule = ?", scenario, rule);
  }

  counters(scenario: string, rule: number): RuleCounters {
    return this.#counters.get(scenario, rule);
  }

  count(scenario: string, rule: number, fired: boolean): void {
    const counters = this.counters(scenario, rule);
    const counted = { matched: counters.matched + 1, fired: counters.fired + (fired ? 1 : 0) };
    this.#counters.set(counted, scenario, rule);
  }
}

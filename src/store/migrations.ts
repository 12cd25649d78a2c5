/** Gives a database the tables of this version of the program. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3";
import { APPLICATION_ID, refuseNewerVersion } from "./data-files.ts";

const folder = fileURLToPath(new URL("./migrations/", import.meta.url));
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();

/** The file to which the build writes {@link schemaText}. */
const readyFile = fileURLToPath(new URL("./ready-schema.sql", import.meta.url));

/** The version of the content that this program writes. */
export const NEWEST_VERSION = names.length;

/** Migrates a database to this version; an empty one gets all tables. @throws {StoreError} if its version is newer. */
export function migrate(sqlite: Sqlite.Database, path: string): void {
  const version = sqlite.pragma("user_version", { simple: true }) as number;
  refuseNewerVersion(path, version, NEWEST_VERSION);
  if (version === NEWEST_VERSION) return;
  sqlite.transaction(() => {
    for (const sql of stepsFrom(version)) sqlite.exec(sql);
    sqlite.pragma(`application_id = ${APPLICATION_ID}`);
    sqlite.pragma(`user_version = ${NEWEST_VERSION}`);
  })();
}

/** The schema that all migrations together produce, as one step; without rows, as they write none. */
export function schemaText(): string {
  const sqlite = new Sqlite(":memory:");
  for (const sql of migrations(0)) sqlite.exec(sql);
  const ours = "sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  const statements = sqlite.prepare(`SELECT sql FROM sqlite_schema WHERE ${ours} ORDER BY rowid`).pluck().all();
  sqlite.close();
  return statements.map((statement) => `${statement};\n`).join("");
}

/** The SQL that migrates from a version; for an empty database, the schema that the build prepared, if there is one. */
function stepsFrom(version: number): string[] {
  return version === 0 && existsSync(readyFile) ? [readFileSync(readyFile, "utf8")] : migrations(version);
}

function migrations(version: number): string[] {
  return names.slice(version).map((name) => readFileSync(join(folder, name), "utf8"));
}

/** A file whose writing was cut off before its log was begun: SQLite keeps what was there before beside it. */
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { Database } from "../../src/store/database.ts";
import { MetaStore } from "../../src/store/meta.ts";
import { testFolder } from "../support/folder.ts";

test("is opened as it was before, as a kill in the middle of a restore leaves one", () => {
  const folder = testFolder({});
  const [path, killed] = [join(folder, "world.db"), join(folder, "killed.db")];
  const world = Database.inMemory();
  new MetaStore(world).set("kept", "yes");
  writeFileSync(path, world.serialize());
  world.close();

  const writer = new Sqlite(path);
  writer.pragma("journal_mode = DELETE");
  writer.pragma("cache_size = 1");
  writer.exec("BEGIN; DELETE FROM meta; CREATE TABLE more (text TEXT)");
  const insert = writer.prepare("INSERT INTO more VALUES (?)");
  for (let count = 0; count < 200; count++) insert.run("x".repeat(1_000));
  for (const suffix of ["", "-journal"]) copyFileSync(path + suffix, killed + suffix);
  writer.close();

  expect(() => new Sqlite(killed, { readonly: true }).pragma("quick_check")).toThrow("readonly");
  const opened = Database.inFile(killed);
  expect(new MetaStore(opened).get("kept")).toBe("yes");
  expect(opened.all("SELECT name FROM sqlite_master WHERE name = 'more'")).toEqual([]);
  opened.close();
  expect(existsSync(`${killed}-journal`)).toBe(false);
});

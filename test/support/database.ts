/** The database of a world: in a file, and with work that is undone. */
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { Database } from "../../src/store/database.ts";
import { testFolder } from "./folder.ts";

/** Opens a file with these bytes, which goes away with the test. */
export function databaseInFile(bytes: Buffer = Database.inMemory().serialize()): Database {
  const database = Database.inFile(join(testFolder({ "world.db": bytes }), "world.db"));
  onTestFinished(() => database.close());
  return database;
}

/** What a transaction is refused with. */
export const REFUSED = new Error("refused");

/** Does work in a transaction that is undone. */
export function refused(database: Database, work: () => void): void {
  const refuse = () => {
    work();
    throw REFUSED;
  };
  expect(() => database.transaction(refuse)).toThrow(REFUSED);
}

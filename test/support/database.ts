/** The database of a world, in a file. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Database } from "../../src/store/database.ts";
import { testFolder } from "./folder.ts";

/** Opens a file with these bytes, which goes away with the test. */
export function databaseInFile(bytes: Buffer = Database.inMemory().serialize()): Database {
  const database = Database.inFile(join(testFolder({ "world.db": bytes }), "world.db"));
  onTestFinished(() => database.close());
  return database;
}

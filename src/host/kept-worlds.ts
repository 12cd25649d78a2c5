/** Worlds stored in files besides their own database: snapshots, and the origins of forks. */
import { sentence } from "../domain/words/near-name.ts";
import { messageOf } from "../domain/words/thrown.ts";
import { ScenarioEngine } from "../scenarios/engine.ts";
import { Database } from "../store/database.ts";
import { StoreError } from "../store/store-error.ts";
import { World } from "../world/world.ts";

/** A world as stored in a file. */
interface KeptWorld {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * Reads the world in a file, without changing the file.
 * @throws {StoreError} if the file is damaged, or no world can be made from it.
 */
export function keptWorld(path: string): KeptWorld {
  const database = Database.copyOfFile(path);
  try {
    const world = new World(database);
    // Checks that its scenarios load now, before it replaces an existing world.
    new ScenarioEngine(world);
    return { id: world.id, bytes: database.serialize() };
  } catch (error) {
    throw notBroughtBack(path, error);
  } finally {
    database.close();
  }
}

/** The error for a file from which no world can be made. */
export function notBroughtBack(path: string, error: unknown): StoreError {
  return new StoreError(sentence(`${path} cannot be brought back: ${firstReason(error)}`));
}

/** The first line of an error's message, without its full stop: the error of a scenario may list many faults. */
export function firstReason(error: unknown): string {
  const [reason = ""] = messageOf(error).split(/\.?(\n|$)/);
  return reason;
}

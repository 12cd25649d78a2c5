/** Worlds that are kept in files beside their own: snapshots, and what forks began as. */
import { sentence } from "../domain/near-name.ts";
import { ScenarioEngine } from "../scenarios/engine.ts";
import { Database } from "../store/database.ts";
import { StoreError } from "../store/store-error.ts";
import { World } from "../world/world.ts";

/** A world as a file keeps it. */
interface KeptWorld {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * The world in a file, which is left as it is.
 * @throws {StoreError} where it is damaged, or holds what no world can be made of.
 */
export function keptWorld(path: string): KeptWorld {
  const database = Database.copyOfFile(path);
  try {
    const world = new World(database);
    // Here, and not when it has taken the place of what is there.
    new ScenarioEngine(world);
    return { id: world.id, bytes: database.serialize() };
  } catch (error) {
    throw notBroughtBack(path, error);
  } finally {
    database.close();
  }
}

/** What keeps the file of a world from becoming one. */
export function notBroughtBack(path: string, error: unknown): StoreError {
  return new StoreError(sentence(`${path} cannot be brought back: ${firstReason(error)}`));
}

/** The first line of what was thrown, without its stop: scenarios may have many faults. */
export function firstReason(error: unknown): string {
  const [reason = ""] = String(error instanceof Error ? error.message : error).split(/\.?(\n|$)/);
  return reason;
}

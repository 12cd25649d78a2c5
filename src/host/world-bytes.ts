/** Worlds as bytes: what snapshots keep, and what forks, restored worlds and fresh ones are copies of. */
import { nextTurn, wallNow } from "../runtime.ts";
import { Database } from "../store/database.ts";
import { MetaStore } from "../store/meta.ts";
import { Clock } from "../world/clock.ts";
import { giveId } from "../world/identity.ts";
import type { World } from "../world/world.ts";
import type { LiveWorld } from "./live-world.ts";
import { WorldConflict } from "./world-conflict.ts";

/** The key of the time to live in a world's own database. */
const TTL_KEY = "ttl";

/** The time to live that a world was made with, in milliseconds of real time; null for ever. */
export function keptTtl(meta: MetaStore): number | null {
  return meta.get<number | null>(TTL_KEY) ?? null;
}

/** Cached bytes of frozen worlds: many are prepared once and forked for every test. */
const lastBytes = new WeakMap<World, { readonly bytes: Buffer; readonly changes: number }>();

/**
 * The bytes of a world, with its clock.
 * @param what the caller is to do once an advance is done.
 * @throws {WorldConflict} while it is being advanced.
 */
export function bytesOfWorld({ id, runner, world }: LiveWorld, what: string): Buffer {
  if (runner.advancing) {
    throw new WorldConflict("WORLD_BUSY", `The world ${id} is being advanced; ${what} when that is done.`);
  }
  const known = lastBytes.get(world);
  if (known?.changes === world.database.changes) return known.bytes;
  world.database.transaction(() => world.clock.fix());
  const bytes = world.database.serialize();
  if (world.clock.mode === "frozen") lastBytes.set(world, { bytes, changes: world.database.changes });
  return bytes;
}

/** A copy of a world in memory, with its own id and time to live; its clock goes on from the instant stored. */
export function databaseOf(bytes: Buffer, id: string, ttlMs: number | null): Database {
  const resumedAt = wallNow();
  const copy = Database.fromBytes(bytes, (database) => {
    const meta = new MetaStore(database);
    giveId(meta, id);
    // Written only if it differs: another row may need another page, and SQLite would copy the database once more.
    if (keptTtl(meta) !== ttlMs) meta.set(TTL_KEY, ttlMs);
    Clock.resume(meta, resumedAt);
  });
  // A suite makes a world a test: the next one is opened while this one is used.
  nextTurn(() => copy.openNext());
  return copy;
}

/** A world by itself: no server, no timers of the machine, nobody who calls. */
import { createWorld, readSettings } from "../../src/host/creation.ts";
import { Database } from "../../src/store/database.ts";
import { World } from "../../src/world/world.ts";

/** When it begins, where its clock stands still. */
export const START = Date.parse("2026-01-01T12:00:00.000Z");

/** Makes one of acme's in memory; its database is the caller's to close. */
export function bareWorld(id: string, balances?: Readonly<Record<string, string>>): World {
  const database = Database.inMemory();
  createWorld(database, {
    id,
    seed: 1,
    clock: { mode: "frozen", speed: 1, start: START },
    settings: readSettings({}),
    scenarios: [],
    accounts: [{ username: "acme", ...(balances && { balances }) }],
    postback_url: null,
  });
  return new World(database);
}

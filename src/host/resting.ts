/** When a new world that is not used is put to rest. */
import { wakeAfter } from "../runtime.ts";
import { isStorageFault } from "../store/storage-fault.ts";
import type { LiveWorld } from "./live-world.ts";

/** How long a new world waits for its first call before it is put to rest; most get it sooner. */
const REST_AFTER_MS = 25;

/** Rests a new world unless it is used soon: resting it just before its first call costs as much as making it. */
export function restUnlessUsed(live: LiveWorld): void {
  const { database } = live.world;
  const { changes } = database;
  wakeAfter(REST_AFTER_MS, () => {
    try {
      if (!live.closed && database.changes === changes) database.rest();
    } catch (error) {
      // The next call to the world tells of it.
      if (!isStorageFault(error)) throw error;
    }
  });
}

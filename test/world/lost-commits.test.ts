/** Commits that the disk refuses while a world runs: what they held is done again, and nothing stands still for it. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { LiveWorld } from "../../src/host/live-world.ts";
import type { Send } from "../../src/webhooks/delivery.ts";
import { bareWorld } from "../support/bare-world.ts";
import { databaseInFile } from "../support/database.ts";

const FULL = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

/** A world in a file that runs in this process. */
function liveWorld(send: Send | null = null): LiveWorld {
  const { database } = bareWorld("w1");
  const live = new LiveWorld(databaseInFile(database.serialize()), { send, concurrency: 16, onFault: () => {} });
  onTestFinished(() => live.abandon());
  database.close();
  live.start();
  return live;
}

/** Has the disk refuse one commit. @param after how many before it are taken. */
function refuseCommit({ world: { random } }: LiveWorld, after = 0): void {
  const keep = random.keep.bind(random);
  let left = after;
  vi.spyOn(random, "keep").mockImplementation(() => {
    if (left-- === 0) throw FULL;
    keep();
  });
}

describe("a commit that is lost just before an advance begins", () => {
  test("fails the advance, which then neither does anything nor holds the clock", async () => {
    const live = liveWorld();
    const { world, runner } = live;
    world.operate(() => world.clock.change("running", 1));
    const { kept } = world.operateTogether((operation) => operation.record("note", null, {}));
    refuseCommit(live);
    const first = vi.fn(() => world.operate((operation) => void operation.record("note", null, {})));
    const advance = runner.advance({ kind: "by", durationMs: 1000 }, { first });
    await expect(Promise.allSettled([kept, advance])).resolves.toMatchObject([{ reason: FULL }, { reason: FULL }]);
    expect(first).not.toHaveBeenCalled();
    expect(world.clock.realMsUntil(world.clock.now() + 1000)).not.toBeNull();
    await expect(runner.advance({ kind: "by", durationMs: 1000 }, { first })).resolves.toMatchObject({ reached: true });
    expect(first).toHaveBeenCalledOnce();
  });
});

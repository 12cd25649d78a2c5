/** What a snapshot leaves in memory where its bytes are in a file: nothing, of a world that is another at once. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { testFolder } from "../support/folder.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const MIB = 1024 * 1024;
const CALLS = 4;

test("a world whose clock runs holds no copy of itself in memory when a snapshot of it was taken", async () => {
  await using sandbox = await startSandbox({ data: testFolder() });
  const world = await sandbox.createWorld({ scenarios: [], clock: { mode: "running" } });
  const body = Buffer.alloc(10 * MIB, "x");
  for (let call = 0; call < CALLS; call++) {
    const answer = await fetch(`${world.baseUrl}/v2/account/infractions/reply`, { method: "POST", body });
    await answer.arrayBuffer();
  }
  // The first collection finds what sockets still held.
  const held = () => {
    for (let time = 0; time < 2; time++) collect();
    return process.memoryUsage().external;
  };
  const before = held();
  await world.call("POST", "/snapshots", { name: "large" });
  expect(held() - before).toBeLessThan(10 * MIB);
});

/** What a command says of a server that takes a call and does not answer it, or not to the end. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { showAdvance } from "../../src/cli/advance-progress.ts";
import { withWorld } from "../../src/cli/remote.ts";
import { UsageError } from "../../src/cli/usage-error.ts";
import type { WorldClient } from "../../src/index.ts";

/** The step in which the client counts how long an answer may take; none of it is waited for here. */
const TICK_MS = 500;

vi.mock("../../src/runtime.ts", async (original) => {
  const runtime = await original<typeof import("../../src/runtime.ts")>();
  const wakeAfter: typeof runtime.wakeAfter = (delayMs, callback) =>
    runtime.wakeAfter(delayMs === TICK_MS ? 1 : delayMs, callback);
  return { ...runtime, wakeAfter, delay: () => runtime.delay(0) };
});

test.each([
  ["nothing of the answer comes", ""],
  ["the rest of the answer stays away", '{"world":'],
])("a command gives up on a server where %s, and says so", async (_what, beginning) => {
  const server = createServer((_request, response) => {
    if (beginning !== "") response.writeHead(200, { "Content-Type": "application/json" }).write(beginning);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const told = new UsageError(`${url} does not answer within 10 s.`);
  await expect(withWorld({ url }, (world) => world.clock())).rejects.toThrow(told);
});

test("an advance goes on when a look at the clock fails, which is there for its bar alone", async () => {
  const clock = vi.fn(async () => Promise.reject(new Error("broke off")));
  const done = new Promise<never>(() => {});
  await showAdvance({ clock } as unknown as WorldClient, null, done);
  expect(clock).toHaveBeenCalledOnce();
});

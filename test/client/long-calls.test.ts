/** A call may take longer than `fetch` waits for an answer: an advance through a year, a journal in which nothing happens. */

import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { startHeld } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

/** As long as `fetch` waits here; of its own accord it is 300 s. */
const FETCH_PATIENCE_MS = 100;

/** From here on `fetch` gives up soon on an answer that does not begin, or stands still. */
function makeFetchImpatient(): void {
  const usual = getGlobalDispatcher();
  setGlobalDispatcher(new Agent({ headersTimeout: FETCH_PATIENCE_MS, bodyTimeout: FETCH_PATIENCE_MS }));
  onTestFinished(() => setGlobalDispatcher(usual));
}

test("an advance and a wait go on where fetch has given up", async () => {
  await using receiver = await startHeld();
  const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
  await makeCharge(world);
  makeFetchImpatient();
  const connected = await (await connectSandbox(file.sandbox.baseUrl)).world(world.id);
  const waiting = connected.waitForEntry("webhook.delivered", {}, { timeoutMs: 60_000 });
  const advances = [world.advance("5s"), connected.advance("1h")];
  await receiver.arrived(1);
  const impatient = fetch(`${world.baseUrl}/_sandbox/clock/settle`, { method: "POST" });
  await expect(impatient).rejects.toMatchObject({ cause: { code: "UND_ERR_HEADERS_TIMEOUT" } });
  receiver.release();
  expect(await Promise.all(advances)).toMatchObject([{ reached: true }, { reached: true }]);
  expect(await waiting).toMatchObject({ kind: "webhook.delivered" });
});

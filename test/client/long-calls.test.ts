/** A call may take longer than `fetch` waits for an answer: an advance through a year, a journal in which nothing happens. */
import { expect, test } from "vitest";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { connectSandbox } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

/** As long as `fetch` waits here; it is 300 s of its own accord. */
const FETCH_PATIENCE_MS = 100;

/** Lets `fetch` give up soon, and resolves when it has done so on an answer that is not going to begin. */
async function outlastFetch(url: string): Promise<void> {
  const usual = getGlobalDispatcher();
  setGlobalDispatcher(new Agent({ headersTimeout: FETCH_PATIENCE_MS, bodyTimeout: FETCH_PATIENCE_MS }));
  try {
    await expect(fetch(url, { method: "POST", body: "{}" })).rejects.toMatchObject({
      cause: { code: "UND_ERR_HEADERS_TIMEOUT" },
    });
  } finally {
    setGlobalDispatcher(usual);
  }
}

test("an advance and a stream go on where fetch has given up", async () => {
  const answer = Promise.withResolvers<void>();
  await using receiver = await startReceiver(async (_request, response) => {
    await answer.promise;
    response.writeHead(200).end();
  });
  const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
  await makeCharge(world);
  const connected = await (await connectSandbox(file.sandbox.baseUrl)).world(world.id);
  const entries = connected.follow((await world.journal()).at(-1)?.sequence);
  const begun = (await entries.next(), entries.next());
  const [advances, waiting] = [
    [world.advance("5s"), connected.advance("1h")],
    connected.waitForEntry("webhook.delivered"),
  ];
  await begun;
  await receiver.arrived(1);
  await outlastFetch(`${world.baseUrl}/_sandbox/clock/settle`);
  answer.resolve();
  expect(await Promise.all(advances)).toMatchObject([{ reached: true }, { reached: true }]);
  expect(await waiting).toMatchObject({ kind: "webhook.delivered" });
});

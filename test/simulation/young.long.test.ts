/** What a call needs is gone with the next collection of what is young: else each one takes ten times as long. */
import { Agent, get } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options?: { type: "minor" }) => void;

const CONNECTIONS = 8;
const CALLS = 4_000;
/** Of a call that outlives its time there are four times as many, and more. */
const MOST_BYTES_A_CALL = 1_000;

const file = useSandbox();

test("what thousands of calls leave behind for a full collection is next to nothing", async () => {
  const merchant = await Merchant.of(await file.world({ settings: { protections: "off" } }));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  await calls(merchant, agent, CALLS / 4);
  collect();
  await calls(merchant, agent, CALLS);
  for (let time = 0; time < 2; time++) collect({ type: "minor" });
  const before = process.memoryUsage().heapUsed;
  collect();
  expect((before - process.memoryUsage().heapUsed) / CALLS).toBeLessThan(MOST_BYTES_A_CALL);
  agent.destroy();
});

/** As many calls, over a few connections that each carry one after another. */
async function calls({ baseUrl, token }: Merchant, agent: Agent, count: number): Promise<void> {
  const options = { agent, headers: { Authorization: `Bearer ${token}` } };
  const one = () =>
    new Promise<void>((resolve, reject) => {
      get(`${baseUrl}/v2/account/balance?currency=BRL`, options, (response) => {
        response.resume().once("end", resolve);
        if (response.statusCode !== 200) reject(new Error(`${response.statusCode}`));
      }).once("error", reject);
    });
  const line = async () => {
    for (let done = 0; done < count / CONNECTIONS; done++) await one();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, line));
}

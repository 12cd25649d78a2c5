/** Charges as fast as a server takes them, over 16 connections that are kept alive. */
import { type Dispatcher, Pool } from "undici";
import type { Load, LoadOrder } from "./programs.ts";

const CONNECTIONS = 16;
const order = JSON.parse(process.argv[2] ?? "") as LoadOrder;
const pool = new Pool(new URL(order.url).origin, { connections: CONNECTIONS, pipelining: 1 });
const headers = { authorization: `Bearer ${order.token}`, "content-type": "application/json" };
const path = new URL(`${order.url}/v2/transactions/cashin`).pathname;
const limit = order.charges ?? Number.POSITIVE_INFINITY;
const startedAt = performance.now();
const endsAt = startedAt + (order.seconds ?? Number.POSITIVE_INFINITY) * 1000;
let begun = 0;
let answered = 0;

/** Below `pool.request`, which costs more than the answer of a fast server does. */
function charge(): Promise<void> {
  const body = `{"currency":"BRL","amount":12.34,"external_id":"${order.prefix}-${begun++}"}`;
  return new Promise((resolve, reject) => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart: (_controller, status) => {
        if (status !== 200) reject(new Error(`A charge was answered ${status}.`));
      },
      onResponseData: () => {},
      onResponseEnd: () => {
        answered++;
        resolve();
      },
      onResponseError: (_controller, error) => reject(error),
    };
    pool.dispatch({ path, method: "POST", headers, body }, handler);
  });
}

async function worker(): Promise<void> {
  while (begun < limit && performance.now() < endsAt) await charge();
}

await Promise.all(Array.from({ length: CONNECTIONS }, worker));
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage();
const result: Load = { answered, seconds, busy: (user + system) / 1e6 / seconds };
process.stdout.write(`${JSON.stringify(result)}\n`);
await pool.close();

/** The yardstick *undici*: POSTs of the size of a webhook to a receiver, one after another or so many at once. */
import { Pool } from "undici";
import { takeOrders } from "../orders.ts";
import { timed } from "../timed.ts";

/** What it is to do. */
export interface PostOrder {
  readonly url: string;
  readonly count: number;
  readonly atOnce: number;
}

const body = JSON.stringify({ event: "cashin.confirmed", data: { text: "x".repeat(500) } });
const headers = {
  "content-type": "application/json",
  "x-signature": "0123456789abcdef".repeat(4),
  "x-timestamp": "1767268800",
  "x-event": "cashin.confirmed",
};
const pools = new Map<string, Pool>();

takeOrders<PostOrder>(({ url, count, atOnce }) => {
  const { origin, pathname } = new URL(url);
  const pool = pools.get(`${origin} ${atOnce}`) ?? new Pool(origin, { connections: atOnce, pipelining: 1 });
  pools.set(`${origin} ${atOnce}`, pool);
  let begun = 0;
  const poster = async () => {
    while (begun++ < count) {
      const answer = await pool.request({ path: pathname, method: "POST", headers, body });
      if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`);
      await answer.body.dump();
    }
  };
  return timed(count, () => Promise.all(Array.from({ length: atOnce }, poster)));
});

/** The yardstick *sqlite*: the four inserts in memory in a bare loop, as many as are ordered. */
import { takeOrders } from "../orders.ts";
import { timed } from "../timed.ts";
import { fourInserts } from "./four-inserts.ts";

const write = fourInserts(":memory:");
let written = 0;

takeOrders<{ count: number }>(({ count }) =>
  timed(count, async () => {
    for (let left = count; left > 0; left--) write({ externalId: `loop-${written++}`, amount: 1234 });
  }),
);

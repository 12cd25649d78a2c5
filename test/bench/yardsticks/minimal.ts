/**
 * The yardstick *minimal*: a stateful service of as little as can be. Hono, Zod for the body, four inserts a request in
 * one transaction. Its argument is the file of its database, ":memory:" for none.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import { answerOf } from "./answer.ts";
import { fourInserts } from "./four-inserts.ts";

const request = z.object({
  currency: z.string().max(16),
  amount: z.number().positive(),
  external_id: z.string().min(1).max(64),
});
const write = fourInserts(process.argv[2] ?? ":memory:");
const app = new Hono();
app.get("/_sandbox/health", (context) => context.json({ status: "ok" }));
app.post("/v2/transactions/cashin", async (context) => {
  const { amount, external_id } = request.parse(await context.req.json());
  const transaction_id = write({ externalId: external_id, amount: Math.round(amount * 100) });
  return context.json(answerOf({ transaction_id, external_id, amount: amount.toFixed(2) }));
});
const server = createServer(getRequestListener(app.fetch));
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`base URL http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

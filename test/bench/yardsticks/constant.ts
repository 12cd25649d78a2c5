/**
 * The yardstick *constant*: what there is to gain at most. The same Hono, served as the sandbox serves it; the body is
 * read as JSON, and the answer, of the size of a charge, is the same every time.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { answerOf } from "./answer.ts";

const answer = answerOf({
  transaction_id: "01a1fd974814000001e4c1e5dfaed75f",
  external_id: "order-1",
  amount: "12.34",
});
const app = new Hono();
app.post("/v2/*", async (context) => {
  await context.req.json();
  return context.json(answer);
});
app.get("/v2/*", (context) => context.json(answer));
const server = createServer(getRequestListener(app.fetch));
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`base URL http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

/**
 * What there is to gain at most: the same HTTP server and framework, the body read, and an answer of the same size that
 * is made of nothing.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";

const answer = JSON.stringify({ success: true, data: "x".repeat(600) });
const app = new Hono().post("/v2/transactions/cashin", async (context) => {
  await context.req.arrayBuffer();
  return context.body(answer, 200, { "Content-Type": "application/json" });
});
const server = createServer(getRequestListener(app.fetch));
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`base URL http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

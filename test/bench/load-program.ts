/**
 * Calls as fast as a server takes them, over 16 connections that are kept alive. Bare sockets: a client library costs
 * more than the answer of a fast server does, and would be what is measured.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Load, LoadOrder } from "./load.ts";
import { takeOrders } from "./orders.ts";
import { timed } from "./timed.ts";

const CONNECTIONS = 16;

/** Makes the next request, or says that there is none. */
type Next = () => Buffer | string | null;

takeOrders<LoadOrder>(async (order): Promise<Load> => {
  const { hostname, port } = new URL(order.url);
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname).setNoDelay(true));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const latencies: number[] = [];
  let requests: Next = () => null;
  const { seconds, cpuSeconds } = await timed(0, async () => {
    requests = requestsOf(order);
    await Promise.all(sockets.map((socket) => converse(socket, requests, latencies)));
  });
  for (const socket of sockets) socket.destroy();
  latencies.sort((left, right) => left - right);
  const p99Ms = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
  return { answered: latencies.length, seconds, p99Ms, busy: (cpuSeconds ?? Number.NaN) / seconds };
});

function requestsOf({ url, call, token, prefix, count, seconds }: LoadOrder): Next {
  const { host, pathname } = new URL(`${url}${call.path}`);
  const query = call.path.split("?")[1];
  const path = query === undefined ? pathname : `${pathname}?${query}`;
  const head = `${call.method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
  const endsAt = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
  const limit = count ?? Number.POSITIVE_INFINITY;
  let begun = 0;
  return () => {
    if (begun >= limit || performance.now() >= endsAt) return null;
    const number = begun++;
    if (call.body === undefined) return `${head}\r\n`;
    const body = call.body.replace("{id}", `${prefix}-${number}`).replace("{lane}", String(number % CONNECTIONS));
    return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
}

/** One connection: a request, its answer, the next request. @throws {Error} when an answer is not 200. */
function converse(socket: Socket, next: Next, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = "";
    let sentAt = 0;
    const send = () => {
      const request = next();
      if (request === null) return resolve();
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on("data", (chunk) => {
      received = received === "" ? chunk.toString("latin1") : received + chunk.toString("latin1");
      const length = lengthOf(received);
      if (length === null || received.length < length) return;
      if (!received.startsWith("HTTP/1.1 200 ")) return reject(new Error(`A call was answered ${received}.`));
      latencies.push(performance.now() - sentAt);
      received = "";
      send();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("The server closed a connection.")));
    send();
  });
}

/** Of a whole answer in bytes; null where its head is not there yet. */
function lengthOf(received: string): number | null {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const given = /\r\nContent-Length: (\d+)/i.exec(received)?.[1];
  if (given === undefined) throw new Error("An answer does not tell its length.");
  return end + 4 + Number(given);
}

/** What the client sends, and how often. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { patientFetch } from "../../src/client/patient-fetch.ts";

/** A server whose answers the test writes. */
async function startServer(answer: (response: ServerResponse, count: number) => void) {
  let count = 0;
  const server = createServer((_request, response) => answer(response, ++count));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count };
}

const get = (url: string) => patientFetch(url);
const post = (url: string) => patientFetch(url, { method: "POST", body: "{}" });

test("a call on a kept connection that is reset in the middle of its answer is not made a second time", async () => {
  let reset = () => {};
  const server = await startServer((response, count) => {
    if (count !== 2) return void response.end("whole");
    response.writeHead(200).write("the beginning");
    reset = () => response.socket?.resetAndDestroy();
  });
  expect(await (await get(server.url)).text()).toBe("whole");
  const half = await get(server.url);
  reset();
  await expect(half.text()).rejects.toThrow();
  expect(await (await get(server.url)).text()).toBe("whole");
  expect(server.count()).toBe(3);
});

test("a question on a kept connection that is reset before its answer begins is asked once more, on a fresh one", async () => {
  const server = await startServer((response, count) => {
    if (count === 2) response.socket?.resetAndDestroy();
    else response.end("whole");
  });
  expect(await (await get(server.url)).text()).toBe("whole");
  expect(await (await get(server.url)).text()).toBe("whole");
  expect(server.count()).toBe(3);
});

test("the fresh one is no other that was kept: that may be closed too", async () => {
  const asked: unknown[] = [];
  const first: ServerResponse[] = [];
  const server = await startServer((response, count) => {
    asked.push(response.socket);
    if (count > 3) response.end("whole");
    else if (count === 3) response.socket?.resetAndDestroy();
    else if (first.push(response) === 2) for (const each of first) each.end("whole");
  });
  for (const kept of await Promise.all([get(server.url), get(server.url)])) expect(await kept.text()).toBe("whole");
  expect(await (await get(server.url)).text()).toBe("whole");
  expect(asked).toHaveLength(4);
  expect(asked.slice(0, 3)).not.toContain(asked[3]);
});

test("an answer that is no HTTP is not asked for again: it has come", async () => {
  const server = await startServer((response, count) => {
    if (count === 2) response.socket?.end("This is no HTTP.\r\n\r\n");
    else response.end("whole");
  });
  expect(await (await get(server.url)).text()).toBe("whole");
  await expect(get(server.url)).rejects.toThrow("fetch failed");
  expect(server.count()).toBe(2);
});

test("a request that is to be sent once has a connection of its own, and is not asked again", async () => {
  const asked: unknown[] = [];
  const server = await startServer((response, count) => {
    asked.push(response.socket);
    if (count === 2) response.socket?.resetAndDestroy();
    else response.end("whole");
  });
  expect(await (await get(server.url)).text()).toBe("whole");
  await expect(patientFetch(server.url, { once: true })).rejects.toThrow("fetch failed");
  expect(asked).toHaveLength(2);
  expect(asked[1]).not.toBe(asked[0]);
});

test("what changes a world is not done a second time: nobody knows whether it was done", async () => {
  const server = await startServer((response, count) => {
    if (count === 2) response.socket?.resetAndDestroy();
    else response.end("whole");
  });
  expect(await (await post(server.url)).text()).toBe("whole");
  await expect(post(server.url)).rejects.toThrow("fetch failed");
  expect(server.count()).toBe(2);
});

test("it goes out on a connection that stands, though others were closed while this process was busy", async () => {
  const closed = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(
    `const { workerData, parentPort } = require("node:worker_threads");
    const server = require("node:http").createServer((_request, response) => response.end("whole"));
    server.on("connection", (socket) => socket.once("close", () => {
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    }));
    parentPort.once("message", () => server.closeIdleConnections());
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: closed },
  );
  onTestFinished(async () => void (await server.terminate()));
  const [port] = await once(server, "message");
  const url = `http://127.0.0.1:${port}`;
  expect(await (await post(url)).text()).toBe("whole");
  server.postMessage("close");
  expect(Atomics.wait(closed, 0, 0)).not.toBe("timed-out");
  expect(await (await post(url)).text()).toBe("whole");
});

test("whoever gives up is told their own reason, while it waits and from the start", async () => {
  const server = await startServer(() => {});
  const reason = new Error("enough");
  const waiting = new AbortController();
  const unanswered = patientFetch(server.url, { signal: waiting.signal });
  waiting.abort(reason);
  await expect(unanswered).rejects.toBe(reason);
  await expect(patientFetch(server.url, { signal: waiting.signal })).rejects.toBe(reason);
});

test.each([204, 205, 304])("an answer of %i has no body", async (status) => {
  const server = await startServer((response) => response.writeHead(status).end());
  const answer = await get(server.url);
  expect([answer.status, answer.body]).toEqual([status, null]);
});

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

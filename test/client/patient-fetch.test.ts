/** What the client sends, and how often. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
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

const post = (url: string) => patientFetch(url, { method: "POST", body: "{}" });

test("a call on a kept connection that is reset in the middle of its answer is not made a second time", async () => {
  let reset = () => {};
  const server = await startServer((response, count) => {
    if (count !== 2) return void response.end("whole");
    response.writeHead(200).write("the beginning");
    reset = () => response.socket?.resetAndDestroy();
  });
  expect(await (await post(server.url)).text()).toBe("whole");
  const half = await post(server.url);
  reset();
  await expect(half.text()).rejects.toThrow();
  expect(await (await post(server.url)).text()).toBe("whole");
  expect(server.count()).toBe(3);
});

test("a call on a kept connection that is reset before its answer begins is made once more, on a fresh one", async () => {
  const server = await startServer((response, count) => {
    if (count === 2) response.socket?.resetAndDestroy();
    else response.end("whole");
  });
  expect(await (await post(server.url)).text()).toBe("whole");
  expect(await (await post(server.url)).text()).toBe("whole");
  expect(server.count()).toBe(3);
});

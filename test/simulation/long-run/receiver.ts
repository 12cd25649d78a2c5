/** A receiver that fails now and then: 500, a connection that is cut off, and an outage that is begun and ended. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RandomNumbers } from "../load/random.ts";

export interface FailingReceiver {
  readonly url: string;
  /** Requests so far. */
  readonly count: number;
  isDown: boolean;
  close(): void;
}

/** How often an answer is a failure, and how often there is none. */
const FAILS = 0.03;
const CUTS = 0.005;

export async function startFailing(random: RandomNumbers): Promise<FailingReceiver> {
  let count = 0;
  const receiver = {
    isDown: false,
    get count() {
      return count;
    },
  };
  const server = createServer((request, response) => {
    count++;
    request.resume().once("end", () => {
      const draw = random();
      if (draw < CUTS) request.socket.destroy();
      else response.writeHead(receiver.isDown ? 503 : draw < CUTS + FAILS ? 500 : 200).end("ok");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return Object.defineProperties(receiver, { url: { value: url }, close: { value: close } }) as FailingReceiver;
}

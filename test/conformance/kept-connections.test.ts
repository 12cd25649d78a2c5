/** Receivers that close a connection that they had not said they would close: no webhook is lost on it. */
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { chargeOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { startRaw } from "../support/odd-receivers.ts";
import { useSandbox } from "../support/sandbox.ts";
import { allAtOnce } from "../support/scenarios.ts";

const file = useSandbox();
const CHARGES = 30;
const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

test.each<[string, (socket: Socket) => void]>([
  ["with the answer", (socket) => socket.end(ANSWER)],
  ["once it has left", (socket) => socket.write(ANSWER, () => socket.destroy())],
  ["with a reset", (socket) => socket.write(ANSWER, () => socket.resetAndDestroy())],
  ["a little later", (socket) => socket.write(ANSWER, () => setTimeout(() => socket.destroy(), 2))],
])("WH-17 a receiver that closes the connection %s gets each webhook at its first attempt", async (_when, answer) => {
  await using receiver = await startRaw((socket) => {
    socket.on("data", (bytes) => bytes.toString().endsWith("}") && answer(socket));
  });
  const world = await file.world({ postback_url: receiver.url, scenarios: [allAtOnce] });
  const merchant = await Merchant.of(world);
  for (let count = 0; count < CHARGES; count++) await chargeOf(merchant);
  await world.advance("1h");
  const kinds = (await world.journal()).map(({ kind }) => kind).filter((kind) => /^webhook\.(deliv|fail)/.test(kind));
  expect(kinds).toEqual(Array(CHARGES).fill("webhook.delivered"));
});

/** Receivers that speak http where https is registered, or the other way round: what the attempt says of it. */
import { describe, expect, test } from "vitest";
import { attemptError } from "../../src/network/attempt-errors.ts";
import { startRaw, startSelfSigned } from "../support/odd-receivers.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { failureOf } from "./webhooks-of-tests.ts";

const file = useSandbox();

describe("WH-15 a failed attempt says where the receiver is not what its URL says", () => {
  test("it speaks plain HTTP where https is expected: told so, with the URL to register", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url.replace("http:", "https:") });
    const advice = `speaks no TLS; if it answers plain http there, register ${receiver.url}.`;
    const error = { kind: "tls", message: `The receiver at ${new URL(receiver.url).host} ${advice}` };
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error });
    expect(receiver.received).toEqual([]);
    const [webhook] = await world.webhooks();
    const { summary, history } = await world.explain(webhook?.webhook_id ?? "");
    expect(summary).toContain(
      `: pending. It goes to ${receiver.url.replace("http:", "https:")}. The last attempt failed: ${error.message}`,
    );
    expect(history.at(-1)?.text).toMatch(/ failed: no trusted TLS connection came about \(tls\)\.$/);
  });

  test("WH-14 D63 nor is it told to register http where webhook_targets does not let it through", async () => {
    await using receiver = await startReceiver();
    const postback_url = receiver.url.replace("http:", "https:");
    const world = await file.world({ postback_url, settings: { webhook_targets: "strict" } });
    const error = { kind: "tls", message: `The receiver at ${new URL(receiver.url).host} speaks no TLS.` };
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error });
  });

  test("it speaks TLS where plain HTTP is expected: told so, with the URL to register", async () => {
    await using receiver = await startSelfSigned();
    const world = await file.world({ postback_url: receiver.url.replace("https:", "http:") });
    const advice = `before its answer was complete; if it speaks TLS there, register ${receiver.url}.`;
    const error = {
      kind: "connection_closed",
      message: `${new URL(receiver.url).host} closed the connection ${advice}`,
    };
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error });
  });

  test.each([
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok",
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\nok",
    "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nok",
    "HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nok",
  ])(
    "the connection closes within an answer: told so without a word of TLS, beside what had come: %j",
    async (answer) => {
      await using receiver = await startRaw((socket) => socket.once("data", () => socket.end(answer)));
      const world = await file.world({ postback_url: receiver.url });
      const message = `${new URL(receiver.url).host} closed the connection before its answer was complete.`;
      expect(await failureOf(world)).toMatchObject({
        outcome: "failed",
        response: { status: 200, body: "ok", truncated: true },
        error: { kind: "connection_closed", message },
      });
    },
  );

  test("it answers a plain request with an alert of TLS", async () => {
    const alert = Buffer.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46]);
    await using receiver = await startRaw((socket) => socket.once("data", () => socket.end(alert)));
    const world = await file.world({ postback_url: receiver.url });
    const advice = `speaks TLS; register ${receiver.url.replace("http:", "https:")}.`;
    const error = { kind: "not_http", message: `The receiver at ${new URL(receiver.url).host} ${advice}` };
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error });
  });
});

describe("WH-15 a failed attempt says that it did not get through to the receiver", () => {
  test.each(["EHOSTUNREACH", "ENETUNREACH"])("no way leads there: %s", (code) => {
    const error = Object.assign(new Error(`connect ${code} 10.0.0.9:3000 - Local (0.0.0.0:0)`), { code });
    const said = attemptError(error, { destination: "http://shop:3000/hook", targets: "local" });
    expect(said).toEqual({ kind: "network", message: "No way leads to shop:3000." });
  });

  test("it is to come from an address that this machine does not have", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    const rules = [{ delivery: "*", inject: { source: "198.51.100.7" } }];
    await world.call("PUT", "/faults", { rules });
    const message = "The source address 198.51.100.7 is not of this machine.";
    expect(await failureOf(world)).toMatchObject({ error: { kind: "source_not_available", message } });
    const [webhook] = await world.webhooks();
    const { history } = await world.explain(webhook?.webhook_id ?? "");
    const why = "it could not leave from its source address (source_not_available)";
    expect(history.at(-1)?.text).toBe(
      `Attempt 1 to deliver cashin.confirmed from the wrong address 198.51.100.7 failed: ${why}.`,
    );
  });
});

/** Receivers that are not what one would wish for: what becomes of the webhook, and of everybody else. */
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { chargeOf, externalIdsOf, makeCharge, paidWebhook, secondsOf, transactionOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { startRaw, startSelfSigned, unreachableUrl } from "../support/odd-receivers.ts";
import { startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { allAtOnce } from "../support/scenarios.ts";
import { failureOf } from "./webhooks-of-tests.ts";

const file = useSandbox();
/** For what cannot be shown without running into the time-out; everything else has the usual 10 s. */
const hasty = useSandbox({ webhookTimeoutMs: 200 });
/** Several deliveries at a time while the clock is advanced. */
const broad = useSandbox({ webhookConcurrency: 4 });

describe("a failed attempt", () => {
  test("WH-15 nobody listens", async () => {
    const url = await unreachableUrl();
    const world = await file.world({ postback_url: url });
    expect(await failureOf(world)).toMatchObject({
      outcome: "failed",
      response: null,
      error: { kind: "connection_refused", message: `Nothing listens at ${new URL(url).host}.` },
    });
    const advance = await world.advance("idle");
    expect(advance.webhooks).toEqual({ delivered: 0, failed: 1, pending: 0 });
    expect((await world.clock()).now).toBe("2026-01-01T12:12:36.000Z");
  });

  test("CONST-08 it does not answer within the time-out", async () => {
    await using receiver = await startReceiver(() => {});
    const world = await hasty.world({ postback_url: receiver.url });
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", response: null, error: { kind: "timeout" } });
    expect((await world.advance("1s")).webhooks).toEqual({ delivered: 0, failed: 0, pending: 1 });
    const [webhook] = await world.webhooks();
    const { attempts } = await world.webhook(webhook?.webhook_id ?? "");
    expect(attempts.map(({ error }) => error?.kind)).toEqual(["timeout", "timeout"]);
  });

  test("CONST-08 no connection comes about within the time-out: it has got nothing", async () => {
    await using receiver = await startRaw(() => {});
    // A greeting of TLS that nobody answers.
    const world = await hasty.world({ postback_url: receiver.url.replace("http:", "https:") });
    expect(await failureOf(world)).toMatchObject({ response: null, error: { kind: "connect_timeout" } });
  });

  test("CONST-08 its body never ends: the total time counts, not the status that came first", async () => {
    await using receiver = await startReceiver((_request, response) => {
      response.writeHead(200, { "X-Trace": "a" }).write("still writing");
    });
    const world = await hasty.world({ postback_url: receiver.url });
    expect(await failureOf(world)).toMatchObject({
      outcome: "failed",
      response: { status: 200, headers: { "x-trace": "a" }, body: "still writing", truncated: true },
      error: { kind: "timeout", message: "The answer did not come to its end in time." },
    });
    const failed = (await world.journal()).find(({ kind }) => kind === "webhook.failed");
    expect(failed?.data).toMatchObject({ attempt: 1, status: 200, error: "timeout" });
    const { history } = await world.explain(String(failed?.data.webhook_id));
    const words = "an answer of 200 began, but no whole answer came in time (timeout)";
    expect(history.at(-1)?.text).toBe(`Attempt 1 to deliver cashin.confirmed failed: ${words}.`);
    const { world: again, ...replayed } = await hasty.sandbox.replay(await world.export());
    expect(replayed).toMatchObject({ identical: true, difference: null });
    expect(await again.webhooks()).toMatchObject([
      { attempts: [{ response: { status: 200, body: "still writing" } }] },
    ]);
    await again.delete();
  });

  test("it hangs up without an answer", async () => {
    await using receiver = await startReceiver((_request, response) => {
      response.socket?.destroy();
    });
    const world = await file.world({ postback_url: receiver.url });
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error: { kind: "connection_closed" } });
  });

  test("it dies in the middle of its answer", async () => {
    await using receiver = await startReceiver((_request, response) => {
      response.writeHead(200, { "Content-Length": "100" }).write("ten bytes.", () => response.socket?.destroy());
    });
    const world = await file.world({ postback_url: receiver.url });
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error: { kind: "connection_closed" } });
    receiver.answerWith(200);
    expect((await world.advance("1s")).webhooks.delivered).toBe(1);
  });

  test("it does not speak HTTP", async () => {
    await using receiver = await startRaw((socket) =>
      socket.once("data", () => socket.end("220 mail.example ESMTP\r\n")),
    );
    const world = await file.world({ postback_url: receiver.url });
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error: { kind: "not_http" } });
  });

  test.each([
    ["a length that is no number", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nok"],
    ["two lengths that contradict each other", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok."],
    ["chunks that are none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nok\r\n"],
    ["chunks that are none, the last ones", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nok\r\n"],
    ["a header that is none", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"],
    ["a header that is none, after a length", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nno colon\r\n\r\n"],
    ["a status that is none", "HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n"],
  ])("it answers almost as HTTP would: %s", async (_what, answer) => {
    await using receiver = await startRaw((socket) => socket.once("data", () => socket.end(answer)));
    const world = await file.world({ postback_url: receiver.url });
    const message = expect.stringMatching(/^What 127\.0\.0\.1:\d+ answered is no HTTP: [^\n]+\.$/);
    const error = { kind: "not_http", message };
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error });
  });

  test("WH-15 its headers are many: a 2xx is one all the same", async () => {
    const answer = `HTTP/1.1 200 OK\r\nX-More: ${"x".repeat(100_000)}\r\nContent-Length: 0\r\n\r\n`;
    await using receiver = await startRaw((socket) => socket.once("data", () => socket.end(answer)));
    const world = await file.world({ postback_url: receiver.url });
    expect(await paidWebhook(world)).toMatchObject({ status: "delivered", attempts: [{ outcome: "delivered" }] });
  });

  test("its headers have no end: they are not read on", async () => {
    let written = 0;
    await using receiver = await startRaw((socket) => {
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n"));
      flood(socket, Buffer.from(`X-More: ${"x".repeat(1_000)}\r\n`), (bytes) => {
        written += bytes;
      });
    });
    const world = await file.world({ postback_url: receiver.url });
    const message = `The headers of the answer of ${new URL(receiver.url).host} are too large.`;
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error: { kind: "headers_too_large", message } });
    expect(written).toBeLessThan(FLOOD_BYTES / 4);
  });

  test("CONST-08 it announces an answer for ever and never gives it", async () => {
    const hint = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n";
    await using receiver = await startRaw((socket) => {
      const announce = () => {
        if (socket.writable) socket.write(hint, () => setImmediate(announce));
      };
      socket.once("data", announce);
    });
    const world = await hasty.world({ postback_url: receiver.url });
    expect(await failureOf(world)).toMatchObject({ outcome: "failed", error: { kind: "timeout" } });
  });

  test.each([
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
    [
      "101 Switching Protocols",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ],
  ])(
    "it sends %s, which nothing had asked for: told so, and not that it closed the connection",
    async (status, sent) => {
      await using receiver = await startRaw((socket) => socket.once("data", () => socket.write(sent)));
      const world = await file.world({ postback_url: receiver.url });
      const attempt = await failureOf(world);
      const { host } = new URL(receiver.url);
      const message = `${host} sent ${status}, which nothing had asked for; it must begin with the status of its answer.`;
      expect(attempt).toMatchObject({
        outcome: "failed",
        response: null,
        error: { kind: "connection_closed", message },
      });
    },
  );

  test("the journal tells what went wrong without a word of the machine", async () => {
    const url = await unreachableUrl();
    const world = await file.world({ postback_url: url });
    await paidWebhook(world);
    const failed = (await world.journal()).find(({ kind }) => kind === "webhook.failed");
    expect(failed?.data).toMatchObject({ attempt: 1, status: null, error: "connection_refused" });
    expect(JSON.stringify(await world.journal())).not.toContain(new URL(url).host);
  });
});

describe("WH-14 D63 a self-signed certificate", () => {
  test("gets no request, on a private host neither; every attempt is recorded as failed", async () => {
    await using receiver = await startSelfSigned();
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("idle");
    const webhook = await world.webhook(webhook_id);
    expect(webhook.status).toBe("exhausted");
    const message = `The certificate of ${new URL(receiver.url).host} is self-signed.`;
    expect(webhook.attempts.map(({ error }) => error)).toEqual(Array(6).fill({ kind: "tls", message }));
    expect(receiver.requests).toBe(0);
  });

  test("is let through with webhook_targets: any", async () => {
    await using receiver = await startSelfSigned();
    const world = await file.world({ postback_url: receiver.url, settings: { webhook_targets: "any" } });
    expect((await paidWebhook(world)).status).toBe("delivered");
    expect(receiver.requests).toBe(1);
  });
});

describe("what a receiver answers", () => {
  test("of a body of 1 MB the first 64 KiB are kept, and the attempt counts", async () => {
    await using receiver = await startReceiver((_request, response) => {
      response.writeHead(200).end(`begin${"x".repeat(1_000_000)}`);
    });
    const world = await file.world({ postback_url: receiver.url });
    const { status, attempts } = await paidWebhook(world);
    expect(status).toBe("delivered");
    expect(attempts[0]?.response).toMatchObject({ status: 200, truncated: true });
    expect(attempts[0]?.response?.body).toHaveLength(65_536);
    expect(attempts[0]?.response?.body).toMatch(/^begin/);
  });

  test("of a refusal of 1 MB too, and the next attempt is made", async () => {
    await using receiver = await startReceiver((_request, response) => {
      response.writeHead(500).end("x".repeat(1_000_000));
    }, 200);
    const world = await file.world({ postback_url: receiver.url });
    const { attempts } = await paidWebhook(world);
    expect(attempts[0]?.response).toMatchObject({ status: 500, truncated: true });
    expect((await world.advance("1s")).webhooks.delivered).toBe(1);
  });

  test.each([200, 500])("of hundreds of megabytes after a %i no more is taken than that", async (status) => {
    let written = 0;
    await using receiver = await startRaw((socket) => {
      socket.once("data", () => socket.write(`HTTP/1.1 ${status} Answer\r\nContent-Length: ${FLOOD_BYTES}\r\n\r\n`));
      flood(socket, Buffer.alloc(65_536, "x"), (bytes) => {
        written += bytes;
      });
    });
    const world = await file.world({ postback_url: receiver.url });
    const { status: outcome, attempts } = await paidWebhook(world);
    expect(outcome).toBe(status === 200 ? "delivered" : "pending");
    expect(attempts[0]?.response).toMatchObject({ status, truncated: true });
    expect(attempts[0]?.response?.body).toHaveLength(65_536);
    expect(written).toBeLessThan(FLOOD_BYTES / 4);
  });

  test("a body of exactly 64 KiB is whole", async () => {
    await using receiver = await startReceiver((_request, response) => {
      response.writeHead(200).end("x".repeat(65_536));
    });
    const world = await file.world({ postback_url: receiver.url });
    const { attempts } = await paidWebhook(world);
    expect(attempts[0]?.response?.truncated).toBe(false);
    expect(attempts[0]?.response?.body).toHaveLength(65_536);
  });

  test("bytes that are no text, headers that come twice", async () => {
    await using receiver = await startReceiver((_request, response) => {
      response.writeHead(200, { "X-Trace": ["a=1", "b=2"] }).end(Buffer.from([0xff, 0x00, 0xfe]));
    });
    const world = await file.world({ postback_url: receiver.url });
    const { status, attempts } = await paidWebhook(world);
    expect(status).toBe("delivered");
    expect(attempts[0]?.response?.headers).toMatchObject({ "x-trace": ["a=1", "b=2"] });
  });

  test("what it announces before its answer is passed over", async () => {
    const answer =
      "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 Done\r\n\r\n";
    await using receiver = await startRaw((socket) => socket.once("data", () => socket.end(answer)));
    const world = await file.world({ postback_url: receiver.url });
    const { status, attempts } = await paidWebhook(world);
    expect([status, attempts[0]?.response?.status]).toEqual(["delivered", 204]);
  });

  test("an answer before it has read the request counts", async () => {
    const answer = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
    await using receiver = await startRaw((socket) => socket.once("data", () => socket.end(answer)));
    const world = await file.world({ postback_url: receiver.url });
    expect((await paidWebhook(world)).status).toBe("delivered");
  });
});

describe("a receiver that calls back into the sandbox", () => {
  test("reads its balance and makes a charge while time is advanced, at the instant reached", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const merchant = await Merchant.of(world);
    const made: string[] = [];
    await using receiver = await startReceiver(async (request, response) => {
      expect((await merchant.balance("BRL")).balance).toBe(request.body.data.new_balance);
      if (made.length < 3) made.push(await chargeOf(merchant, { external_id: `follow-up-${made.length}` }));
      response.writeHead(200).end();
    });
    await world.setPostbackUrl("acme", receiver.url);
    await chargeOf(merchant, { external_id: "order-1" });
    const advance = await world.advance("1m");
    expect(externalIdsOf(receiver)).toEqual(["order-1", "follow-up-0", "follow-up-1", "follow-up-2"]);
    expect(secondsOf(receiver)).toEqual([5, 10, 15, 20]);
    expect(advance).toMatchObject({ reached: true, webhooks: { delivered: 4, failed: 0, pending: 0 } });
  });

  test("steers the sandbox while time is advanced: what it does is done when it is answered", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const seen: unknown[] = [];
    await using receiver = await startReceiver(async ({ body }, response) => {
      if (body.event === "cashin.confirmed") {
        await world.act(body.transaction_id, "refund");
        seen.push((await transactionOf(world, body.transaction_id)).status, (await world.clock()).now);
      }
      response.writeHead(200).end();
    });
    await world.setPostbackUrl("acme", receiver.url);
    await makeCharge(world);
    const advance = await world.advance("5s");
    expect(seen).toEqual(["refunded", "2026-01-01T12:00:05.000Z"]);
    expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.confirmed", "cashin.refunded"]);
    expect(advance.webhooks).toEqual({ delivered: 2, failed: 0, pending: 0 });
  });

  test("steers the sandbox while a control action waits for its delivery", async () => {
    const world = await file.world();
    await using receiver = await startReceiver(async ({ body }, response) => {
      if (body.event === "cashin.confirmed") await world.act(body.transaction_id, "refund");
      response.writeHead(200).end();
    });
    await world.setPostbackUrl("acme", receiver.url);
    const id = await makeCharge(world);
    await world.act(id, "pay");
    await world.settle();
    expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.confirmed", "cashin.refunded"]);
    expect((await transactionOf(world, id)).status).toBe("refunded");
  });

  test("re-delivers to itself", async () => {
    const world = await file.world();
    await using receiver = await startReceiver(async ({ headers }, response, index) => {
      if (index === 0) await world.redeliver(headers["x-webhook-id"] ?? "");
      response.writeHead(200).end();
    });
    await world.setPostbackUrl("acme", receiver.url);
    expect((await paidWebhook(world)).status).toBe("delivered");
    expect(receiver.received).toHaveLength(2);
  });

  test("re-delivers to itself while time is advanced: the advance counts webhooks, not how often each was taken", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    await using receiver = await startReceiver(async ({ headers }, response, index) => {
      if (index === 0) await world.redeliver(headers["x-webhook-id"] ?? "");
      response.writeHead(200).end();
    });
    await world.setPostbackUrl("acme", receiver.url);
    await makeCharge(world);
    expect((await world.advance("5s")).webhooks).toEqual({ delivered: 1, failed: 0, pending: 0 });
    expect(receiver.received).toHaveLength(2);
  });
});

describe("who waits for whom", () => {
  test("a receiver of one world that does not answer keeps no other world waiting", async () => {
    await using stuck = await startHeld();
    await using prompt = await startReceiver();
    const [slow, quick] = [
      await file.world({ postback_url: stuck.url, scenarios: ["happy-path"] }),
      await file.world({ postback_url: prompt.url, scenarios: ["happy-path"] }),
    ];
    await makeCharge(slow);
    await makeCharge(quick);
    let slowIsDone = false;
    const waiting = slow.advance("1h").then((advance) => {
      slowIsDone = true;
      return advance;
    });
    await stuck.arrived(1);

    expect((await quick.advance("1h")).webhooks.delivered).toBe(1);
    expect((await quick.clock()).now).toBe("2026-01-01T13:00:00.000Z");
    expect(slowIsDone).toBe(false);
    expect((await slow.clock()).now).toBe("2026-01-01T12:00:05.000Z");
    stuck.release();
    expect(await waiting).toMatchObject({ to: "2026-01-01T13:00:00.000Z", webhooks: { delivered: 1 } });
  });

  test("while time flows, a destination that does not answer keeps no other one waiting, and its own only", async () => {
    await using stuck = await startHeld();
    await using prompt = await startReceiver();
    const world = await file.world();
    await world.call("POST", "/clock", { mode: "running" });
    const pay = async (postback_url: string) => world.act(await makeCharge(world, { postback_url }), "pay");
    const paying = [pay(stuck.url)];
    await stuck.arrived(1);
    paying.push(pay(stuck.url));
    for (let count = 0; count < 3; count++) paying.push(pay(prompt.url));
    await prompt.arrived(3);
    expect(stuck.received).toHaveLength(1);
    stuck.release();
    await Promise.all(paying);
    await world.settle();
    expect([stuck.received.length, prompt.received.length]).toEqual([2, 3]);
  });

  test("with several at a time, a destination that does not answer keeps no other one waiting; each keeps its order", async () => {
    await using stuck = await startHeld();
    await using prompt = await startReceiver();
    const world = await broad.world({ scenarios: [allAtOnce] });
    const merchant = await Merchant.of(world);
    const names = ["a", "b", "c", "d", "e"];
    for (const external_id of names) await chargeOf(merchant, { external_id, postback_url: stuck.url });
    for (const name of names) await chargeOf(merchant, { external_id: `${name}2`, postback_url: prompt.url });
    const waiting = world.advance("1h");
    await prompt.arrived(5);
    expect(stuck.received).toHaveLength(1);
    stuck.release();
    expect((await waiting).webhooks).toEqual({ delivered: 10, failed: 0, pending: 0 });
    expect(externalIdsOf(stuck)).toEqual(names);
    expect(externalIdsOf(prompt)).toEqual(names.map((name) => `${name}2`));
  });

  test("with several at a time the same comes of it as with one, entry by entry", async () => {
    const journals: string[] = [];
    for (const sandbox of [file, broad]) {
      await using receiver = await startReceiver(500, 200);
      await using other = await startReceiver();
      const world = await sandbox.world({ id: "alike", scenarios: [allAtOnce], postback_url: receiver.url });
      const merchant = await Merchant.of(world);
      for (let count = 0; count < 5; count++) await chargeOf(merchant);
      await world.advance("1h");
      expect([receiver.received.length, other.received.length]).toEqual([6, 0]);
      journals.push(JSON.stringify(await world.journal()));
    }
    expect(journals[1]).toBe(journals[0]);
  });

  test("with several at a time max_timers is kept to, in a queue before one destination too", async () => {
    await using receiver = await startReceiver();
    const world = await broad.world({ scenarios: [allAtOnce], postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 5; count++) await chargeOf(merchant);
    const advance = await world.advance({ by: "1h", max_timers: 7 });
    expect(advance).toMatchObject({ reached: false, timers: 7 });
    await world.advance("1h");
    expect(receiver.received).toHaveLength(5);
  });

  test("with several at a time an advance counts none that was re-delivered while it waited its turn", async () => {
    const world = await broad.world({ scenarios: [allAtOnce] });
    await using receiver = await startReceiver(async (_request, response, index) => {
      const waiting = index === 0 ? (await world.webhooks()).find(({ attempts }) => attempts.length === 0) : undefined;
      if (waiting) await world.redeliver(waiting.webhook_id);
      response.end();
    });
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 2; count++) await chargeOf(merchant, { postback_url: receiver.url });
    // Two payments, and one of their webhooks.
    expect(await world.advance("10m")).toMatchObject({ timers: 3, webhooks: { delivered: 2 } });
    expect(receiver.received).toHaveLength(2);
  });

  test("a webhook that was re-delivered while it waited its turn is not sent again", async () => {
    const answer = Promise.withResolvers<void>();
    await using receiver = await startReceiver(async (_request, response, index) => {
      if (index === 0) await answer.promise;
      response.writeHead(200).end();
    });
    const world = await file.world({ postback_url: receiver.url });
    const [first, second] = [await makeCharge(world), await makeCharge(world)];
    await world.call("POST", "/clock", { mode: "running" });
    const paying = world.act(first, "pay");
    await receiver.arrived(1);
    await world.act(second, "pay");
    const [waiting] = await world.webhooks({ transaction_id: second });
    expect(waiting?.status).toBe("pending");
    await world.redeliver(waiting?.webhook_id ?? "");
    answer.resolve();
    await paying;
    await world.advance("1d");
    expect(receiver.received.map(({ body }) => body.transaction_id)).toEqual([first, second]);
  });
});

const FLOOD_BYTES = 300_000_000;

/** Writes all of it, as fast as it is taken, once something was written; tells of each piece that was taken. */
function flood(socket: Socket, piece: Buffer, onTaken: (bytes: number) => void): void {
  let left = FLOOD_BYTES;
  const write = () => {
    if (left <= 0 || socket.destroyed) return;
    left -= piece.length;
    socket.write(piece, (error) => {
      if (error) return;
      onTaken(piece.length);
      write();
    });
  };
  socket.once("data", write);
}

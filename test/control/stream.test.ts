/** The journal live: server-sent events, resumable by `Last-Event-ID`. */
import { once } from "node:events";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DEFAULT_WORLD } from "../../src/host/sandbox.ts";
import { streamJournal } from "../../src/http/journal-stream.ts";
import { laterTurn } from "../../src/runtime.ts";
import { startBareServer } from "../support/bare-server.ts";
import { makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { openStream } from "../support/event-stream.ts";
import { testFolder } from "../support/folder.ts";
import { startHeld } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { openSocket, untilClosed } from "../support/socket.ts";

const file = useSandbox();

describe("the journal as a stream", () => {
  test("sends what happens from now on, as it is committed", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    await using stream = await openStream(world);
    expect([stream.status, stream.contentType]).toEqual([200, expect.stringContaining("text/event-stream")]);
    await world.act(id, "pay");
    const events = await stream.take(3);
    const journal = await world.journal();
    expect(events.map(({ data }) => data)).toEqual(journal.slice(-3));
    expect(events.map(({ event }) => event)).toEqual(["control", "transition", "webhook.created"]);
    expect(events.map(({ id: sequence }) => Number(sequence))).toEqual(
      journal.slice(-3).map(({ sequence }) => sequence),
    );
  });

  test("resumes after Last-Event-ID: nothing is lost, nothing comes twice", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    await using first = await openStream(world);
    await makeCharge(world);
    const seen = await first.take(2);
    await first[Symbol.asyncDispose]();
    await world.advance("1h");
    await using second = await openStream(world, "/journal/stream", { "Last-Event-ID": seen.at(-1)?.id ?? "" });
    const journal = await world.journal();
    const missed = journal.filter(({ sequence }) => sequence > Number(seen.at(-1)?.id));
    expect((await second.take(missed.length)).map(({ data }) => data)).toEqual(missed);
    await world.advance("1s");
    expect((await second.take(1))[0]?.data).toMatchObject({ kind: "control", data: { input: { by: "1s" } } });
  });

  test.each([
    ["Last-Event-ID", "/journal/stream", { "Last-Event-ID": "0" }],
    ["?after", "/journal/stream?after=0", {}],
  ])("begins at the beginning with %s of 0, however long the journal is", async (_what, path, headers) => {
    const world = await file.world();
    for (let count = 0; count < 600; count++) await world.call("POST", "/clock", {});
    const journal = await world.journal();
    expect(journal.length).toBeGreaterThan(600);
    await using stream = await openStream(world, path, headers);
    expect((await stream.take(journal.length)).map(({ data }) => data)).toEqual(journal);
  });

  test("reads large entries one by one, however many there are", async () => {
    const server = await startBareServer({ onFault: () => {} });
    const world = server.sandbox.get(DEFAULT_WORLD)?.world;
    if (!world) throw new Error("There is no default world.");
    const text = "x".repeat(1024 * 1024);
    const before = world.journal.last().sequence;
    for (let count = 0; count < 12; count++) world.operate((operation) => operation.record("large", null, { text }));
    const reads = vi.spyOn(world.journal, "after");
    await using stream = await openStream(server, `/journal/stream?after=${before}`);
    const events = await stream.take(12);
    expect(events.map(({ data }) => data.data.text === text)).toEqual(Array(12).fill(true));
    const counts = reads.mock.results.map(({ value }) => value.length);
    expect(Math.max(...counts)).toBe(1);
    await server.stop();
  });

  test("reads entries only when its listener has room for them", async () => {
    const server = await startBareServer({ onFault: () => {} });
    const live = server.sandbox.get(DEFAULT_WORLD);
    if (!live) throw new Error("There is no default world.");
    const text = "x".repeat(1024 * 1024);
    for (let count = 0; count < 4; count++)
      live.world.operate((operation) => operation.record("large", null, { text }));
    const reads = vi.spyOn(live.world.journal, "after");
    const app = new Hono().get("/stream", (context) => streamJournal(context, live, 1_000));
    const { body } = await app.request("/stream?after=0");
    await laterTurn(10);
    expect(reads).not.toHaveBeenCalled();
    await body?.getReader().read();
    await laterTurn(10);
    expect(reads).toHaveBeenCalledOnce();
    await server.stop();
  });

  test("is no longer kept in mind when its listener has gone", async () => {
    const server = await startBareServer({ onFault: () => {} });
    const { commitListeners } = server.sandbox.get(DEFAULT_WORLD)?.world ?? {};
    const stream = await openStream(server);
    expect(commitListeners?.size).toBe(1);
    await stream[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(commitListeners?.size).toBe(0));
    await server.stop();
  });

  test("is none where only its head is asked for", async () => {
    const server = await startBareServer({ onFault: () => {} });
    const { commitListeners } = server.sandbox.get(DEFAULT_WORLD)?.world ?? {};
    const { status, headers } = await fetch(`${server.baseUrl}/_sandbox/journal/stream`, { method: "HEAD" });
    expect([status, headers.get("content-type"), commitListeners?.size]).toEqual([200, "text/event-stream", 0]);
    await server.stop();
  });

  test("answers HTTP/1.0 without chunks, which it does not know, and ends with the connection", async () => {
    const world = await file.world();
    const socket = await openSocket(world.baseUrl);
    const answer = untilClosed(socket);
    const { pathname } = new URL(world.baseUrl);
    socket.write(`GET ${pathname}/_sandbox/journal/stream?after=0 HTTP/1.0\r\nHost: localhost\r\n\r\n`);
    await once(socket, "data");
    await world.delete();
    const [head = "", ...body] = (await answer).split("\r\n\r\n");
    expect(head).toMatch(/\r\nConnection: close$/m);
    expect(head).not.toMatch(/Transfer-Encoding/i);
    expect(body).toEqual([expect.stringMatching(/^event: world\.created\n.*\n: over\n\n$/s)]);
  });

  test("gives others their turn between the pages of a long journal, however fast it is taken", async () => {
    const server = await startBareServer({ onFault: () => {} });
    const world = server.sandbox.get(DEFAULT_WORLD)?.world;
    if (!world) throw new Error("There is no default world.");
    world.operate((operation) => {
      for (let count = 0; count < 5_000; count++) operation.record("small", null, {});
    });
    let turn = 0;
    let counting = setImmediate(function count() {
      turn++;
      counting = setImmediate(count);
    });
    const turns: number[] = [];
    const { after } = world.journal;
    vi.spyOn(world.journal, "after").mockImplementation((...place) => {
      turns.push(turn);
      return after.apply(world.journal, place);
    });
    await using stream = await openStream(server, "/journal/stream?after=0");
    await stream.take(5_000);
    clearImmediate(counting);
    expect(turns.length).toBeGreaterThanOrEqual(10);
    expect(new Set(turns).size).toBe(turns.length);
    await server.stop();
  });

  test.each(["reset", "restore"] as const)(
    "after a %s an id beyond the journal begins at its beginning",
    async (back) => {
      const world = await file.world();
      await world.takeSnapshot("before");
      await using first = await openStream(world, "/journal/stream?after=0");
      for (let count = 0; count < 4; count++) await makeCharge(world);
      const seen = await first.take((await world.journal()).length);
      await (back === "reset" ? world.reset() : world.restore("before"));
      expect(await first.rest()).toEqual([]);
      await using second = await openStream(world, "/journal/stream", { "Last-Event-ID": seen.at(-1)?.id ?? "" });
      await makeCharge(world);
      const journal = await world.journal();
      expect(journal.length).toBeLessThan(seen.length);
      expect((await second.take(journal.length)).map(({ data }) => data)).toEqual(journal);
    },
  );

  test.each([
    ["/journal/stream", { "Last-Event-ID": "yesterday" }, "Last-Event-ID must be the sequence of a journal entry"],
    ["/journal/stream", { "Last-Event-ID": "-1" }, "Last-Event-ID must be the sequence of a journal entry"],
    ["/journal/stream?after=abc", {}, "after must be the sequence of a journal entry"],
    ["/journal/stream?foo=1", {}, 'unknown field "foo"; known is after.'],
  ])("%s with %j is refused: %s", async (path, headers, message) => {
    const { status, body } = await control(await file.world(), "GET", path, undefined, headers);
    expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(body.error.message).toContain(message);
  });

  test("shows an advance while it goes on", async () => {
    await using receiver = await startHeld();
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    await using stream = await openStream(world);
    const advance = world.advance("5s");
    const begun = await stream.take(4);
    expect(begun.map(({ event }) => event)).toEqual(["control", "step", "transition", "webhook.created"]);
    receiver.release();
    await advance;
    expect((await stream.take(1))[0]?.event).toBe("webhook.delivered");
  });

  test("several listen at once, each world to its own", async () => {
    const [world, other] = [await file.world(), await file.world()];
    await using one = await openStream(world);
    await using two = await openStream(world);
    await using elsewhere = await openStream(other);
    await world.advance("1s");
    await other.advance("2s");
    for (const [stream, by] of [
      [one, "1s"],
      [two, "1s"],
      [elsewhere, "2s"],
    ] as const) {
      expect((await stream.take(1))[0]?.data.data.input).toEqual({ by });
    }
  });

  test.each(["delete", "reset"] as const)("ends with its world: %s", async (end) => {
    const world = await file.world();
    await using stream = await openStream(world);
    await world.advance("1s");
    await world[end]();
    expect((await stream.rest()).map(({ event }) => event)).toEqual(["control"]);
  });

  test("shows nothing that is not kept: another entry takes its sequence", async () => {
    const faults: unknown[] = [];
    const server = await startBareServer({ dataFolder: testFolder({}), onFault: (error) => faults.push(error) });
    await using stream = await openStream(server);
    const world = server.sandbox.get(DEFAULT_WORLD)?.world;
    if (!world) throw new Error("There is no default world.");
    world.operate((operation) => operation.record("kept", null, {}));
    const { kept } = world.operateTogether((operation) => operation.record("lost", null, {}));
    vi.spyOn(world.random, "keep").mockImplementationOnce(() => {
      throw new Error("cannot be kept");
    });
    await expect(kept).rejects.toThrow("cannot be kept");
    world.operate((operation) => operation.record("next", null, {}));
    expect((await stream.take(2)).map(({ event }) => event)).toEqual(["kept", "next"]);
    await server.stop();
    expect(faults).toEqual([new Error("cannot be kept")]);
  });
});

test("a stream on which nothing comes shows that it stands, and one whose history is over says so", async () => {
  const server = await startBareServer({ onFault: () => {}, forTests: { pulseMs: 5 } });
  onTestFinished(() => server.stop());
  const response = await fetch(`${server.baseUrl}/_sandbox/journal/stream`);
  const last = server.sandbox.get(DEFAULT_WORLD)?.world.journal.last().sequence;
  expect(response.headers.get("X-Sandbox-After")).toBe(String(last));
  const decoder = new TextDecoder();
  let text = "";
  let hasEnded = false;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk);
    if (hasEnded || !text.includes(":\n\n:\n\n")) continue;
    hasEnded = true;
    await fetch(`${server.baseUrl}/_sandbox/reset`, { method: "POST" });
  }
  expect(text.replaceAll(":\n\n", "")).toBe(": over\n\n");
});

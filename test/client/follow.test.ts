/** What happens in a world is followed through all its histories, until it goes away. */
import { once } from "node:events";
import { createServer, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { patientFetch } from "../../src/client/patient-fetch.ts";
import { IS_OVER } from "../../src/domain/journal-stream.ts";
import { ControlCallError, connectSandbox, type JournalEntryInfo, SandboxClient } from "../../src/index.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

test("a reset or a restore begins a new history, told from its first entry", async () => {
  const world = await file.world();
  await world.takeSnapshot("empty");
  const length = (await world.journal()).length;
  let histories = 0;
  const following = world.follow(length, { onNewHistory: () => histories++ });
  const next = async () => (await following.next()).value as JournalEntryInfo;
  await world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL", amount: 1 });
  expect((await next()).sequence).toBe(length + 1);
  for (const begin of [() => world.reset(), () => world.restore("empty")]) {
    let entry = next();
    await begin();
    while ((await entry).sequence !== 1) entry = next();
    expect(await entry).toMatchObject({ kind: "world.created" });
  }
  expect(histories).toBe(2);
  await world.delete();
  let last = await following.next();
  while (!last.done) last = await following.next();
});

test("an entry is told whatever signs its texts have, those that end a line elsewhere too", async () => {
  const world = await file.world();
  const following = world.follow((await world.journal()).length);
  const transfer = { username: "globex", currency: "BRL", amount: 1, description: "one\u2028two\u2029three" };
  const [next] = await Promise.all([
    following.next(),
    world.merchant().call("POST /v2/internal_transfers/payment", transfer),
  ]);
  const told = [next.value as JournalEntryInfo];
  while (told.at(-1)?.kind !== "webhook.created") told.push((await following.next()).value as JournalEntryInfo);
  expect(JSON.stringify(told.at(-1)?.data)).toContain(transfer.description);
  await following.return(undefined);
});

test("a signal ends it while it waits, with the signal's reason", async () => {
  const world = await file.world();
  const abort = new AbortController();
  const following = world.follow((await world.journal()).length, { signal: abort.signal });
  await world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL", amount: 1 });
  await following.next();
  const seen: unknown[] = [];
  const drained = (async () => {
    for await (const entry of following) seen.push(entry);
  })();
  const reason = new Error("seen enough");
  abort.abort(reason);
  await expect(drained).rejects.toBe(reason);
  const ended = new AbortController();
  const all: unknown[] = [];
  const few = (async () => {
    for await (const entry of world.follow(0, { signal: ended.signal })) {
      all.push(entry);
      ended.abort(reason);
    }
  })();
  await expect(few).rejects.toBe(reason);
  expect(all).toHaveLength(1);
  await expect(world.follow(0, { signal: abort.signal }).next()).rejects.toBe(reason);
});

test("a stream that a proxy ends in good order is taken up where it was, and is no new history", async () => {
  const world = await file.world();
  const streams: ServerResponse[] = [];
  const proxy = createServer((request, response) => {
    const passed = httpRequest(`${file.sandbox.baseUrl}${request.url}`, { headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
      if (request.url?.includes("/stream")) streams.push(response);
    });
    passed.on("error", () => response.destroy());
    passed.end();
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const beyond = await (await connectSandbox(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)).world(
    world.id,
  );
  let histories = 0;
  const following = beyond.follow(undefined, { onNewHistory: () => histories++ });
  const stands = async (count: number) => {
    while (streams.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  const first = following.next();
  await stands(1);
  streams[0]?.end();
  await world.call("POST", "/clock", {});
  await stands(2);
  const { sequence } = (await first).value as JournalEntryInfo;
  await world.call("POST", "/clock", {});
  expect((await following.next()).value).toMatchObject({ sequence: sequence + 1 });
  expect([sequence, histories]).toEqual([(await world.journal()).length - 1, 0]);

  // A reset that nobody told of, as the stream had ended before it.
  const begun = following.next();
  streams[1]?.end();
  await new Promise<void>((resolve) => streams[1]?.once("close", () => resolve()));
  await world.reset();
  expect([((await begun).value as JournalEntryInfo).sequence, histories]).toEqual([1, 1]);
});

test("a new history that is refused does not pass for the end of the world", async () => {
  const { id } = await file.world();
  let streams = 0;
  const fetch: typeof patientFetch = async (url, init) => {
    if (!url.includes("/journal/stream")) return patientFetch(url, init);
    if (++streams === 1) return new Response(`${IS_OVER}\n\n`);
    return Response.json({ error: { code: "STORE_FULL", message: "The disk is full." } }, { status: 503 });
  };
  const world = await new SandboxClient({ baseUrl: file.sandbox.baseUrl, fetch }, async () => {}).world(id);
  await expect(world.follow().next()).rejects.toThrow(ControlCallError);
});

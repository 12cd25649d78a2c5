/** That the fuzzer sees what it is there for: sandboxes with one planted fault each, and each is found. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { Call } from "./calls.ts";
import { campaign } from "./campaign.ts";
import { type Spoil, type SpoiledStage, setSpoiledStage } from "./double.ts";
import { exchange } from "./exchange.ts";
import { nodeOf } from "./json-nodes.ts";
import { noCounts, play } from "./play.ts";

let stage: SpoiledStage;
beforeAll(async () => {
  stage = await setSpoiledStage();
});
afterEach(() => stage.spoilWith((answer) => answer));
afterAll(() => stage[Symbol.asyncDispose]());

/** A call with nothing odd about it. */
function plainCall(method: string, path: string, body?: object): Call {
  const operation = stage.operations.find((one) => one.method === method && one.path === path);
  if (!operation) throw new Error(`There is no operation ${method} ${path}.`);
  const node = body === undefined ? null : { media: "application/json", node: nodeOf(body) };
  return {
    operation,
    ids: ["~{transaction:0}~"],
    query: [],
    body: node,
    spoilings: [],
    bodyOddities: [],
    oddities: [],
    atRoot: false,
  };
}

/** Spoils the JSON of the answers of a path. */
const changing =
  (path: string, change: (body: Record<string, unknown>) => unknown): Spoil =>
  async (answer, given) =>
    given.endsWith(path)
      ? new Response(JSON.stringify(change((await answer.json()) as Record<string, unknown>)), answer)
      : answer;

/** Takes a header from the answers of a path. */
const without =
  (path: string, name: string): Spoil =>
  (answer, given) => {
    if (!given.endsWith(path)) return answer;
    const headers = new Headers(answer.headers);
    headers.delete(name);
    return new Response(answer.body, { status: answer.status, headers });
  };

const cashin = ["POST", "/v2/transactions/cashin", { currency: "BRL", amount: "10.00" }] as const;
const balance = ["GET", "/v2/account/balance"] as const;
const clock = ["GET", "/_sandbox/clock"] as const;

const planted: readonly [what: string, call: readonly [string, string, object?], spoil: Spoil, found: string][] = [
  [
    "a 500",
    balance,
    (_answer, path) => (path.endsWith("/balance") ? new Response("{}", { status: 500 }) : _answer),
    "500, and no fault rule",
  ],
  [
    "a number for a text",
    cashin,
    changing("/cashin", (body) => ({ ...body, timestamp: 1 })),
    "body/timestamp must be string",
  ],
  [
    "a field that no document has",
    balance,
    changing("/balance", (body) => ({ ...body, more: true })),
    "must NOT have additional properties",
  ],
  [
    "another request id",
    balance,
    changing("/balance", (body) => ({ ...body, request_id: `req_${"0".repeat(24)}` })),
    "request_id and X-Request-Id",
  ],
  ["no rate limit", balance, without("/balance", "x-ratelimit-limit"), "X-RateLimit-Limit"],
  ["no world", balance, without("/balance", "x-sandbox-world"), "balance answered 200"],
  [
    "a page for JSON",
    balance,
    (answer, path) =>
      path.endsWith("/balance") ? new Response("<html>", { headers: { "Content-Type": "text/html" } }) : answer,
    "content type",
  ],
  [
    "half of its JSON",
    balance,
    async (answer, path) =>
      path.endsWith("/balance") ? new Response((await answer.text()).slice(0, 9), answer) : answer,
    "no JSON",
  ],
  [
    "a clock without its time",
    clock,
    changing("/_sandbox/clock", ({ now: _now, ...rest }) => rest),
    "must have required property 'now'",
  ],
  [
    "an undocumented status",
    clock,
    (answer, path) =>
      path.endsWith("/_sandbox/clock") ? new Response(answer.body, { status: 418, headers: answer.headers }) : answer,
    "418 is not in the document",
  ],
  [
    "a refusal of another form",
    ["GET", "/_sandbox/transactions/{id}"],
    changing("/transactions/nowhere", () => ({ message: "no" })),
    "must have required property 'error'",
  ],
  ["what may be kept", clock, without("/_sandbox/clock", "cache-control"), "Cache-Control"],
  [
    "a posting that is lost",
    clock,
    changing("/_sandbox/ledger", (body) => ({ ...body, items: (body.items as unknown[]).slice(1) })),
    "its postings come to",
  ],
  [
    "a ledger that does not hold",
    clock,
    changing("/ledger/check", () => ({ ok: false, checks: [] })),
    "The ledger does not hold",
  ],
];

test.each(planted)("%s is found", async (_what, [method, path, body], spoil, found) => {
  stage.spoilWith(spoil);
  const call = { ...plainCall(method, path, body), ids: ["nowhere"] };
  await expect(play(stage, { begin: "off", together: false, calls: [call] }, noCounts())).rejects.toThrow(found);
});

test("a usual call to a sandbox without fault passes; a fault that it tells of, and a polluted prototype, do not", async () => {
  const run = { begin: "off", together: false, calls: [plainCall(...cashin), plainCall(...clock)] } as const;
  await play(stage, run, noCounts());
  stage.faults.push(new Error("out of order"));
  await expect(play(stage, run, noCounts())).rejects.toThrow("A fault of the sandbox: Error: out of order");
  Object.defineProperty(Object.prototype, "polluted", { value: 1, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(Object.prototype, "polluted");
  });
  await expect(play(stage, run, noCounts())).rejects.toThrow("Object.prototype has");
});

test("a campaign finds what only some requests bring about, and tells the smallest as a line for curl", async () => {
  const spoil: Spoil = (answer, path) =>
    path.endsWith("/account/balance") && answer.status === 400 ? new Response("", { status: 502 }) : answer;
  stage.spoilWith(spoil);
  const operations = stage.operations.filter(({ path }) => path === "/v2/account/balance");
  const { failure } = await campaign({ ...stage, operations }, { runs: 100, seed: 1 });
  expect(failure).toMatch(/^502, and no fault rule asked for it/);
  expect(failure?.match(/^ {2}curl /gm)).toHaveLength(1);
  expect(failure).toMatch(/curl -sS --path-as-is -X 'GET'.*\/v2\/account\/balance\?currency=/);
  expect(failure).toMatch(/npm run proof:fuzz -- 100 1 [\d:]+$/);
});

test("no answer at all is found", async () => {
  const server = createServer(() => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { port } = server.address() as AddressInfo;
  const asked = once(server, "request");
  const answer = expect(
    exchange(`http://127.0.0.1:${port}`, Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), { isCut: false }),
  ).rejects.toThrow("neither an answer");
  await asked;
  vi.advanceTimersByTime(60_000);
  await answer;
});

test("the same seed makes the same calls", async () => {
  const namesOf = async () => {
    const sent: string[] = [];
    const onMessage = (replay: string) => sent.push(replay.split("'")[1] ?? "", String(/http:[^']*/.exec(replay)?.[0]));
    await campaign(stage, { runs: 3, seed: 3, onMessage });
    return sent;
  };
  expect(await namesOf()).toEqual(await namesOf());
});

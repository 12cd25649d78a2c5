/** What calls have in common stands once in their log; nobody who reads a call can tell. */
import { expect, onTestFinished, test } from "vitest";
import { WrittenJson } from "../../src/domain/written-json.ts";
import { Database } from "../../src/store/database.ts";
import { RequestStore } from "../../src/store/requests.ts";
import { databaseInFile } from "../support/database.ts";
import { loggedCall } from "../support/logged-call.ts";
import { useSandbox } from "../support/sandbox.ts";

const sandbox = useSandbox();

const list = (name: string) => new WrittenJson({ items: [{ name, remark: "ä€😀".repeat(50) }] });

function callsIn(database: Database) {
  onTestFinished(() => database.close());
  const requests = new RequestStore(database);
  let calls = 0;
  const call = (shared?: WrittenJson, answer = `{"data":${shared?.text},"request_id":"${calls + 1}"}`) => {
    requests.insert(loggedCall(++calls, { response_body: answer, shared }));
    return answer;
  };
  const answers = () => requests.after(0, 100).map(({ response_body }) => response_body.toString());
  const shared = () => database.all<{ text: string }>("SELECT text FROM shared_texts").map(({ text }) => text);
  return { database, requests, call, answers, shared };
}

test.each([
  ["in memory", () => Database.inMemory()],
  ["in a file", () => databaseInFile()],
])("%s, answers are read as they were given, whatever they share", (_place, open) => {
  const { requests, call, answers, shared } = callsIn(open());
  const [one, other] = [list("one"), list("other")];
  const given = [one, other, one, undefined, one, other].map((shared) => call(shared));
  expect(answers()).toEqual(given);
  expect(requests.latestAnswers(6).map(({ response_body }) => response_body.toString())).toEqual([...given].reverse());
  expect(requests.get("req_5")?.response_body).toEqual(Buffer.from(given[4] ?? ""));
  expect(shared().filter((text) => text.includes("remark"))).toHaveLength(2);
});

test("what only one answer has is kept with it, and so is what a fault cut off", () => {
  const { call, answers, shared } = callsIn(Database.inMemory());
  const one = list("one");
  const given = [call(one), call(one, '{"data":{"items":[{"na'), call(list("other"))];
  expect(answers()).toEqual(given);
  expect(shared().filter((text) => text.includes("remark"))).toEqual([]);
});

test("headers that come again stand once, from the second call on, and are found by what is in them", () => {
  const { requests, shared } = callsIn(Database.inMemory());
  const shop = { "user-agent": "shop" };
  const sets = [shop, { "user-agent": "shop", "x-nonce": "A-1" }, shop, shop, { "user-agent": "other" }];
  for (const [index, headers] of sets.entries()) requests.insert(loggedCall(index + 1, { headers }));
  expect(shared()).toEqual([JSON.stringify(shop)]);
  expect(requests.after(0, 10).map(({ headers }) => headers)).toEqual(sets);
  expect(requests.traces(0, 10, 10).map(({ agent }) => agent)).toEqual(["shop", "shop", "shop", "shop", "other"]);
});

test("headers that are long are kept with their call", () => {
  const { requests, shared } = callsIn(Database.inMemory());
  const headers = { "user-agent": "x".repeat(3_000) };
  for (const number of [1, 2, 3]) requests.insert(loggedCall(number, { headers }));
  expect(shared()).toEqual([]);
  expect(requests.get("req_3")?.headers).toEqual(headers);
});

test("what was undone is written again by the next call that has it", () => {
  const { database, requests } = callsIn(Database.inMemory());
  const headers = { "user-agent": "shop" };
  const insert = (number: number) => requests.insert(loggedCall(number, { headers }));
  insert(1);
  const refuse = () => {
    insert(2);
    insert(3);
    throw new Error("refused");
  };
  expect(() => database.transaction(refuse)).toThrow("refused");
  for (const number of [2, 3, 4]) insert(number);
  expect(requests.after(0, 10).map(({ headers }) => headers)).toEqual(Array(4).fill(headers));
});

test("of more kinds of headers than are remembered all are read as they came", () => {
  const { requests } = callsIn(Database.inMemory());
  const agents = Array.from({ length: 500 }, (_, index) => `shop ${index % 230}`);
  for (const [index, agent] of agents.entries())
    requests.insert(loggedCall(index, { headers: { "user-agent": agent } }));
  expect(requests.after(0, 1_000).map(({ headers }) => headers["user-agent"])).toEqual(agents);
});

test("an answer's headers are read as they were given, rare ones too", () => {
  const { requests } = callsIn(Database.inMemory());
  const common = { limit: 60, remaining: 0, resetsAtSeconds: 7, world: "shop" };
  const told = [{}, { "Retry-After": "5", "X-Sandbox-Hint": 'a "quote"' }].map((more) => ({ ...common, more }));
  for (const [index, answer_headers] of told.entries()) requests.insert(loggedCall(index, { answer_headers }));
  expect(requests.after(0, 10).map(({ answer_headers }) => answer_headers)).toEqual(told);
  expect(requests.traces(0, 10, 10).map(({ retry_after }) => retry_after)).toEqual([null, "5"]);
});

test("a page of calls is as large as what its answers come to", () => {
  const { requests, call } = callsIn(Database.inMemory());
  const one = list("one");
  const bytes = Buffer.byteLength(call(one));
  for (let count = 0; count < 9; count++) call(one);
  expect(requests.countWithin(5 * bytes + 1, 0, 10)).toBe(5);
});

test("each call of a list shows the answer that it got, before and after a charge is made", async () => {
  const world = await sandbox.world();
  const merchant = await world.merchant();
  const charge = (external_id: string) =>
    merchant.call("POST /v2/transactions/cashin", { currency: "BRL", amount: "12.00", external_id });
  const ask = () => merchant.call("POST /v2/account/transactions/list", {});
  await charge("order-1");
  const before = [await ask(), await ask(), await ask()];
  await charge("order-2");
  const after = [await ask(), await ask()];
  expect([before, after].flat().map(({ items }) => items.length)).toEqual([1, 1, 1, 2, 2]);
  const shown = await world.requests({ call: "POST /v2/account/transactions/list" });
  expect(shown.map(({ response }) => JSON.parse(response.body).data)).toEqual([...before, ...after]);
});

test("stores that are opened on one database one after the other know the same texts, and keep no more of them", () => {
  const { database, call, shared } = callsIn(Database.inMemory());
  for (let count = 0; count < 2; count++) call(list("one"));
  new RequestStore(database).insert(loggedCall(3, { response_body: '{"data":0}', shared: list("one") }));
  expect(shared().filter((text) => text.includes("remark"))).toHaveLength(1);
  expect(database.knownUntilUndone("lists").size).toBe(1);
});

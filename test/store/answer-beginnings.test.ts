/** A list that is asked for over and over stands once in the log of calls; nobody who reads a call can tell. */
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
  const beginnings = () => database.get<{ count: number }>("SELECT count(*) AS count FROM answer_beginnings")?.count;
  return { database, requests, call, answers, beginnings };
}

test.each([
  ["in memory", () => Database.inMemory()],
  ["in a file", () => databaseInFile()],
])("%s, answers are read as they were given, whatever they share", (_place, open) => {
  const { requests, call, answers, beginnings } = callsIn(open());
  const [one, other] = [list("one"), list("other")];
  const given = [one, other, one, undefined, one, other].map((shared) => call(shared));
  expect(answers()).toEqual(given);
  expect(requests.latestAnswers(6).map(({ response_body }) => response_body.toString())).toEqual([...given].reverse());
  expect(requests.get("req_5")?.response_body).toEqual(Buffer.from(given[4] ?? ""));
  expect(beginnings()).toBe(2);
});

test("what only one answer has is kept with it, and so is what a fault cut off", () => {
  const { call, answers, beginnings } = callsIn(Database.inMemory());
  const one = list("one");
  const given = [call(one), call(one, '{"data":{"items":[{"na'), call(list("other"))];
  expect(answers()).toEqual(given);
  expect(beginnings()).toBe(0);
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

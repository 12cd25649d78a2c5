/** The calls that are judged: each is read once, and what they are at any time is what the store has then. */
import { expect, onTestFinished, test } from "vitest";
import { callsIn } from "../../src/insight/readiness/calls.ts";
import { evidenceOf } from "../../src/insight/readiness/evidence.ts";
import { judgeReconciliation } from "../../src/insight/readiness/follow-up-checks.ts";
import { judgeBlocks } from "../../src/insight/readiness/waiting-checks.ts";
import { bareWorld, START } from "../support/bare-world.ts";
import { loggedCall } from "../support/logged-call.ts";

/** A world without calls, and what makes one in it. */
function emptyWorld() {
  const world = bareWorld("calls");
  const { database } = world;
  onTestFinished(() => database.close());
  const make = (number: number, more: { wall_at?: number; agent?: string; body?: string } = {}) =>
    world.requests.insert(
      loggedCall(number, {
        at: START,
        headers: { "user-agent": more.agent ?? "shop" },
        body: Buffer.from(more.body ?? ""),
        wall_at: more.wall_at ?? START,
      }),
    );
  const numbersIn = (after?: number, until?: number) => callsIn(world, after, until).map(({ ordinal }) => ordinal);
  return { database, world, make, numbersIn };
}

test("any stretch of them is given, whatever was asked before, and those that came since", () => {
  const { make, numbersIn } = emptyWorld();
  expect(numbersIn()).toEqual([]);
  for (let number = 1; number <= 6; number++) make(number, number === 4 ? { agent: "payments-sandbox" } : {});
  expect(numbersIn(3, 5)).toEqual([5]);
  expect(numbersIn(1, 3)).toEqual([2, 3]);
  expect(numbersIn(2, 4)).toEqual([3]);
  expect(numbersIn(5)).toEqual([6]);
  make(7);
  expect(numbersIn(5)).toEqual([6, 7]);
  expect(numbersIn()).toEqual([1, 2, 3, 5, 6, 7]);
  make(8, { agent: "payments-sandbox" });
  make(9);
  expect(numbersIn()).toEqual([1, 2, 3, 5, 6, 7, 9]);
  expect(numbersIn(9)).toEqual([]);
});

test("those with large bodies are all there, though they are not kept", () => {
  const { make, numbersIn } = emptyWorld();
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1);
  for (const number of numbers) make(number, { body: "x".repeat(60_000) });
  for (let time = 0; time < 2; time++) {
    expect(numbersIn()).toEqual(numbers);
    expect(numbersIn(50, 150)).toEqual(numbers.slice(50, 150));
  }
});

test("those that were undone are gone, though others have taken their places and ids", () => {
  const { database, world, make, numbersIn } = emptyWorld();
  const undone = (work: () => void) =>
    expect(() =>
      database.transaction(() => {
        work();
        throw new Error("full");
      }),
    ).toThrow("full");
  make(1);
  undone(() => {
    for (const number of [2, 3]) make(number);
    expect(numbersIn()).toEqual([1, 2, 3]);
  });
  expect(numbersIn()).toEqual([1]);
  undone(() => {
    make(2);
    expect(numbersIn()).toEqual([1, 2]);
  });
  make(2, { wall_at: START + 1 });
  expect(callsIn(world).map(({ wall_at }) => wall_at - START)).toEqual([0, 1]);
});

test("WH-23 a list that was read counts no more once that is undone, and the one read in its place does", () => {
  const { database, world } = emptyWorld();
  const read = (id: string, wall_at: number) => {
    const response_body = JSON.stringify({ items: [{ transaction_id: id }] });
    world.requests.insert(loggedCall(1, { path: "/v2/account/transactions/list", response_body, wall_at }));
  };
  const missed = { status: "dropped", receiver: "http://shop", subject_type: "cashin", event: "cashin.pending" };
  const webhooks = ["one", "other"].map((id) => ({ ...missed, webhook_id: id, subject: id, entry: 1, created_at: 0 }));
  const unseen = () => {
    const evidence = { ...evidenceOf(world), webhooks: webhooks as never };
    return judgeReconciliation(evidence).evidence;
  };
  const undone = () =>
    database.transaction(() => {
      read("one", START);
      expect(unseen()).toEqual(["other"]);
      throw new Error("full");
    });
  expect(undone).toThrow("full");
  expect(unseen()).toEqual(["one", "other"]);
  read("other", START + 1);
  expect(unseen()).toEqual(["one"]);
});

test.each([
  [1, 61_000, "warn"],
  [10_000, 1_000, "warn"],
  [10_000, 7, "pass"],
])("ERR-16 at speed %i, calls every %i ms in a block that only support lifts: %s", (speed, everyMs, verdict) => {
  const { database, world } = emptyWorld();
  database.transaction(() => world.clock.change("frozen", speed));
  for (let number = 1; number <= 4; number++) {
    const passedMs = number * everyMs;
    const blocked = { status: 403, error_code: "SECURITY_BLOCKED", method: "GET", path: "/v2/account/balance" };
    world.requests.insert(loggedCall(number, { ...blocked, at: START + passedMs * speed, wall_at: START + passedMs }));
  }
  expect(judgeBlocks(evidenceOf(world)).verdict).toBe(verdict);
});

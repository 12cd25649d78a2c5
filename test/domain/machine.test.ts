/** The lifecycle tables against the specification's "States and transitions", and their one interpreter. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventKinds } from "../../src/domain/events.ts";
import { postingTemplates } from "../../src/domain/ledger.ts";
import {
  type Lifecycle,
  type LifecycleName,
  lifecycles,
  type StateOf,
  type TriggerOf,
} from "../../src/domain/lifecycles.ts";
import { allowedActions, InvalidTransition, resolveTransition, statesOf } from "../../src/domain/machine.ts";

const names = Object.keys(lifecycles) as LifecycleName[];
const tableOf = (name: LifecycleName): Lifecycle => lifecycles[name];
const triggersOf = (name: LifecycleName) => [...new Set(tableOf(name).transitions.map((row) => row.trigger))];

/** Rows of the specification: resource, from, what triggers it, to, the event that tells of it. */
const SPECIFIED: readonly [LifecycleName, string | null, string, string, string | null][] = [
  ["cashin", null, "create", "pending", null],
  ["cashin", "pending", "pay", "confirmed", "cashin.confirmed"],
  ["cashin", "pending", "expire", "expired", "cashin.expired"],
  ["cashin", "confirmed", "refund", "refunded", "cashin.refunded"],
  ["cashout", null, "create", "pending", null],
  ["cashout", "pending", "confirm", "confirmed", "cashout.confirmed"],
  ["cashout", "pending", "fail", "failed", "cashout.failed"],
  ["cashout", "confirmed", "refund", "refunded", "cashout.refunded"],
  ["conversion", null, "execute", "completed", "conversion.confirmed"],
  ["conversion", "completed", "refund", "refunded", "conversion.refunded"],
  ["transfer", null, "execute", "confirmed", "transfer.confirmed"],
  ["wallet", null, "provision", "provisioned", "wallet.created"],
  ["dispute", null, "open", "open", "chargeback.opened"],
  ["dispute", "open", "reply", "responded", "chargeback.responded"],
  ["dispute", "open", "win", "won", "chargeback.won"],
  ["dispute", "responded", "win", "won", "chargeback.won"],
  ["dispute", "open", "lose", "lost", "chargeback.lost"],
  ["dispute", "responded", "lose", "lost", "chargeback.lost"],
  ["dispute", "open", "cancel", "canceled", "chargeback.canceled"],
  ["dispute", "responded", "cancel", "canceled", "chargeback.canceled"],
];

/** As a caller without types may ask. */
function resolved(name: LifecycleName, state: string | null, trigger: string) {
  return resolveTransition(name, state as StateOf<LifecycleName> | null, trigger as TriggerOf<LifecycleName>);
}

describe("the rows of the specification", () => {
  test.each(SPECIFIED)("STATE-01 to STATE-26 %s: %s -%s-> %s tells %s", (name, from, trigger, to, event) => {
    const row = resolved(name, from, trigger);
    expect([row.to, row.events]).toEqual([to, event ? [event] : []]);
  });

  test("D33 failed and canceled cash-ins move no money and tell nobody", () => {
    for (const [trigger, to] of [
      ["fail", "failed"],
      ["cancel", "canceled"],
    ] as const) {
      expect(resolveTransition("cashin", "pending", trigger)).toMatchObject({ to, events: [], postings: [] });
    }
  });

  test("STATE-06 D54a a refunded transaction may be refunded further", () => {
    expect(resolveTransition("cashin", "refunded", "refund").to).toBe("refunded");
    expect(resolveTransition("cashout", "refunded", "refund").to).toBe("refunded");
  });

  test.each(names)("TX-12 STATE-26 every status of a %s is a word of the specification", (name) => {
    const words = ["pending", "confirmed", "failed", "canceled", "refunded", "expired", "completed", "provisioned"];
    const disputes = ["open", "responded", "won", "lost", "canceled", "confirmed"];
    expect(name === "dispute" ? disputes : words).toEqual(expect.arrayContaining(statesOf(name)));
  });

  test("every event kind is told by a row, but the flat one beside cashin.confirmed", () => {
    const told = new Set(names.flatMap((name) => tableOf(name).transitions.flatMap((row) => row.events)));
    expect(eventKinds.filter((kind) => !told.has(kind))).toEqual(["wallet_deposit"]);
  });
});

describe.each(names)("the table of a %s", (name) => {
  const { transitions, actions } = tableOf(name);

  test("gives one answer for a trigger in a state", () => {
    const keys = transitions.map((row) => `${row.from} ${row.trigger}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("reaches every state from nothing", () => {
    const reached = new Set<string | null>([null]);
    for (let size = 0; size < reached.size; ) {
      size = reached.size;
      for (const row of transitions) if (reached.has(row.from)) reached.add(row.to);
    }
    expect(statesOf(name).filter((state) => !reached.has(state))).toEqual([]);
  });

  test("names postings and events that there are, and where it comes from", () => {
    for (const row of transitions) {
      expect(Object.keys(postingTemplates)).toEqual(expect.arrayContaining([...row.postings]));
      expect(eventKinds).toEqual(expect.arrayContaining([...row.events]));
      expect(row.source).toMatch(/\S/);
    }
  });

  test("has a row for every action that it offers", () => {
    expect(triggersOf(name)).toEqual(expect.arrayContaining([...actions]));
  });

  test("every trigger in every state is its row, or an InvalidTransition that says what is allowed", () => {
    for (const state of [null, ...statesOf(name), "unknown"]) {
      for (const trigger of [...triggersOf(name), "unknown", "", "constructor"]) {
        const row = transitions.find((candidate) => candidate.from === state && candidate.trigger === trigger);
        if (row) {
          expect(resolved(name, state, trigger)).toBe(row);
          continue;
        }
        const allowed = allowedActions(name, state);
        const refusal = { name: "InvalidTransition", lifecycle: name, state, trigger, allowed };
        expect(() => resolved(name, state, trigger)).toThrow(expect.objectContaining(refusal));
      }
    }
  });
});

describe("the interpreter", () => {
  test.each<[LifecycleName, string | null, string[]]>([
    ["cashin", "pending", ["pay", "expire", "cancel", "fail"]],
    ["cashin", "confirmed", ["refund", "dispute"]],
    ["cashin", "refunded", ["refund"]],
    ["cashin", "expired", []],
    ["cashin", "failed", []],
    ["cashin", "canceled", []],
    ["cashout", "pending", ["confirm", "fail"]],
    ["cashout", "confirmed", ["refund"]],
    ["cashout", "failed", []],
    ["conversion", "completed", ["refund"]],
    ["conversion", "refunded", []],
    ["dispute", "open", ["win", "lose", "cancel"]],
    ["dispute", "responded", ["win", "lose", "cancel"]],
    ["dispute", "won", []],
    ["dispute", "lost", []],
    ["dispute", "canceled", []],
    ["transfer", "confirmed", []],
  ])("CIN-10 a %s that is %s allows %j", (name, state, actions) => {
    expect(allowedActions(name, state)).toEqual(actions);
  });

  test("a refusal says in words what is allowed instead", () => {
    const refusal = new InvalidTransition("cashin", "confirmed", "pay");
    expect(refusal.message).toContain('confirmed does not allow "pay"; it allows refund, dispute.');
    expect(new InvalidTransition("cashin", "expired", "pay").message).toContain("allows no action");
    expect(new InvalidTransition("cashin", "confirmed", "dispute", { allowed: ["refund"] }).message).toMatch(
      /allows refund\.$/,
    );
  });

  test("whatever comes in whatever order, a resource only takes steps of its table", () => {
    const anyWalk = fc.constantFrom(...names).chain((name) =>
      fc.record({
        name: fc.constant(name),
        triggers: fc.array(fc.constantFrom(...triggersOf(name)), { maxLength: 12 }),
      }),
    );
    fc.assert(
      fc.property(anyWalk, ({ name, triggers }) => {
        let state: string | null = null;
        for (const trigger of triggers) {
          const before: string | null = state;
          try {
            state = resolved(name, state, trigger).to;
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidTransition);
          }
          const step = tableOf(name).transitions.find((row) => row.from === before && row.trigger === trigger);
          expect(state).toBe(step ? step.to : before);
        }
      }),
    );
  });
});

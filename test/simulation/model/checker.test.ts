/** The model test can fail: mistakes are planted in the sandbox, or in what it shows, and each is found. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import fees from "../../../fixtures/fees.json" with { type: "json" };
import type { WorldClient } from "../../../src/index.ts";
import type { View } from "./comparison.ts";
import { type PlayOptions, type Program, play, type Step } from "./play.ts";
import { Rig } from "./stage.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
});
afterAll(() => rig[Symbol.asyncDispose]());

const hundred = { text: "100", number: true, fair: true };
const step = (name: Step["do"], input: unknown): Step => ({ on: 0, do: name, with: input });

/** A charge that is paid, disputed and lost, and a deposit that is on its way. */
const program: Program = {
  setup: { seed: 1, settings: {}, happy: false, sandbox: "memory" },
  steps: [
    step("charge", { by: 0, currency: "BRL", chain: 0, amount: hundred }),
    step("pay", { of: 0, strays: false }),
    step("wallet", { by: 0, currency: "USDT", chain: 0 }),
    step("deposit", { into: 0, amount: hundred, instant: false }),
    step("dispute", { of: 0, strays: false }),
    step("by", "8d"),
  ],
};

/** A client that shows something otherwise than it is. */
function showing(world: WorldClient, spoilt: Partial<Record<keyof View, unknown>>): View {
  const get = (client: WorldClient, name: string) => {
    const own: unknown = Reflect.get(client, name, client);
    return name in spoilt ? spoilt[name as keyof View] : typeof own === "function" ? own.bind(client) : own;
  };
  return new Proxy(world, { get: (client, name) => get(client, String(name)) });
}

/** A list of the control interface of which an item is otherwise. */
function listing(path: string, change: (item: Record<string, unknown>) => void): PlayOptions {
  const viewOf = (world: WorldClient) =>
    showing(world, {
      all: async (asked: string) => {
        const items = await world.all<Record<string, unknown>>(asked);
        if (asked === path && items[0]) change(items[0]);
        return items;
      },
    });
  return { viewOf };
}

const anotherFee = fees.map((row) => ({ ...row, ...(row.operation === "cashin" ? { percentage: "1.01" } : {}) }));

/** TABLE: what is planted, where it is found, and by which words. */
const planted: readonly (readonly [what: string, options: PlayOptions, found: RegExp])[] = [
  [
    "a fee of 1.01 per cent",
    { fixtures: { fees: anotherFee } },
    /step 1, charge: .*fee: the model has "1.00", the sandbox "1.01"/,
  ],
  [
    "a cent out of nowhere",
    {
      meddle: async (world, at) => at === 2 && (await world.accounts.fund("acme", { currency: "BRL", amount: "0.01" })),
    },
    /step 2, pay: the accounts: 0.balances.0.balance/,
  ],
  [
    "a webhook that is lost on its way",
    {
      meddle: async (world, at) =>
        at === 2 && (await world.faults.set([{ delivery: "cashin.confirmed", inject: { drop: true } }])),
    },
    /step 2, pay: the webhook 0 cashin.confirmed: status: the model has "delivered", the sandbox "dropped"/,
  ],
  [
    "a webhook that is sent twice",
    {
      meddle: async (world, at) => at === 2 && (await world.faults.set([{ delivery: "*", inject: { duplicate: 1 } }])),
    },
    /step 2, pay: the receiver: /,
  ],
  [
    "time that passes unseen",
    { meddle: async (world, at) => at === 5 && (await world.advance("1ms")) },
    /step 5, dispute: the clock: now/,
  ],
  [
    "an event that is lost",
    { viewOf: (world) => showing(world, { webhooks: async () => (await world.webhooks()).slice(1) }) },
    /step 2, pay: the events: /,
  ],
  [
    "an event that no transition led to",
    {
      viewOf: (world) =>
        showing(world, {
          journal: async (after: number) =>
            (await world.journal(after)).map((entry) =>
              entry.data.trigger === "pay" ? { ...entry, kind: "step" } : entry,
            ),
        }),
    },
    /step 2, pay: entry \d+ tells of cashin.confirmed without a transition/,
  ],
  [
    "a transition that no event tells of",
    {
      viewOf: (world) =>
        showing(world, {
          journal: async (after: number) =>
            (await world.journal(after)).map((entry) =>
              entry.kind === "webhook.created" ? { ...entry, cause: 1 } : entry,
            ),
        }),
    },
    /step 2, pay: the events of cashin pay of \w+: the model has \["cashin.confirmed"\], the sandbox \[\]/,
  ],
  [
    "a cause that is lost",
    {
      viewOf: (world) =>
        showing(world, {
          explain: async (id: string) => {
            const { chain, ...explanation } = await world.explain(id);
            return { ...explanation, chain: chain.length > 1 ? chain.slice(1) : chain };
          },
        }),
    },
    /step 1, charge: explain \d+: \d+ has lost its cause/,
  ],
  [
    "a timer of a charge that has been paid",
    {
      viewOf: (world) =>
        showing(world, {
          timers: async () => {
            const subject = (await world.transactions.list())[0]?.transaction_id;
            return [
              ...(await world.timers()),
              { at: "2026-01-30T22:40:00.000Z", kind: "charge.expiry", subject },
            ].slice(-1);
          },
        }),
    },
    /step 2, pay: the timers: /,
  ],
  [
    "a balance that its postings do not come to",
    {
      viewOf: (world) =>
        showing(world, {
          ledger: async () => {
            const { postings, balances } = await world.ledger();
            const isFees = (account: string) => account === "service:fees";
            return {
              postings,
              balances: balances.map((row) => (isFees(row.account) ? { ...row, balance: "1.01" } : row)),
            };
          },
        }),
    },
    /step 2, pay: the balance of service:fees: the model has "100 BRL", the sandbox "101 BRL"/,
  ],
  [
    "a dispute of another amount",
    listing("/disputes", (row) => Object.assign(row, { amount: "99.00" })),
    /step 5, dispute: the disputes/,
  ],
  [
    "a state that is not left",
    listing("/transactions", (row) => Object.assign(row, { status: "pending" })),
    /step 2, pay: the transactions/,
  ],
];

describe("a mistake that is planted is found at the step where it shows", () => {
  test("without one the program is played to its end", async () => {
    const played = await play(rig, program);
    expect(played.map(({ outcome }) => outcome)).toEqual(["200", "done", "200", "done in its time", "done", "reached"]);
  });

  test.each(planted)("%s", async (_what, options, found) => {
    await expect(play(rig, program, options)).rejects.toThrow(found);
  });
});

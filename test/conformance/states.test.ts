/** The lifecycle tables: against the service as it runs, against the specification's table, against their page. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type LedgerRole, ledgerAccount, type PostingTemplate, postingTemplates } from "../../src/domain/ledger.ts";
import { type Lifecycle, type LifecycleName, lifecycles, type Transition } from "../../src/domain/lifecycles.ts";
import { allowedActions, statesOf } from "../../src/domain/machine.ts";
import { statePage } from "../../src/pages/state-page.ts";
import { stateOf } from "../support/answers.ts";
import { chargeOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { decide, openedDispute, paidCharge, reply } from "../support/disputes.ts";
import { useSandbox } from "../support/sandbox.ts";
import { type Stage, setStage } from "../support/signing.ts";
import { walletOf } from "../support/wallets.ts";

const file = useSandbox();

const names = Object.keys(lifecycles) as LifecycleName[];
const CPF = "52998224725";

/** Where the control interface keeps the resources of a lifecycle. */
const paths: Readonly<Record<LifecycleName, string>> = {
  cashin: "transactions",
  cashout: "transactions",
  conversion: "conversions",
  transfer: "transfers",
  wallet: "wallets",
  dispute: "disputes",
};

/** What an action needs to be told. */
const inputs: Readonly<Record<string, object>> = {
  "cashout fail": { error_code: "UNKNOWN" },
  "wallet deposit": { amount: "100.00" },
  "cashin refund": { amount: "1.00" },
  "cashout refund": { amount: "1.00" },
};

type Recipe = (stage: Stage) => Promise<string>;
const asConfirmed = { lost_dispute_status: "confirmed" };

/** Brings a resource of a lifecycle into each of its states. @returns its id. */
const recipes: Readonly<Record<LifecycleName, Readonly<Record<string, Recipe>>>> = {
  cashin: {
    pending: ({ merchant }) => chargeOf(merchant),
    confirmed: ({ world, merchant }) => paidCharge(world, merchant),
    expired: chargeAfter("expire"),
    canceled: chargeAfter("cancel"),
    failed: chargeAfter("fail"),
    refunded: async ({ world, merchant }) => {
      const id = await paidCharge(world, merchant);
      await world.act(id, "refund", { amount: "1.00" });
      return id;
    },
  },
  cashout: {
    pending: pendingCashout,
    confirmed: cashoutAfter(["confirm"]),
    failed: cashoutAfter(["fail", { error_code: "UNKNOWN" }]),
    refunded: cashoutAfter(["confirm"], ["refund", { amount: "1.00" }]),
  },
  conversion: {
    completed: converted,
    refunded: async (stage) => {
      const id = await converted(stage);
      await stage.world.call("POST", `/conversions/${id}/refund`, {});
      return id;
    },
  },
  transfer: {
    confirmed: async ({ merchant }) => {
      const answer = await merchant.transfer({ username: "globex", currency: "BRL", amount: 10 });
      return answer.body.data.transaction_id;
    },
  },
  wallet: {
    provisioned: async ({ merchant }) => String((await walletOf(merchant, { currency: "BRL" })).wallet_id),
  },
  dispute: {
    open: opened,
    responded: async (stage) => {
      const id = await opened(stage);
      await reply(stage.merchant, { infraction_id: id, text: "It was delivered." });
      return id;
    },
    won: disputeAfter("win"),
    lost: disputeAfter("lose"),
    canceled: disputeAfter("cancel"),
    confirmed: disputeAfter("lose"),
  },
};

function chargeAfter(action: string): Recipe {
  return async ({ world, merchant }) => {
    const id = await chargeOf(merchant);
    await world.act(id, action);
    return id;
  };
}

async function pendingCashout({ merchant }: Stage): Promise<string> {
  const answer = await merchant.cashout({ currency: "BRL", amount: 100, key: CPF });
  return answer.body.data.transaction_id;
}

function cashoutAfter(...actions: [string, object?][]): Recipe {
  return async (stage) => {
    const id = await pendingCashout(stage);
    for (const [action, input] of actions) await stage.world.act(id, action, input);
    return id;
  };
}

async function converted({ merchant }: Stage): Promise<string> {
  const answer = await merchant.convert({ amount: 100, base_currency: "BRL", destination_currency: "USDT" });
  return answer.body.data.conversion_id;
}

async function opened({ world, merchant }: Stage): Promise<string> {
  return (await openedDispute(world, merchant)).infractionId;
}

function disputeAfter(decision: string): Recipe {
  return async (stage) => {
    const id = await opened(stage);
    await decide(stage.world, id, decision);
    return id;
  };
}

function rowOf(name: LifecycleName, from: string | null, trigger: string): Transition | undefined {
  const table: Lifecycle = lifecycles[name];
  return table.transitions.find((row) => row.from === from && row.trigger === trigger);
}

function row(name: LifecycleName, from: string | null, trigger: string): Transition {
  const found = rowOf(name, from, trigger);
  if (!found) throw new Error(`There is no row for ${trigger} of a ${name} that is ${from}.`);
  return found;
}

/** What an action on one resource does to another: the rows that follow its own. */
const consequences: Readonly<Record<string, readonly Transition[]>> = {
  "cashin dispute": [row("dispute", null, "open")],
  "wallet deposit": [row("cashin", null, "deposit"), row("cashin", "pending", "pay")],
  "dispute lose": [row("cashin", "confirmed", "charge_back"), row("dispute", "lost", "finalize")],
};
const asConfirmedRow = row("dispute", "lost", "finalize_as_confirmed");

/** The flat event of a deposit is no transition's: it is sent beside cashin.confirmed (D44). */
const extraEvents: Readonly<Record<string, readonly string[]>> = { "wallet deposit": ["wallet_deposit"] };

/** A resource in its state, on a stage of its own. */
async function inState(name: LifecycleName, state: string) {
  const settings = name === "dispute" && state === "confirmed" ? asConfirmed : {};
  const stage = await setStage(file, { settings, postback_url: "sandbox://inbox" });
  const recipe = recipes[name][state];
  if (!recipe) throw new Error(`Nothing brings a ${name} into the state ${state}.`);
  const id = await recipe(stage);
  await stage.world.settle();
  return { stage, id, path: `/${paths[name]}/${id}` };
}

type Resource = { status: string; actions: string[] };
type LedgerPosting = { source: string; destination: string };

/** Money and events that some rows of the table call for, in the words of the ledger and of webhooks. */
function expectedOf(rows: readonly Transition[]) {
  const account = (role: LedgerRole) =>
    ledgerAccount(role, { username: "acme", network: "PIX", counterparty: "globex" });
  const templates = rows.flatMap(({ postings }) => postings).map((name): PostingTemplate => postingTemplates[name]);
  return {
    postings: templates.map(({ from, to }) => `${account(from)} > ${account(to)}`),
    events: rows.flatMap((entry) => entry.events),
  };
}

/** Postings and events of a world, in order. */
async function movementsOf({ world }: Stage) {
  await world.settle();
  const postings = await world.all<LedgerPosting>("/ledger");
  const events = (await world.webhooks()).map((webhook) => webhook.event);
  return { postings: postings.map(({ source, destination }) => `${source} > ${destination}`), events };
}

async function newMovements(stage: Stage, before: Awaited<ReturnType<typeof movementsOf>>) {
  const { postings, events } = await movementsOf(stage);
  return { postings: postings.slice(before.postings.length), events: events.slice(before.events.length) };
}

const every = names.flatMap((name) => {
  const table: Lifecycle = lifecycles[name];
  return statesOf(name).flatMap((state) => table.actions.map((action) => ({ name, state, action })));
});
const isAllowed = ({ name, state, action }: (typeof every)[number]) => rowOf(name, state, action) !== undefined;

describe("every state and every action", () => {
  test.each(every.filter(isAllowed))(
    "STATE-01 to STATE-25: a $name that is $state: $action",
    async ({ name, state, action }) => {
      const { stage, id, path } = await inState(name, state);
      await using _ = stage;
      const { world } = stage;
      const own = row(name, state, action);
      expect(await world.call<Resource>("GET", path)).toMatchObject({
        status: state,
        actions: allowedActions(name, state),
      });
      const before = await movementsOf(stage);

      const key = `${name} ${action}`;
      await world.call("POST", `${path}/${action}`, inputs[key] ?? {});

      const expected = expectedOf([own, ...(consequences[key] ?? [])]);
      const events = [...expected.events, ...(extraEvents[key] ?? [])];
      expect(await newMovements(stage, before)).toEqual({ postings: expected.postings, events });
      const isDisputed = key === "cashin dispute";
      expect(await world.call<Resource>("GET", `/${paths[name]}/${id}`)).toMatchObject({
        status: own.to,
        actions: isDisputed ? [] : allowedActions(name, own.to),
      });
      expect((await world.checkLedger()).ok).toBe(true);
    },
  );

  test.each(every.filter((one) => !isAllowed(one)))(
    "a $name that is $state refuses $action with what it allows, and nothing changes",
    async ({ name, state, action }) => {
      const { stage, path } = await inState(name, state);
      await using _ = stage;
      const { world } = stage;
      const seen = async () => ({
        ...(await stateOf(world)),
        own: await world.call("GET", path),
        journal: await world.journal(),
      });
      const before = await seen();

      const answer = await control(world, "POST", `${path}/${action}`, inputs[`${name} ${action}`] ?? {});

      const allowed = allowedActions(name, state);
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: "INVALID_TRANSITION", details: { state, allowed } });
      for (const word of [state, action, ...allowed]) expect(answer.body.error.message).toContain(word);
      expect(await seen()).toEqual(before);
    },
  );

  test.each(["open", "responded"])(
    "D54 STATE-24 with lost_dispute_status: confirmed a lost dispute that was %s ends in confirmed",
    async (state) => {
      await using stage = await setStage(file, { settings: asConfirmed, postback_url: "sandbox://inbox" });
      const id = (await recipes.dispute[state]?.(stage)) ?? "";
      const before = await movementsOf(stage);
      await decide(stage.world, id, "lose");
      const rows = [row("dispute", state, "lose"), row("cashin", "confirmed", "charge_back"), asConfirmedRow];
      expect(await newMovements(stage, before)).toEqual(expectedOf(rows));
      expect(await stage.world.call("GET", `/disputes/${id}`)).toMatchObject({
        status: asConfirmedRow.to,
        actions: [],
      });
    },
  );
});

/** Rows that a merchant's call brings about, with the state before it. */
const merchantRows: readonly (readonly [LifecycleName, string | null, string])[] = [
  ["cashin", null, "create"],
  ["cashout", null, "create"],
  ["conversion", null, "execute"],
  ["transfer", null, "execute"],
  ["wallet", null, "provision"],
  ["dispute", "open", "reply"],
];

describe("what a merchant's call brings about", () => {
  test.each(merchantRows)(
    "STATE-01 STATE-09 STATE-16 STATE-18 STATE-19 STATE-21 a %s that is %s: %s",
    async (name, from, trigger) => {
      await using stage = await setStage(file, { postback_url: "sandbox://inbox" });
      const own = row(name, from, trigger);
      let before = await movementsOf(stage);
      if (from === null) await recipes[name][own.to]?.(stage);
      else {
        const id = (await recipes[name][from]?.(stage)) ?? "";
        before = await movementsOf(stage);
        await reply(stage.merchant, { infraction_id: id, text: "It was delivered." });
      }
      const expected = expectedOf([own]);
      // A transfer is told to both sides.
      const events = name === "transfer" ? [...expected.events, ...expected.events] : expected.events;
      expect(await newMovements(stage, before)).toEqual({ postings: expected.postings, events });
    },
  );

  test("with the actions and their consequences, these are all rows of the table", () => {
    const byAction = every.flatMap(({ name, state, action }) => rowOf(name, state, action) ?? []);
    const byMerchant = merchantRows.map(([name, from, trigger]) => row(name, from, trigger));
    const exercised = new Set([...byAction, ...byMerchant, ...Object.values(consequences).flat(), asConfirmedRow]);
    const all = names.flatMap((name): readonly Transition[] => lifecycles[name].transitions);
    expect(all.filter((entry) => !exercised.has(entry))).toEqual([]);
  });

  test("every state of the table has a recipe", () => {
    for (const name of names) expect(Object.keys(recipes[name]).sort()).toEqual(statesOf(name).sort());
  });

  test("a transfer takes no action; a name that no resource of the kind knows is not found", async () => {
    const { stage, path } = await inState("transfer", "confirmed");
    await using _ = stage;
    expect(await stage.world.call("GET", path)).toMatchObject({ status: "confirmed", actions: [] });
    expect((await control(stage.world, "POST", `${path}/refund`, {})).status).toBe(404);
    const charge = await chargeOf(stage.merchant);
    const answer = await control(stage.world, "POST", `/transactions/${charge}/refnud`, {});
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(answer.body.error.message).toContain("refund");
  });

  test("D54a a disputed cash-in allows nothing until the decision, and then what it allowed before", async () => {
    await using stage = await setStage(file, { postback_url: "sandbox://inbox" });
    const { world, merchant } = stage;
    const { transactionId, infractionId } = await openedDispute(world, merchant);
    for (const action of lifecycles.cashin.actions) {
      const answer = await control(world, "POST", `/transactions/${transactionId}/${action}`, {});
      expect([answer.status, answer.body.error.code]).toEqual([409, "INVALID_TRANSITION"]);
    }
    await decide(world, infractionId, "cancel");
    expect(await world.call("GET", `/transactions/${transactionId}`)).toMatchObject({ actions: ["refund", "dispute"] });
  });
});

/** A row of the specification's table. */
interface SpecRow {
  readonly from: string;
  readonly trigger: string;
  readonly to: string;
  readonly also: string;
}

const specRows = readFileSync(new URL("spec-transitions.md", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .map((line): SpecRow => {
    const [, from = "", trigger = "", , to = "", also = ""] = line.split("|").map((cell) => cell.trim());
    return { from, trigger, to, also };
  });

type Key = readonly [LifecycleName, string | null, string];

/** TABLE: the rows of ours that a row of the specification stands for, found by its first two cells. */
const mapping: Readonly<Record<string, readonly Key[]>> = {
  "(none) | POST /v2/transactions/cashin": [["cashin", null, "create"]],
  "pending (cash-in) | payer pays": [["cashin", "pending", "pay"]],
  "pending (cash-in) | time passes": [["cashin", "pending", "expire"]],
  "confirmed (cash-in) | refund": [
    ["cashin", "confirmed", "refund"],
    ["cashin", "confirmed", "charge_back"],
  ],
  "(none) | POST /v2/transactions/cashout": [["cashout", null, "create"]],
  "pending (cash-out) | provider settles": [["cashout", "pending", "confirm"]],
  "pending (cash-out) | gateway or provider rejects": [["cashout", "pending", "fail"]],
  "confirmed (cash-out) | provider reverses": [["cashout", "confirmed", "refund"]],
  "(none) | POST /v2/conversions/new": [["conversion", null, "execute"]],
  "completed (conversion) | manual support reversal": [["conversion", "completed", "refund"]],
  "(none) | internal transfer executed": [["transfer", null, "execute"]],
  "(none) | POST /v2/transactions/wallet": [["wallet", null, "provision"]],
  "(none) | payer opens a MED PIX dispute": [["dispute", null, "open"]],
  "open | reply registered": [["dispute", "open", "reply"]],
  "dispute awaiting decision | defense accepted": eitherWay("win"),
  "dispute awaiting decision | defense rejected": eitherWay("lose"),
  "dispute awaiting decision | refund finalized": [["dispute", "lost", "finalize_as_confirmed"]],
  "dispute before decision | payer cancels": eitherWay("cancel"),
};

/** "Awaiting decision" and "before decision" are both states of a dispute that is not decided. */
function eitherWay(trigger: string): Key[] {
  return [
    ["dispute", "open", trigger],
    ["dispute", "responded", trigger],
  ];
}

/** Events that the words of a row name although another row sends them, at the same instant. */
const sentBeside: Readonly<Record<string, readonly string[]>> = {
  "dispute awaiting decision | defense rejected": row("cashin", "confirmed", "charge_back").events,
  "dispute awaiting decision | refund finalized": row("cashin", "confirmed", "charge_back").events,
};

/** What "Also" says of money, and the postings by which it comes about. */
const moneyWords: readonly (readonly [RegExp, readonly string[]])[] = [
  [/balance credited with amount_net/, ["receive", "charge_fee"]],
  [/; balance debited\.$/, ["return_to_payer"]],
  [/balance refunded automatically/, ["release"]],
  [/balance credited back/, ["take_back"]],
  [/Origin debited and destination credited/, ["sell", "buy", "conversion_fee", "conversion_spread"]],
  [/balance blocked/, ["block"]],
  [/balance unblocked/, ["unblock"]],
];

describe("the specification's table", () => {
  test("has eighteen rows, each mapped once", () => {
    expect(specRows).toHaveLength(18);
    expect(specRows.map(({ from, trigger }) => `${from} | ${trigger}`)).toEqual(Object.keys(mapping));
  });

  test.each(specRows)("$from, $trigger: $to", ({ from, trigger, to, also }) => {
    const key = `${from} | ${trigger}`;
    const said = also.match(/\b(cashin|cashout|transfer|conversion|wallet|chargeback)\.[a-z]+\b/g) ?? [];
    const money = moneyWords.find(([words]) => words.test(also))?.[1];
    for (const [name, state, ownTrigger] of mapping[key] ?? []) {
      const own = row(name, state, ownTrigger);
      expect(own.to).toBe(to);
      expect([...own.events, ...(sentBeside[key] ?? [])].sort()).toEqual([...said].sort());
      expect(own.source).toBe("States and transitions");
      const plain = from.replace(/ \(.*\)$/, "");
      if (from === "(none)") expect(own.from).toBeNull();
      else if (!from.startsWith("dispute ")) expect(own.from).toBe(plain);
      if (money && ownTrigger !== "charge_back") expect(own.postings).toEqual(money);
    }
  });

  test("every row that claims to be the specification's is one of it; the others name their decision", () => {
    const mapped = new Set(
      Object.values(mapping).flatMap((keys) => keys.map(([name, from, trigger]) => row(name, from, trigger))),
    );
    const all = names.flatMap((name): readonly Transition[] => lifecycles[name].transitions);
    const claiming = all.filter((entry) => entry.source === "States and transitions");
    expect(claiming.filter((entry) => !mapped.has(entry))).toEqual([]);
    const others = all.filter((entry) => !mapped.has(entry));
    for (const { source } of others) expect(source).toMatch(/^(D\d+a?|Fixed wallet; control interface)$/);
  });
});

test("docs/states.md is up to date (npm run docs)", () => {
  expect(readFileSync(new URL("../../docs/states.md", import.meta.url), "utf8")).toBe(statePage());
});

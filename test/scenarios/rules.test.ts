/** Rules at work: what they match, which of them steers, and when their steps are done. */
import { describe, expect, test } from "vitest";
import type { JournalEntryInfo, WorldClient } from "../../src/index.ts";
import { chargeOf, makeCharge, secondsOf, transactionOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { clockRule, rule, scenario } from "../support/scenarios.ts";
import { SigningMerchant } from "../support/signing.ts";
import { walletOf } from "../support/wallets.ts";

const file = useSandbox();

const CREATED = "cashin.created";
const PAYOUT = { currency: "BRL", amount: 10, key: "52998224725" };
/** Steps that say which rule they are of. */
const say = (note: string) => [{ note }];

/** A world with one scenario of these rules. */
function worldWith(...rules: readonly object[]): Promise<WorldClient> {
  return file.world({ scenarios: [scenario("tested", ...rules)] });
}

/** What the notes of a world say, in order. */
async function notesOf(world: WorldClient): Promise<unknown[]> {
  const entries = await world.journal();
  return entries.filter(({ kind, data }) => kind === "step" && data.action === "note").map(({ data }) => data.note);
}

describe("where", () => {
  const charge = {
    amount: "150.00",
    external_id: "order-17",
    payer: { name: "Maria Silva", document: "52998224725" },
  };

  test.each([
    [{}],
    [{ currency: "BRL" }],
    [{ network: "PIX", currency_type: "fiat", type: "cashin", status: "pending", source: "dynamic_qr" }],
    [{ amount: "150.00" }],
    [{ amount: 150 }],
    [{ amount: { gte: 150 } }],
    [{ amount: { gt: "149.99", lt: "150.01" } }],
    [{ amount: { lte: 1000 } }],
    [{ amount: { gt: 99 } }],
    [{ external_id: "order-*" }],
    [{ external_id: "*17" }],
    [{ external_id: "o*-*7" }],
    [{ currency: { in: ["MXN", "BRL"] } }],
    [{ amount: { in: [100, 150] } }],
    [{ currency: { not: "MXN" } }],
    [{ external_id: { not: "refund-*" } }],
    [{ amount: { not: { gte: 200 } } }],
    [{ currency: { not: { in: ["MXN", "USDT"] } } }],
    [{ "payer.name": "Maria *" }],
    [{ "payer.document": "52998224725" }],
    [{ tx_hash: null, chain: null }],
    [{ username: "acme" }],
    [{ created_at: "2026-01-01T12:00:00.000Z" }],
    [{ created_at: "2026-01-01T13:00:00+01:00" }],
    [{ created_at: { gte: "2026-01-01T12:00:00Z", lte: "2026-01-01T12:00:00Z" } }],
    [{ created_at: { lt: "2026-06-01T00:00:00.000Z" } }],
    [{ expires_at: { gt: "2026-01-01T12:29:59.000Z" } }],
  ])("%j matches", async (where) => {
    const world = await worldWith(rule(CREATED, say("matched"), { where }));
    await makeCharge(world, charge);
    expect(await notesOf(world)).toEqual(["matched"]);
  });

  test.each([
    [{ currency: "MXN" }],
    [{ currency: "BRL", amount: 151 }],
    [{ amount: { gt: 150 } }],
    [{ amount: { lt: "150.00" } }],
    [{ amount: { gte: 100, lte: 149 } }],
    [{ external_id: "order" }],
    [{ external_id: "order-1?" }],
    [{ external_id: ".*" }],
    [{ external_id: "order-1*-17" }],
    [{ external_id: null }],
    [{ currency: { not: "BRL" } }],
    [{ currency: { not: { in: ["MXN", "BRL"] } } }],
    [{ "payer.name": "Maria" }],
    [{ tx_hash: "*" }],
    [{ created_at: { lt: "2026-01-01T12:00:00Z" } }],
    [{ confirmed_at: { gt: "2020-01-01T00:00:00.000Z" } }],
    [{ username: "globex" }],
  ])("%j does not match", async (where) => {
    const world = await worldWith(rule(CREATED, say("matched"), { where }));
    await makeCharge(world, charge);
    expect(await notesOf(world)).toEqual([]);
  });

  test.each([
    ["007", 7, false],
    ["1.50", "1.5", false],
    ["7", 7, true],
    ["1.50", "1.50", true],
  ])("an external id is a text: %j is held against %j", async (external_id, condition, isMatched) => {
    const world = await worldWith(rule(CREATED, say("matched"), { where: { external_id: condition } }));
    await makeCharge(world, { external_id });
    expect(await notesOf(world)).toEqual(isMatched ? ["matched"] : []);
  });

  test("an event is matched by the fields of its data, and by its account", async () => {
    const where = { amount_net: { gte: "148.50" }, new_balance: "10148.50", "payer.name": "Maria*", username: "acme" };
    const world = await worldWith(rule("cashin.confirmed", [{ after: "1h", refund: {} }], { where }));
    const id = await makeCharge(world, charge);
    await world.act(id, "pay");
    await world.advance("idle");
    expect((await transactionOf(world, id)).status).toBe("refunded");
  });
});

test("a transfer is matched once for each side, by the account that is told", async () => {
  const rules = ["acme", "globex"].map((username) =>
    rule("transfer.confirmed", say(username), { where: { username } }),
  );
  const world = await worldWith(...rules);
  const merchant = await Merchant.of(world);
  await merchant.call("POST", "/v2/internal_transfers/payment", { username: "globex", currency: "BRL", amount: "1" });
  expect(await notesOf(world)).toEqual(["acme", "globex"]);
});

test.each([
  ["the account that the event went to", "transfer.confirmed", { username: "globex" }, ["active", "under_review"]],
  [
    "the account that it went to, though it is the sender's",
    "transfer.confirmed",
    { username: "acme" },
    ["under_review", "active"],
  ],
  [
    "the account whose webhook was delivered",
    "webhook.delivered",
    { username: "globex", event: "transfer.confirmed" },
    ["active", "under_review"],
  ],
])("set_account without a username takes of a transfer %s", async (_which, on, where, statuses) => {
  const world = await worldWith(rule(on, [{ after: "1s", set_account: { status: "under_review" } }], { where }));
  await world.setPostbackUrl("globex", "sandbox://inbox");
  const merchant = await Merchant.of(world);
  await merchant.call("POST", "/v2/internal_transfers/payment", { username: "globex", currency: "BRL", amount: "1" });
  await world.advance("1s");
  const accounts = [await world.accounts.get("acme"), await world.accounts.get("globex")];
  expect(accounts.map(({ status }) => status)).toEqual(statuses);
});

describe("how often", () => {
  /** Makes charges one after another. @returns the places at which the rule fired. */
  async function firedOf(more: object, charges: number, seed = 1): Promise<number[]> {
    const world = await file.world({ seed, scenarios: [scenario("tested", rule(CREATED, [{ cancel: {} }], more))] });
    const merchant = await Merchant.of(world);
    const fired: number[] = [];
    for (let count = 0; count < charges; count++) {
      const { status } = await transactionOf(world, await chargeOf(merchant));
      if (status === "canceled") fired.push(count);
    }
    return fired;
  }

  test.each([
    [{}, [0, 1, 2, 3, 4, 5]],
    [{ skip: 2 }, [2, 3, 4, 5]],
    [{ times: 2 }, [0, 1]],
    [{ skip: 1, times: 3 }, [1, 2, 3]],
    [{ skip: 6 }, []],
    [{ chance: "0%" }, []],
    [{ chance: "100%" }, [0, 1, 2, 3, 4, 5]],
  ])("%j", async (more, fired) => {
    expect(await firedOf(more, 6)).toEqual(fired);
  });

  test("a chance falls by the seed: the same every run, another way with another seed", async () => {
    const [first, again, other] = [
      await firedOf({ chance: "50%" }, 40),
      await firedOf({ chance: "50%" }, 40),
      await firedOf({ chance: "50%" }, 40, 2),
    ];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(first.length).toBeGreaterThan(5);
    expect(first.length).toBeLessThan(35);
  });

  test("what matched and what fired is counted", async () => {
    const rules = [rule(CREATED, say("a"), { skip: 1, times: 1, name: "one of three" }), rule(CREATED, say("b"))];
    const world = await worldWith(...rules);
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) await chargeOf(merchant);
    const { items } = await world.call<{ items: { rules: object[] }[] }>("GET", "/scenarios");
    expect(items[0]?.rules).toMatchObject([
      { name: "one of three", on: CREATED, matched: 3, fired: 1 },
      { name: null, on: CREATED, matched: 2, fired: 2 },
    ]);
  });
});

describe("which rule steers", () => {
  test("of one scenario the first that matches, from the top", async () => {
    const world = await worldWith(
      rule(CREATED, say("pesos"), { where: { currency: "MXN" } }),
      rule(CREATED, say("large"), { where: { amount: { gte: 100 } } }),
      rule(CREATED, say("any"), { where: { amount: { gte: 1 } } }),
      rule(CREATED, say("never")),
    );
    const merchant = await Merchant.of(world);
    for (const charge of [{ amount: "500" }, { amount: "5" }, { currency: "MXN", amount: "500" }]) {
      await chargeOf(merchant, charge);
    }
    expect(await notesOf(world)).toEqual(["large", "any", "pesos"]);
  });

  test("of several scenarios the last loaded, one that is loaded again too", async () => {
    const world = await file.world({
      scenarios: [scenario("first", rule(CREATED, say("first"))), scenario("second", rule(CREATED, say("second")))],
    });
    const merchant = await Merchant.of(world);
    await chargeOf(merchant);
    await world.call("POST", "/scenarios", scenario("third", rule(CREATED, say("third"))));
    await chargeOf(merchant);
    await world.call("POST", "/scenarios", scenario("first", rule(CREATED, say("first again"))));
    await chargeOf(merchant);
    await world.call("DELETE", "/scenarios/first");
    await chargeOf(merchant);
    expect(await notesOf(world)).toEqual(["second", "third", "first again", "third"]);
  });

  test("one that does not fire this time leaves it to the next", async () => {
    const world = await worldWith(
      rule(CREATED, say("once"), { times: 1 }),
      rule(CREATED, say("unlucky"), { chance: "0%" }),
      rule(CREATED, say("late"), { skip: 1 }),
      rule(CREATED, say("else")),
    );
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) await chargeOf(merchant);
    expect(await notesOf(world)).toEqual(["once", "else", "late"]);
  });

  test("one with also adds to the one that steers, before it, after it and from another scenario", async () => {
    const world = await file.world({
      scenarios: [
        scenario("under", rule(CREATED, say("added below"), { also: true }), rule(CREATED, say("overruled"))),
        scenario(
          "above",
          rule(CREATED, say("added first"), { also: true }),
          rule(CREATED, say("steers"), { where: { amount: { gte: 1 } } }),
          rule(CREATED, say("overruled too")),
          rule(CREATED, say("added last"), { also: true }),
        ),
      ],
    });
    await makeCharge(world);
    expect(await notesOf(world)).toEqual(["added first", "steers", "added last", "added below"]);
  });

  test("one for another trigger is in nobody's way", async () => {
    const world = await worldWith(rule("cashin.expired", say("expired")), rule(CREATED, say("created")));
    await makeCharge(world);
    await world.advance("idle");
    expect(await notesOf(world)).toEqual(["created", "expired"]);
  });
});

describe("when a step is done", () => {
  test("EVT-01 what is done at once upon an event comes after its webhook, which finds the balance as it tells it", async () => {
    await using receiver = await startReceiver();
    const steps = scenario("tested", rule("cashin.confirmed", [{ refund: {} }]));
    const world = await file.world({ scenarios: [steps], postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    const seen: unknown[] = [];
    receiver.answerWith(async ({ body }, response) => {
      seen.push([body.event, body.data.new_balance, (await merchant.balance("BRL")).balance]);
      response.writeHead(200).end();
    });
    await world.act(await chargeOf(merchant, { amount: "100.00" }), "pay");
    await world.settle();
    expect(seen).toEqual([
      ["cashin.confirmed", "10099.00", "10099.00"],
      ["cashin.refunded", "9999.00", "9999.00"],
    ]);
  });

  test("after the step before, the first after the trigger, at once where nothing is said", async () => {
    const steps = [{ note: "now" }, { after: "5s", note: "5" }, { after: "1m", note: "65" }, { note: "65 too" }];
    const world = await worldWith(rule(CREATED, steps));
    await world.advance("10s");
    await makeCharge(world);
    await world.advance("idle");
    const notes = (await world.journal()).filter(({ data }) => data.action === "note");
    expect(notes.map(({ at, data }) => `${at.slice(11, 19)} ${data.note}`)).toEqual([
      "12:00:10 now",
      "12:00:15 5",
      "12:01:15 65",
      "12:01:15 65 too",
    ]);
  });

  test("at an instant; one that has passed is now", async () => {
    const steps = [
      { at: "2026-01-01T09:10:00-03:00", note: "later" },
      { at: "2026-01-01T00:00:00Z", note: "passed" },
    ];
    const world = await worldWith(rule(CREATED, steps));
    await makeCharge(world);
    await world.advance("idle");
    const notes = (await world.journal()).filter(({ data }) => data.action === "note");
    expect(notes.map(({ at, data }) => `${at} ${data.note}`)).toEqual([
      "2026-01-01T12:10:00.000Z later",
      "2026-01-01T12:10:00.000Z passed",
    ]);
  });

  test("at the expiry of its charge, before the service lets it expire", async () => {
    await using receiver = await startReceiver();
    const world = await worldWith(rule(CREATED, [{ at: "expiry", pay: {} }]));
    await world.setPostbackUrl("acme", receiver.url);
    await makeCharge(world);
    await world.advance("idle");
    expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.confirmed"]);
    expect(secondsOf(receiver)).toEqual([1800]);
  });

  test("at its confirmations: at the pace of the chain, at once for PIX, after 30 s for SPEI", async () => {
    await using receiver = await startReceiver();
    const world = await worldWith(rule(CREATED, [{ at: "confirmations", pay: {} }]));
    await world.setPostbackUrl("acme", receiver.url);
    const merchant = await Merchant.of(world);
    const charges = [
      { currency: "USDT", chain: "tron" },
      { currency: "MXN" },
      { currency: "BRL" },
      { currency: "SOL" },
    ];
    for (const charge of charges) await chargeOf(merchant, { ...charge, amount: "10" });
    await world.advance("idle");
    expect(receiver.received.map(({ body }) => body.data.currency)).toEqual(["BRL", "SOL", "MXN", "USDT"]);
    expect(secondsOf(receiver)).toEqual([0, 12, 30, 60]);
  });

  test("what has begun goes on as it was, whatever is loaded, replaced or taken out meanwhile", async () => {
    const steps = [
      { after: "1m", note: "one" },
      { after: "1m", note: "two" },
    ];
    const world = await worldWith(rule(CREATED, steps));
    await makeCharge(world);
    await world.call("POST", "/scenarios", scenario("tested", rule(CREATED, say("replaced"))));
    await world.advance("1m");
    await world.call("DELETE", "/scenarios/tested");
    await world.advance("idle");
    expect(await notesOf(world)).toEqual(["one", "two"]);
  });
});

describe("what a step does", () => {
  test("pays, with what it is told of payer and amount, exactly as it is written", async () => {
    await using receiver = await startReceiver();
    const pay = { amount: "0.10000000", payer: { name: "Maria Silva" }, tx_hash: "b".repeat(64) };
    const world = await worldWith(
      rule(CREATED, [{ pay }], { where: { currency: "BTC" } }),
      rule(CREATED, [{ pay: { payer: { name: "João", document: "52998224725" } } }]),
    );
    await world.setPostbackUrl("acme", receiver.url);
    const merchant = await Merchant.of(world);
    await chargeOf(merchant, { currency: "BTC", amount: "0.2" });
    await chargeOf(merchant);
    await world.settle();
    const [bitcoin, pix] = receiver.received.map(({ body }) => body.data);
    expect(bitcoin).toMatchObject({ amount: "0.10000000", tx_hash: "b".repeat(64) });
    expect(pix.payer).toEqual({ name: "João", document: "52998224725" });
  });

  test("a number of YAML is no binary fraction", async () => {
    const world = await file.world();
    const yaml = `scenario: exact
rules:
  - on: cashin.confirmed
    then:
      - refund: { amount: 0.30 }
      - refund: { amount: 0.1 }
`;
    const headers = { "Content-Type": "application/yaml" };
    const loaded = await fetch(`${world.baseUrl}/_sandbox/scenarios`, { method: "POST", headers, body: yaml });
    expect(loaded.status).toBe(201);
    const id = await makeCharge(world);
    await world.act(id, "pay");
    await world.settle();
    expect((await transactionOf(world, id)).amount_refunded).toBe("0.40");
  });

  test.each([
    ["fail", { reason: "PROVIDER_FAILURE" }, "failed"],
    ["cancel", {}, "canceled"],
    ["expire", {}, "expired"],
  ])("%s", async (action, input, status) => {
    const world = await worldWith(rule(CREATED, [{ after: "5s", [action]: input }]));
    const id = await makeCharge(world);
    await world.advance("5s");
    expect((await transactionOf(world, id)).status).toBe(status);
  });

  test("one that the state no longer allows is skipped, says so in the journal, and the next one is done", async () => {
    const steps = [
      { after: "1m", pay: {} },
      { after: "1m", refund: {} },
      { after: "1m", note: "the end" },
    ];
    const world = await worldWith(rule(CREATED, steps));
    const id = await makeCharge(world);
    await world.act(id, "cancel");
    await world.advance("idle");
    const skipped = (await world.journal()).filter(({ kind }) => kind === "step.skipped");
    expect(skipped).toMatchObject([
      { at: "2026-01-01T12:01:00.000Z", subject: id, data: { scenario: "tested", action: "pay" } },
      { at: "2026-01-01T12:02:00.000Z", subject: id, data: { scenario: "tested", action: "refund" } },
    ]);
    for (const { data, rule: at } of skipped) {
      expect(data.reason).toContain("canceled");
      expect(at).toMatch(/^inline\.json:\d+$/);
    }
    expect(await notesOf(world)).toEqual(["the end"]);
    expect((await transactionOf(world, id)).status).toBe("canceled");
  });

  test("one whose input does not fit its charge is skipped too, and nothing of it stays", async () => {
    const world = await worldWith(rule(CREATED, [{ pay: { amount: "1.00" } }, { pay: {} }]));
    const id = await makeCharge(world);
    const [skipped] = (await world.journal()).filter(({ kind }) => kind === "step.skipped");
    expect(skipped?.data.reason).toContain("amount must be 150.00");
    expect((await transactionOf(world, id)).status).toBe("confirmed");
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test.each([
    ["cash-out", {}, 'The action "fail" of a cashout cannot be done: error_code is missing.'],
    ["charge", { error_code: "PIX_KEY_NOT_FOUND" }, 'The action "fail" of a cashin does not take error_code.'],
  ])(
    "one that names a %s as if it were the other kind of transaction is skipped and says why",
    async (kind, input, reason) => {
      const fail = { fail: { transaction: "named-1", ...input } };
      const world = await file.world({ scenarios: [scenario("tested", clockRule({ at: "+5s" }, [fail]))] });
      if (kind === "charge") await makeCharge(world, { external_id: "named-1" });
      else await (await SigningMerchant.ofAccount(world)).cashout({ ...PAYOUT, external_id: "named-1" });
      await world.advance("5s");
      const journal = await world.journal();
      expect(journal.flatMap(({ kind: of, data }) => (of === "step.skipped" ? [data.reason] : []))).toEqual([reason]);
      expect(journal.filter(({ kind: of }) => of === "fault")).toEqual([]);
    },
  );
});

test("the amount of a step that names another resource has the decimals of that one's currency", async () => {
  const coins = { refund: { transaction: "coins", amount: "0.0001" } };
  const deposit = { deposit: { wallet: "USDT/tron", amount: "0.125001" } };
  const world = await worldWith(rule(CREATED, [coins, deposit], { where: { currency: "BRL" } }));
  const merchant = await Merchant.of(world);
  await walletOf(merchant, { currency: "USDT", chain: "tron" });
  const { body } = await merchant.cashin({ currency: "BTC", amount: 0.01, external_id: "coins" });
  await world.act(String(body.data?.transaction_id), "pay");
  await makeCharge(world);
  await world.advance("idle");
  expect((await transactionOf(world, String(body.data?.transaction_id))).amount_refunded).toBe("0.00010000");
  expect((await world.journal()).filter(({ kind }) => kind === "step.skipped")).toEqual([]);
});

describe("triggers", () => {
  test("D53 a step at the deadline comes before the loss by default, also where it was thought of later", async () => {
    const onDelivery = { where: { event: "chargeback.opened" } };
    const rules = [rule("webhook.delivered", [{ after: "7d", win: {} }], onDelivery)];
    const world = await file.world({ scenarios: [scenario("tested", ...rules)], postback_url: "sandbox://inbox" });
    const id = await makeCharge(world);
    await world.act(id, "pay");
    await world.act(id, "dispute");
    await world.advance("7d");
    expect(await world.all("/disputes")).toMatchObject([{ status: "won" }]);
  });

  test("webhook.delivered, webhook.failed and webhook.exhausted, acting on the charge that the webhook tells of", async () => {
    await using receiver = await startReceiver(500);
    const where = { event: "cashin.confirmed" };
    const world = await worldWith(
      rule("webhook.exhausted", [{ refund: { reason: "MERCHANT_UNREACHABLE" } }], { where }),
      rule("webhook.failed", say("third failure"), { where: { ...where, attempt: 3 } }),
      rule("webhook.delivered", say("delivered"), { where: { event: "cashin.refunded", status: 200 } }),
    );
    await world.setPostbackUrl("acme", receiver.url);
    const id = await makeCharge(world);
    await world.act(id, "pay");
    await world.advance("6s");
    expect(await notesOf(world)).toEqual(["third failure"]);
    await world.advance("750s");
    expect((await transactionOf(world, id)).status).toBe("refunded");
    receiver.answerWith(200);
    await world.advance("idle");
    expect(await notesOf(world)).toEqual(["third failure", "delivered"]);
  });

  test("each of them by all that it tells of the attempt: how it ended, whether by hand, a copy or from a wrong address", async () => {
    await using receiver = await startReceiver(500);
    const ended = { status: 500, error: null, manual: false, duplicate: false, source: null };
    const world = await worldWith(
      rule("webhook.exhausted", say("exhausted"), { where: { ...ended, attempt: 6 } }),
      rule("webhook.failed", say("copy"), { where: { duplicate: true } }),
      { delivery: "cashin.confirmed", inject: { duplicate: 1 } },
    );
    await world.setPostbackUrl("acme", receiver.url);
    await world.act(await makeCharge(world), "pay");
    await world.advance("idle");
    expect(await notesOf(world)).toEqual(["copy", "exhausted"]);
  });

  test("a chain of rules: each event leads to the next, each with its cause", async () => {
    const world = await worldWith(
      rule(CREATED, [{ after: "5s", pay: {} }]),
      rule("cashin.confirmed", [{ after: "5s", refund: { amount: "1.00" } }]),
      rule("cashin.refunded", [{ after: "5s", refund: { amount: "1.00" } }], { times: 3 }),
    );
    const id = await makeCharge(world);
    await world.advance("idle");
    expect((await transactionOf(world, id)).amount_refunded).toBe("4.00");
    expect((await world.clock()).now).toBe("2026-01-01T12:00:25.000Z");
    const journal = await world.journal();
    const last = journal.findLast(({ kind }) => kind === "webhook.created");
    const perStep = ["transition", "rule.fired", "step"];
    const kinds = ["request", ...Array(5).fill(perStep).flat(), "transition", "webhook.created"];
    expect(causesOf(journal, last).map(({ kind }) => kind)).toEqual(kinds);
  });

  test("what a rule does says its file and line: in the journal, and on the clock", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const id = await makeCharge(world);
    const { items } = await world.call<{ items: { kind: string; rule: string }[] }>("GET", "/timers");
    const at = items.find(({ kind }) => kind === "scenario.step")?.rule;
    expect(at).toMatch(/^scenarios\/happy-path\.yaml:\d+$/);
    await world.advance("5s");
    const entries = (await world.journal()).filter(({ subject }) => subject === id);
    expect(entries.find(({ kind }) => kind === "rule.fired")?.rule).toMatch(/^scenarios\/happy-path\.yaml:\d+$/);
    expect(entries.find(({ kind }) => kind === "step")?.rule).toBe(at);
  });
});

describe("the scenario magic-values, above happy-path", () => {
  test.each([
    ["magic-expire", "expired", ["cashin.expired"], 1800],
    ["magic-expire-7", "expired", ["cashin.expired"], 1800],
    ["magic-fail", "failed", [], undefined],
    ["magic-cancel", "canceled", [], undefined],
    ["magic-refund", "refunded", ["cashin.confirmed", "cashin.refunded"], 5],
    ["not-magic", "confirmed", ["cashin.confirmed"], 5],
  ])("external_id %s: %s", async (external_id, status, events, first) => {
    await using receiver = await startReceiver();
    const world = await file.world({ scenarios: ["happy-path", "magic-values"], postback_url: receiver.url });
    const id = await makeCharge(world, { external_id });
    await world.advance("idle");
    expect((await transactionOf(world, id)).status).toBe(status);
    expect(receiver.received.map(({ body }) => body.event)).toEqual(events);
    expect(secondsOf(receiver)[0]).toBe(first);
  });
});

/** The chain of causes that led to an entry, oldest first. */
function causesOf(journal: readonly JournalEntryInfo[], entry: JournalEntryInfo | undefined): JournalEntryInfo[] {
  if (!entry) return [];
  const cause = journal.find(({ sequence }) => sequence === entry.cause);
  return [...causesOf(journal, cause), entry];
}

test("happy-path pays a BTC charge after its hour of confirmations: paid in time, it does not expire", async () => {
  const world = await file.world({ scenarios: ["happy-path"] });
  const merchant = await Merchant.of(world);
  const charge = await merchant.cashin({ currency: "BTC", amount: "0.01" });
  await world.advance("59m");
  expect((await world.transaction(charge.body.data.transaction_id)).status).toBe("pending");
  await world.advance("1m");
  expect((await world.transaction(charge.body.data.transaction_id)).status).toBe("confirmed");
});

test.each([
  ["a step that pays nothing does not make it wait", [{ at: "confirmations", note: "seen" }], 30],
  [
    "once no payment is left to come, it expires, whatever else is",
    [
      { at: "confirmations", pay: { tx_hash: "none" } },
      { after: "1d", note: "given up" },
    ],
    60,
  ],
])("D32: a charge that waits for its confirmations: %s", async (_what, steps, minutes) => {
  const world = await worldWith(rule(CREATED, steps));
  const merchant = await Merchant.of(world);
  const charge = await merchant.cashin({ currency: "BTC", amount: "0.01" });
  const statusAt = async () => (await world.transaction(charge.body.data.transaction_id)).status;
  await world.advance(`${minutes - 1}m`);
  expect(await statusAt()).toBe("pending");
  await world.advance("1m");
  expect(await statusAt()).toBe("expired");
});

const PAID_AN_HOUR_LATER = rule(CREATED, [
  { at: "confirmations", note: "seen" },
  { after: "1h", pay: {} },
]);

test.each([
  ["on a fast chain", { currency: "USDT", chain: "tron", amount: "10" }, "sent the money on tron"],
  ["by SPEI", { currency: "MXN", amount: "10" }, "sent the money by SPEI"],
])("D32: a charge waits for the steps after its confirmations too, %s", async (_how, body, told) => {
  const world = await worldWith(PAID_AN_HOUR_LATER);
  const id = await makeCharge(world, body);
  await world.advance("idle");
  expect((await world.transaction(id)).status).toBe("confirmed");
  expect((await world.explain(id)).chain.map(({ text }) => text).join(" ")).toContain(told);
});

test("D32: a PIX has nothing to wait for: what pays it later than its expiry comes too late", async () => {
  const world = await worldWith(PAID_AN_HOUR_LATER);
  const id = await makeCharge(world);
  await world.advance("30m");
  expect((await world.transaction(id)).status).toBe("expired");
  await world.advance("idle");
  expect((await world.journal()).map(({ kind }) => kind)).toContain("step.skipped");
});

test("D32: a charge that has ended waits for no confirmations", async () => {
  const world = await worldWith(rule(CREATED, [{ cancel: {} }, { at: "confirmations", pay: {} }]));
  await makeCharge(world, { currency: "BTC", amount: "0.1" });
  await world.advance("1d");
  expect((await world.journal()).map(({ kind }) => kind)).not.toContain("payment.broadcast");
});

test("D32: a charge that has been paid does not expire after a later step", async () => {
  const world = await worldWith(rule(CREATED, [{ pay: {} }, { after: "1h", note: "later" }]));
  await makeCharge(world);
  await world.settle();
  expect((await world.advance("2h")).timers).toBe(1);
});

test("D32: a charge does not wait for a step that pays another one", async () => {
  const world = await worldWith(rule(CREATED, [{ at: "confirmations", pay: { transaction: "other" } }]));
  const id = await makeCharge(world, { currency: "BTC", amount: "0.1" });
  const other = await makeCharge(world, { currency: "BTC", amount: "0.1", external_id: "other" });
  await world.advance("30m");
  expect((await world.transaction(id)).status).toBe("expired");
  expect((await world.transaction(other)).status).toBe("pending");
  await world.advance("30m");
  expect((await world.transaction(other)).status).toBe("confirmed");
});

test("D32: a charge that waited for its confirmations does not expire while another rule may still pay it", async () => {
  const noted = { ...rule(CREATED, [{ at: "confirmations", note: "seen" }]), also: true };
  const paid = rule(CREATED, [
    { at: "confirmations", note: "here" },
    { after: "1m", pay: {} },
  ]);
  const world = await worldWith(noted, paid);
  const merchant = await Merchant.of(world);
  const charge = await merchant.cashin({ currency: "BTC", amount: "0.01" });
  await world.advance("idle");
  expect((await world.transaction(charge.body.data.transaction_id)).status).toBe("confirmed");
});

test("small numbers, which programs write with an exponent, are amounts, balances and rates like any other", async () => {
  const tiny = 0.0000001;
  const deposit = rule(CREATED, [{ set_rate: { BTC: tiny } }, { deposit: { wallet: "BTC/bitcoin", amount: tiny } }]);
  const tested = scenario("tested", { ...deposit, where: { amount: { gte: tiny } } });
  const world = await file.world({
    scenarios: [{ ...tested, accounts: [{ username: "shop", balances: { BTC: tiny } }] }],
  });
  const merchant = await Merchant.of(world);
  await merchant.call("POST", "/v2/transactions/wallet", { currency: "BTC", chain: "bitcoin" });
  await merchant.cashin({ currency: "BRL", amount: 5 });
  await world.advance("2h");
  expect(await world.rates.get()).toMatchObject({ BTC: "0.0000001" });
  expect(await world.transactions.list()).toContainEqual(
    expect.objectContaining({ source: "static", status: "confirmed", amount: "0.00000010" }),
  );
});

test("a wallet is named by its id in digits: another way to write that number names none", async () => {
  const deposit = (wallet: string) => ({ deposit: { wallet, amount: 5, instant: true } });
  const world = await worldWith(rule(CREATED, [deposit("0x3e9"), deposit("1001.0"), deposit("1001")]));
  const merchant = await Merchant.of(world);
  const opened = await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
  expect(opened.body.data.wallet_id).toBe(1001);
  await merchant.cashin({ currency: "BRL", amount: 5 });
  await world.advance("1m");
  const deposits = (await world.transactions.list()).filter(({ source }) => source === "static");
  expect(deposits).toHaveLength(1);
});

describe("TX-04 a step that names a transaction by its external id, which is an account's own", () => {
  /** Of both accounts of a world. */
  async function merchantsOf(world: WorldClient): Promise<[acme: Merchant, globex: Merchant]> {
    const { client_id: clientId, client_secret: clientSecret } = (await world.accounts.get("globex")).credentials[0]!;
    const globex = new Merchant(world, { clientId, clientSecret });
    await globex.authenticate();
    return [await Merchant.of(world), globex];
  }

  const paying = [{ after: "1s", pay: { transaction: "order-1" } }];
  const clock = clockRule({ at: "+10s" }, paying);

  test("finds it though another account has used the id for something else", async () => {
    const world = await worldWith(clock);
    const [acme, globex] = await merchantsOf(world);
    const transfer = { username: "globex", currency: "BRL", amount: 1, external_id: "order-1" };
    await acme.call("POST", "/v2/internal_transfers/payment", transfer);
    const charge = await globex.cashin({ currency: "BRL", amount: 5, external_id: "order-1" });
    await world.advance("11s");
    expect((await world.transaction(charge.body.data.transaction_id)).status).toBe("confirmed");
  });

  test("of several, takes that of the rule's own account, and on the clock names none of them by guess", async () => {
    const world = await worldWith({ ...rule(CREATED, paying), where: { external_id: "order-2" } }, clock);
    const [acme, globex] = await merchantsOf(world);
    const made = [acme, globex].map((one) => one.cashin({ currency: "BRL", amount: 5, external_id: "order-1" }));
    const ids: string[] = (await Promise.all(made)).map(({ body }) => body.data.transaction_id);
    const statuses = () => Promise.all(ids.map(async (id) => (await world.transaction(id)).status));
    await world.advance("11s");
    expect(await statuses()).toEqual(["pending", "pending"]);
    const [skipped] = (await world.journal()).filter(({ kind }) => kind === "step.skipped");
    expect(skipped?.data.reason).toContain("is that of a transaction of each of acme, globex");
    await globex.cashin({ currency: "BRL", amount: 5, external_id: "order-2" });
    await world.advance("1s");
    expect(await statuses()).toEqual(["pending", "confirmed"]);
  });
});

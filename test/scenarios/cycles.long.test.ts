/** Rules that set each other off: without time passing they are stopped, and nothing else is taken for it. */
import { describe, expect, test } from "vitest";
import type { JournalEntryInfo, WorldClient } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { allAtOnce, rule, scenario } from "../support/scenarios.ts";
import { deposit, walletOf } from "../support/wallets.ts";

const file = useSandbox();
const START = "2026-01-01T12:00:00.000Z";

/** Another deposit into the newest wallet for BRL, credited at once. */
const another = { deposit: { wallet: "BRL", amount: 1, instant: true } };

/** A world with these rules and a wallet for BRL. */
async function worldWith(rules: readonly object[], more: object = {}) {
  const world = await file.world({ scenarios: [scenario("circle", ...rules)], ...more });
  const wallet = await walletOf(await Merchant.of(world), { currency: "BRL" });
  return { world, pay: () => deposit(world, wallet.wallet_id, { amount: 1, instant: true }) };
}

async function entriesOf(world: WorldClient, kind: string): Promise<JournalEntryInfo[]> {
  return (await world.journal()).filter((entry) => entry.kind === kind);
}

describe("a circle in which no time passes is stopped, with its rules named", () => {
  test("a rule that brings about what set it off", async () => {
    const { world, pay } = await worldWith([rule("wallet_deposit", [another])]);
    await pay();
    const { to } = await world.advance("0s");
    const fired = await entriesOf(world, "rule.fired");
    const stopped = await entriesOf(world, "rule.stopped");
    expect(to).toBe(START);
    expect(fired.length).toBe(100);
    expect(stopped).toMatchObject([{ rule: fired[0]?.rule, data: { on: "wallet_deposit", chain: [fired[0]?.rule] } }]);
    expect(stopped[0]?.rule).toMatch(/^inline\.json:\d+$/);
    expect(await world.call("GET", "/ledger/check")).toMatchObject({ ok: true });
  });

  test("one that says how often it acts does so, up to five hundred times", async () => {
    const { world, pay } = await worldWith([{ ...rule("wallet_deposit", [another]), times: 149 }]);
    await pay();
    await world.advance("0s");
    expect(await entriesOf(world, "rule.fired")).toHaveLength(149);
    expect(await entriesOf(world, "rule.stopped")).toEqual([]);

    const endless = await worldWith([{ ...rule("wallet_deposit", [another]), times: 1_000 }]);
    await endless.pay();
    await endless.world.advance("0s");
    expect(await entriesOf(endless.world, "rule.fired")).toHaveLength(500);
    expect(await entriesOf(endless.world, "rule.stopped")).toHaveLength(1);
  });

  test("two rules that set each other off, both of them named in the order of the circle", async () => {
    const { world, pay } = await worldWith(
      [
        rule("wallet_deposit", [another]),
        rule("cashin.confirmed", [{ refund: {} }], { where: { source: "static" } }),
        rule("cashin.refunded", [another]),
      ],
      { settings: { deposit_events: "cashin" } },
    );
    await pay();
    await world.advance("0s");
    const stopped = await entriesOf(world, "rule.stopped");
    const fired = new Set((await entriesOf(world, "rule.fired")).map(({ rule: at }) => at));
    expect(stopped.length).toBeGreaterThan(0);
    for (const { rule: at, data } of stopped) {
      expect(new Set(data.chain as string[])).toEqual(fired);
      expect(fired.size).toBe(2);
      expect(fired).toContain(at);
    }
  });

  test("a circle that goes through the merchant's receiver", async () => {
    const { world, pay } = await worldWith(
      [rule("webhook.delivered", [another], { where: { event: "wallet_deposit" } })],
      { postback_url: "sandbox://inbox", settings: { webhook_rate: 1_000_000 } },
    );
    await pay();
    const { to } = await world.advance("0s");
    const stopped = await entriesOf(world, "rule.stopped");
    expect([to, stopped.length]).toEqual([START, 1]);
    expect(stopped[0]?.data).toMatchObject({ scenario: "circle", on: "webhook.delivered", chain: [stopped[0]?.rule] });
    expect((await world.webhooks({ event: "wallet_deposit" })).length).toBe(101);
  });

  test("where the outbound rate puts webhooks back, time passes, and the circle goes on", async () => {
    const { world, pay } = await worldWith(
      [rule("webhook.delivered", [another], { where: { event: "wallet_deposit" } })],
      { postback_url: "sandbox://inbox" },
    );
    await pay();
    await world.advance("10m");
    expect(await entriesOf(world, "rule.stopped")).toEqual([]);
    expect((await entriesOf(world, "rule.fired")).length).toBeGreaterThan(100);
  });

  test("a rule that does it twice, and would do it a million times", async () => {
    const { world, pay } = await worldWith([rule("wallet_deposit", [another, another])]);
    await pay();
    const { to } = await world.advance("0s");
    const [fired, stopped] = [await entriesOf(world, "rule.fired"), await entriesOf(world, "rule.stopped")];
    expect(to).toBe(START);
    expect(fired.length).toBeLessThan(1_000);
    expect(stopped.length).toBeGreaterThan(0);
    expect(new Set(stopped.map(({ data }) => JSON.stringify(data.chain)))).toEqual(
      new Set([JSON.stringify([fired[0]?.rule])]),
    );
  });

  test("a step that waits no time is no time", async () => {
    const { world, pay } = await worldWith([rule("wallet_deposit", [{ after: "0s", note: "again" }, another])]);
    await pay();
    await world.advance("0s");
    expect(await entriesOf(world, "rule.stopped")).toHaveLength(1);
  });

  test("the service goes on: the next deposit sets the rule off again", async () => {
    const { world, pay } = await worldWith([rule("wallet_deposit", [another])]);
    for (let payment = 0; payment < 7; payment++) {
      await pay();
      await world.advance("0s");
    }
    expect((await entriesOf(world, "rule.fired")).length).toBe(700);
    expect(await entriesOf(world, "rule.stopped")).toHaveLength(7);
  });

  test("explain tells of it", async () => {
    const { world, pay } = await worldWith([rule("wallet_deposit", [another])]);
    await pay();
    await world.advance("0s");
    const [stopped] = await entriesOf(world, "rule.stopped");
    const { history } = await world.explain(stopped?.subject ?? "");
    expect(history.find(({ kind }) => kind === "rule.stopped")?.text).toContain(stopped?.rule);
  });
});

describe("what is no circle", () => {
  test("hundreds of payments at one instant", async () => {
    const world = await file.world({
      scenarios: [allAtOnce, scenario("told", rule("cashin.confirmed", [{ note: "paid" }]))],
    });
    const merchant = await Merchant.of(world);
    for (let index = 0; index < 300; index++) await merchant.cashin({ currency: "BRL", amount: 10 });
    await world.advance("10m");
    expect(await entriesOf(world, "rule.stopped")).toEqual([]);
    const notes = (await entriesOf(world, "step")).filter(({ data }) => data.action === "note");
    expect(notes).toHaveLength(300);
    expect(new Set(notes.map(({ at }) => at)).size).toBe(1);
  });

  test("one rule that does hundreds of things at one instant", async () => {
    const steps = Array.from({ length: 250 }, () => another);
    const { world } = await worldWith([rule("cashin.created", steps, { where: { source: "dynamic_qr" } })]);
    await makeCharge(world);
    await world.advance("0s");
    expect(await entriesOf(world, "rule.stopped")).toEqual([]);
    expect((await world.webhooks({ event: "wallet_deposit" })).length).toBe(250);
  });

  test("a rule that brings itself about a second later goes on for as long as it may", async () => {
    const { world, pay } = await worldWith([rule("wallet_deposit", [{ after: "1s", ...another }])]);
    await pay();
    await world.advance("5m");
    expect(await entriesOf(world, "rule.stopped")).toEqual([]);
    expect((await entriesOf(world, "rule.fired")).length).toBe(301);
  });
});

describe("a script that expects what never comes ends all the same", () => {
  const lines = (rules: string) => `scenario: waiting
rules:
${rules}
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5 }
  - advance: chargeback.won
expect:
  - event: chargeback.won
`;

  test.each([
    ["at idle", "  - on: cashin.created\n    then: [{ after: 5s, pay: {} }]"],
    ["beside a rule that comes again every minute", '  - every: "* * * * *"\n    then: [{ note: tick }]'],
    ["beside a circle", "  - on: wallet_deposit\n    then: [{ deposit: { wallet: BRL, amount: 1, instant: true } }]"],
  ])("%s: 1", async (_what, rules) => {
    const source = lines(rules);
    const cwd = testFolder({ "waiting.yaml": source });
    const { code, stdout } = await runCommand(["run", "waiting.yaml", "--json"], { cwd });
    expect(code).toBe(1);
    const [{ verdict, expectations }] = JSON.parse(stdout).scenarios;
    const advance = {
      at: `waiting.yaml:${source.split("\n").indexOf("  - advance: chargeback.won") + 1}`,
      text: "advance to chargeback.won",
      verdict: "fail",
      detail: "chargeback.won did not come, and nothing was left that it could have come of",
    };
    expect([verdict, expectations.slice(1)]).toMatchObject([
      "fail",
      [advance, { text: "chargeback.won", verdict: "fail" }],
    ]);
  });
});

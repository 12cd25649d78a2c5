/** Fault rules of scenario files: what they strike, which of them does, how it is counted and told, and what is wrong. */
import { describe, expect, test } from "vitest";
import { INBOX } from "../../src/domain/destinations.ts";
import { startSandbox, type WorldClient } from "../../src/index.ts";
import { makeCharge, paidWebhook } from "../support/charges.ts";
import { control } from "../support/control.ts";
import {
  countsOf,
  expectLost,
  faultsOf,
  inject,
  removeFaults,
  ruleCountsOf,
  statusesOf,
  strikesOf,
} from "../support/faults.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { problemsOf, rule, scenario } from "../support/scenarios.ts";

const file = useSandbox();

const FEES = "GET /v2/account/fees";
const CONFIRMED = "cashin.confirmed";

/** A world with a scenario of these rules, and a merchant that may be refused as often as it likes. */
async function worldWith(...rules: readonly object[]) {
  const settings = { protections: "off" };
  const world = await file.world({ settings, postback_url: INBOX, scenarios: [scenario("chaos", ...rules)] });
  return { world, merchant: await Merchant.of(world) };
}

/** Loads a scenario from YAML. */
async function post(world: WorldClient, yaml: string): Promise<void> {
  const headers = { "Content-Type": "application/yaml" };
  const answer = await fetch(`${world.baseUrl}/_sandbox/scenarios`, { method: "POST", headers, body: yaml });
  if (!answer.ok) throw new Error(await answer.text());
}

/** The status of a call for the fees. */
async function fees(merchant: Merchant): Promise<number> {
  return (await merchant.call("GET", "/v2/account/fees")).status;
}

describe("a rule of a file", () => {
  test("strikes calls and deliveries, and the journal names its file and line", async () => {
    const world = await file.world({ postback_url: INBOX });
    await post(
      world,
      `scenario: outage
rules:
  - request: GET /v2/account/*
    inject: { status: 503 }
    times: 2
  - name: lost on the way
    delivery: cashin.*
    inject: { drop: true }
`,
    );
    const merchant = await Merchant.of(world);
    expect(await statusesOf(merchant, 3)).toEqual([503, 503, 200]);
    const webhook = await paidWebhook(world);
    expect(webhook.status).toBe("dropped");
    const strikes = await strikesOf(world);
    expect(strikes.map(({ rule: at, data }) => [at, data.inject])).toEqual([
      ["posted.yaml:3", { status: 503 }],
      ["posted.yaml:3", { status: 503 }],
      ["posted.yaml:6", { drop: true }],
    ]);
    const { chain } = await world.explain(webhook.webhook_id);
    expect(JSON.stringify(chain)).toContain("posted.yaml:6");
    expect((await control(world, "GET", "/scenarios/outage")).body.rules).toMatchObject([
      { name: null, at: "posted.yaml:3", request: "GET /v2/account/*", matched: 3, fired: 2 },
      { name: "lost on the way", at: "posted.yaml:6", delivery: "cashin.*", matched: 1, fired: 1 },
    ]);
  });

  test.each([
    ["error", { request: FEES, inject: { error: "SECURITY_BLOCKED" } }, 423],
    ["status", { request: FEES, inject: { status: 500 } }, 500],
    ["latency", { request: FEES, inject: { latency: "1ms" } }, 200],
  ])("%s", async (_what, fault, status) => {
    const { world, merchant } = await worldWith(fault);
    expect(await fees(merchant)).toBe(status);
    expect(await ruleCountsOf(world)).toEqual([[1, 1]]);
  });

  test.each(["before", "after"])("disconnect: %s", async (when) => {
    const { world, merchant } = await worldWith({ request: FEES, inject: { disconnect: when }, times: 1 });
    await expectLost(fees(merchant));
    expect(await fees(merchant)).toBe(200);
    expect(await ruleCountsOf(world)).toEqual([[2, 1]]);
  });

  test.each([
    [{ duplicate: 2 }, 3],
    [{ delay: "5s" }, 1],
    [{ shuffle: 2 }, 1],
    [{ source: "127.0.0.66" }, 2],
    [{ drop: true }, 0],
  ])("%j", async (injected, deliveries) => {
    const { world } = await worldWith({ delivery: CONFIRMED, inject: injected });
    await paidWebhook(world);
    await world.advance("idle");
    expect(await world.all("/inbox")).toHaveLength(deliveries);
    expect(await ruleCountsOf(world)).toEqual([[1, 1]]);
  });

  test.each([
    [{ currency: "BRL", network: "PIX" }, 0],
    [{ currency: "MXN" }, 1],
  ])("a webhook is matched by the fields of its data: %j", async (where, deliveries) => {
    const { world } = await worldWith({ delivery: CONFIRMED, inject: { drop: true }, where });
    await paidWebhook(world);
    expect(await world.all("/inbox")).toHaveLength(deliveries);
  });

  test("of a world made with it strikes from the first call on", async () => {
    const { merchant } = await worldWith({ request: "POST /v2/oauth/token", inject: { status: 503 } });
    expect(merchant.token).toBe("");
    expect((await merchant.authenticate()).status).toBe(503);
  });

  test("the same rules by hand do the same", async () => {
    const rules = [
      { request: FEES, inject: { status: 503 }, skip: 1, times: 2 },
      { request: "GET /v2/account/*", inject: { error: "PROVIDER_ERROR" }, from: "+1m", where: { username: "acme" } },
    ];
    const { merchant } = await worldWith(...rules);
    const other = await worldWith();
    await inject(other.world, ...rules);
    expect(await statusesOf(merchant, 4)).toEqual([200, 503, 503, 200]);
    expect(await statusesOf(other.merchant, 4)).toEqual([200, 503, 503, 200]);
  });
});

describe("how often", () => {
  test.each([
    [{}, [503, 503, 503, 503]],
    [{ skip: 2 }, [200, 200, 503, 503]],
    [{ times: 1 }, [503, 200, 200, 200]],
    [{ skip: 1, times: 2 }, [200, 503, 503, 200]],
    [{ chance: "0%" }, [200, 200, 200, 200]],
    [{ where: { username: "acme", method: "GET", path: "/v2/account/*" } }, [503, 503, 503, 503]],
    [{ where: { username: { not: "acme" } } }, [200, 200, 200, 200]],
    [{ request: "* /v2/*", skip: 1 }, [503, 503, 503, 503]],
    [{ request: "POST /v2/account/*" }, [200, 200, 200, 200]],
  ])("%j", async (filters, statuses) => {
    const { merchant } = await worldWith({ request: FEES, inject: { status: 503 }, ...filters });
    expect(await statusesOf(merchant, 4)).toEqual(statuses);
  });

  test("a chance falls by the seed: the same every run, another way with another seed", async () => {
    async function play(seed: number) {
      const chaos = scenario("chaos", { request: FEES, inject: { status: 503 }, chance: "50%" });
      const world = await file.world({ seed, settings: { protections: "off" }, scenarios: [chaos] });
      return statusesOf(await Merchant.of(world), 40);
    }
    const [first, again, other] = [await play(1), await play(1), await play(2)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 503]));
  });

  test("D26a from and until: a time from the loading, or an instant, the end not part of it", async () => {
    const { world, merchant } = await worldWith(
      { request: FEES, inject: { status: 503 }, from: "+10s", until: "+20s" },
      { request: FEES, inject: { status: 502 }, from: "2026-01-01T12:00:30Z", until: "2026-01-01T12:00:40Z" },
    );
    const seen: [number, number][] = [];
    for (const second of [0, 9, 10, 19, 20, 29, 30, 39, 40]) {
      await world.advance(new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString());
      seen.push([second, await fees(merchant)]);
    }
    expect(Object.fromEntries(seen)).toEqual({
      0: 200,
      9: 200,
      10: 503,
      19: 503,
      20: 200,
      29: 200,
      30: 502,
      39: 502,
      40: 200,
    });
    expect(await ruleCountsOf(world)).toEqual([
      [2, 2],
      [2, 2],
    ]);
  });

  test("a scenario that is loaded again counts anew, its time too", async () => {
    const world = await file.world({ settings: { protections: "off" } });
    const merchant = await Merchant.of(world);
    const chaos = scenario("chaos", { request: FEES, inject: { status: 503 }, times: 1, until: "+10s" });
    await world.call("POST", "/scenarios", chaos);
    expect(await statusesOf(merchant, 2)).toEqual([503, 200]);
    await world.advance("1m");
    await world.call("POST", "/scenarios", chaos);
    expect(await ruleCountsOf(world)).toEqual([[0, 0]]);
    expect(await statusesOf(merchant, 2)).toEqual([503, 200]);
    await world.call("DELETE", "/scenarios/chaos");
    expect(await fees(merchant)).toBe(200);
  });

  test("counters go on after a restart", async () => {
    const data = testFolder();
    const chaos = scenario("chaos", { request: FEES, inject: { status: 503 }, times: 2 });
    const options = { data, scenarios: [chaos], settings: { protections: "off" as const } };
    {
      await using sandbox = await startSandbox(options);
      expect(await fees(await Merchant.of(await sandbox.defaultWorld()))).toBe(503);
    }
    await using sandbox = await startSandbox(options);
    const world = await sandbox.defaultWorld();
    expect(await statusesOf(await Merchant.of(world), 2)).toEqual([503, 200]);
    expect(await ruleCountsOf(world)).toEqual([[3, 2]]);
  });
});

describe("which rule strikes", () => {
  test("those by hand before all, then the scenario last loaded, its rules from the top", async () => {
    const statusRule = (status: number, more: object = {}) => ({ request: FEES, inject: { status }, ...more });
    const first = scenario("first", statusRule(500));
    const second = scenario("second", statusRule(502, { times: 1 }), statusRule(503));
    const world = await file.world({ settings: { protections: "off" }, scenarios: [first, second] });
    const merchant = await Merchant.of(world);
    await inject(world, statusRule(401, { times: 1 }), statusRule(404, { times: 1 }));
    expect(await statusesOf(merchant, 4)).toEqual([401, 404, 502, 503]);
    await world.call("POST", "/scenarios", first);
    expect(await fees(merchant)).toBe(500);
    await world.call("DELETE", "/scenarios/first");
    expect(await fees(merchant)).toBe(503);
    await inject(world, statusRule(409));
    expect(await fees(merchant)).toBe(409);
    await removeFaults(world);
    expect(await fees(merchant)).toBe(503);
  });

  test("one by hand that strikes leaves those of scenarios uncounted", async () => {
    const { world, merchant } = await worldWith({ request: FEES, inject: { status: 503 } });
    await inject(world, { request: FEES, inject: { status: 500 }, times: 1 });
    await statusesOf(merchant, 3);
    expect(await countsOf(world)).toEqual([[3, 1]]);
    expect(await ruleCountsOf(world)).toEqual([[2, 2]]);
  });

  test("a fault is in no rule's way that pays, notes or refunds", async () => {
    const { world, merchant } = await worldWith(
      { delivery: CONFIRMED, inject: { drop: true } },
      rule("cashin.created", [{ after: "5s", pay: {} }]),
      rule(CONFIRMED, [{ after: "5s", refund: {} }]),
      { request: FEES, inject: { status: 503 } },
    );
    await makeCharge(world);
    await world.advance("idle");
    const events = (await world.webhooks()).map(({ event, status }) => [event, status]);
    expect(events).toEqual([
      [CONFIRMED, "dropped"],
      ["cashin.refunded", "delivered"],
    ]);
    expect(await fees(merchant)).toBe(503);
  });
});

describe("the step fault", () => {
  test("sets a rule before those there are, for a time, and says where it came from", async () => {
    const { world, merchant } = await worldWith(
      rule("cashin.created", [
        { after: "10s", fault: { request: FEES, inject: { status: 503 }, for: "30s" } },
        { after: "10s", fault: { name: "twice", request: FEES, inject: { error: "PROVIDER_ERROR" }, times: 2 } },
      ]),
    );
    await inject(world, { request: FEES, inject: { status: 500 }, skip: 1 });
    expect(await fees(merchant)).toBe(200);
    await makeCharge(world);
    await world.advance("10s");
    expect(await fees(merchant)).toBe(503);
    await world.advance("10s");
    expect(await statusesOf(merchant, 3)).toEqual([502, 502, 503]);
    await world.advance("20s");
    expect(await fees(merchant)).toBe(500);
    const faults = await faultsOf(world);
    expect(faults).toMatchObject([
      { name: "twice", at: expect.stringMatching(/^inline\.json:\d+$/), ends_at: null, matched: 4, fired: 2 },
      { for: "30s", at: expect.stringMatching(/^inline\.json:\d+$/), ends_at: "2026-01-01T12:00:40.000Z", fired: 2 },
      { at: null, matched: 2, fired: 1 },
    ]);
    const strikes = await strikesOf(world);
    expect(strikes.map(({ rule: at }) => at)).toEqual(
      [faults[1], faults[0], faults[0], faults[1], faults[2]].map((fault) => fault?.at ?? null),
    );
    await removeFaults(world);
    expect(await fees(merchant)).toBe(200);
  });

  test("on the clock: an outage of a minute every ten", async () => {
    const { world, merchant } = await worldWith({
      every: "*/10 * * * *",
      // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
      then: [{ fault: { request: "* /v2/*", inject: { status: 503 }, for: "1m" } }],
    });
    const seen: number[] = [];
    for (const step of ["9m59s", "1s", "59s", "1s", "8m59s", "1s"]) {
      await world.advance(step);
      seen.push(await fees(merchant));
    }
    expect(seen).toEqual([200, 503, 503, 200, 200, 503]);
  });

  test("strikes deliveries by any digits of an amount", async () => {
    const where = { amount: { gt: 0.00000001 } };
    const fault = { delivery: CONFIRMED, inject: { drop: true }, where };
    const text = JSON.stringify(scenario("digits", rule("cashin.created", [{ fault }]))).replace("1e-8", "0.00000001");
    const world = await file.world({ postback_url: INBOX });
    await post(world, text);
    await makeCharge(world);
    await world.settle();
    expect((await paidWebhook(world, { currency: "BTC", amount: "0.01500000" })).status).toBe("dropped");
  });

  test("goes on where it is set again while it stands: it is one rule, and a chance stays as low as it is", async () => {
    const faults = [
      { request: FEES, inject: { status: 503 }, chance: "5%", where: { path: "/v2/*" } },
      { request: FEES, inject: { status: 502 }, for: "90s", chance: "0%" },
    ];
    const { world, merchant } = await worldWith({
      every: "* * * * *",
      // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
      then: faults.map((fault) => ({ fault })),
    });
    await world.advance("10m");
    const statuses = await statusesOf(merchant, 60);
    const fired = statuses.filter((status) => status === 503).length;
    expect(fired).toBeLessThan(10);
    await world.advance("1m");
    expect(await faultsOf(world)).toMatchObject([
      { ends_at: "2026-01-01T12:12:30.000Z", matched: 60, fired: 0 },
      { ends_at: null, matched: 60, fired },
    ]);
  });

  test("strikes so many times more where it is set again", async () => {
    const fault = { request: FEES, inject: { status: 503 }, times: 1 };
    const { world, merchant } = await worldWith(rule("cashin.created", [{ fault }]));
    await makeCharge(world);
    await makeCharge(world);
    await world.settle();
    expect(await statusesOf(merchant, 3)).toEqual([503, 503, 200]);
  });

  test("is set anew where it has ended, without the strikes that were left", async () => {
    const fault = { request: FEES, inject: { status: 503 }, times: 1, for: "1m" };
    const { world, merchant } = await worldWith(rule("cashin.created", [{ fault }]));
    await makeCharge(world);
    await world.advance("10m");
    await makeCharge(world);
    await world.settle();
    expect(await statusesOf(merchant, 2)).toEqual([503, 200]);
  });

  test("stays as long as it was set for last, with the strikes that were left", async () => {
    const fault = { request: FEES, inject: { status: 503 }, times: 2, for: "10m" };
    const { world, merchant } = await worldWith(rule("cashin.created", [{ fault }]));
    await makeCharge(world);
    await world.settle();
    await world.advance("5m");
    expect(await statusesOf(merchant, 1)).toEqual([503]);
    await makeCharge(world);
    await world.settle();
    await world.advance("9m");
    expect(await statusesOf(merchant, 4)).toEqual([503, 503, 503, 200]);
    expect(await faultsOf(world)).toMatchObject([{ times: 4, fired: 4, ends_at: "2026-01-01T12:15:00.000Z" }]);
  });

  test("is a rule of its own in each place, though two say the same", async () => {
    const fault = { request: FEES, inject: { status: 503 }, times: 1 };
    const { world } = await worldWith(rule("cashin.created", [{ fault }, { fault }]));
    await makeCharge(world);
    await world.settle();
    expect(await faultsOf(world)).toMatchObject([{ times: 1 }, { times: 1 }]);
  });

  test.each([{ from: "+10m" }, { until: "+10m" }])("is another rule each time that it is set: %j", async (bound) => {
    const fault = { request: FEES, inject: { status: 503 }, ...bound };
    const { world } = await worldWith(rule("cashin.created", [{ fault }]));
    for (let count = 0; count < 2; count++) await makeCharge(world);
    await world.settle();
    expect(await faultsOf(world)).toMatchObject([bound, bound]);
  });

  /** Sets nearly as many rules as there may be before those that are over make room. */
  const fill = (world: WorldClient, rule: object) => world.call("PUT", "/faults", { rules: Array(990).fill(rule) });

  test.each([{ for: "30s" }, { until: "+30s" }])(
    "what has ended makes room, where one is set again and again: %j",
    async (end) => {
      const { world, merchant } = await worldWith({
        every: "* * * * *",
        // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
        then: [{ fault: { request: FEES, inject: { status: 503 }, ...end } }],
      });
      await fill(world, { request: FEES, inject: { status: 500 }, ...end });
      await world.advance("20m");
      expect((await faultsOf(world)).length).toBeLessThanOrEqual(1_000);
      await merchant.authenticate();
      expect(await fees(merchant)).toBe(503);
    },
  );

  test("what has struck as often as it may makes room, too", async () => {
    const fault = { delivery: "wallet_deposit", inject: { drop: true }, times: 1, until: "+30d" };
    const { world, merchant } = await worldWith({
      every: "* * * * *",
      // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
      then: [{ fault }, { deposit: { wallet: "BRL", amount: 1, instant: true } }],
    });
    await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
    await fill(world, { request: "GET /v2/account/limits", inject: { status: 500 } });
    await world.advance("20m");
    expect((await faultsOf(world)).length).toBeLessThanOrEqual(1_000);
  });

  test("what may still strike makes no room, however much of it there is", async () => {
    const { world } = await worldWith(rule("cashin.created", [{ fault: { request: FEES, inject: { status: 503 } } }]));
    await inject(world, ...Array(1_005).fill({ request: FEES, inject: { status: 500 } }));
    await makeCharge(world);
    await world.settle();
    expect(await faultsOf(world)).toHaveLength(1_006);
  });
});

describe("what is wrong", () => {
  const request = (middle: string, named = FEES) => `scenario: broken\nrules:\n  - request: ${named}\n    ${middle}\n`;
  const delivery = (middle: string, named = CONFIRMED) =>
    `scenario: broken\nrules:\n  - delivery: ${named}\n    ${middle}\n`;

  const step = (fault: string) =>
    `scenario: broken\nrules:\n  - on: cashin.created\n    then:\n      - fault: ${fault}\n`;

  /** What is wrong, the file, the line that is told, and words that must be told. */
  test.each<[string, string, number, ...string[]]>([
    ["no injection", request("times: 1"), 3, "inject", "request"],
    ["two injections", request("inject: { status: 503, latency: 5s }"), 4, "status", "latency"],
    ["an injection into a delivery", request("inject: { drop: true }"), 4, "drop", "request", "error"],
    ["an injection into a call", delivery("inject: { status: 503 }"), 4, "status", "delivery", "duplicate"],
    ["an empty injection", delivery("inject: {}"), 4, "inject", "drop, duplicate, delay, shuffle, source"],
    ["an unknown code", request("inject: { error: PROVIDER_EROR }"), 4, "error", "PROVIDER_ERROR"],
    ["a status that is none", request("inject: { status: 99 }"), 4, "status must be a whole number from 400 to 599"],
    ["a good status", request("inject: { status: 200 }"), 4, "status must be a whole number from 400 to 599"],
    ["a latency of words", request("inject: { latency: slow }"), 4, "latency must be a duration such as"],
    ["a latency without a unit", request("inject: { latency: 500 }"), 4, 'did you mean "500ms"?'],
    [
      "an account of the call for a token",
      request("where: { username: acme }\n    inject: { status: 503 }", "POST /v2/oauth/token"),
      4,
      '"POST /v2/oauth/token" has no field "username"; known are method and path',
    ],
    ["a latency beyond patience", request("inject: { latency: 11m }"), 4, "latency must be at most 10m"],
    ["no moment of a disconnect", request("inject: { disconnect: true }"), 4, "disconnect must be before or after"],
    ["malformed: false", request("inject: { malformed: false }"), 4, "malformed must be true"],
    ["no copies", delivery("inject: { duplicate: 0 }"), 4, "duplicate must be a whole number from 1 to 100"],
    ["a shuffle of one", delivery("inject: { shuffle: 1 }"), 4, "shuffle must be a whole number from 2 to 1000"],
    ["a negative delay", delivery("inject: { delay: -5s }"), 4, "delay must be a duration such as"],
    ["a name as source", delivery("inject: { source: localhost }"), 4, "source must be an IP address"],
    [
      "a path of nobody",
      request("inject: { status: 503 }", "POST /v2/transactions/cashins"),
      3,
      'request names no endpoint of the service; did you mean "POST /v2/transactions/cashin"?',
    ],
    [
      "a glob of nobody",
      request("inject: { status: 503 }", "PUT /v2/*"),
      3,
      "request names no endpoint of the service",
    ],
    [
      "no method",
      request("inject: { status: 503 }", "/v2/account/fees"),
      3,
      "request must be a method and path such as",
    ],
    [
      "an event of nobody",
      delivery("inject: { drop: true }", "cashin.confirmd"),
      3,
      'delivery names no event kind; did you mean "cashin.confirmed"?',
    ],
    [
      "an occurrence that is no event",
      delivery("inject: { drop: true }", "cashin.created"),
      3,
      "delivery names no event kind",
    ],
    ["steps", delivery("then: [{ note: x }]\n    inject: { drop: true }"), 4, "then has no place in a delivery rule"],
    [
      "an injection beside steps",
      "scenario: broken\nrules:\n  - on: cashin.created\n    inject: { drop: true }\n    then: [{ note: x }]\n",
      4,
      "inject has its place in request and delivery rules alone",
    ],
    [
      "a field that a call has not",
      request("inject: { status: 503 }\n    where: { amount: 5 }"),
      5,
      `"${FEES}" has no field "amount"`,
    ],
    [
      "a field that an event has not",
      delivery("inject: { drop: true }\n    where: { amont: 5 }"),
      5,
      `"${CONFIRMED}" has no field "amont"; did you mean "amount"?`,
    ],
    [
      "a field that only another event has",
      delivery("inject: { drop: true }\n    where: { infraction_id: x }", "cashin.*"),
      5,
      '"cashin.*" has no field "infraction_id"',
    ],
    [
      "D55 a field that an event has not under its name of the glossary either",
      delivery("inject: { drop: true }\n    where: { wallet: x }", "refund_confirmed"),
      5,
      '"refund_confirmed" has no field "wallet"; known are webhook_id',
    ],
    ["for, which the step fault knows", delivery("inject: { drop: true }\n    for: 5s"), 5, 'unknown key "for"'],
    ["a step that strikes nothing", step("{ inject: { drop: true } }"), 5, "exactly one of request, delivery"],
    [
      "a step with a wrong field",
      step("{ delivery: cashin.*, inject: { drop: true }, where: { amont: 5 } }"),
      5,
      "amont",
      "amount",
    ],
    [
      "a step with an unknown injection",
      step("{ delivery: cashin.*, inject: { dropp: true } }"),
      5,
      'unknown key "dropp"; did you mean "drop"?',
    ],
    [
      "a step with an unknown comparison",
      step("{ delivery: cashin.*, inject: { drop: true }, where: { amount: { gtee: 5 } } }"),
      5,
      'unknown key "gtee"; did you mean "gte"?',
    ],
    [
      "a step with a wrong time",
      step("{ delivery: cashin.*, inject: { drop: true }, for: long }"),
      5,
      "for must be a duration such as",
    ],
  ])("%s", (_what, source, line, ...told) => {
    const [problem, ...others] = problemsOf(source);
    expect(others).toEqual([]);
    expect(problem?.line).toBe(line);
    for (const words of told) expect(problem?.message).toContain(words);
  });

  test("an injection that there is none of: what was meant", () => {
    const messages = problemsOf(delivery("inject: { dropp: true }")).map(({ message }) => message);
    expect(messages).toContain('unknown key "dropp"; did you mean "drop"?');
  });

  test("two triggers", () => {
    const [problem] = problemsOf(delivery("request: POST /v2/oauth/token\n    inject: { drop: true }"));
    for (const words of ["request", "delivery", "trigger"]) expect(problem?.message).toContain(words);
  });

  test("a field that one of the events has is right for a glob", () => {
    expect(problemsOf(delivery("inject: { drop: true }\n    where: { infraction_id: x, amount: 5 }", "c*"))).toEqual(
      [],
    );
  });
});

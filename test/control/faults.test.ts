/** Rules by hand: set, counted, taken away, kept where the world is kept, and refused where they are none. */
import { describe, expect, test } from "vitest";
import { controlChapters } from "../../src/control/summaries.ts";
import { startSandbox, type WorldClient } from "../../src/index.ts";
import { control } from "../support/control.ts";
import { countsOf, expectLost, faultsOf, inject, refusalOf, removeFaults, statusesOf } from "../support/faults.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

const FEES = "GET /v2/account/fees";
const outage = { request: FEES, inject: { status: 503 } };

async function unprotected(): Promise<{ world: WorldClient; merchant: Merchant }> {
  const world = await file.world({ settings: { protections: "off" } });
  return { world, merchant: await Merchant.of(world) };
}

describe("the rules by hand", () => {
  test("are shown as they were set, with when they end and what they counted", async () => {
    const { world, merchant } = await unprotected();
    const given = {
      name: "an outage",
      request: FEES,
      inject: { status: 503 },
      where: { username: { in: ["acme", "globex"] } },
      skip: 1,
      times: 1,
      chance: "100%",
      from: "+0s",
      until: "2026-01-01T13:00:00Z",
      for: "10m",
    };
    const shown = { id: "fault_1", ...given, at: null, ends_at: "2026-01-01T12:10:00.000Z", matched: 0, fired: 0 };
    expect(await inject(world, given)).toEqual([shown]);
    expect(await statusesOf(merchant, 3)).toEqual([200, 503, 200]);
    expect(await faultsOf(world)).toEqual([{ ...shown, matched: 3, fired: 1 }]);
  });

  test("are shown with any digits of an amount", async () => {
    const world = await file.world();
    const rule = '{ "delivery": "cashin.*", "inject": { "drop": true }, "where": { "amount": 0.00000001 } }';
    const { status, body } = await control(world, "POST", "/faults", rule);
    expect([status, body.where]).toEqual([201, { amount: "0.00000001" }]);
  });

  test("are shown when they are over too, and the call is told to do so", async () => {
    const { world, merchant } = await unprotected();
    await inject(world, { ...outage, times: 1 }, { ...outage, until: "+5s" }, { ...outage, for: "10s" });
    expect(await statusesOf(merchant, 1)).toEqual([503]);
    await world.advance("10s");
    expect(await statusesOf(merchant, 1)).toEqual([200]);
    expect(await faultsOf(world)).toMatchObject([
      { times: 1, fired: 1, ends_at: null },
      { until: "+5s", ends_at: null },
      { for: "10s", ends_at: "2026-01-01T12:00:10.000Z" },
    ]);
    const summaries = controlChapters.map(({ calls }) => calls["GET /faults"]).join("");
    expect(summaries).toContain("also those that are over");
  });

  test("are replaced all at once, and count anew", async () => {
    const { world, merchant } = await unprotected();
    await inject(world, outage, { request: "GET /v2/account/limits", inject: { status: 500 } });
    await statusesOf(merchant, 2);
    expect(await countsOf(world)).toEqual([
      [2, 2],
      [0, 0],
    ]);
    await inject(world, { ...outage, times: 1 });
    expect(await countsOf(world)).toEqual([[0, 0]]);
    expect(await statusesOf(merchant, 2)).toEqual([503, 200]);
    expect((await merchant.call("GET", "/v2/account/limits")).status).toBe(200);
    expect(await inject(world)).toEqual([]);
  });

  test("are added one by one, behind those that stand, which go on", async () => {
    const { world, merchant } = await unprotected();
    await inject(world, { ...outage, times: 2 });
    await statusesOf(merchant, 1);
    const rule = { request: "* /v2/*", inject: { status: 500 }, from: "+10s", for: "20s" };
    const added = await control(world, "POST", "/faults", rule);
    const shown = { id: "fault_2", ...rule, where: {}, at: null, ends_at: "2026-01-01T12:00:20.000Z" };
    expect([added.status, added.body]).toEqual([201, { ...shown, matched: 0, fired: 0 }]);
    expect((await faultsOf(world)).map(({ id }) => id)).toEqual(["fault_1", "fault_2"]);
    await world.advance("10s");
    expect(await statusesOf(merchant, 2)).toEqual([503, 500]);
    expect(await countsOf(world)).toEqual([
      [3, 2],
      [1, 1],
    ]);
  });

  test("are refused one by one as all at once, each by its own place", async () => {
    const world = await file.world();
    for (const [rule, sentence] of [
      [{ request: FEES }, "inject is missing."],
      [{ ...outage, extra: 1 }, /^unknown field "extra"; known are name, /],
      [{ inject: { status: 503 } }, "the body must have exactly one of request, delivery."],
      [{ ...outage, delivery: "*" }, "the body must have exactly one of request, delivery."],
      [{ rules: [outage] }, /^inject is missing; unknown field "rules"/],
      [{ delivery: "*", inject: { drop: true }, where: { currency: "XXX" } }, /^where\.currency/],
      [{ ...outage, from: "+5m", for: "5m" }, /^from: from \+5m comes when for 5m is over: the rule never acts\.$/],
    ] as const) {
      const refused = await control(world, "POST", "/faults", rule);
      expect([refused.status, refused.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
      expect(refused.body.error.message).toMatch(sentence);
    }
    expect(await faultsOf(world)).toEqual([]);
  });

  test("are taken out one by one, while the others go on", async () => {
    const { world, merchant } = await unprotected();
    await inject(world, { ...outage, times: 1 }, { ...outage, inject: { status: 500 } });
    await statusesOf(merchant, 2);
    const removed = await control(world, "DELETE", "/faults/fault_1");
    expect(removed.status).toBe(200);
    expect(removed.body.rules).toMatchObject([{ id: "fault_2", matched: 1, fired: 1 }]);
    expect(await statusesOf(merchant, 1)).toEqual([500]);
    for (const id of ["fault_1", "fault_02", "2", "nope"]) {
      const refused = await control(world, "DELETE", `/faults/${id}`);
      expect([refused.status, refused.body.error]).toMatchObject([404, { message: `There is no fault rule ${id}.` }]);
    }
    expect((await control(world, "POST", "/faults", outage)).body.id).toBe("fault_3");
  });

  test("are at most ten thousand", async () => {
    const world = await file.world();
    await inject(world, ...Array(10_000).fill(outage));
    const refused = await control(world, "POST", "/faults", outage);
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      "There are 10000 fault rules already; take some out.",
    ]);
    await control(world, "DELETE", "/faults/fault_7");
    expect((await control(world, "POST", "/faults", outage)).status).toBe(201);
  });

  test("are taken away", async () => {
    const { world, merchant } = await unprotected();
    await inject(world, outage);
    const removed = await control(world, "DELETE", "/faults");
    expect([removed.status, removed.body]).toEqual([200, { rules: [] }]);
    expect(await faultsOf(world)).toEqual([]);
    expect(await statusesOf(merchant, 1)).toEqual([200]);
  });

  test("D26a end on the clock, at the instant: the last moment is theirs, the next is not", async () => {
    const { world, merchant } = await unprotected();
    await inject(world, { ...outage, for: "30s" });
    await world.advance("29999ms");
    expect(await statusesOf(merchant, 1)).toEqual([503]);
    await world.advance("1ms");
    expect(await statusesOf(merchant, 1)).toEqual([200]);
    // What has ended is still shown, with what it did.
    expect(await faultsOf(world)).toMatchObject([{ ends_at: "2026-01-01T12:00:30.000Z", matched: 1, fired: 1 }]);
  });

  test("may end later than the calendar does", async () => {
    const { world } = await unprotected();
    const [fault] = await inject(world, { ...outage, for: "14500000w" });
    expect(fault?.ends_at).toBe("9999-12-31T23:59:59.999Z");
  });

  test.each([
    [{}, [503, 503, 503, 503]],
    [{ skip: 1, times: 2 }, [200, 503, 503, 200]],
    [{ chance: "0%" }, [200, 200, 200, 200]],
    [{ chance: "100%", skip: 3 }, [200, 200, 200, 503]],
    [{ request: "* /v2/*" }, [503, 503, 503, 503]],
    [{ request: "GET /v2/*/fees" }, [503, 503, 503, 503]],
    [{ request: "* /v2/account/*", times: 1 }, [503, 200, 200, 200]],
    [{ request: "POST /v2/*" }, [200, 200, 200, 200]],
    [{ request: "GET /v2/account/limits" }, [200, 200, 200, 200]],
    [{ where: { method: "GET", path: "*/fees", username: "acme" } }, [503, 503, 503, 503]],
    [{ where: { path: { not: "*/fees" } } }, [200, 200, 200, 200]],
    [{ where: { client_id: null } }, [200, 200, 200, 200]],
    [{ from: "+1m" }, [200, 200, 200, 200]],
  ])("strike as often as their filters say: %j", async (filters, statuses) => {
    const { world, merchant } = await unprotected();
    await inject(world, { ...outage, ...filters });
    expect(await statusesOf(merchant, 4)).toEqual(statuses);
  });

  test("strike one credential of an account, and leave the other", async () => {
    const { world, merchant } = await unprotected();
    const second = await SigningMerchant.second(world);
    await inject(world, { ...outage, where: { client_id: second.clientId } });
    expect(await statusesOf(merchant, 1)).toEqual([200]);
    expect(await statusesOf(second, 1)).toEqual([503]);
  });

  test("by chance: about as often as they say, the same every run", async () => {
    async function play() {
      const { world, merchant } = await unprotected();
      await inject(world, { ...outage, chance: "25%" });
      return statusesOf(merchant, 200);
    }
    const [first, again] = [await play(), await play()];
    expect(again).toEqual(first);
    const struck = first.filter((status) => status === 503).length;
    expect(struck).toBeGreaterThan(25);
    expect(struck).toBeLessThan(80);
  });

  test("of several the first that strikes; one that does not leaves it to the next", async () => {
    const { world, merchant } = await unprotected();
    const rules = [500, 502, 503].map((status) => ({ request: FEES, inject: { status }, times: 1 }));
    await inject(world, ...rules);
    expect(await statusesOf(merchant, 4)).toEqual([500, 502, 503, 200]);
    expect(await countsOf(world)).toEqual([
      [4, 1],
      [3, 1],
      [2, 1],
    ]);
  });
});

describe("the rules by hand are part of the world", () => {
  test("of one world only", async () => {
    const [struck, other] = [await unprotected(), await unprotected()];
    await inject(struck.world, outage);
    expect(await faultsOf(other.world)).toEqual([]);
    expect(await statusesOf(other.merchant, 1)).toEqual([200]);
  });

  test("they go with a fork, counters and all, and each goes on by itself", async () => {
    const { world, merchant } = await unprotected();
    await inject(world, { ...outage, times: 3, for: "1m" });
    await statusesOf(merchant, 1);
    const fork = await file.sandbox.createWorld({ from: world.id });
    expect(await faultsOf(fork)).toEqual(await faultsOf(world));
    expect(await statusesOf(await Merchant.of(fork), 3)).toEqual([503, 503, 200]);
    expect(await countsOf(world)).toEqual([[1, 1]]);
    await removeFaults(fork);
    expect(await statusesOf(merchant, 1)).toEqual([503]);
  });

  test("they come back with a snapshot, and are gone after a reset", async () => {
    const { world, merchant } = await unprotected();
    await inject(world, { ...outage, times: 2 });
    await statusesOf(merchant, 1);
    await world.call("POST", "/snapshots", { name: "before" });
    await inject(world, { request: FEES, inject: { status: 500 } });
    await world.call("POST", "/snapshots/before/restore", {});
    expect(await countsOf(world)).toEqual([[1, 1]]);
    expect(await statusesOf(merchant, 2)).toEqual([503, 200]);
    await inject(world, outage);
    await world.reset();
    expect(await faultsOf(world)).toEqual([]);
    expect(await statusesOf(await Merchant.of(world), 1)).toEqual([200]);
  });

  test("they are there after a restart, counters and all", async () => {
    const data = testFolder();
    const options = { data, scenarios: [] };
    {
      await using sandbox = await startSandbox(options);
      const world = await sandbox.defaultWorld();
      await inject(world, { ...outage, times: 2, for: "1h" });
      await statusesOf(await Merchant.of(world), 1);
    }
    await using sandbox = await startSandbox(options);
    const world = await sandbox.defaultWorld();
    expect(await faultsOf(world)).toMatchObject([{ ends_at: "2026-01-01T13:00:00.000Z", matched: 1, fired: 1 }]);
    expect(await statusesOf(await Merchant.of(world), 2)).toEqual([503, 200]);
  });

  test("a call that was lost before a restart is repeated after it, and executed once", async () => {
    const data = testFolder();
    const options = { data, scenarios: [] };
    const body = { currency: "BRL", amount: "10.00", external_id: "order-1" };
    {
      await using sandbox = await startSandbox(options);
      const world = await sandbox.defaultWorld();
      await inject(world, { request: "POST /v2/transactions/cashin", inject: { disconnect: "after" }, times: 1 });
      await expectLost((await Merchant.of(world)).cashin(body));
    }
    await using sandbox = await startSandbox(options);
    const world = await sandbox.defaultWorld();
    const answer = await (await Merchant.of(world)).cashin(body);
    const transactions = await world.all<{ transaction_id: string }>("/transactions");
    expect(transactions.map(({ transaction_id }) => transaction_id)).toEqual([answer.body.data.transaction_id]);
  });

  test("the setting of them is in the journal, as any control call", async () => {
    const { world } = await unprotected();
    await inject(world, outage);
    await removeFaults(world);
    const calls = (await world.journal()).filter(({ kind }) => kind === "control");
    expect(calls.map(({ data }) => [data.call, data.input])).toEqual([
      ["PUT /faults", { rules: [outage] }],
      ["DELETE /faults", {}],
    ]);
  });
});

describe("a rule that is none", () => {
  const drop = { delivery: "cashin.*", inject: { drop: true } };
  const durations = "must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S";
  const injects =
    "rules.0.inject of a request rule must have exactly one of error, status, latency, disconnect, malformed;";

  test.each<[string, unknown, string]>([
    ["no rules", {}, "rules is missing."],
    ["rules that are no list", { rules: outage }, "rules must be a list"],
    ["another field", { rules: [], replace: true }, 'unknown field "replace"; known is rules.'],
    ["a number", { rules: [5] }, "rules.0 must be an object"],
    ["nothing struck", { rules: [{ inject: { drop: true } }] }, "rules.0 must have exactly one of request, delivery."],
    ["both struck", { rules: [{ ...outage, ...drop }] }, "rules.0 must have exactly one of request, delivery."],
    ["an unknown field", { rules: [{ ...outage, time: 1 }] }, 'unknown field "rules.0.time"; did you mean "times"?'],
    ["no injection", { rules: [{ request: FEES }] }, "rules.0.inject is missing."],
    ["an empty injection", { rules: [{ request: FEES, inject: {} }] }, `${injects} it has none.`],
    [
      "two injections",
      { rules: [{ request: FEES, inject: { status: 503, latency: "5s" } }] },
      `${injects} it has status and latency.`,
    ],
    [
      "an injection of the other kind",
      { rules: [{ ...outage, ...{ inject: { drop: true } } }] },
      `${injects} it has drop.`,
    ],
    [
      "a call's injection into a delivery",
      { rules: [{ ...drop, inject: { malformed: true } }] },
      "rules.0.inject of a delivery rule must have exactly one of drop, duplicate, delay, shuffle, source; it has malformed.",
    ],
    [
      "an unknown injection",
      { rules: [outage, { ...drop, inject: { dropp: true } }] },
      'unknown field "rules.1.inject.dropp"; did you mean "drop"?',
    ],
    ["an unknown code", { rules: [{ request: FEES, inject: { error: "PROVIDER_EROR" } }] }, "PROVIDER_ERROR"],
    [
      "a status of success",
      { rules: [{ request: FEES, inject: { status: 204 } }] },
      "status must be a whole number from 400 to 599",
    ],
    [
      "half a status",
      { rules: [{ request: FEES, inject: { status: 503.5 } }] },
      "status must be a whole number from 400 to 599",
    ],
    [
      "a status as text",
      { rules: [{ request: FEES, inject: { status: "503" } }] },
      "status must be a whole number from 400 to 599",
    ],
    [
      "a latency without a unit",
      { rules: [{ request: FEES, inject: { latency: 5 } }] },
      `rules.0.inject.latency ${durations}`,
    ],
    [
      "a negative latency",
      { rules: [{ request: FEES, inject: { latency: "-5s" } }] },
      `rules.0.inject.latency ${durations}`,
    ],
    [
      "a latency beyond patience",
      { rules: [{ request: FEES, inject: { latency: "601s" } }] },
      "rules.0.inject.latency must be at most 10m.",
    ],
    ["a delay of words", { rules: [{ ...drop, inject: { delay: "a while" } }] }, `rules.0.inject.delay ${durations}`],
    [
      "a negative number of copies",
      { rules: [{ ...drop, inject: { duplicate: -1 } }] },
      "duplicate must be a whole number from 1 to 100.",
    ],
    [
      "too many copies",
      { rules: [{ ...drop, inject: { duplicate: 101 } }] },
      "duplicate must be a whole number from 1 to 100.",
    ],
    [
      "a shuffle of one",
      { rules: [{ ...drop, inject: { shuffle: 1 } }] },
      "shuffle must be a whole number from 2 to 1000.",
    ],
    ["drop: false", { rules: [{ ...drop, inject: { drop: false } }] }, "rules.0.inject.drop must be true."],
    [
      "a source that is no address",
      { rules: [{ ...drop, inject: { source: "127.0.0" } }] },
      "source must be an IP address.",
    ],
    [
      "a path without a method",
      { rules: [{ ...outage, request: "/v2/account/fees" }] },
      'rules.0.request must be a method and path such as POST /v2/transactions/wallet or GET /v2/*; did you mean "GET /v2/account/fees"?',
    ],
    [
      "a method in small letters",
      { rules: [{ ...outage, request: "get /v2/account/fees" }] },
      "rules.0.request must be a method and path such as",
    ],
    [
      "an endpoint that is not there",
      { rules: [{ ...outage, request: "GET /v2/account/fee" }] },
      'rules.0.request names no endpoint of the service; did you mean "GET /v2/account/fees"?',
    ],
    [
      "a glob that fits no endpoint",
      { rules: [{ ...outage, request: "DELETE /v2/*" }] },
      "rules.0.request names no endpoint of the service.",
    ],
    [
      "a control call",
      { rules: [{ ...outage, request: "PUT /_sandbox/faults" }] },
      "rules.0.request must be a method and path such as",
    ],
    [
      "an event in capitals",
      { rules: [{ ...drop, delivery: "Cashin.*" }] },
      "rules.0.delivery must be an event kind such as cashin.confirmed",
    ],
    [
      "an event that is none",
      { rules: [{ ...drop, delivery: "cashin.confirm" }] },
      'rules.0.delivery names no event kind; did you mean "cashin.confirmed"?',
    ],
    [
      "a glob of events with a slip",
      { rules: [{ ...drop, delivery: "cashn.*" }] },
      'rules.0.delivery names no event kind; did you mean "cashin.*"?',
    ],
    [
      "a glob of calls with a slip",
      { rules: [{ ...outage, request: "POST /v2/transaction/*" }] },
      'rules.0.request names no endpoint of the service; did you mean "POST /v2/transactions/*"?',
    ],
    ["a list of events", { rules: [{ ...drop, delivery: ["cashin.confirmed"] }] }, "rules.0.delivery must be a text."],
    [
      "a field that calls have not",
      { rules: [{ ...outage, where: { amount: 5 } }] },
      "rules.0.where.amount is no field of a request; there are method, path, client_id, username.",
    ],
    [
      "a value that the field never has",
      { rules: [{ ...outage, where: { method: { in: ["GET", "post"] } } }] },
      'rules.0.where.method.in.1 cannot be "post"; did you mean "POST"?',
    ],
    [
      "a currency that the world does not have",
      { rules: [{ ...drop, where: { currency: "POL" } }] },
      'rules.0.where.currency cannot be "POL"; did you mean "SOL"?',
    ],
    [
      "an event that the glob leaves out",
      { rules: [{ ...drop, delivery: "cashin.*", where: { event: "cashout.failed" } }] },
      'rules.0.where.event: "cashin.*" has no event "cashout.failed"; known are cashin.confirmed, cashin.refunded and cashin.expired.',
    ],
    [
      "an amount that is a word, and a chain of another currency",
      { rules: [{ ...drop, delivery: "cashout.*", where: { amount: "much", currency: "BTC", network: "PIX" } }] },
      'rules.0.where.amount is a decimal such as 150.00, never "much"; rules.0.where.network: BTC never goes over PIX;',
    ],
    [
      "a field that the events have not",
      { rules: [{ ...drop, where: { infraction_id: "x" } }] },
      "rules.0.where.infraction_id is no field of a delivery; there are webhook_id, event, transaction_id,",
    ],
    [
      "an unknown comparison",
      { rules: [{ ...drop, where: { amount: { above: 5 } } }] },
      'unknown field "rules.0.where.amount.above"',
    ],
    [
      "no comparison",
      { rules: [{ ...drop, where: { amount: {} } }] },
      "rules.0.where.amount must be a value or one of gte, gt, lte, lt, in, not.",
    ],
    [
      "a condition with a list in the list of in",
      { rules: [{ ...drop, where: { currency: { in: [["BRL"]] } } }] },
      "rules.0.where.currency.in.0 must be a text, a number, true, false or null.",
    ],
    ["where that is a list", { rules: [{ ...drop, where: [] }] }, "rules.0.where must be an object"],
    ["no times", { rules: [{ ...drop, times: 0 }] }, "rules.0.times must be a whole number from 1 to 1000000000."],
    [
      "negative times",
      { rules: [{ ...drop, times: -1 }] },
      "rules.0.times must be a whole number from 1 to 1000000000.",
    ],
    [
      "a negative skip",
      { rules: [{ ...drop, skip: -1 }] },
      "rules.0.skip must be a whole number from 0 to 1000000000.",
    ],
    [
      "a chance without a sign",
      { rules: [{ ...drop, chance: 10 }] },
      "rules.0.chance must be a percentage such as 10%",
    ],
    ["a chance above all", { rules: [{ ...drop, chance: "101%" }] }, "rules.0.chance must be a percentage such as 10%"],
    ["a negative chance", { rules: [{ ...drop, chance: "-1%" }] }, "rules.0.chance must be a percentage such as 10%"],
    [
      "from a word",
      { rules: [{ ...drop, from: "noon" }] },
      "rules.0.from must be an instant such as 2026-01-01T12:00:00Z, or + and a duration",
    ],
    [
      "until an instant without a zone",
      { rules: [{ ...drop, until: "2026-01-01T12:00:00" }] },
      "rules.0.until must be an instant such as",
    ],
    ["for a negative time", { rules: [{ ...drop, for: "-1s" }] }, `rules.0.for ${durations}`],
    ["for a number", { rules: [{ ...drop, for: 30 }] }, `rules.0.for ${durations}`],
    [
      "from when it is over",
      { rules: [drop, { ...drop, from: "+5m", for: "1m" }] },
      "rules.1.from: from +5m comes when for 1m is over: the rule never acts.",
    ],
    [
      "until before it begins",
      { rules: [{ ...drop, from: "+5m", until: "+1m" }] },
      "rules.0.until: until +1m is not after from +5m: the rule never acts.",
    ],
    [
      "D26a until now: the end is not part of it",
      { rules: [outage, { ...drop, until: "2026-01-01T12:00:00Z" }] },
      "rules.1.until: until 2026-01-01T12:00:00Z is over by now, 2026-01-01T12:00:00.000Z: the rule never acts.",
    ],
    ["until at once", { rules: [{ ...drop, until: "+0s" }] }, "rules.0.until: until +0s is over by now, 2026-01-01T12"],
    ["for no time", { rules: [{ ...drop, for: "0s" }] }, "rules.0.for: for 0s is over at once: the rule never acts."],
    [
      "until before it begins, by the time of the call",
      { rules: [{ ...drop, from: "+5m", until: "2026-01-01T12:05:00Z" }] },
      "rules.0.until: until 2026-01-01T12:05:00Z is not after from +5m: the rule never acts.",
    ],
    [
      "from when it is over, by the time of the call",
      { rules: [{ ...drop, from: "2026-01-01T12:01:00Z", for: "1m" }] },
      "rules.0.from: from 2026-01-01T12:01:00Z comes when for 1m is over: the rule never acts.",
    ],
    ["more rules than there may be", { rules: Array(10_001).fill(drop) }, "rules must have at most 10000 items."],
  ])("%s", async (_what, body, told) => {
    const world = await file.world();
    const before = await inject(world, outage);
    expect(await refusalOf(world, body)).toContain(told);
    expect(await faultsOf(world)).toEqual(before);
  });

  test("one among many is enough to refuse them all, and all that is wrong is told at once", async () => {
    const world = await file.world();
    const rules = [outage, { ...drop, times: 0 }, { ...drop, inject: { delay: "x" } }];
    const message = await refusalOf(world, { rules });
    expect(message).toContain("rules.1.times must be");
    expect(message).toContain("rules.2.inject.delay must be");
    expect(await faultsOf(world)).toEqual([]);
  });

  test("a field that one of the events has is right for a glob", async () => {
    const world = await file.world();
    expect(
      await inject(world, { ...drop, delivery: "*", where: { infraction_id: "x", amount: { gte: 5 } } }),
    ).toHaveLength(1);
  });
});

test("ten thousand rules are taken, and the last one strikes", async () => {
  const { world, merchant } = await unprotected();
  const others = Array.from({ length: 9_999 }, () => ({ request: FEES, inject: { status: 500 }, skip: 1_000 }));
  await inject(world, ...others, outage);
  expect(await statusesOf(merchant, 2)).toEqual([503, 503]);
  const counts = await countsOf(world);
  expect([counts[0], counts[9_999]]).toEqual([
    [2, 0],
    [2, 2],
  ]);
});

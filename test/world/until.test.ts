/** Advancing to something that happens, instead of by a time: event kinds, expiries, deadlines, quotes. */
import { describe, expect, test } from "vitest";
import type { AdvanceMoment, WorldClient } from "../../src/index.ts";
import { chargeOf, makeCharge, transactionOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { clockRule, rule, scenario } from "../support/scenarios.ts";
import { SigningMerchant, signed } from "../support/signing.ts";

const file = useSandbox();

const START = "2026-01-01T12:00:00.000Z";

describe("until an event kind", () => {
  test("goes through its next occurrence and what is delivered at that instant, and no further", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    const merchant = await Merchant.of(world);
    const [slow, fast] = [await chargeOf(merchant, { currency: "MXN" }), await chargeOf(merchant)];
    const first = await world.advance({ until: "cashin.confirmed" });
    expect(first).toMatchObject({ to: "2026-01-01T12:00:05.000Z", reached: true, timers: 2 });
    expect(first.webhooks).toEqual({ delivered: 0, failed: 0, pending: 1 });
    expect((await transactionOf(world, fast)).status).toBe("confirmed");
    expect((await transactionOf(world, slow)).status).toBe("pending");
    const second = await world.advance("cashin.confirmed");
    expect(second).toMatchObject({ to: "2026-01-01T12:00:30.000Z", reached: true });
    expect((await transactionOf(world, slow)).status).toBe("confirmed");
  });

  test("covers all that happens at its instant, its own follow-ups too", async () => {
    const world = await disputedWorld();
    const advance = await world.advance({ until: "chargeback.lost" });
    expect(advance.reached).toBe(true);
    const events = advance.trace.filter(({ kind }) => kind === "webhook.created").map(({ data }) => data.event);
    expect(events).toEqual(["chargeback.lost", "cashin.refunded", "chargeback.confirmed"]);
    expect(new Set(advance.trace.slice(1).map(({ at }) => at))).toEqual(new Set([advance.to]));
  });

  test("takes the names of the glossary, where they are sent (D55)", async () => {
    const world = await disputedWorld({ legacy_refund_events: true });
    const { status, body } = await control(world, "POST", "/clock/advance", { until: "refund_confirmed" });
    expect([status, body.reached]).toEqual([200, true]);
    expect((await world.webhooks({ event: "refund_confirmed" })).map(({ created_at }) => created_at)).toEqual([
      body.to,
    ]);
  });

  test("one that a call of the merchant brings about while it waits counts too", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const merchant = await SigningMerchant.ofAccount(world);
    await using receiver = await startReceiver(async ({ body }, response) => {
      const input = { currency: "BRL", amount: "1.00", key: "ana@example.com" };
      if (body.event === "cashin.confirmed") await signed(merchant, merchant.signingKey, CASHOUT, input);
      response.writeHead(200).end();
    });
    await world.setPostbackUrl("acme", receiver.url);
    await chargeOf(merchant);
    const advance = await world.advance({ until: "cashout.confirmed" });
    expect(advance).toMatchObject({ to: "2026-01-01T12:00:07.000Z", reached: true });
    expect(receiver.received.map(({ body }) => body.event)).toEqual(["cashin.confirmed", "cashout.confirmed"]);
  });

  test("that never comes: to idle, and it says so", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    const advance = await world.advance({ until: "cashin.refunded" });
    expect(advance).toMatchObject({ to: "2026-01-01T12:12:41.000Z", reached: false, timers: 7 });
    const again = await world.advance({ until: "cashin.refunded" });
    expect(again).toMatchObject({ from: advance.to, to: advance.to, reached: false, timers: 0 });
  });

  test("that comes of a recurring timer alone is reached", async () => {
    const world = await file.world();
    const { wallet_id: wallet } = (await (await Merchant.of(world)).call("POST", WALLET, { currency: "BRL" })).body
      .data;
    const weekly = clockRule({ every: "0 9 * * MON" }, [{ deposit: { wallet, amount: "5.00" } }]);
    const hourly = clockRule({ every: "0 * * * *" }, [{ note: "an hour has passed" }]);
    await world.call("POST", "/scenarios", scenario("pocket-money", weekly, hourly));
    const advance = await world.advance({ until: "wallet_deposit" });
    expect(advance).toMatchObject({ to: "2026-01-05T09:00:00.000Z", reached: true });
    expect(await world.advance({ until: "wallet_deposit" })).toMatchObject({ to: "2026-01-12T09:00:00.000Z" });
  });

  test("that has come awaits no recurring timer that may cause another", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const { wallet_id: wallet } = (await (await Merchant.of(world)).call("POST", WALLET, { currency: "BRL" })).body
      .data;
    const daily = clockRule({ every: "0 9 * * *" }, [{ deposit: { wallet, amount: "5.00" } }]);
    await world.call("POST", "/scenarios", scenario("pocket-money", daily));
    await makeCharge(world);
    const advance = await world.advance({ until: "cashin.confirmed" });
    expect(advance).toMatchObject({ to: "2026-01-01T12:00:05.000Z", reached: true });
  });

  test.each<[string, object, string]>([
    ["skip", { skip: 2 }, "2026-01-04T09:00:00.000Z"],
    ["from", { from: "+3d" }, "2026-01-05T09:00:00.000Z"],
    ["chance", { chance: "25%" }, "2026-01-05T09:00:00.000Z"],
  ])("that a recurring timer causes once its rule has let turns go by is reached: %s", async (_name, filters, to) => {
    const world = await file.world();
    const { wallet_id: wallet } = (await (await Merchant.of(world)).call("POST", WALLET, { currency: "BRL" })).body
      .data;
    const daily = clockRule({ every: "0 9 * * *", ...filters }, [{ deposit: { wallet, amount: "5.00" } }]);
    await world.call("POST", "/scenarios", scenario("pocket-money", daily));
    expect(await world.advance({ until: "wallet_deposit" })).toMatchObject({ to, reached: true });
  });

  test.each<[string, object, string]>([
    ["acts no more", { times: 1 }, "2026-01-02T09:01:00.000Z"],
    ["lets its first turn go by, and acts at the next one before it", { skip: 1 }, "2026-01-03T09:01:00.000Z"],
    ["lets turns go by until its window ends", { skip: 9, until: "+3d" }, "2026-01-04T09:00:00.000Z"],
    ["never acts", { chance: "0%" }, START],
  ])("that a recurring timer does not cause whose rule %s ends", async (_name, filters, to) => {
    const daily = clockRule({ every: "0 9 * * *", ...filters }, [{ after: "1m", cancel: { transaction: "nobody" } }]);
    const world = await file.world({ scenarios: [scenario("daily", daily)] });
    expect(await world.advance({ until: "cashin.confirmed" })).toMatchObject({ to, reached: false });
  });

  test("that does not come of recurring timers either: each has one more turn, and it ends", async () => {
    const daily = clockRule({ every: "0 9 * * *" }, [{ after: "1m", cancel: { transaction: "nobody" } }]);
    const world = await file.world({ scenarios: [scenario("daily", daily)] });
    const advance = await world.advance({ until: "cashin.confirmed" });
    expect(advance).toMatchObject({ to: "2026-01-02T09:01:00.000Z", reached: false, timers: 2 });
  });

  test("that cannot come of recurring timers does not wait for them", async () => {
    const yearly = clockRule({ every: "0 0 1 1 *" }, [{ note: "happy new year" }]);
    const daily = clockRule({ every: "0 9 * * *" }, [
      { set_rate: { BRL: "0.2" } },
      { after: "1h", note: "a new rate" },
    ]);
    const world = await file.world({ scenarios: [scenario("rates", yearly, daily)] });
    const advance = await world.advance({ until: "cashin.confirmed" });
    expect(advance).toMatchObject({ to: START, reached: false, timers: 0 });
  });

  test("stops at max_timers, and reaches it with the next advance", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const merchant = await Merchant.of(world);
    await chargeOf(merchant);
    await chargeOf(merchant, { currency: "MXN", amount: "10.00" });
    const cut = await world.advance({ until: "cashin.refunded", max_timers: 1 });
    expect(cut).toMatchObject({ to: "2026-01-01T12:00:05.000Z", reached: false, timers: 1 });
    expect(await world.advance({ until: "cashin.confirmed", max_timers: 1 })).toMatchObject({ reached: true });
  });

  test("counts from where it begins: what happened before is no next occurrence", async () => {
    const world = await file.world();
    await world.act(await makeCharge(world), "pay");
    expect(await world.advance({ until: "cashin.confirmed" })).toMatchObject({ to: START, reached: false });
  });
});

describe("until a moment of something", () => {
  /** TABLE: what has a moment, how it is named, and when it comes. */
  const moments: readonly (readonly [
    name: string,
    make: () => Promise<readonly [WorldClient, AdvanceMoment, string]>,
  ])[] = [
    [
      "the expiry of a charge",
      async () => {
        const world = await file.world();
        await world.advance("90s");
        return [world, { expiry: await makeCharge(world) }, "2026-01-01T12:31:30.000Z"];
      },
    ],
    [
      "the deadline of a dispute",
      async () => {
        const world = await disputedWorld();
        const [dispute] = await world.all<{ infraction_id: string; deadline_at: string }>("/disputes");
        return [world, { deadline: dispute?.infraction_id ?? "" }, dispute?.deadline_at ?? ""];
      },
    ],
    [
      "the end of the latest quote of a pair",
      async () => {
        const world = await file.world();
        const merchant = await SigningMerchant.ofAccount(world);
        const quote = { base_currency: "BRL", destination_currency: "USDT", amount: 100 };
        for (const wait of ["0s", "40s"]) {
          await world.advance(wait);
          expect((await merchant.call("POST", SIMULATE, quote)).status).toBe(200);
        }
        return [world, { quote_expiry: "BRL/USDT" }, "2026-01-01T12:01:40.000Z"];
      },
    ],
  ];

  test.each(moments)("%s: there, before it and after it", async (_what, make) => {
    const [world, until, at] = await make();
    const plus = (byMs: number) => new Date(Date.parse(at) + byMs).toISOString();
    expect(await world.advance({ until: { ...until, offset: "-1ms" } })).toMatchObject({ to: plus(-1), reached: true });
    expect(await world.advance({ until })).toMatchObject({ to: at, reached: true });
    expect(await world.advance({ until })).toMatchObject({ from: at, to: at, timers: 0, reached: true });
    expect(await world.advance({ until: { ...until, offset: "+1m" } })).toMatchObject({ to: plus(60_000) });
    expect(await world.advance({ until: { ...until, offset: "1h" } })).toMatchObject({ to: plus(3_600_000) });
    const back = await control(world, "POST", "/clock/advance", { until });
    expect([back.status, back.body.error.code]).toEqual([409, "CLOCK_BACKWARDS"]);
    expect(back.body.error.details).toEqual({ now: plus(3_600_000) });
  });

  test("a charge is pending until just before its expiry, and expired at it (D26a)", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    await world.advance({ until: { expiry: id, offset: "-1ms" } });
    expect((await transactionOf(world, id)).status).toBe("pending");
    await world.advance({ until: { expiry: id } });
    expect((await transactionOf(world, id)).status).toBe("expired");
  });

  test("a dispute is open until just before its deadline, and lost at it (D53)", async () => {
    const world = await disputedWorld();
    const [dispute] = await world.all<{ infraction_id: string }>("/disputes");
    const deadline = dispute?.infraction_id ?? "";
    const statusOf = async () => (await world.call<{ status: string }>("GET", `/disputes/${deadline}`)).status;
    await world.advance({ until: { deadline, offset: "-1ms" } });
    expect(await statusOf()).toBe("open");
    await world.advance({ until: { deadline } });
    expect(await statusOf()).toBe("lost");
  });

  test("a quote holds until just before its end, and not at it (D40)", async () => {
    for (const [offset, status] of [
      ["-1ms", 200],
      ["0s", 422],
    ] as const) {
      const world = await file.world();
      const merchant = await SigningMerchant.ofAccount(world);
      const order = { base_currency: "BRL", destination_currency: "USDT", amount: 100 };
      await merchant.call("POST", SIMULATE, order);
      await world.advance({ until: { quote_expiry: "BRL/USDT", offset } });
      const timestamp = Math.floor(Date.parse((await world.clock()).now) / 1000);
      const answer = await signed(merchant, merchant.signingKey, CONVERT, order, { timestamp });
      expect([offset, answer.status === 200 ? 200 : answer.body.error.code]).toEqual([
        offset,
        status === 200 ? 200 : "RATE_EXPIRED",
      ]);
    }
  });

  test("what is asked of something that has none: 422, of something unknown: 404", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const input = { currency: "BRL", amount: "1.00", key: "ana@example.com" };
    const cashout = (await signed(merchant, merchant.signingKey, CASHOUT, input)).body.data.transaction_id;
    for (const [until, status, message] of [
      [{ expiry: cashout }, 422, `The transaction ${cashout} does not expire.`],
      [{ expiry: "nothing" }, 404, "There is no transaction nothing."],
      [{ deadline: cashout }, 404, `There is no dispute ${cashout}.`],
      [{ quote_expiry: "USDT/BRL" }, 404, "There is no quote of the pair USDT/BRL."],
    ] as const) {
      const answer = await control(world, "POST", "/clock/advance", { until });
      expect([answer.status, answer.body.error.message]).toEqual([status, message]);
    }
    expect((await world.clock()).now).toBe(START);
  });
});

describe("what until refuses", () => {
  const any = "must be next, idle, an event kind, or one of expiry, deadline and quote_expiry as an object";
  const one = "until must have exactly one of expiry, deadline, quote_expiry";
  const anId = { expiry: "x" };

  test.each([
    ["cashin.confirmd", 'until must be next, idle or an event kind; did you mean "cashin.confirmed"?'],
    ["Next", 'did you mean "next"?'],
    [
      "refund_confirmed",
      "until cannot be refund_confirmed, which is sent where the setting legacy_refund_events is on",
    ],
    [null, any],
    [5, any],
    [true, any],
    [[], any],
    [["next"], any],
    [{}, one],
    [{ offset: "-1s" }, one],
    [{ expiry: "x", deadline: "y" }, one],
    [{ expiri: "x" }, 'unknown field "until.expiri"; did you mean "expiry"?'],
    [{ ...anId, ofset: "-1s" }, 'unknown field "until.ofset"; did you mean "offset"?'],
    [{ expiry: 5 }, "until.expiry must be the id of a transaction"],
    [{ deadline: null }, "until.deadline must be the id of a dispute"],
    [{ quote_expiry: 5 }, "until.quote_expiry must be a pair such as BRL/USDT"],
    [{ quote_expiry: "brl/usdt" }, "until.quote_expiry must be a pair such as BRL/USDT"],
    [{ quote_expiry: "BRL" }, "until.quote_expiry must be a pair such as BRL/USDT"],
    [{ ...anId, offset: "soon" }, "until.offset must be a duration with or without a sign"],
    [{ ...anId, offset: "--1s" }, "until.offset must be a duration with or without a sign"],
    [{ ...anId, offset: "-" }, "until.offset must be a duration with or without a sign"],
    [{ ...anId, offset: -1 }, "until.offset must be a duration with or without a sign, such as -1s"],
  ])("%j: 400", async (until, message) => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/clock/advance", { until });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
    expect((await world.clock()).now).toBe(START);
    expect((await world.journal()).filter(({ kind }) => kind === "control")).toEqual([]);
  });

  test("an offset beyond the year 9999: 400", async () => {
    const world = await file.world();
    const until = { expiry: await makeCharge(world), offset: "500000w" };
    const { status, body } = await control(world, "POST", "/clock/advance", { until });
    expect([status, body.error.message]).toEqual([400, "The clock ends with the year 9999."]);
  });
});

const CASHOUT = "/v2/transactions/cashout";
const WALLET = "/v2/transactions/wallet";
const SIMULATE = "/v2/conversions/simulate";
const CONVERT = "/v2/conversions/new";

/** A world with a charge that is paid and disputed. */
async function disputedWorld(settings: object = {}): Promise<WorldClient> {
  const steps = [
    { after: "0s", pay: {} },
    { after: "0s", dispute: {} },
  ];
  const world = await file.world({ settings, scenarios: [scenario("disputed", rule("cashin.created", steps))] });
  await makeCharge(world);
  await world.settle();
  return world;
}

/** Moving a world's clock on: what runs, when, what is answered, and how advances queue and are called off. */
import { describe, expect, test } from "vitest";
import { LONGEST_DURATION } from "../../src/domain/durations.ts";
import type { WorldClient } from "../../src/index.ts";
import { chargeOf, makeCharge, secondsOf, transactionOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { inject } from "../support/faults.ts";
import { Merchant } from "../support/merchant.ts";
import { type Receiver, startHeld, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { allAtOnce, clockRule, rule, scenario } from "../support/scenarios.ts";
import { SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

describe("how far it goes", () => {
  test("by a duration, in any of the forms of durations", async () => {
    const world = await file.world();
    const went: string[] = [];
    for (const by of ["500ms", "5s", "31m", "1h30m", "2d", "1w", "PT5S", "P1DT2H", "0s"]) {
      went.push((await world.advance({ by })).to);
    }
    expect(went).toEqual([
      "2026-01-01T12:00:00.500Z",
      "2026-01-01T12:00:05.500Z",
      "2026-01-01T12:31:05.500Z",
      "2026-01-01T14:01:05.500Z",
      "2026-01-03T14:01:05.500Z",
      "2026-01-10T14:01:05.500Z",
      "2026-01-10T14:01:10.500Z",
      "2026-01-11T16:01:10.500Z",
      "2026-01-11T16:01:10.500Z",
    ]);
  });

  test("to an instant, the present one too", async () => {
    const world = await file.world();
    const to = "2026-01-01T09:30:00.000-03:00";
    expect(await world.advance({ to })).toMatchObject({ to: "2026-01-01T12:30:00.000Z", reached: true });
    expect(await world.advance({ to })).toMatchObject({ from: "2026-01-01T12:30:00.000Z", reached: true, timers: 0 });
  });

  test("until the next timer, what is delivered at that instant included, and nothing later", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    const first = await world.advance("next");
    expect(first).toMatchObject({ to: "2026-01-01T12:00:05.000Z", reached: true, timers: 2 });
    expect(first.webhooks).toEqual({ delivered: 0, failed: 0, pending: 1 });
    const second = await world.advance("next");
    expect(second).toMatchObject({ from: "2026-01-01T12:00:05.000Z", to: "2026-01-01T12:00:06.000Z", timers: 1 });
    expect(secondsOf(receiver)).toEqual([5, 6]);
  });

  test("until the next timer where there is none: it stays, and says so", async () => {
    const world = await file.world();
    expect(await world.advance("next")).toEqual({
      from: "2026-01-01T12:00:00.000Z",
      to: "2026-01-01T12:00:00.000Z",
      reached: false,
      timers: 0,
      webhooks: { delivered: 0, failed: 0, pending: 0 },
      trace: [],
    });
  });

  test("until the next timer, but not beyond the year 9999: what is due later is never reached", async () => {
    const world = await file.world({ clock: { start: "9999-12-31T23:50:00Z" } });
    await makeCharge(world);
    const stays = { to: "9999-12-31T23:50:00.000Z", reached: false, timers: 0 };
    expect(await world.advance("next")).toMatchObject(stays);
    const last = "9999-12-31T23:59:59.999Z";
    expect(await world.advance(last)).toMatchObject({ to: last, reached: true, timers: 0 });
    expect(await world.advance(last)).toMatchObject({ to: last, reached: true });
  });

  test("until idle: to the instant of the last timer, what timers schedule included", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    const advance = await world.advance("idle");
    expect(advance).toMatchObject({ to: "2026-01-01T12:12:41.000Z", reached: true, timers: 7 });
    expect(await world.advance("idle")).toMatchObject({ from: advance.to, to: advance.to, reached: true, timers: 0 });
  });
});

describe("what is answered", () => {
  test("all fields, once everything is done", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    const id = await makeCharge(world);
    const { trace, ...advance } = await world.advance("5s");
    expect(advance).toEqual({
      from: "2026-01-01T12:00:00.000Z",
      to: "2026-01-01T12:00:05.000Z",
      reached: true,
      timers: 2,
      webhooks: { delivered: 1, failed: 0, pending: 0 },
    });
    expect(receiver.received).toHaveLength(1);
    const kinds = trace.map(({ kind }) => kind);
    expect(kinds).toEqual(["step", "transition", "webhook.created", "webhook.delivered"]);
    expect(trace.map(({ at }) => at)).toEqual(Array(4).fill("2026-01-01T12:00:05.000Z"));
    expect(trace.map(({ subject }) => subject)).toEqual(Array(4).fill(id));
  });

  test("four failures and a success within it: five attempts, each at its own instant", async () => {
    await using receiver = await startReceiver(500, 500, 500, 500, 200);
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    const advance = await world.advance("15m");
    expect(advance).toMatchObject({ to: "2026-01-01T12:15:00.000Z", reached: true, timers: 6 });
    expect(advance.webhooks).toEqual({ delivered: 1, failed: 0, pending: 0 });
    expect(secondsOf(receiver)).toEqual([5, 6, 11, 41, 161]);
    const [webhook] = await world.webhooks();
    const { attempts, status } = await world.webhook(webhook?.webhook_id ?? "");
    expect([status, attempts.map(({ response }) => response?.status)]).toEqual([
      "delivered",
      [500, 500, 500, 500, 200],
    ]);
  });

  test("webhooks delivered, given up and still waiting, told apart", async () => {
    await using prompt = await startReceiver();
    await using failing = await startReceiver(500);
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const [good, bad] = [
      await chargeOf(merchant, { postback_url: prompt.url }),
      await chargeOf(merchant, { postback_url: failing.url }),
    ];
    await world.advance("10m");
    await world.act(bad, "pay");
    await world.advance("10m");
    await world.act(good, "expire");
    await world.act(await chargeOf(merchant, { postback_url: failing.url }), "pay");
    expect((await world.advance("5m")).webhooks).toEqual({ delivered: 0, failed: 1, pending: 1 });
    expect((await world.advance("idle")).webhooks).toEqual({ delivered: 0, failed: 1, pending: 0 });
    expect(prompt.received).toHaveLength(1);
  });

  test("a webhook counts as delivered once, however many copies of it are", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await inject(world, { delivery: "cashin.*", inject: { duplicate: 2 } });
    await makeCharge(world);
    const advance = await world.advance("5s");
    expect(advance).toMatchObject({ timers: 4, webhooks: { delivered: 1, failed: 0, pending: 0 } });
    expect(receiver.received).toHaveLength(3);
  });

  test("the trace shows what happened since the advance began, each timer at its own instant", async () => {
    await using receiver = await startReceiver(500, 500, 200);
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    const { trace } = await world.advance("1d");
    const attempts = trace.filter(({ kind }) => kind.startsWith("webhook.") && kind !== "webhook.created");
    expect(attempts.map(({ at, kind }) => `${kind} ${at}`)).toEqual([
      "webhook.failed 2026-01-01T12:00:05.000Z",
      "webhook.failed 2026-01-01T12:00:06.000Z",
      "webhook.delivered 2026-01-01T12:00:11.000Z",
    ]);
    const journal = await world.journal();
    expect(trace).toEqual(journal.slice(-trace.length));
  });

  test("a trace of more than 1000 entries is cut, and says so", async () => {
    const notes = Array.from({ length: 400 }, (_, index) => ({ after: "1s", note: `note ${index}` }));
    const world = await file.world({ scenarios: [scenario("talkative", rule("cashin.created", notes))] });
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) await chargeOf(merchant);
    const advance = await world.advance("10m");
    expect(advance).toMatchObject({ timers: 1200, trace_truncated: true });
    expect(advance.trace).toHaveLength(1000);
    expect(advance.trace[0]).toMatchObject({ kind: "step", data: { note: "note 0" } });
    expect(await world.advance("1h")).not.toHaveProperty("trace_truncated");
  });

  test("a trace of 1000 entries is whole", async () => {
    const world = await file.world({
      scenarios: [scenario("ticking", clockRule({ every: "* * * * *" }, [{ note: "x" }]))],
    });
    const advance = await world.advance("500m");
    expect(advance.trace).toHaveLength(1000);
    expect(advance).not.toHaveProperty("trace_truncated");
  });

  test("one advance or many small ones: the same comes of it", async () => {
    const outcomes: string[] = [];
    for (const steps of [["1h"], ["4s", "1s", "999ms", "1ms", "30m", "29m54s"]]) {
      await using receiver = await startReceiver(500, 200);
      const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
      const merchant = await Merchant.of(world);
      for (const currency of ["BRL", "MXN", "BTC", "BRL"]) await chargeOf(merchant, { currency, amount: "10" });
      for (const step of steps) await world.advance(step);
      const entries = (await world.journal()).filter(({ kind }) => kind !== "control");
      outcomes.push(JSON.stringify(entries.map(({ at, kind, subject, data }) => [at, kind, subject, data])));
    }
    expect(outcomes[1]).toBe(outcomes[0]);
  });

  test("the merchant's calls meanwhile are served at the instant reached", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const merchant = await Merchant.of(world);
    const times: (string | null)[] = [];
    await using receiver = await startReceiver(async (_request, response) => {
      const answer = await merchant.call("GET", "/v2/account/balance");
      times.push(answer.headers.get("x-sandbox-time"));
      response.writeHead(times.length < 3 ? 500 : 200).end();
    });
    await world.setPostbackUrl("acme", receiver.url);
    await chargeOf(merchant);
    await world.advance("1h");
    expect(times).toEqual(["2026-01-01T12:00:05.000Z", "2026-01-01T12:00:06.000Z", "2026-01-01T12:00:11.000Z"]);
  });
});

test("an action during an advance is answered while that goes on", async () => {
  const world = await file.world({ scenarios: [scenario("busy", clockRule({ every: "* * * * *" }, [{ note: "x" }]))] });
  const id = await makeCharge(world);
  await world.act(id, "pay");
  const { now: start } = await world.clock();
  // Far longer than the calls below take; it is called off.
  const advance = world.advance("60d");
  while ((await world.clock()).now === start);
  await world.act(id, "refund");
  await world.cancelAdvance();
  expect(await advance).toMatchObject({ reached: false });
});

describe("max_timers", () => {
  test("ends the advance after so many, and the rest comes with the next one", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
    await makeCharge(world);
    const first = await world.advance({ by: "1h", max_timers: 4 });
    expect(first).toMatchObject({ to: "2026-01-01T12:00:11.000Z", reached: false, timers: 4 });
    expect(secondsOf(receiver)).toEqual([5, 6, 11]);
    const second = await world.advance({ until: "idle", max_timers: 100 });
    expect(second).toMatchObject({ reached: true, timers: 3 });
  });

  test("just as many as there are: the target is reached", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await chargeOf(merchant);
    await world.advance("20m");
    await chargeOf(merchant);
    const advance = await world.advance({ by: "15m", max_timers: 1 });
    expect(advance).toMatchObject({ to: "2026-01-01T12:35:00.000Z", reached: true, timers: 1 });
    expect(await world.advance({ until: "idle", max_timers: 1 })).toMatchObject({ reached: true, timers: 1 });
  });

  test("just as many as there are until idle, which a rule on the clock does not keep from being reached", async () => {
    const world = await file.world({
      scenarios: [scenario("hourly", clockRule({ every: "0 * * * *" }, [{ note: "x" }]))],
    });
    await makeCharge(world);
    expect(await world.advance({ until: "idle", max_timers: 1 })).toMatchObject({ reached: true, timers: 1 });
  });
});

test("max_timers: what is left at the very instant of the target keeps it from being reached", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  await chargeOf(merchant);
  await chargeOf(merchant);
  const advance = await world.advance({ by: "30m", max_timers: 1 });
  expect(advance).toMatchObject({ to: "2026-01-01T12:30:00.000Z", reached: false, timers: 1 });
});

test("max_timers: what is left at that instant is no part of the answer, though it runs by itself at once", async () => {
  const world = await file.world({ scenarios: [], postback_url: "sandbox://inbox" });
  const merchant = await Merchant.of(world);
  const ids = [await chargeOf(merchant), await chargeOf(merchant), await chargeOf(merchant)];
  const { timers, webhooks, trace } = await world.advance({ until: "next", max_timers: 2 });
  expect({ timers, webhooks }).toEqual({ timers: 2, webhooks: { delivered: 1, failed: 0, pending: 0 } });
  expect(new Set(trace.map(({ subject }) => subject))).toEqual(new Set([ids[0]]));
  await world.settle();
  expect(await world.webhooks({ status: "delivered" })).toHaveLength(3);
});

describe("advances queue up", () => {
  test("each goes by its own length from where the one before ended, and tells of itself alone", async () => {
    const { world, receiver, release } = await stuckWorld();
    await using _ = receiver;
    const first = world.advance("10m");
    await receiver.arrived(1);
    const [second, third] = [world.advance("10m"), world.advance("next")];
    await settled(world);
    release();
    const [one, two, three] = await Promise.all([first, second, third]);
    expect([one, two].map(({ from, to }) => [from, to])).toEqual([
      ["2026-01-01T12:00:00.000Z", "2026-01-01T12:10:00.000Z"],
      ["2026-01-01T12:10:00.000Z", "2026-01-01T12:20:00.000Z"],
    ]);
    expect([one, two, three].map(({ timers, reached }) => [timers, reached])).toEqual([
      [2, true],
      [0, true],
      [0, false],
    ]);
    expect(one.webhooks.delivered).toBe(1);
    expect(two.webhooks.delivered).toBe(0);
    expect(two.trace.filter(({ kind }) => kind !== "control")).toEqual([]);
  });

  test.each([
    ["/clock/advance", { to: "2026-01-01T12:01:00Z" }],
    ["/clock", { now: "2026-01-01T12:01:00Z", mode: "running", speed: 7 }],
  ])("an instant that has passed when its turn comes is refused, and the next one goes on: %s", async (path, input) => {
    const { world, receiver, release } = await stuckWorld();
    await using _ = receiver;
    const first = world.advance("10m");
    await receiver.arrived(1);
    const second = control(world, "POST", path, input);
    await settled(world);
    const third = world.advance("1m");
    await settled(world);
    release();
    expect((await first).to).toBe("2026-01-01T12:10:00.000Z");
    const { status, body } = await second;
    expect([status, body.error.code]).toEqual([409, "CLOCK_BACKWARDS"]);
    expect(body.error.details).toEqual({ now: "2026-01-01T12:10:00.000Z" });
    expect(await world.clock()).toMatchObject({ mode: "frozen", speed: 1 });
    expect(await third).toMatchObject({ from: "2026-01-01T12:10:00.000Z", to: "2026-01-01T12:11:00.000Z" });
  });

  test.each([
    ["2026-01-01T11:00:00Z", 409],
    ["9999-12-31T23:59:59.999Z", 200],
  ])("where an instant can never be reached, that is told at once: %s", async (now, expected) => {
    const { world, receiver, release } = await stuckWorld();
    await using _ = receiver;
    const first = world.advance("10m");
    await receiver.arrived(1);
    const second = control(world, "POST", "/clock", { now });
    if (expected === 409) expect((await second).status).toBe(409);
    release();
    await first;
    expect((await second).status).toBe(expected);
  });

  test("the one before tells nothing of what the next one does, though that begins at once", async () => {
    const { world, receiver, release } = await stuckWorld();
    await using _ = receiver;
    const first = world.advance("10s");
    await receiver.arrived(1);
    await makeCharge(world, { currency: "MXN" });
    const second = world.advance("1h");
    await settled(world);
    release();
    const [one, two] = await Promise.all([first, second]);
    expect(one).toMatchObject({ timers: 2, webhooks: { delivered: 1, pending: 0 } });
    expect(one.trace.every(({ at }) => at <= one.to)).toBe(true);
    expect(two).toMatchObject({ timers: 2, webhooks: { delivered: 1, pending: 0 } });
    expect(two.trace.filter(({ kind }) => kind === "webhook.delivered")).toHaveLength(1);
  });

  test("many at once make one way together, each tells of its own part of it", async () => {
    const notes = Array.from({ length: 400 }, (_, index) => ({ after: "100ms", note: `note ${index}` }));
    const world = await file.world({ scenarios: [scenario("talkative", rule("cashin.created", notes))] });
    await makeCharge(world);
    const advances = await Promise.all(Array.from({ length: 10 }, () => world.advance("4s")));
    advances.sort((left, right) => left.from.localeCompare(right.from));
    for (const [index, { from, to, timers, trace }] of advances.entries()) {
      expect([from, timers]).toEqual([index === 0 ? "2026-01-01T12:00:00.000Z" : advances[index - 1]?.to, 40]);
      const steps = trace.filter(({ kind }) => kind === "step").map(({ at }) => at);
      expect([steps.length, steps[0], steps.at(-1)]).toEqual([40, later(from, 100), to]);
    }
  });

  test("what is called off before its turn has changed nothing and says so: POST /clock to an instant", async () => {
    const { world, receiver, release } = await stuckWorld();
    await using _ = receiver;
    const paying = world.act(await makeCharge(world), "pay");
    await receiver.arrived(1);
    const moving = world.call("POST", "/clock", { now: "2026-01-01T13:00:00Z", mode: "running", speed: 60 });
    const refused = moving.catch((error: unknown) => error);
    await settled(world);
    await world.cancelAdvance();
    release();
    const unchanged = { mode: "frozen", speed: 1, now: "2026-01-01T12:00:00.000Z" };
    await expect(refused).resolves.toMatchObject({
      status: 409,
      code: "ADVANCE_CANCELED",
      message: expect.stringContaining(
        "to 2026-01-01T13:00:00.000Z was called off at 2026-01-01T12:00:00.000Z; nothing was changed.",
      ),
    });
    expect(await world.clock()).toMatchObject(unchanged);
    await paying;
  });

  test("what was called off on its way says so, and what ends with its world that this is gone", async () => {
    for (const ending of ["cancel", "reset"]) {
      const { world, receiver, release } = await stuckWorld();
      await using _ = receiver;
      const moving = world.call("POST", "/clock", { now: "2026-01-01T13:00:00Z", speed: 60 });
      const refused = moving.catch((error: unknown) => error);
      await receiver.arrived(1);
      if (ending === "reset") await world.reset();
      else await world.cancelAdvance();
      release();
      const told = { cancel: ["ADVANCE_CANCELED", "what else was asked for is done."], reset: ["WORLD_GONE", "reset"] };
      const [code, words] = told[ending as keyof typeof told];
      expect(await refused).toMatchObject({ status: 409, code, message: expect.stringContaining(String(words)) });
    }
  });

  test("calling off twice ends the one under way and the one behind it, however slow a receiver is; then none is left", async () => {
    const { world, receiver, release } = await stuckWorld(500);
    await using _ = receiver;
    const first = world.advance("1h");
    await receiver.arrived(1);
    const second = world.advance("2h");
    const third = world.advance("1s");
    await settled(world);
    await world.cancelAdvance();
    await world.cancelAdvance();
    expect(await second).toMatchObject({ to: "2026-01-01T12:00:05.000Z", reached: false, timers: 0 });
    await world.cancelAdvance();
    expect(await third).toMatchObject({ reached: false, timers: 0 });
    await expect(world.cancelAdvance()).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" });
    release();
    expect(await first).toMatchObject({ to: "2026-01-01T12:00:05.000Z", reached: false });
  });

  test("calling off ends the one under way between two timers; what it left waits, the next one goes on", async () => {
    const { world, receiver, release } = await stuckWorld(500);
    await using _ = receiver;
    const first = world.advance("10m");
    await receiver.arrived(1);
    const second = world.advance("1s");
    await settled(world);
    expect(await world.cancelAdvance()).toMatchObject({ now: "2026-01-01T12:00:05.000Z", pending_timers: 0 });
    release();
    expect(await first).toMatchObject({ to: "2026-01-01T12:00:05.000Z", reached: false, timers: 2 });
    expect(await second).toMatchObject({ from: "2026-01-01T12:00:05.000Z", to: "2026-01-01T12:00:06.000Z", timers: 1 });
    expect(secondsOf(receiver)).toEqual([5, 6]);
    const calledOff = (await world.journal()).filter(({ data }) => data.call === "DELETE /clock/advance");
    expect(calledOff).toHaveLength(1);
  });

  test("there is nothing to call off where no advance is under way", async () => {
    const world = await file.world();
    const { status, body } = await control(world, "DELETE", "/clock/advance");
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("a connection that is closed does not call it off", async () => {
    const { world, receiver, release } = await stuckWorld();
    await using _ = receiver;
    const connection = new AbortController();
    const gone = fetch(`${world.baseUrl}/_sandbox/clock/advance`, {
      method: "POST",
      body: JSON.stringify({ by: "1h" }),
      headers: { "Content-Type": "application/json" },
      signal: connection.signal,
    });
    await receiver.arrived(1);
    connection.abort();
    await expect(gone).rejects.toThrow();
    release();
    await world.settle();
    expect((await world.clock()).now).toBe("2026-01-01T13:00:00.000Z");
  });

  test("a world that is deleted, or reset, while it is advanced tells so", async () => {
    for (const end of ["delete", "reset"] as const) {
      const { world, receiver, release } = await stuckWorld();
      await using _ = receiver;
      const call = control(world, "POST", "/clock/advance", { by: "10m" });
      await receiver.arrived(1);
      await world[end]();
      const { status, body } = await call;
      const what = end === "reset" ? "was taken back by a reset or a restore" : "went away";
      expect([status, body.error.code]).toEqual([409, "WORLD_GONE"]);
      expect(body.error.message).toBe(`The world ${world.id} ${what} while this call was under way.`);
      release();
    }
  });
});

describe("settle", () => {
  test("answers when nothing is in the air any more", async () => {
    const { world, receiver, release } = await stuckWorld();
    await using _ = receiver;
    const advance = world.advance("5s");
    await receiver.arrived(1);
    let isSettled = false;
    const settling = world.settle().then((clock) => {
      isSettled = true;
      return clock;
    });
    await settled(world);
    expect(isSettled).toBe(false);
    release();
    expect(await settling).toMatchObject({ now: "2026-01-01T12:00:05.000Z", pending_timers: 0 });
    expect((await advance).webhooks.delivered).toBe(1);
  });

  test("covers what is due at the present instant, retries that are due later not", async () => {
    await using receiver = await startReceiver(500);
    const steps = [{ after: "0s", pay: {} }];
    const world = await file.world({
      scenarios: [scenario("at-once", rule("cashin.created", steps))],
      postback_url: receiver.url,
    });
    const id = await makeCharge(world);
    const clock = await world.settle();
    expect(clock).toMatchObject({ pending_timers: 1, next_timer_at: "2026-01-01T12:00:01.000Z" });
    expect((await transactionOf(world, id)).status).toBe("confirmed");
    expect(receiver.received).toHaveLength(1);
  });
});

describe("deliveries of one instant", () => {
  test("in a frozen world go one after another whatever their destination, so that the journal is always the same", async () => {
    await using slow = await startHeld();
    await using prompt = await startReceiver();
    const world = await file.world({ scenarios: [allAtOnce] });
    const merchant = await Merchant.of(world);
    const ids = [
      await chargeOf(merchant, { postback_url: slow.url }),
      await chargeOf(merchant, { postback_url: prompt.url }),
    ];
    await world.advance({ by: "10m", max_timers: 2 });
    await slow.arrived(1);
    await settled(world);
    expect(prompt.received).toEqual([]);
    slow.release();
    await world.settle();
    const delivered = (await world.journal()).filter(({ kind }) => kind === "webhook.delivered");
    expect(delivered.map(({ subject }) => subject)).toEqual(ids);
  });
});

test("in a frozen world what is due about the resource of a webhook waits for that, also where its receiver calls", async () => {
  const refunding = scenario("refunding", rule("cashin.confirmed", [{ refund: {} }]));
  const world = await file.world({ scenarios: [refunding] });
  const merchant = await SigningMerchant.ofAccount(world);
  const id = await chargeOf(merchant);
  const seen: unknown[] = [];
  await using receiver = await startReceiver(async ({ body }, response) => {
    seen.push([body.event, (await merchant.item(id)).status]);
    response.writeHead(200).end();
  });
  await world.setPostbackUrl("acme", receiver.url);
  await world.act(id, "pay");
  expect(seen).toEqual([
    ["cashin.confirmed", "confirmed"],
    ["cashin.refunded", "refunded"],
  ]);
});

describe("what an advance refuses", () => {
  test.each([
    [{}, "exactly one of by, to, until"],
    [{ by: "5s", until: "next" }, "exactly one of by, to, until"],
    [{ by: "5s", to: "2026-01-02T00:00:00Z" }, "exactly one of by, to, until"],
    [{ by: "-5s" }, "by must be a duration"],
    [{ by: "5" }, 'did you mean "5s"?'],
    [{ by: 5 }, 'by must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S; did you mean "5s"?'],
    [{ by: null }, "by must be a duration such as 500ms"],
    [{ by: "five seconds" }, "by must be a duration"],
    [{ by: "9999999w" }, "9999"],
    [{ to: "2026-13-01T00:00:00Z" }, "to must be an ISO 8601 instant"],
    [{ to: "2026-01-01T13:00:00" }, 'such as 2026-01-01T12:00:00Z; did you mean "2026-01-01T13:00:00Z"?'],
    [{ to: 5 }, "to must be an ISO 8601 instant"],
    [{ until: "later" }, "until must be"],
    [{ by: "5s", max_timers: 0 }, "max_timers"],
    [{ by: "5s", max_timers: 1.5 }, "max_timers"],
    [{ by: "5s", max_timer: 5 }, 'did you mean "max_timers"'],
    [{ untill: "next" }, 'did you mean "until"'],
  ])("%j: 400", async (input, named) => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/clock/advance", input);
    expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(body.error.message).toContain(named);
    expect((await world.clock()).now).toBe("2026-01-01T12:00:00.000Z");
  });

  test("an instant in the past: 409", async () => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/clock/advance", { to: "2026-01-01T11:59:59.999Z" });
    expect([status, body.error.code]).toEqual([409, "CLOCK_BACKWARDS"]);
    expect(body.error.details).toEqual({ now: "2026-01-01T12:00:00.000Z" });
  });
});

describe("/timers", () => {
  test("what is pending, in its order, with kind, subject and cause", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const id = await makeCharge(world);
    const { items } = await world.call<{ items: Record<string, unknown>[] }>("GET", "/timers");
    expect(items).toMatchObject([
      {
        at: "2026-01-01T12:00:05.000Z",
        kind: "scenario.step",
        subject: id,
        rule: expect.stringMatching(/happy-path\.yaml:\d+$/),
      },
      { at: "2026-01-01T12:30:00.000Z", kind: "charge.expiry", subject: id, rule: null },
    ]);
    const entries = new Set((await world.journal()).map(({ sequence }) => sequence));
    for (const { id, cause } of items) {
      expect(id).toMatch(/^\d+-\d+$/);
      expect(entries).toContain(cause);
    }
  });

  test("a page that holds all of them is the last", async () => {
    const world = await file.world();
    await makeCharge(world);
    const { body } = await control(world, "GET", "/timers?limit=1");
    expect(body).toMatchObject({ items: [{ kind: "charge.expiry" }], next_cursor: null });
  });

  test("page by page, those that are due after all time too", async () => {
    const far = (note: string) => rule("cashin.created", [{ after: LONGEST_DURATION, note }], { also: true });
    const world = await file.world({ scenarios: [scenario("far", far("one"), far("other"))] });
    await makeCharge(world);
    const timers = await world.timers();
    expect(timers.map(({ kind }) => kind)).toEqual(["charge.expiry", "scenario.step", "scenario.step"]);
    const { body } = await control(world, "GET", "/timers?limit=2");
    const rest = await control(world, "GET", `/timers?cursor=${body.next_cursor}`);
    expect([rest.status, rest.body.items]).toEqual([200, timers.slice(2)]);
  });
});

interface StuckWorld {
  readonly world: WorldClient;
  readonly receiver: Receiver;
  /** Lets the receiver answer. */
  readonly release: () => void;
}

/** A world with a charge that is paid after 5 s, and a receiver that does not answer before it is released. */
async function stuckWorld(status = 200): Promise<StuckWorld> {
  const receiver = await startHeld(status);
  const world = await file.world({ scenarios: ["happy-path"], postback_url: receiver.url });
  await makeCharge(world);
  return { world, receiver, release: () => receiver.release() };
}

function later(instant: string, byMs: number): string {
  return new Date(Date.parse(instant) + byMs).toISOString();
}

/** A few calls back and forth: what was sent before has been received by then. */
async function settled(world: WorldClient): Promise<void> {
  for (let count = 0; count < 3; count++) await world.clock();
}

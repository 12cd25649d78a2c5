/** Rules on the clock: `every` a cron pattern, `at` an instant. They wait on it like everything else. */
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { useSandbox } from "../support/sandbox.ts";
import { clockRule, rule, scenario } from "../support/scenarios.ts";

const file = useSandbox();

/** The instants at which a world's rules wrote their notes. */
async function notesOf(world: WorldClient): Promise<string[]> {
  const notes = (await world.journal()).filter(({ kind, data }) => kind === "step" && data.action === "note");
  return notes.map(({ at, data }) => `${at.replace(".000Z", "Z")} ${data.note}`);
}

const every = (pattern: string, note: string, more: object = {}) => clockRule({ every: pattern, ...more }, [{ note }]);

describe("a rule that recurs", () => {
  test("acts at every instant that its pattern names, and is on the clock for the next one", async () => {
    const world = await file.world({ scenarios: [scenario("daily", every("0 9 * * MON-FRI", "open"))] });
    expect(await world.timers()).toMatchObject([
      { at: "2026-01-02T09:00:00.000Z", kind: "scenario.tick", recurring: true },
    ]);
    expect(await world.advance("7d")).toMatchObject({ timers: 10, reached: true });
    expect(await notesOf(world)).toEqual([
      "2026-01-02T09:00:00Z open",
      "2026-01-05T09:00:00Z open",
      "2026-01-06T09:00:00Z open",
      "2026-01-07T09:00:00Z open",
      "2026-01-08T09:00:00Z open",
    ]);
    expect(await world.timers()).toMatchObject([{ at: "2026-01-09T09:00:00.000Z" }]);
  });

  test("follows the time of its zone, through the change to summer time and back", async () => {
    const noon = every("0 12 * * SUN", "noon in Berlin", { timezone: "Europe/Berlin" });
    const clock = { start: "2026-03-20T00:00:00Z" };
    const world = await file.world({ clock, scenarios: [scenario("zone", noon)] });
    await world.advance("2w");
    await world.advance("2026-10-17T00:00:00Z");
    await world.advance("2w");
    const notes = await notesOf(world);
    expect([notes.slice(0, 2), notes.slice(-2)]).toEqual([
      ["2026-03-22T11:00:00Z noon in Berlin", "2026-03-29T10:00:00Z noon in Berlin"],
      ["2026-10-18T10:00:00Z noon in Berlin", "2026-10-25T11:00:00Z noon in Berlin"],
    ]);
  });

  test("keeps no world from being idle, yet acts on the way there", async () => {
    const world = await file.world({ scenarios: ["happy-path", scenario("busy", every("* * * * *", "minute"))] });
    expect(await world.advance("idle")).toMatchObject({ to: "2026-01-01T12:00:00.000Z", reached: true, timers: 0 });
    await makeCharge(world, { currency: "BTC", amount: "0.01" });
    expect(await world.advance("idle")).toMatchObject({ to: "2026-01-01T13:00:00.000Z", reached: true });
    expect(await notesOf(world)).toHaveLength(60);
    expect(await world.advance("next")).toMatchObject({ to: "2026-01-01T13:01:00.000Z", reached: true });
  });

  test("keeps its place in the one order of timers: steps put on the clock before it come before it", async () => {
    const steps = [{ at: "2026-01-02T09:00:00Z", note: "a step" }];
    const world = await file.world({ scenarios: [scenario("steps", rule("cashin.created", steps))] });
    await makeCharge(world);
    await world.call("POST", "/scenarios", scenario("daily", every("0 9 * * *", "a tick")));
    await makeCharge(world);
    await world.advance("1d");
    const notes = (await notesOf(world)).map((note) => note.split(" ").slice(1).join(" "));
    expect(notes).toEqual(["a step", "a step", "a tick"]);
  });

  test("ends with its number of times, and leaves nothing on the clock", async () => {
    const world = await file.world({
      scenarios: [scenario("thrice", every("0 * * * *", "hour", { times: 3, skip: 1 }))],
    });
    await world.advance("1d");
    expect(await notesOf(world)).toEqual([14, 15, 16].map((hour) => `2026-01-01T${hour}:00:00Z hour`));
    expect(await world.timers()).toEqual([]);
  });

  test("D26a does not wait for an instant at which its window has ended", async () => {
    const world = await file.world({
      scenarios: [scenario("hourly", every("0 * * * *", "hour", { until: "+3h" }))],
    });
    await world.advance("2h");
    expect(await notesOf(world)).toEqual([13, 14].map((hour) => `2026-01-01T${hour}:00:00Z hour`));
    expect(await world.timers()).toEqual([]);
  });

  test.each(["2026-01-01T12:00:00Z", "+0s"])("at the very instant of its loading, %s, it acts", async (at) => {
    const world = await file.world({ scenarios: [scenario("now", clockRule({ at }, [{ note: "now" }]))] });
    await world.settle();
    expect(await notesOf(world)).toEqual(["2026-01-01T12:00:00Z now"]);
  });

  test("acts within its window alone", async () => {
    const window = { from: "2026-01-01T14:00:00Z", until: "+5h" };
    const world = await file.world({ scenarios: [scenario("window", every("0 * * * *", "hour", window))] });
    await world.advance("1d");
    expect(await notesOf(world)).toEqual([14, 15, 16].map((hour) => `2026-01-01T${hour}:00:00Z hour`));
  });

  test("counts what it skips, like any rule, among the times within its window alone", async () => {
    const window = { from: "2026-01-01T14:00:00Z", skip: 1, times: 2 };
    const world = await file.world({ scenarios: [scenario("window", every("0 * * * *", "hour", window))] });
    await world.advance("1d");
    expect(await notesOf(world)).toEqual([15, 16].map((hour) => `2026-01-01T${hour}:00:00Z hour`));
    const [{ rules }] = (await world.all<{ rules: unknown[] }>("/scenarios")) as [{ rules: unknown[] }];
    expect(rules).toMatchObject([{ matched: 3, fired: 2 }]);
  });

  test("is in the trace with its rule, and its steps are caused by it", async () => {
    const world = await file.world({ scenarios: [scenario("daily", every("0 9 * * *", "open"))] });
    const { trace } = await world.advance("1d");
    const [fired, step] = trace;
    expect(fired).toMatchObject({ kind: "rule.fired", rule: expect.stringMatching(/^inline\.json:\d+$/) });
    expect(step).toMatchObject({ kind: "step", cause: fired?.sequence });
  });
});

describe("a rule at an instant", () => {
  test("acts once, at the instant or so long after it was loaded", async () => {
    const rules = [
      clockRule({ at: "2026-01-01T15:00:00+01:00" }, [{ note: "instant" }]),
      clockRule({ at: "+10m" }, [{ note: "first" }, { after: "5s", note: "second" }]),
      clockRule({ at: "2025-12-31T00:00:00Z" }, [{ note: "past" }]),
    ];
    const world = await file.world({ scenarios: [scenario("moments", ...rules)] });
    expect(await world.advance("idle")).toMatchObject({ to: "2026-01-01T14:00:00.000Z", reached: true, timers: 5 });
    expect(await notesOf(world)).toEqual([
      "2026-01-01T12:10:00Z first",
      "2026-01-01T12:10:05Z second",
      "2026-01-01T14:00:00Z instant",
    ]);
  });

  test("is counted from where it was loaded, a replacement anew", async () => {
    const world = await file.world({ clock: { start: "2026-06-01T00:00:00Z" } });
    const later = (note: string) => scenario("later", clockRule({ at: "+1h" }, [{ note }]));
    await world.call("POST", "/scenarios", later("old"));
    await world.advance("59m");
    await world.call("POST", "/scenarios", later("new"));
    await world.advance("1d");
    expect(await notesOf(world)).toEqual(["2026-06-01T01:59:00Z new"]);
  });
});

describe("rules on the clock", () => {
  test("go with their scenario", async () => {
    const world = await file.world({ scenarios: [scenario("daily", every("0 9 * * *", "open"))] });
    expect((await control(world, "DELETE", "/scenarios/daily")).status).toBe(204);
    expect(await world.timers()).toEqual([]);
    expect(await world.advance("7d")).toMatchObject({ timers: 0 });
  });

  test("go on in a fork, and begin again with a reset", async () => {
    const origin = await file.world({ scenarios: [scenario("daily", every("0 9 * * *", "open", { times: 3 }))] });
    await origin.advance("2d");
    const fork = await file.sandbox.createWorld({ from: origin.id });
    await fork.advance("7d");
    expect(await notesOf(fork)).toEqual([2, 3, 4].map((day) => `2026-01-0${day}T09:00:00Z open`));
    await origin.reset();
    await origin.advance("7d");
    expect(await notesOf(origin)).toEqual(await notesOf(fork));
  });

  test("act on a running clock by themselves", async () => {
    const world = await file.world({ scenarios: [scenario("often", every("0 0 * * *", "midnight"))] });
    await world.call("POST", "/clock", { mode: "running", speed: 1_000_000 });
    while ((await notesOf(world)).length < 3);
    await world.call("POST", "/clock", { mode: "frozen" });
    expect((await notesOf(world)).slice(0, 3)).toEqual([2, 3, 4].map((day) => `2026-01-0${day}T00:00:00Z midnight`));
  });
});

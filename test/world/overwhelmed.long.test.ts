/** A running clock in a process of its own that cannot keep up with it. */
import { describe, expect, test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { startReady } from "../support/command.ts";
import { Merchant } from "../support/merchant.ts";
import { clockRule, scenario } from "../support/scenarios.ts";

/** A second of the world is a hundredth of a millisecond: no process does anything in that time. */
const TOO_FAST = 100_000;

describe("a clock so fast that more falls due than can be done", () => {
  test("leaves the process to its other callers, and can be stopped", async () => {
    const { ready } = await startReady(["--clock", "frozen"]);
    const sandbox = await connectSandbox(ready.base_url);
    const everySecond = scenario("every-second", clockRule({ every: "* * * * * *" }, [{ note: "tick" }]));
    const world = await sandbox.createWorld({ scenarios: [everySecond], clock: { mode: "running", speed: TOO_FAST } });
    expect((await Merchant.of(world)).token).not.toBe("");
    await world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "1.00" });
    expect((await (await sandbox.defaultWorld()).clock()).mode).toBe("frozen");

    const stopped = await world.call<{ now: string }>("POST", "/clock", { mode: "frozen" });
    await world.settle();
    expect(await world.clock()).toMatchObject({ mode: "frozen", now: stopped.now, pending_timers: 1 });
    const instants = (await world.journal()).map(({ at }) => at);
    expect(instants).toEqual(instants.toSorted());
  });
});

/** Programs in which sandbox and model once parted, as small as they could be made, each by the name of what was wrong. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Program, play, type Step } from "./play.ts";
import { Rig, type Setup } from "./stage.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
});
afterAll(() => rig[Symbol.asyncDispose]());

const setup: Setup = { seed: 1, settings: {}, happy: false, sandbox: "memory" };
const one = { text: "1", number: false, fair: true };

/** A deposit that is on its way when it is ended by hand. */
function endedDeposit(how: string, settings: Setup["settings"] = {}): Program {
  const steps: readonly Step[] = [
    { on: 0, do: "wallet", with: { by: 0, currency: "USDT", chain: 0 } },
    { on: 0, do: "deposit", with: { into: 0, amount: one, instant: false } },
    { on: 0, do: "endCharge", with: { of: 0, strays: false, how } },
    { on: 0, do: "next", with: null },
  ];
  return { setup: { ...setup, settings }, steps };
}

test("D32 a deposit is no charge, and its expiry is told to nobody, not even where all charges tell theirs", async () => {
  const played = await play(rig, endedDeposit("expire", { expired_event: "all" }));
  expect(played.map(({ outcome }) => outcome)).toEqual(["200", "done in its time", "expired", "not reached"]);
});

describe("a deposit that has ended before its confirmations leaves nothing on the clock", () => {
  const endings = [
    ["expire", "expired"],
    ["cancel", "canceled"],
    ["fail", "failed"],
  ] as const;
  test.each(endings)("by %s", async (how, status) => {
    const played = await play(rig, endedDeposit(how));
    expect(played.map(({ outcome }) => outcome)).toEqual(["200", "done in its time", status, "not reached"]);
  });
});

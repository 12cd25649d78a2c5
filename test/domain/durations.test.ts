/** Durations as users write them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DURATION_EXAMPLES, durationOf, formatDuration, isTooLong, parseDuration } from "../../src/domain/durations.ts";

test("a duration that was checked and is none after all is a fault, not no time", () => {
  expect(() => durationOf("soon")).toThrow('"soon" is no duration, though it was taken for one.');
});

describe("reading", () => {
  test.each([
    ["500ms", 500],
    ["5s", 5_000],
    ["31m", 1_860_000],
    ["1h30m", 5_400_000],
    ["2d", 172_800_000],
    ["1w", 604_800_000],
    ["0s", 0],
    ["1d1h1m1s1ms", 90_061_001],
    ["90s", 90_000],
    ["400d", 34_560_000_000],
    ["PT5S", 5_000],
    ["PT0.5S", 500],
    ["PT0.05S", 50],
    ["PT0.005S", 5],
    ["PT1H30M", 5_400_000],
    ["P2D", 172_800_000],
    ["P1W", 604_800_000],
    ["P1DT12H", 129_600_000],
    ["PT0S", 0],
  ])("%s is %i ms", (text, ms) => {
    expect([parseDuration(text), durationOf(text)]).toEqual([ms, ms]);
  });

  test.each([
    ...["", " ", "5", "s", "5 s", " 5s", "5s ", "5s\n", "-5s", "+5s", "1.5h", "1,5h", "5S", "5M", "5sec", "5 minutes"],
    ...["1h-30m", "1h 30m", "1h30", "5y", "5mo", "0x5s", "٥s", "5s5", "ms", "Infinity", "NaN", "1e3s", "5µs"],
    ...[
      "P",
      "PT",
      "P1DT",
      "P1Y",
      "P1M",
      "PT5",
      "pt5s",
      "PT-5S",
      "-PT5S",
      "PT5S1H",
      "PT1.5H",
      "PT0.0005S",
      "P5S",
      "PT1D",
    ],
    ...["99999999999999999999s", "1000000000w", `${"9".repeat(400)}ms`],
  ])("%j is none", (text) => {
    expect(parseDuration(text)).toBeNull();
  });

  test.each([
    ["P", false],
    ["PT", false],
    ["P1DT", false],
    ["104249991d", false],
    ["104249992d", true],
    ["P104249992D", true],
  ])("%s is too long: %s", (text, isOne) => {
    expect(isTooLong(text)).toBe(isOne);
  });

  test("the examples in messages are durations", () => {
    const examples = DURATION_EXAMPLES.split(/, | or /);
    expect(examples.length).toBeGreaterThan(4);
    for (const example of examples) expect([example, parseDuration(example)]).toEqual([example, expect.any(Number)]);
  });

  test("no text makes it throw, and what it gives is a whole number of milliseconds", () => {
    const anyText = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."0123456789mshdwPTSHM.-") }));
    fc.assert(
      fc.property(anyText, (text) => {
        const ms = parseDuration(text);
        if (ms !== null) expect(Number.isSafeInteger(ms) && ms >= 0).toBe(true);
      }),
    );
  });
});

describe("writing", () => {
  test.each([
    [0, "0s"],
    [1, "1ms"],
    [500, "500ms"],
    [5_000, "5s"],
    [60_000, "1m"],
    [5_400_000, "1h30m"],
    [86_400_000, "1d"],
    [604_800_000, "7d"],
    [90_061_001, "1d1h1m1s1ms"],
  ])("%i ms is %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  test("what is written is read back", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});

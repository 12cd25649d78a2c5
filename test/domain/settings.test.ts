/** The settings of a world: their defaults are the decisions', everything else is refused. */
import { describe, expect, test } from "vitest";
import { type Settings, settingsSchema } from "../../src/domain/settings.ts";

/** The setting column of the decisions: default, other values, values that are none. */
const TABLE: readonly [keyof Settings, default_: unknown, others: unknown[], wrong: unknown[]][] = [
  ["currencies", "table", ["extended"], ["Table", "all", "", null, 1]],
  ["cashout_fee", "deducted", ["added"], ["none", null]],
  ["signature_tolerance", "300s", ["0s", "5m", "PT5S"], ["300", 300, "-5s", "", null, "soon"]],
  ["signature_clock", "either", ["world", "wall"], ["both", null]],
  ["credential_block", "300s", ["1s", "1h30m"], ["5 minutes", 300, null]],
  ["auth_failures", "window", ["consecutive"], ["none", null]],
  ["protections", "enforce", ["report", "off"], ["on", false, null]],
  ["duplicate_status", 409, [422], [400, 200, "409", null]],
  ["expired_event", "pix", ["all"], ["none", true, null]],
  ["transfer_sent_direction", "sent", ["out"], ["in", null]],
  ["quotes", "implicit", ["ignore"], ["explicit", null]],
  ["quote_ttl", "60s", ["1ms", "24h"], [60, "60", "1.5s", null]],
  ["deposit_events", "both", ["cashin", "wallet_deposit"], ["none", null, []]],
  ["status_words", "lifecycle", ["glossary"], ["both", null]],
  ["unanswered_dispute", "lost", ["open"], ["won", null]],
  ["lost_dispute_status", "lost", ["confirmed"], ["won", null]],
  ["legacy_refund_events", false, [true], ["false", 0, null]],
  ["retry_base", "previous", ["first"], ["last", null]],
  ["webhook_rate", 100, [1, 1_000_000], [0, -1, 1.5, "100", 1_000_001, null, Number.NaN]],
  ["webhook_targets", "local", ["strict", "any"], ["all", null]],
];

const read = (given: unknown) => settingsSchema.safeParse(given);

describe("settings", () => {
  test("D02 to D63 left alone they are the decisions' defaults", () => {
    const defaults = Object.fromEntries(TABLE.map(([name, value]) => [name, value]));
    expect(read({}).data).toMatchObject(defaults);
  });

  test.each(TABLE)("%s is %o by default, and what it may be besides", (name, value, others) => {
    expect(read({}).data?.[name]).toEqual(value);
    for (const other of [value, ...others]) expect(read({ [name]: other }).data?.[name]).toEqual(other);
  });

  test.each(TABLE)("%s is refused where it is anything else, and named", (name, _value, _others, wrong) => {
    for (const value of wrong) {
      const result = read({ [name]: value });
      expect([value, result.success]).toEqual([value, false]);
      expect(result.error?.issues[0]?.path).toEqual([name]);
    }
  });

  test("D07 every setting is in the table above, but fixtures and what the receiver is told it is", () => {
    const names = TABLE.map(([name]) => name);
    const rest = Object.keys(settingsSchema.shape).filter((name) => !names.includes(name as keyof Settings));
    expect(rest.sort()).toEqual(["fixtures", "receiver_environment"]);
  });

  test("a setting that there is not is refused", () => {
    for (const name of ["curencies", "Currencies", "webhookRate", "__proto", ""]) {
      expect(read({ [name]: "table" }).success).toBe(false);
    }
    expect(read(null).success).toBe(false);
    expect(read([]).success).toBe(false);
    expect(read("strict").success).toBe(false);
  });

  test("one that is changed leaves the others at their defaults", () => {
    const defaults = read({}).data as Settings;
    for (const [name, , [other]] of TABLE) expect(read({ [name]: other }).data).toEqual({ ...defaults, [name]: other });
  });

  test("what was read is read again as it is", () => {
    const settings = read({ duplicate_status: 422, quote_ttl: "5m", fixtures: { fees: [] } }).data;
    expect(read(JSON.parse(JSON.stringify(settings))).data).toEqual(settings);
  });
});

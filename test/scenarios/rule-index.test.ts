/** Rules are found by what their conditions begin with; nobody can tell but by the time that it takes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { matches } from "../../src/scenarios/conditions.ts";
import { RuleIndex } from "../../src/scenarios/rule-index.ts";

type Where = Readonly<Record<string, unknown>>;

const text = fc.constantFrom("a", "ab", "abc", "b", "1", "1.00", "2026-01-01T00:00:00Z", "*", "a*c");
const glob = fc.constantFrom("*", "a*", "ab*", "*b", "a*c", "1*", "2026*", "null*", "**");
const condition = fc.oneof(text, glob, fc.constant(null), fc.record({ not: text }), fc.record({ in: fc.array(glob) }));
const where: fc.Arbitrary<Where> = fc.dictionary(fc.constantFrom("id", "amount", "payer.name"), condition);
const value = fc.oneof(text, fc.constant(null), fc.constantFrom(1, 12, true));
const fields: fc.Arbitrary<Where> = fc.record(
  { id: value, amount: value, payer: fc.record({ name: value }) },
  { requiredKeys: [] },
);

test("of all rules those that match are among the candidates, in their order", () => {
  fc.assert(
    fc.property(fc.array(where, { maxLength: 16, size: "max" }), fields, (rules, given) => {
      const candidates = new RuleIndex(rules, (rule) => rule).candidates(given);
      const matching = (some: readonly Where[]) => some.filter((rule) => matches(rule, given));
      expect(matching(candidates)).toEqual(matching(rules));
      expect(candidates).toEqual(rules.filter((rule) => candidates.includes(rule)));
    }),
    { numRuns: 2_000 },
  );
});

test("of more than ten rules, too, the first of them comes first", () => {
  const rules = Array.from({ length: 12 }, (_, n) => ({ n, id: n === 2 || n === 10 ? "a" : `x${n}` }));
  const candidates = new RuleIndex(rules, ({ id }) => ({ id })).candidates({ id: "a" });
  expect(candidates.map(({ n }) => n)).toEqual([2, 10]);
});

test("a glob that begins otherwise is no candidate", () => {
  const rules = [{ id: "magic-fail*" }, { id: "magic-expire*", network: "PIX" }, { network: "PIX" }, { id: "*" }];
  const index = new RuleIndex<Where>(rules, (rule) => rule);
  expect(index.candidates({ id: "order-1", network: "PIX" })).toEqual([{ network: "PIX" }, { id: "*" }]);
  expect(index.candidates({ id: "magic-fail-1", network: "SPEI" })).toEqual([{ id: "magic-fail*" }, { id: "*" }]);
});

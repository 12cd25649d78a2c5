import fc from "fast-check";
import { expect, test } from "vitest";
import { SeenTexts } from "../../src/store/seen-texts.ts";

test("of a text that was added it is never said that it was not", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const seen = new SeenTexts();
      for (const text of texts) seen.add(text);
      expect(texts.filter((text) => !seen.mayHave(text))).toEqual([]);
    }),
  );
});

test("of the others it is said nearly always, also when many times as many were added as it began with", () => {
  const seen = new SeenTexts();
  const added = Array.from({ length: 100_000 }, (_, number) => `acme/order-${number}`);
  for (const text of added) seen.add(text);
  expect(added.every((text) => seen.mayHave(text))).toBe(true);
  const others = Array.from({ length: 20_000 }, (_, number) => `acme/order-${100_000 + number}`);
  const taken = others.filter((text) => seen.mayHave(text)).length;
  expect(taken / others.length).toBeLessThan(0.03);
});

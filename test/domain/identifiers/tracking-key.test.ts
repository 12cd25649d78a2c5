import fc from "fast-check";
import { expect, test } from "vitest";
import { makeTrackingKey } from "../../../src/domain/identifiers/tracking-key.ts";
import { anyEntropy } from "./arbitraries.ts";

test("D67 every made clave de rastreo is upper-case alphanumeric and at most thirty characters", () => {
  fc.assert(
    fc.property(anyEntropy, (entropy) => {
      expect(makeTrackingKey(entropy)).toMatch(/^[0-9A-Z]{1,30}$/);
    }),
  );
});

/** The ids that the readiness report names for a check, and whether they are all. */
import { expect, test } from "vitest";
import { leadOf } from "../../src/dashboard/words/evidence.ts";

test("as many as the report names are said to be the first, fewer are all", () => {
  const ids = Array.from({ length: 20 }, (_, number) => `req_${number}`);
  expect([leadOf([]), leadOf(ids.slice(1)), leadOf(ids)]).toEqual([null, null, "the first 20:"]);
});

/** The shipped data as a package keeps it. */
import { expect, test } from "vitest";
import { loadFixtures, readShipped } from "../../src/world/fixtures.ts";

test("the shipped data is the same when it was written down and read again: a package has it ready", () => {
  const written = JSON.stringify(readShipped());
  expect(JSON.parse(written)).toEqual(loadFixtures());
});

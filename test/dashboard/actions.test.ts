/** What is said of an action that was carried out. */
import { expect, test } from "vitest";
import { doneText } from "../../src/dashboard/words/actions.ts";

test("a deposit that waits for its confirmations is sent, and not credited", () => {
  expect(doneText("deposit", { status: "pending" })).toBe("deposit: sent; it is credited after its confirmations.");
  expect(doneText("deposit", { status: "confirmed" })).toBe("deposit: sent, and credited.");
  expect(doneText("pay", { status: "confirmed" })).toBe("pay: done.");
});

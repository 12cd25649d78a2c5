/** How `trigger` exits: 1 where fault rules strike its own calls, for the world says no; 2 for a wrong value. */
import { expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

test.each([
  [{ status: 500 }, "(status: 500), and nothing came of it; "],
  [{ disconnect: "after" }, "(disconnect: after), though it may have been carried out; "],
] as const)("under %j it exits with 1", async (inject, words) => {
  const world = await file.world();
  await world.faults.set([{ request: "POST /v2/transactions/cashin", inject }]);
  const { code, stdout, stderr } = await runCommand(["trigger", "cashin.confirmed", "--url", world.baseUrl]);
  expect(stderr).toBe(
    `payments-sandbox: A fault rule of this world struck POST /v2/transactions/cashin ${words}take the rule out, or trigger again.\n`,
  );
  expect([code, stdout]).toEqual([1, ""]);
});

test.each([
  ["a currency that a setting adds", "cashin.confirmed", { currency: "POL" }, "INVALID_CURRENCY"],
  ["a chain that it adds", "cashin.confirmed", { currency: "USDT", chain: "base" }, "UNSUPPORTED_CHAIN"],
  ["more than is left to refund", "cashin.refunded", { amount_refunded: "100.01" }, "must be at most 100.00"],
])("%s is a wrong value, as the help says: it exits with 2", async (_what, event, set, words) => {
  const world = await file.world();
  const before = await world.journal();
  const values = Object.entries(set).flatMap(([path, value]) => ["--set", `${path}=${value}`]);
  const { code, stdout, stderr } = await runCommand(["trigger", event, ...values, "--url", world.baseUrl]);
  expect(stderr).toContain(words);
  expect([code, stdout]).toEqual([2, ""]);
  expect(await world.journal()).toEqual(before);
});

test("the help names those among the wrong values", async () => {
  const { stdout } = await runCommand(["trigger", "--help"]);
  const wrong = "2 a value is wrong (as is a currency or chain that this world lacks, and more than is left to refund)";
  expect(stdout.replaceAll("\n", " ")).toContain(wrong);
});

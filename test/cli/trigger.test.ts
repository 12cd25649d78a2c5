/** `trigger` in a world whose fault rules strike its own calls: the world says no, in one line. */
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

/** Remarks on runs whose verdict does not show that something was never done. */
import { expect, test } from "vitest";
import { withRemarks } from "../../src/runs/remarks.ts";
import { runScenario } from "../../src/runs/run.ts";
import { sendNothing, throwFault } from "../support/runs.ts";

async function remarksOn(then: string): Promise<readonly string[]> {
  const text = `scenario: noted
merchant: [{ call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 5 } }]
rules: [{ on: cashin.created, then: ${then} }]
`;
  const result = await runScenario({ file: "noted.yaml", text }, { send: sendNothing, onFault: throwFault });
  return withRemarks(result, { postbackUrl: undefined, isVerified: false, isReset: false }).remarks;
}

const refundSkipped = expect.stringMatching(/^noted\.yaml:3 \(refund\) was skipped: /);

test.each(["hello", "refund it", "(refund) it"])("a note of %j on its line hides no skipped step", async (note) => {
  expect(await remarksOn(`[{ note: "${note}" }, { refund: {} }]`)).toEqual([refundSkipped]);
});

test("a step that another one of its line and action carried out is not remarked on", async () => {
  expect(await remarksOn("[{ refund: {} }, { pay: {} }, { refund: {} }]")).toEqual([]);
});

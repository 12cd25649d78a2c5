/** What stderr is told of a fault, by the command line and by `startSandbox`. */
import { expect, test } from "vitest";
import { faultLine } from "../../src/store/storage-fault.ts";

test("the message of a fault is safe to print: a terminal would obey the control characters in it", () => {
  const line = faultLine(new Error("no \u001b[31msuch thing"));
  expect(line).toContain("Error: no \\u001b[31msuch thing\n    at ");
  expect(line).not.toContain("\u001b");
});

/** The versions of Node that the package runs on. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refuseOldNode } from "../../src/node-version.ts";

test.each(["20.20.2", "22.17.1", "18.0.0"])(
  "Node %s is refused in one sentence, before SQLite is loaded",
  (version) => {
    const sentence = `payments-sandbox needs Node 22.18 or newer, this is v${version}.`;
    expect(() => refuseOldNode(version)).toThrow(sentence);
  },
);

test.each(["22.18.0", "24.0.0", process.versions.node])("Node %s is taken", (version) => {
  expect(() => refuseOldNode(version)).not.toThrow();
});

test("package.json and the command say the same version", () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  expect(JSON.parse(read("package.json")).engines.node).toBe(">=22.18");
  expect(read("bin/payments-sandbox.js")).toContain("const required = [22, 18];");
});

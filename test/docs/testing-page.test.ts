/** The examples of docs/testing.md, which is written by hand: they go as they say. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";

const page = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8");
const [first = "", further = ""] = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

test("a charge is made, paid and told of, and the calls of groups are taken", async () => {
  const [told = "", stop = ""] = first.split(/^(?=await sandbox\.stop)/m);
  const script = `${told.replace(/^import .*$/m, "")}\n${further}\n const faults = await world.faults.list();\n${stop}`;
  const run = new Function("startSandbox", `return (async () => { ${script}\n return { hook, faults }; })();`);
  const { hook, faults } = await run(startSandbox);
  expect([hook.status, hook.body.data.amount_net]).toEqual(["delivered", "148.50"]);
  expect(faults).toHaveLength(1);
});

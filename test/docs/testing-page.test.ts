/** The examples of docs/testing.md, which is written by hand: they go as they say. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as exported from "../../src/index.ts";
import { errorCatalogue, startSandbox } from "../../src/index.ts";

const page = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8");
const [first = "", further = "", refused = ""] = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
  ([, code = ""]) => code,
);

/** An example without its imports, which the script is given. */
const bare = (code: string) => code.replaceAll(/^import .*\n/gm, "");

test("a refusal is asserted as shown, and any other is not", async () => {
  const [start = ""] = first.split(/^\/\/ Your program/m);
  const play = (code: string) => {
    const script = `${bare(start)}\n try { ${bare(code)} } finally { await sandbox.stop(); }`;
    const run = new Function("startSandbox", "assert", "errorCatalogue", `return (async () => { ${script} })();`);
    return run(startSandbox, assert, errorCatalogue) as Promise<void>;
  };
  await play(refused);
  await expect(play(refused.replace("20000.00", "20.00"))).rejects.toThrow("Missing expected rejection");
});

test("all that the package exports as a value stands on the page", () => {
  const names = Object.keys(exported).filter((name) => !/Client$/.test(name));
  expect(names.filter((name) => !page.includes(name))).toEqual([]);
});

/** Names of the methods of an object, those of its class too; what is an object of methods itself is a group. */
function methodsOf(object: object): string[] {
  const chain = [object, Object.getPrototypeOf(object), Object.getPrototypeOf(Object.getPrototypeOf(object))];
  const names = chain.filter((each) => each && each !== Object.prototype).flatMap(Object.getOwnPropertyNames);
  return [...new Set(names)].filter(
    (name) => name !== "constructor" && typeof Reflect.get(object, name) === "function",
  );
}

test("all methods stand in its table, each with what it is on", async () => {
  await using sandbox = await startSandbox();
  const world = await sandbox.defaultWorld();
  const rowsOf = (on: string) => page.split("\n").filter((line) => line.startsWith(`| \`${on}\``));
  const groups = Object.entries(world).filter(([, value]) => typeof value === "object" && methodsOf(value).length > 0);
  expect(groups).toHaveLength(10);
  const all: [string, object][] = [
    ["sandbox", sandbox],
    ["world", world],
    ...groups.map(([name, group]) => [`world.${name}`, group] as [string, object]),
  ];
  for (const [on, object] of all) {
    // Of a group, by what the others call it themselves.
    const own = methodsOf(object).filter((name) => (on.includes(".") ? !["act", "pathOf"].includes(name) : true));
    expect([on, own.filter((name) => !rowsOf(on).join("").includes(`\`${name}\``))]).toEqual([on, []]);
  }
});

test("a charge is made, paid and told of, and the calls of groups are taken", async () => {
  const [told = "", stop = ""] = first.split(/^(?=await sandbox\.stop)/m);
  // What is refused comes last, as on the page: no fault that was set before is in its way.
  const script = `${bare(told)}\n${further}\n const faults = await world.faults.list();\n${bare(refused)}\n${stop}`;
  const body = `return (async () => { ${script}\n return { hook, faults }; })();`;
  const run = new Function("startSandbox", "assert", "errorCatalogue", body);
  const { hook, faults } = await run(startSandbox, assert, errorCatalogue);
  expect([hook.status, hook.body.data.amount_net]).toEqual(["delivered", "148.50"]);
  expect(faults).toHaveLength(2);
});

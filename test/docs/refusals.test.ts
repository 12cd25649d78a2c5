/** The table of refusals of the control interface; the compiler holds what is thrown to it. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { controlRefusals } from "../../src/control/document/refusals.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = globSync("src/**/*.ts", { cwd: root }).filter((path) => !path.endsWith("control/document/refusals.ts"));
const source = files.map((path) => readFileSync(root + path, "utf8")).join("\n");

const rows = Object.values(controlRefusals).flatMap(({ codes }) => Object.entries<string>(codes));

test("has no code that nothing is refused with", () => {
  expect(rows.filter(([code]) => !source.includes(`"${code}"`))).toEqual([]);
});

test("says of each what it means, in a sentence that fits a cell", () => {
  expect(rows.filter(([, meaning]) => !/^[A-Z`][^\n]{20,110}\.$/.test(meaning))).toEqual([]);
});

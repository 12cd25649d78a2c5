/** The table of refusals of the control interface: every code that the code throws, and no other. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { controlRefusals } from "../../src/control/document/refusals.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
// The dashboard has an error of its own, for what it was told.
const files = globSync("src/**/*.ts", { cwd: root }).filter((path) => !path.startsWith("src/dashboard/"));
const source = files.map((path) => readFileSync(root + path, "utf8")).join("\n");

/** Refusals in the source as `status code`, by the ways in which they are written there. */
const written = [
  ...[...source.matchAll(/new ControlError\(\s*(\d{3}),\s*"([A-Z_]+)"/g)].map(
    ([, status, code]) => `${status} ${code}`,
  ),
  ...[...source.matchAll(/^ {2}\[\w+, (\d{3}), "([A-Z_]+)"\],$/gm)].map(([, status, code]) => `${status} ${code}`),
  ...[...source.matchAll(/new WorldConflict\(\s*"([A-Z_]+)"/g)].map(([, code]) => `409 ${code}`),
  ...[...source.matchAll(/: FullStore = \{\s*code: "([A-Z_]+)"/g)].map(([, code]) => `503 ${code}`),
];

const rows = Object.entries(controlRefusals).flatMap(([status, { codes }]) =>
  Object.entries(codes).map(([code, meaning]) => ({ row: `${status} ${code}`, meaning })),
);

test("has every code with its status, and none that nothing is refused with", () => {
  expect(written).toEqual(expect.arrayContaining(["409 WORLD_BUSY", "409 BUNDLE_TOO_LARGE", "503 TOO_MANY_FILES"]));
  expect(rows.map(({ row }) => row).sort()).toEqual([...new Set(written)].sort());
});

test("says of each what it means, in a sentence that fits a cell", () => {
  expect(rows.filter(({ meaning }) => !/^[A-Z`][^\n]{20,110}\.$/.test(meaning))).toEqual([]);
});

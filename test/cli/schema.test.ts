/** `schema`: the JSON Schema of scenario files, as it lies in the checkout and in the package. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scenarioJsonSchemaText } from "../../src/scenarios/json-schema.ts";
import { runCommand } from "../support/command.ts";

const kept = readFileSync(new URL("../../src/scenarios/scenario.schema.json", import.meta.url), "utf8");

test("the kept file is what the language is (npm run docs writes it anew)", () => {
  expect(kept).toBe(scenarioJsonSchemaText());
});

test.each([["schema"], ["schema", "--json"]])("it is printed as it is kept: %s %s", async (...args) => {
  const { code, stdout, stderr } = await runCommand(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(kept);
});

test("every shipped scenario and the examples name it where editors look", async () => {
  const { shipped, shippedNames } = await import("../../src/host/scenario-library.ts");
  const first = shippedNames().map((name) => shipped(name).text.split("\n")[0]);
  expect(new Set(first)).toEqual(new Set(["# yaml-language-server: $schema=../src/scenarios/scenario.schema.json"]));
});

/** Scenario files that name each other under `with`. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { namedScenarios, problemsIn } from "../../src/cli/named-scenarios.ts";
import { pathsBeneath, readScenarioFile, withBeneath } from "../../src/host/scenario-sources.ts";
import { loadScenario } from "../../src/scenarios/loader.ts";
import { testFolder } from "../support/folder.ts";

/** Two files on each floor, each of which names both of the floor below. */
function lattice(floors: number): string {
  const files: [string, string][] = [];
  for (let floor = 0; floor < floors; floor++) {
    const below = floor + 1 < floors ? `with: [a${floor + 1}.yaml, b${floor + 1}.yaml]\n` : "";
    for (const side of ["a", "b"]) files.push([`${side}${floor}.yaml`, `scenario: ${side}${floor}\n${below}`]);
  }
  return join(testFolder(Object.fromEntries(files)), "a0.yaml");
}

test("interface 5: a file that many name under with is loaded once, beneath all that build on it", () => {
  const path = lattice(30);
  const loaded = withBeneath([readScenarioFile(path)]).map(({ text, file }) => loadScenario(text, file));
  const names = loaded.map(({ content }) => content.scenario);
  expect(names).toHaveLength(59);
  expect(names.slice(0, 4)).toEqual(["a29", "b29", "a28", "b28"]);
  expect(names.at(-1)).toBe("a0");
  expect(pathsBeneath(path)).toHaveLength(58);
  expect(problemsIn(namedScenarios(path))).toEqual([]);
});

test("two that name each other are beneath each other once", () => {
  const folder = testFolder({ "a.yaml": "scenario: a\nwith: [b.yaml]\n", "b.yaml": "scenario: b\nwith: [a.yaml]\n" });
  const loaded = withBeneath([readScenarioFile(join(folder, "a.yaml"))]);
  expect(loaded.map(({ text }) => text.slice(0, 11))).toEqual(["scenario: b", "scenario: a"]);
  expect(pathsBeneath(join(folder, "a.yaml"))).toEqual([join(folder, "b.yaml")]);
});

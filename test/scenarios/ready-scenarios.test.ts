/** What the build keeps of a shipped scenario is the scenario, with the places that a world asks for at its start. */
import { expect, test, vi } from "vitest";
import { shipped, shippedNames } from "../../src/host/scenario-library.ts";
import { type LoadedScenario, loadScenario } from "../../src/scenarios/loader.ts";
import { readyText, scenarioOf } from "../../src/scenarios/ready-scenarios.ts";

const unread = (): LoadedScenario => {
  throw new Error("The text was read after all.");
};

test.each(shippedNames())("%s comes back as it was read", (name) => {
  const { text, file } = shipped(name);
  const loaded = loadScenario(text, file);
  const ready = scenarioOf(readyText(text, loaded), text, file, unread);
  expect(ready?.content).toStrictEqual(loaded.content);
  expect(ready && placesOf(ready)).toEqual(placesOf(loaded));
});

test("other places are looked up in the text", () => {
  const { text, file } = shipped("happy-path");
  const loaded = loadScenario(text, file);
  const ready = scenarioOf(readyText(text, loaded), text, file, () => loaded);
  expect(ready?.placeOf("rules", 0, "on")).toBe(loaded.placeOf("rules", 0, "on"));
  expect(ready?.problemAt(["rules", 0, "on"], "x")).toEqual(loaded.problemAt(["rules", 0, "on"], "x"));
  expect(ready?.problemAt(["rules", 0], "x", "then")).toEqual(loaded.problemAt(["rules", 0], "x", "then"));
});

test("the text is read once, however many places are looked up in it", () => {
  const { text, file } = shipped("magic-values");
  const loaded = loadScenario(text, file);
  const read = vi.fn(() => loaded);
  const ready = scenarioOf(readyText(text, loaded), text, file, read);
  const steps = (loaded.content.merchant ?? []).map((_step, index) => ready?.placeOf("merchant", index));
  expect([steps.length > 1, new Set(steps).size === steps.length]).toEqual([true, true]);
  expect(read).toHaveBeenCalledTimes(1);
});

test("nothing is known of a text that has changed since", () => {
  const { text, file } = shipped("happy-path");
  expect(scenarioOf(readyText(text, loadScenario(text, file)), `${text}\n`, file, unread)).toBeNull();
});

function placesOf({ content, ruleAt, stepAt, placeOf }: LoadedScenario) {
  const rules = content.rules.map(({ then = [] }, rule) => [
    ruleAt(rule),
    then.map((_step, step) => stepAt(rule, step)),
  ]);
  return { rules, expect: (content.expect ?? []).map((_expectation, index) => placeOf("expect", index)) };
}

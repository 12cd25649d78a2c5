/** The examples of docs/scenario-language.md: each goes as it says with every rule at work, and together they have it all. */
import { describe, expect, test } from "vitest";
import { languageExamples } from "../../src/pages/scenario-language-examples.ts";
import { scenarioLanguagePage } from "../../src/pages/scenario-language-page.ts";
import { runScenario } from "../../src/runs/run.ts";
import { comparisons } from "../../src/scenarios/conditions.ts";
import { injectionsOf } from "../../src/scenarios/injections.ts";
import { scenarioJsonSchema } from "../../src/scenarios/json-schema.ts";
import { stepMoments } from "../../src/scenarios/rule-schema.ts";
import { stepActions } from "../../src/scenarios/step-actions.ts";
import { useNetwork } from "../support/runs.ts";

const network = useNetwork();

describe.each(Object.entries(languageExamples))("the example %s", (name, text) => {
  test("goes as it says, with every rule at work", async () => {
    const onFault = (error: unknown) => expect.unreachable(`a fault of the sandbox: ${error}`);
    const source = { text, file: `${name}.yaml` };
    const { expectations, rules } = await runScenario(source, { send: network.send, onFault });
    expect(expectations.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(rules.filter(({ fired }) => fired === 0)).toEqual([]);
  });
});

test("the page has no other examples", () => {
  const blocks = [...scenarioLanguagePage().matchAll(/^```yaml\n([\s\S]*?)\n```$/gm)].map(([, text]) => text);
  expect(blocks.sort()).toEqual(Object.values(languageExamples).sort());
});

/** What would tell an editor where it is, or keep real time waiting, or goes as another one does. */
const untold = ["$schema", "latency", "malformed", "expire", "lose", "instant"];

const { properties, definitions } = scenarioJsonSchema() as { properties: object; definitions: Definitions };
type Definitions = Readonly<Record<string, { readonly properties: object }>>;
const keys = [
  ...Object.keys(properties),
  ...["rule", "merchant-step", "expectation", "step-cashin"].flatMap((name) =>
    Object.keys(definitions[name]?.properties ?? {}),
  ),
  ...Object.values(injectionsOf).flatMap(Object.keys),
  ...stepActions,
  ...comparisons,
];
const all = Object.values(languageExamples).join("\n");

test.each([...new Set(keys)].filter((key) => !untold.includes(key)))("an example has %s", (key) => {
  expect(all).toMatch(new RegExp(`(^|[ {])${key}:( |$)`, "m"));
});

test.each(stepMoments)("an example waits for %s", (moment) => {
  expect(all).toContain(`at: ${moment},`);
});

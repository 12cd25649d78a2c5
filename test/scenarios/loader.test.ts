/** Broken scenario files: every fault with its line, its column and the nearest right word, all of a file at once. */
import { describe, expect, test } from "vitest";
import { shipped, shippedNames } from "../../src/host/scenario-sources.ts";
import { loadScenario, type Problem, ScenarioError } from "../../src/scenarios/loader.ts";
import { control } from "../support/control.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";

const file = useSandbox();

/** A rule from its third line on, with what stands between `on` and `then`, and one step. */
const withRule = (middle: string, step = "{ pay: {} }") => `scenario: broken
rules:
  - on: cashin.created
${middle === "" ? "" : `    ${middle}\n`}    then:
      - ${step}
`;
const withStep = (step: string) => withRule("", step);

/** What is wrong, the file, and where and how it is told: `line:column: message`, or the beginning of one. */
const broken: readonly (readonly [string, string, string])[] = [
  ["a key of the file", "scenario: broken\nrulez: []\n", '2:1: unknown key "rulez"; did you mean "rules"?'],
  ["a key of a rule", withRule("tims: 3"), '4:5: unknown key "tims"; did you mean "times"?'],
  ["a key of a step", withStep("{ afer: 5s, pay: {} }"), '5:11: unknown key "afer"; did you mean "after"?'],
  ["an action", withStep("{ after: 5s, pya: {} }"), '5:22: unknown key "pya"; did you mean "pay"?'],
  ["a field of an action", withStep("{ pay: { amout: 5 } }"), '5:18: unknown key "amout"; did you mean "amount"?'],
  [
    "a field within a field",
    withStep("{ pay: { payer: { nam: x } } }"),
    '5:27: unknown key "nam"; did you mean "name"?',
  ],
  ["a field of an action without any", withStep("{ expire: { now: true } }"), '5:21: unknown key "now"'],
  ["an action of another resource", withStep("{ confirm: {} }"), '5:11: a cashin has no action "confirm"'],
  [
    "a trigger",
    withRule("").replace("cashin.created", "cashin.creatd"),
    '3:9: unknown trigger "cashin.creatd"; did you mean "cashin.created"?',
  ],
  [
    "no trigger",
    "scenario: broken\nrules:\n  - then:\n      - { note: x }\n",
    "3:5: this item must have exactly one trigger of on, every, at, request, delivery; it has none",
  ],
  [
    "a field of where",
    withRule("where: { amont: 5 }"),
    '4:14: "cashin.created" has no field "amont"; did you mean "amount"?',
  ],
  [
    "a field that only another trigger has",
    withRule("where: { expired_at: x }"),
    '4:14: "cashin.created" has no field "expired_at"; did you mean "expires_at"?',
  ],
  [
    "a dotted field",
    withRule("where: { payer.nme: x }"),
    '4:14: "cashin.created" has no field "payer.nme"; did you mean "payer.name"?',
  ],
  ["a comparison", withRule("where: { amount: { gtee: 5 } }"), '4:24: unknown key "gtee"; did you mean "gte"?'],
  ["a comparison within not", withRule("where: { amount: { not: { lesser: 5 } } }"), '4:31: unknown key "lesser"'],
  [
    "no comparison",
    withRule("where: { amount: {} }"),
    "4:22: amount must be a value or one of gte, gt, lte, lt, in, not",
  ],
  ["in that is no list", withRule("where: { currency: { in: BRL } }"), "4:30: in must be a list"],
  ["where that is a list", withRule("where: [BRL]"), "4:12: where must be an object"],
  ["a number for where", withRule("where: 5"), "4:12: where must be an object"],
  ["a duration without a unit", withStep("{ after: 5, pay: {} }"), "5:18: after must be a duration such as"],
  ["a duration of words", withStep("{ after: soon, pay: {} }"), "5:18: after must be a duration such as"],
  ["a negative duration", withStep("{ after: -5s, pay: {} }"), "5:18: after must be a duration such as"],
  ["a moment", withStep("{ at: expirey, pay: {} }"), "5:15: at must be confirmations, expiry"],
  [
    "an instant without a zone",
    withStep("{ at: 2026-01-01T12:00:00, pay: {} }"),
    "5:15: at must be confirmations, expiry",
  ],
  ["both after and at", withStep("{ after: 5s, at: expiry, pay: {} }"), "5:26: at cannot stand beside after"],
  ["two actions", withStep("{ pay: {}, cancel: {} }"), "5:9: this item must have exactly one action"],
  ["no action", withStep("{ after: 5s }"), "5:9: this item must have exactly one action"],
  ["text for an action's input", withStep("{ pay: now }"), "5:16: pay must be an object"],
  ["a number for an action's input", withStep("{ pay: 5 }"), "5:16: pay must be an object"],
  ["truth for an amount", withStep("{ pay: { amount: true } }"), "5:26: amount must be a number or a decimal string"],
  ["a number for a name", withStep("{ pay: { payer: { name: 5 } } }"), "5:33: name must be a"],
  ["a number for a note", withStep("{ note: 5 }"), "5:17: note must be a text"],
  ["a step that is no map", withStep("pay"), "5:9: this item must be an object"],
  ["a rule that is no map", "scenario: broken\nrules:\n  - pay\n", "3:5: this item must be an object"],
  ["steps that are no list", withRule("").replace("\n      - ", " "), "4:11: then must be a list of steps"],
  ["no steps", "scenario: broken\nrules:\n  - on: cashin.created\n", "3:5: then is missing"],
  [
    "an empty list of steps",
    "scenario: broken\nrules:\n  - on: cashin.created\n    then: []\n",
    "4:11: then must have at least one step",
  ],
  ["a chance that is a number", withRule("chance: 0.1"), "4:13: chance must be a percentage such as 10%"],
  ["a chance above all", withRule("chance: 110%"), "4:13: chance must be a percentage such as 10%"],
  ["also that is a word", withRule("also: yes"), "4:11: also must be true or false"],
  ["times below one", withRule("times: 0"), "4:12: times must be a whole number from 1"],
  ["skip below zero", withRule("skip: -1"), "4:11: skip must be a whole number from 0"],
  ["half a time", withRule("times: 1.5"), "4:12: times must be a whole number from 1"],
  ["no name", "rules: []\n", "1:1: scenario is missing"],
  ["a name that is a number", "scenario: 5\n", "1:11: scenario must be a text"],
  ["a name with a blank", "scenario: My Test\n", "1:11: scenario must be lower-case letters, digits and hyphens"],
  ["rules that are no list", "scenario: broken\nrules: { on: x }\n", "2:8: rules must be a list of rules"],
  ["nothing in it", "", "1:1: the file must be an object"],
  ["a list for a file", "- scenario: x\n", "1:1: the file must be an object"],
  ["a key that comes twice", "scenario: one\nscenario: two\n", "2:1: Map keys must be unique"],
  ["a bracket that is not closed", "scenario: broken\nrules: [\n", "3:1: "],
  ["a tab", "scenario: broken\nrules:\n\t- on: x\n", "3:1: Tabs are not allowed as indentation"],
  ["two documents", "scenario: one\n---\nscenario: two\n", "2:1: "],
  ["an alias", "scenario: &name broken\ndescription: *name\n", "2:14: anchors and aliases are not supported"],
];

describe("a broken file names the place and the nearest right word", () => {
  test.each(broken)("%s", (_what, source, told) => {
    const problems = problemsOf(source);
    const messages = problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
    expect(messages.map((message) => message.slice(0, told.length))).toEqual([told]);
    const [problem] = problems;
    expect(problem?.file).toBe("broken.yaml");
    expect(problem?.excerpt).toBe(source.split("\n")[(problem?.line ?? 0) - 1]);
  });

  test("lines that end as Windows has them count the same", () => {
    const [problem] = problemsOf(withRule("tims: 3").replaceAll("\n", "\r\n"));
    expect(problem).toMatchObject({ line: 4, column: 5, excerpt: "    tims: 3" });
  });

  test("characters beyond ASCII count as one column each", () => {
    const [problem] = problemsOf(withStep("{ note: ação, afer: 5s }"));
    expect(problem).toMatchObject({ line: 5, column: 23 });
  });

  test("a JSON document is told the same way", () => {
    const document = scenario("broken", rule("cashin.created", [{ pay: { amout: 5 } }]));
    const [problem] = problemsOf(JSON.stringify(document, null, 2));
    expect(problem).toMatchObject({ line: 9, column: 13, message: 'unknown key "amout"; did you mean "amount"?' });
  });
});

describe("all faults of a file are told at once, in the order of the file", () => {
  const source = `scenario: Many Faults
describtion: What could go wrong
rules:
  - on: cashin.created
    where: { amont: 5, currency: BRL }
    tims: 3
    then:
      - { after: 5x, pay: {} }
      - { pay: { amout: 3 } }
  - on: chargback.opened
    chance: often
    then: []
`;
  const told = [
    "1:11: scenario must be lower-case letters, digits and hyphens",
    '2:1: unknown key "describtion"; did you mean "description"?',
    '5:14: "cashin.created" has no field "amont"; did you mean "amount"?',
    '6:5: unknown key "tims"; did you mean "times"?',
    "8:18: after must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S",
    '9:18: unknown key "amout"; did you mean "amount"?',
    '10:9: unknown trigger "chargback.opened"; did you mean "chargeback.opened"?',
    "11:13: chance must be a percentage such as 10%",
    "12:11: then must have at least one step",
  ];

  test("by the loader, in its message too", () => {
    const problems = problemsOf(source);
    expect(problems.map(({ line, column, message }) => `${line}:${column}: ${message}`)).toEqual(told);
    expect(() => loadScenario(source, "broken.yaml")).toThrowError(
      told.map((line) => `broken.yaml:${line}`).join("\n"),
    );
  });

  test("by POST /scenarios, which loads none of it", async () => {
    const world = await file.world();
    const headers = { "Content-Type": "application/yaml" };
    const { status, body } = await control(world, "POST", "/scenarios", source, headers);
    expect([status, body.error.code]).toEqual([422, "INVALID_SCENARIO"]);
    const problems: Problem[] = body.error.details.problems;
    expect(problems.map(({ line, column, message }) => `${line}:${column}: ${message}`)).toEqual(told);
    expect((await control(world, "GET", "/scenarios")).body.items).toEqual([]);
  });
});

describe("what is right", () => {
  test.each(shippedNames())("the shipped scenario %s loads, under its own name", (name) => {
    const { file: path, text } = shipped(name);
    expect(loadScenario(text, path).content.scenario).toBe(name);
  });

  test("defaults are filled in, numbers kept as they were written", () => {
    const { content } = loadScenario(withRule("where: { amount: 0.10 }"), "right.yaml");
    const [first] = content.rules;
    expect(first).toMatchObject({ also: false, where: { amount: { source: "0.10" } } });
  });

  test("a rule and its steps know where they stand", () => {
    const loaded = loadScenario(withRule("times: 3", "{ pay: {} }\n      - { refund: {} }"), "right.yaml");
    expect([loaded.ruleAt(0), loaded.stepAt(0, 0), loaded.stepAt(0, 1)]).toEqual([
      "right.yaml:3",
      "right.yaml:6",
      "right.yaml:7",
    ]);
  });

  test.each(["pay:", "pay: {}", "pay: ~"])("an action without input is written %s", (action) => {
    const source = withStep("").replace("- \n", `- ${action}\n`);
    expect(loadScenario(source, "right.yaml").content.rules[0]?.then).toEqual([{ pay: {} }]);
  });

  test.each(["500ms", "5s", "31m", "1h30m", "2d", "1w", "PT5S", "0s"])("a duration of %s", (after) => {
    expect(problemsOf(withStep(`{ after: ${after}, pay: {} }`))).toEqual([]);
  });

  test.each(["0%", "0.5%", "10%", "100%"])("a chance of %s", (chance) => {
    expect(problemsOf(withRule(`chance: ${chance}`))).toEqual([]);
  });
});

function problemsOf(source: string): readonly Problem[] {
  try {
    loadScenario(source, "broken.yaml");
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    throw error;
  }
}

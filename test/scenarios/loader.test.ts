/** Broken scenario files: every fault with its line, its column and the nearest right word, all of a file at once. */
import { describe, expect, test } from "vitest";
import { shipped, shippedNames } from "../../src/host/scenario-library.ts";
import { keptScenario, loadScenario } from "../../src/scenarios/loader.ts";
import type { Problem } from "../../src/scenarios/problems.ts";
import { control } from "../support/control.ts";
import { useSandbox } from "../support/sandbox.ts";
import { problemsOf, rule, scenario } from "../support/scenarios.ts";
import { brokenFiles, withRule, withStep } from "./broken-files.ts";

const file = useSandbox();

describe("a broken file names the place and the nearest right word", () => {
  test.each(brokenFiles)("$what", ({ source, told }) => {
    const problems = problemsOf(source);
    const messages = problems.map(({ line, column, message }) => `${line}:${column}: ${message}`);
    expect(messages.map((message, index) => message.slice(0, told[index]?.length))).toEqual(told);
    for (const { file: name, line, column, excerpt, caret } of problems) {
      expect([name, excerpt, caret]).toEqual(["broken.yaml", source.split("\n")[line - 1], column]);
    }
  });

  test("no message says more than one line, and none speaks of the parts that the sandbox is made of", () => {
    const messages = brokenFiles.flatMap(({ source }) => problemsOf(source)).map(({ message }) => message);
    expect(messages.filter((message) => /\n|zod|undefined|\[object|Invalid input|expected /.test(message))).toEqual([]);
  });

  test("lines that end as Windows has them count the same", () => {
    const [problem] = problemsOf(withRule("tims: 3").replaceAll("\n", "\r\n"));
    expect(problem).toMatchObject({ line: 4, column: 5, excerpt: "    tims: 3" });
  });

  test("a byte order mark is no column", () => {
    const [problem] = problemsOf("\uFEFFscenari: x\n");
    expect(problem).toMatchObject({ line: 1, column: 1, excerpt: "scenari: x" });
  });

  test("of a very long line the part around the place is shown, with the column in it", () => {
    const rules = Array.from({ length: 40 }, (_, index) => ({
      on: "cashin.created",
      where: { external_id: `o${index}` },
    }));
    const source = JSON.stringify(
      scenario("broken", ...rules.map((one) => rule(one.on, [{ note: "x" }], one))),
    ).replace('"o20"},', '"o20"},"tims":3,');
    const [problem] = problemsOf(source);
    expect(problem).toMatchObject({ line: 1, message: 'unknown key "tims"; did you mean "times"?' });
    expect(problem?.column).toBe(source.indexOf('"tims"') + 1);
    expect(problem?.excerpt.slice((problem?.caret ?? 0) - 1)).toMatch(/^"tims":3,/);
    expect(problem?.excerpt.length).toBeLessThan(300);
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
    '1:11: scenario must be at most 63 lower-case letters, digits and hyphens; did you mean "many-faults"?',
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
  test("documents of calls, which share one name, are each read once", () => {
    const documents = ["first", "second"].map((name) => JSON.stringify(scenario(name)));
    const readAll = () => documents.map((text) => loadScenario(text, "posted.json"));
    // What other files of tests had read may be forgotten in between, once.
    readAll();
    const [first, second] = readAll();
    const [firstAgain, secondAgain] = readAll();
    expect(firstAgain).toBe(first);
    expect(secondAgain).toBe(second);
  });

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

  test("YAML that looks like JSON, with the commas and comments that YAML allows", () => {
    const source = '{ "$schema": "../x.json", # for the editor\n  "scenario": "right", "rules": [],\n}\n';
    expect(loadScenario(source, "right.yaml").content).toMatchObject({ scenario: "right", rules: [] });
  });

  test.each(["x.json", "X.JSON"])("but not in a file %s, unless it was let in before", (file) => {
    const source = '{ "scenario": "right", "rules": [],\n}\n';
    expect(problemsOf(source, file)).toMatchObject([{ line: 1, message: expect.stringContaining("comma") }]);
    expect(keptScenario(source, file).content.scenario).toBe("right");
  });

  test("JSON in all its forms", () => {
    const numbers = '{ "gte": -0.5e+3, "lt": 1E2, "not": null }';
    const text = '"a\\u00e9\\n\\"\\/ \u{1f600}"';
    const source = `\uFEFF\n{"scenario":"right","description":${text},\t"rules":[{"on":"cashin.created","where":{"amount_net":${numbers}},"also":true,"then":[{"note":""}]}]}\r\n`;
    expect(problemsOf(source, "right.json")).toEqual([]);
  });

  test("words that YAML 1.1 took for truth and dates are texts, as is the key on in quotes", () => {
    const source = withRule("name: yes").replace("on:", '"on":').replace("broken", "no");
    const { content } = loadScenario(`${source}description: 2026-01-01\n`, "right.yaml");
    expect(content).toMatchObject({
      scenario: "no",
      description: "2026-01-01",
      rules: [{ name: "yes", on: "cashin.created" }],
    });
  });

  test("quotes make a text of what YAML would take for something else", () => {
    const source = withRule('name: "*: #"', '{ note: "a: b" }');
    const [first] = loadScenario(source, "right.yaml").content.rules;
    expect([first?.name, first?.then]).toEqual(["*: #", [{ note: "a: b" }]]);
  });

  test.each([
    ["a narrower rule above", "where: { amount: { gte: 200 } }", "where: { amount: { gte: 100 } }"],
    ["a rule above without the bound itself", "where: { amount: { gt: 5 } }", "where: { amount: { gte: 5 } }"],
    ["a rule above without the upper bound itself", "where: { amount: { lt: 5 } }", "where: { amount: { lte: 5 } }"],
    ["a rule above for some digits of its number", 'where: { amount: "*5" }', "where: { amount: 5 }"],
    ["a rule above that acts so often at most", "times: 3", "where: { currency: BRL }"],
    ["a rule above that adds", "also: true", "where: { currency: BRL }"],
    [
      "a rule above that a glob of its own does not take in",
      "where: { external_id: magic-p* }",
      "where: { external_id: magic-* }",
    ],
    [
      "a rule above for other values",
      "where: { currency: { in: [BRL, MXN] } }",
      "where: { currency: { in: [BRL, BTC] } }",
    ],
    ["a rule above for one of the currencies on a network", "where: { currency: USDT }", "where: { network: ERC20 }"],
    ["a rule above for the network of its currency", "where: { network: PIX }", "where: { currency: BRL }"],
    [
      "a rule above for an identifier of the same value",
      'where: { external_id: { in: ["1.50"] } }',
      "where: { external_id: { in: [1.5] } }",
    ],
  ])("a rule below %s can match", (_what, above, below) => {
    const [first = "", second = ""] = [above, below].map((where) => withRule(where).split("rules:\n")[1]);
    expect(problemsOf(`scenario: right\nrules:\n${first}${second}`)).toEqual([]);
  });

  test("what the world that it is loaded into may have, though the file does not say so", async () => {
    const source = `scenario: elsewhere
rules:
  - on: cashin.created
    where: { currency: POL, chain: polygon }
    then:
      - { set_account: { status: under_review, username: shop } }
`;
    const world = await file.world({ settings: { currencies: "extended" }, accounts: [{ username: "shop" }] });
    const { status } = await control(world, "POST", "/scenarios", source, { "Content-Type": "application/yaml" });
    expect(status).toBe(201);
  });

  test("a merchant may try what cannot be, to see it refused", () => {
    const source = `scenario: right
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BTC, chain: tron, amount: "12,50" }
    expect: { error: INVALID_REQUEST }
  - call: POST /v2/transactions/cashin
    body: { currency: EUR, amount: 5 }
    expect: { status: 422 }
`;
    expect(problemsOf(source)).toEqual([]);
  });

  test.each([
    [
      "D20 a chain of what has none, which the service does not look at",
      "merchant: [{ call: POST /v2/transactions/wallet, body: { currency: BRL, chain: tron } }]",
    ],
    ["null for what is not there", "expect: [{ transaction: { status: null } }]"],
    [
      "D23 an error with each status that it can have, and with those that a fault rule may inject",
      `merchant: [${[
        [409, "DUPLICATE_EXTERNAL_ID"],
        [422, "DUPLICATE_EXTERNAL_ID"],
        [429, "RATE_LIMIT_EXCEEDED"],
        [418, "INVALID_REQUEST"],
        [599, "INTERNAL_ERROR"],
        [422, `"\${saved.code}"`],
      ]
        .map(([status, error]) => `{ call: GET /v2/account/fees, expect: { status: ${status}, error: ${error} } }`)
        .join(", ")
        .replace("GET /v2/account/fees", "GET /v2/account/fees, save: saved")}]`,
    ],
    [
      "a disputed currency that is not the only one named, or excluded",
      "rules: [{ on: chargeback.opened, where: { currency: { not: USDT } }, then: [{ note: x }] }, { on: chargeback.won, where: { currency: { in: [BRL, USDT] } }, then: [{ note: x }] }]",
    ],
    [
      "that nothing in a currency without PIX is disputed",
      "expect: [{ no_event: chargeback.opened, where: { currency: USDT } }, { dispute: { currency: MXN }, count: 0 }]",
    ],
    [
      "an amount with zeros at its end, and a bound between two amounts",
      'expect: [{ transaction: { currency: BRL, amount: "12.3400" } }, { transaction: { currency: BRL, amount: { gte: "12.345" } } }]',
    ],
    [
      "bounds of texts, and of dates",
      'expect: [{ transaction: { external_id: { gte: a, lt: z }, created_at: { gte: 2026-01, lt: "2026-02-01" } } }]',
    ],
    [
      "a wallet by its id or address",
      'rules: [{ at: +1s, then: [{ deposit: { wallet: 1001, amount: 5 } }, { deposit: { wallet: TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj, amount: 5 } }, { deposit: { wallet: "52998224725", amount: 5 } }] }]',
    ],
    ["bounds of which one is not needed", "expect: [{ transaction: { amount: { gte: 5, lte: 5, lt: 9 } } }]"],
  ])("%s", (_what, part) => {
    expect(problemsOf(`scenario: right\n${part}\n`)).toEqual([]);
  });

  test.each(["0%", "0.5%", "10%", "100%"])("a chance of %s", (chance) => {
    expect(problemsOf(withRule(`chance: ${chance}`))).toEqual([]);
  });
});

/** TABLE: mistakes of those who write JSON, each with the place that is to be put right. */
test.each<[string, string, string]>([
  ["a comma missing after a number", '{"scenario":"j",\n"seed": 5\n"rules": []}', "3:1: a comma is missing"],
  ["one missing in a line", '{"scenario":"j" "rules":[]}', "1:17: a comma is missing"],
  ["one missing in a list", '{"scenario":"j","rules":[{"on":"x"} {"on":"y"}]}', "1:37: a comma is missing"],
  ["another sign in its place", '{"scenario": "j";\n"rules": []}', "1:17: a comma stands between values of JSON"],
  ["a comma too many", '{"scenario":"j",\n"rules": [],\n}', "2:12: this comma is one too many"],
  ["a bracket too many", '{"scenario":"j",\n\n"rules": []]}', "3:12: this ] closes nothing"],
  ["a brace too many", '{"scenario":"j"}\n}', "2:1: this } closes nothing"],
  ["a zero in front", '{"scenario":"j","seed":01}', '1:24: "01" is no number of JSON, which has no + and no further 0'],
  ["no digit before a point", '{"scenario":"j","seed":-.5}', '1:24: "-.5" is no number of JSON'],
  ["a plus in front", '{"scenario":"j","seed":+1}', '1:24: "+1" is no number of JSON'],
  ["no digit behind a point", '{"scenario":"j","seed":1.}', '1:24: "1." is no number of JSON'],
  [
    "a number in hexadecimal",
    '{"scenario":"j","seed":0x1f}',
    '1:24: "0x1f" is no number of JSON; a text is in double quotes',
  ],
  [
    "a duration without quotes",
    '{"scenario":"j","for":5s}',
    '1:23: "5s" is no number of JSON; a text is in double quotes',
  ],
  ["a date without quotes", '{"scenario":"j",\n"x": [2026-01-01]}', '2:7: "2026-01-01" is no number of JSON; a text'],
  ["a text over two lines", '{"scenario":"j",\n"description": "a\nb"}', "2:16: a text of JSON is closed in its line"],
  ["a text that is not closed", '{"scenario":"j",\n"description": "a,\n"for": "5s"}', "2:16: a text of JSON is closed"],
  ["a tab in a text", '{"scenario":"j",\n"description": "a\tb"}', "2:18: a tab within a text of JSON is written \\t"],
  ["one missing", '{"scenario":"j",\n"rules": [', "2:10: [ is opened here and not closed"],
  ["a colon missing", '{"scenario" "j"}', '1:13: a ":" is missing before this'],
  ["a word of Python", '{"scenario":"j",\n"rules": True}', '2:10: "True" is no value of JSON; did you mean true?'],
  ["another one", '{"scenario":"j",\n"name": None}', '2:9: "None" is no value of JSON; did you mean null?'],
  ["single quotes", "{'scenario': 'j'}", "1:2: this is no JSON, where names and texts are in double quotes"],
  ["YAML", "scenario: j\n", "1:1: this is no JSON"],
])("a file of JSON with %s", (_slip, source, sentence) => {
  const [first, ...others] = problemsOf(source, "slip.json");
  expect(`${first?.line}:${first?.column}: ${first?.message}`).toContain(sentence);
  expect(others).toEqual([]);
});

test("a file of JSON that is nested without end is told so", () => {
  const deep = `{"scenario":"j","rules":${"[".repeat(100_000)}`;
  expect(problemsOf(deep, "deep.json")[0]?.message).toMatch(/nested too deep|is opened here and not closed/);
});

test("a scenario that was let in before is read, though it says what can never happen; one that is none is not", () => {
  const rules = ["BRL", "BRL"].map(
    (currency) => `  - { on: cashin.created, where: { currency: ${currency} }, then: [{ pay: {} }] }\n`,
  );
  const text = `scenario: before\nrules:\n${rules.join("")}`;
  expect(() => loadScenario(text, "before.yaml")).toThrow("can never match");
  expect(keptScenario(text, "before.yaml").content.rules).toHaveLength(2);
  expect(() => keptScenario("scenario: before\nrulez: []\n", "before.yaml")).toThrow('unknown key "rulez"');
});

test.each([
  ["007", "7"],
  ["0o7", "7"],
  ["0x1F", "31"],
  ["+5", "5"],
  ["{ not: 007 }", "{ not: 7 }"],
  ["{ in: [007] }", "{ in: [7] }"],
])("external ids that are one number are two texts: a rule for %s leaves those for %s to the next", (first, second) => {
  const rules = [first, second].map(
    (id) => `  - { on: cashin.created, where: { external_id: ${id} }, then: [{ pay: {} }] }\n`,
  );
  expect(loadScenario(`scenario: ids\nrules:\n${rules.join("")}`, "ids.yaml").content.rules).toHaveLength(2);
});

const twoRules = (first: string, second: string) => {
  const rules = [first, second].map((parts) => `  - { on: cashin.created, ${parts}, then: [{ pay: {} }] }\n`);
  return `scenario: two\nrules:\n${rules.join("")}`;
};

test.each([
  ["until: +1h", "until: +30m"],
  ["until: +1h", "until: +60m"],
  ["until: +1h", "from: +5m, until: +1h, where: { currency: BRL }"],
  ["from: +1h", "from: +2h"],
  ["from: +1h, until: +3h, where: { currency: BRL }", "from: +1h, until: +2h, where: { currency: BRL, amount: 5 }"],
  ['until: "2026-02-01T00:00:00Z"', 'until: "2026-02-01T00:00:00+01:00"'],
  ["from: +0s", 'from: "2026-02-01T00:00:00Z"'],
  ['where: { external_id: "1" }', "where: { external_id: 1 }"],
  ["where: { external_id: 1 }", 'where: { external_id: "1", currency: BRL }'],
  ["where: { external_id: { not: 1 } }", 'where: { external_id: { not: "1" } }'],
  ["where: { external_id: { gte: a } }", 'where: { external_id: "a*" }'],
  ["where: { external_id: { gt: a, lt: c } }", 'where: { external_id: "b*" }'],
  ["where: { external_id: { gt: a } }", "where: { external_id: { gt: b, lt: c } }"],
])("a rule with %s leaves nothing to one with %s", (first, second) => {
  expect(() => loadScenario(twoRules(first, second), "two.yaml")).toThrow("can never match");
});

test.each([
  ["until: +30m", "until: +1h"],
  ["until: +1h", "from: +30m"],
  ["until: +1h", "name: at any time"],
  ["until: +1h", 'until: "2026-01-01T00:00:00Z"'],
  ["from: +2h", "from: +1h"],
  ["from: +1h", 'from: "2030-01-01T00:00:00Z"'],
  ["from: +1h, until: +2h", "from: +1h, until: +3h"],
  ["until: +1h, times: 3", "until: +30m"],
  ['where: { external_id: "1.0" }', "where: { external_id: 1 }"],
  ['where: { external_id: "1e1" }', "where: { external_id: 1e1 }"],
  ['where: { external_id: { lt: "5" } }', 'where: { external_id: "10" }'],
  ["where: { external_id: { gt: a } }", 'where: { external_id: "a*" }'],
  ["where: { external_id: { gte: ab } }", 'where: { external_id: "a*" }'],
  ["where: { external_id: { gte: a } }", 'where: { external_id: "*a" }'],
  ["where: { external_id: { gte: '!' } }", 'where: { external_id: "5*" }'],
  ["where: { external_id: { gte: a } }", "where: { external_id: { gte: 5 } }"],
  ['where: { external_id: { gt: "2026-01-01" } }', 'where: { external_id: { gt: "2026-01-02x" } }'],
])("a rule with %s may leave something to one with %s", (first, second) => {
  expect(loadScenario(twoRules(first, second), "two.yaml").content.rules).toHaveLength(2);
});

test.each(["0.5%", "10.50%", "100%", "100.0%"])("a chance of %s is one", (chance) => {
  const text = `scenario: odds\nrules:\n  - { on: cashin.created, chance: ${chance}, then: [{ pay: {} }] }\n`;
  expect(loadScenario(text, "odds.yaml").content.rules).toHaveLength(1);
});

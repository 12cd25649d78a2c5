/** Scenario files that are made to break their reader: refused in a sentence, or read like any other. */
import { describe, expect, test } from "vitest";
import { matches } from "../../src/scenarios/conditions.ts";
import { loadScenario } from "../../src/scenarios/loader.ts";
import { RuleIndex } from "../../src/scenarios/rule-index.ts";
import { makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { problemsOf, rule, scenario } from "../support/scenarios.ts";

const file = useSandbox();

const MIB = 1024 * 1024;
const good = "scenario: good\nrules: []\n";
const asYaml = { "Content-Type": "application/yaml" };

/** So many problems are told at most. */
const TOLD = 100;

const told = (source: string) => problemsOf(source).map(({ line, column, message }) => `${line}:${column}: ${message}`);

describe("what grows when it is read", () => {
  /** Each of nine lines has nine times what the line before it has. */
  const bomb = [..."abcdefghi"].map((name, index) => {
    const inner = index === 0 ? Array(9).fill("lol") : Array(9).fill(`*${"abcdefghi"[index - 1]}`);
    return `${name}: &${name} [${inner.join(", ")}]`;
  });

  test("a bomb of aliases is refused at the first of its anchors, unexploded", () => {
    const messages = told(`scenario: bomb\n${bomb.join("\n")}\n`);
    expect(messages[0]).toMatch(/^2:4: anchors are not supported; take &a out/);
    // What is in them is not even looked at.
    expect(messages).toHaveLength(bomb.length);
  });

  test("by POST /scenarios too", async () => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/scenarios", bomb.join("\n"), asYaml);
    expect([status, body.error.code]).toEqual([422, "INVALID_SCENARIO"]);
  });

  test.each([
    ["lists in brackets", `rules: ${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["objects in braces", `rules: ${"{ a: ".repeat(20_000)}1${" }".repeat(20_000)}`],
    ["lists of dashes", `rules:\n  ${"- ".repeat(20_000)}x`],
    [
      "objects line by line",
      `rules:\n${Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth + 1)}a:`).join("\n")}`,
    ],
    ["brackets that are not closed", `rules: ${"[".repeat(100_000)}`],
    [
      "comparisons",
      `rules: [{ on: cashin.created, where: { amount: ${"{ not: ".repeat(1_000)}1${" }".repeat(1_000)} } }]`,
    ],
  ])("%s, thousands deep, are refused once", (_what, lines) => {
    const messages = told(`scenario: deep\n${lines}\n`);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^\d+:\d+: (this is nested too deep|\[ is opened here and not closed)/);
  });

  test("a body forty deep is none too many", () => {
    const body = `${"{ a: ".repeat(40)}1${" }".repeat(40)}`;
    expect(told(`${good}merchant:\n  - { call: POST /v2/transactions/cashin, body: ${body} }\n`)).toEqual([]);
  });
});

describe("what is no text", () => {
  const notUtf8 = Buffer.from("scenario: x\ndescription: cobrança\n", "latin1").toString("utf8");

  test("a letter in Latin-1, at its place", () => {
    expect(told(notUtf8)).toEqual(["2:20: this character is not in UTF-8; save the file as UTF-8"]);
  });

  test.each([
    ["UTF-16", Buffer.from(`\uFEFF${good}`, "utf16le")],
    ["an image", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
    ["nothing but zeros", Buffer.alloc(64)],
  ])("%s", (_what, bytes) => {
    expect(told(bytes.toString("utf8"))).toEqual([
      "1:1: the file is no text in UTF-8; if it is text, save it as UTF-8",
    ]);
  });

  test("a control character", () => {
    expect(told("scenario: x\ndescription: a\u0007b\n")).toEqual([
      "2:15: the control character U+0007 has no place in a text; take it out",
    ]);
  });

  test("one may be meant all the same", () => {
    expect(loadScenario('scenario: x\ndescription: "\\a \\uFFFD"\n', "x").content.description).toBe("\u0007 \uFFFD");
  });

  test("a byte order mark and the line ends of Windows are read over", () => {
    const { content, ruleAt } = loadScenario(
      "\uFEFFscenario: x\r\nrules:\r\n  - on: cashin.created\r\n    then: [{ note: x }]\r\n",
      "x.yaml",
    );
    expect([content.scenario, ruleAt(0)]).toEqual(["x", "x.yaml:3"]);
  });
});

describe("what is large", () => {
  test("2 MiB are read, a byte more is refused", () => {
    const padded = (bytes: number) => `${good}# ${"x".repeat(bytes - good.length - 2)}`;
    expect(told(padded(2 * MIB))).toEqual([]);
    expect(told(padded(2 * MIB + 1))).toEqual(["1:1: the file is too large: a scenario has at most 2 MiB"]);
  });

  test.each([
    ["brackets", "[".repeat(MIB)],
    ["brackets that are closed", `rules: ${"[".repeat(MIB / 2)}${"]".repeat(MIB / 2)}`],
    ["dashes in a row", "- ".repeat(MIB)],
    ["values", `a: [${"1,".repeat(MIB / 2)}1]`],
    ["lines", "- 1\n".repeat(MIB / 4)],
  ])("a million %s are not even parsed", (_what, text) => {
    expect(told(text)).toEqual(["1:1: the file has more than 200000 lines and values; make several scenarios of it"]);
  });

  test.each([
    ["a comment of dashes", `# ${"-".repeat(5_000)}\n# ${"- ".repeat(300_000)}\n`],
    ["comments of brackets", "# :[\n".repeat(250_000)],
    ["a text of brackets", `description: |\n${"  if (x) {\n".repeat(2_000)}`],
  ])("%s is none too many", (_what, text) => {
    expect(told(good.replace(/description:.*\n/, "") + text)).toEqual([]);
  });

  test("thousands of mistakes: the first hundred are told, and how many there are beside", () => {
    const keys = Array.from({ length: 5_000 }, (_, index) => `key${index}: 1`);
    const problems = told(`scenario: x\n${keys.join("\n")}\n`);
    expect([problems.length, problems[0]]).toEqual([TOLD, expect.stringContaining("2:1: unknown key")]);
    expect(problems.at(-1)).toMatch(/^101:1: unknown key "key99".* \(and 4900 more problems\)$/);
    const repeated = told("scenario: x\n".repeat(1_000));
    expect([repeated.length, repeated.at(-1)]).toEqual([TOLD, expect.stringMatching(/\(and 899 more problems\)$/)]);
    for (const line of ["  - {on: x}\n", "  - {__proto__: 1}\n"]) {
      expect(told(`scenario: x\nrules:\n${line.repeat(60_000)}`), line).toHaveLength(TOLD);
    }
  });

  test.each([
    ["a value of a million letters", `for: ${"x".repeat(1_000_000)}`],
    ["a word of a million letters", `rules: [{ on: ${"x".repeat(1_000_000)}, then: [{ note: x }] }]`],
    ["a million digits", `for: ${"1".repeat(1_000_000)}`],
    ["a million numbers", `for: ${"1 ".repeat(500_000)}`],
    ["a million blanks", `for: "1${" ".repeat(1_000_000)}!"`],
    ["a key of a thousand letters", `${"x".repeat(1_000)}: 1`],
    ["a key of a million letters", `${"x".repeat(1_000_000)}: 1`],
  ])("%s is told in a line", (_what, line) => {
    const problems = problemsOf(`scenario: x\n${line}\n`);
    expect(problems).toHaveLength(1);
    for (const { message, excerpt } of problems)
      expect([message.length < 1_000, excerpt.length < 300]).toEqual([true, true]);
  });
});

describe("ten thousand rules", () => {
  const COUNT = 10_000;
  const numbers = Array.from({ length: COUNT }, (_, index) => index);

  /** A file of so many rules, each with these lines. */
  const manyRules = (lines: (index: number) => string) =>
    `scenario: many\nrules:\n${numbers.map((index) => `  - ${lines(index).replaceAll("\n", "\n    ")}\n`).join("")}`;

  test.each([
    ["that look for a text", (index: number) => `where: { external_id: order-${index} }`, `order-${COUNT - 2}`],
    ["that look for a glob", (index: number) => `where: { external_id: "*-${index}" }`, `order-${COUNT - 2}`],
    ["that look for an amount", (index: number) => `where: { amount: ${index + 1}.00 }`, "any"],
  ])("%s: the right one acts, and it alone", async (_what, where, externalId) => {
    const source = manyRules((index) => `on: cashin.created\n${where(index)}\nthen: [{ note: rule ${index} }]`);
    const world = await file.world();
    expect((await control(world, "POST", "/scenarios", source, asYaml)).status).toBe(201);
    await makeCharge(world, { amount: COUNT - 1, external_id: externalId });
    await world.advance("0s");
    const notes = (await world.journal()).filter(({ kind }) => kind === "step").map(({ data }) => data.note);
    expect(notes).toEqual([`rule ${COUNT - 2}`]);
  });

  test("that strike calls: the right one does", async () => {
    const source = manyRules(
      (index) => `request: POST /v2/transactions/cashin\nwhere: { username: u${index} }\ninject: { status: 503 }`,
    );
    const world = await file.world();
    const last =
      "  - request: POST /v2/transactions/cashin\n    where: { username: acme }\n    inject: { status: 502 }\n";
    expect((await control(world, "POST", "/scenarios", source + last, asYaml)).status).toBe(201);
    const merchant = await Merchant.of(world);
    expect((await merchant.cashin({ currency: "BRL", amount: 5 })).status).toBe(502);
  });

  test("each with a fault: the first ones told, all counted", () => {
    const source = manyRules(
      (index) => `on: cashin.created\nwhere: { external_id: order-${index} }\nthen: [{ after: 5, pay: {} }]`,
    );
    const messages = told(source);
    expect(messages).toHaveLength(TOLD);
    expect(messages.at(-1)).toMatch(new RegExp(`^${2 + 3 * TOLD}:21: after must be .* \\(and ${COUNT - TOLD} more`));
  });

  test("the same rule over and over: all but the first can never match", () => {
    const messages = told(manyRules(() => "on: cashin.created\nwhere: { currency: BRL }\nthen: [{ pay: {} }]"));
    expect(messages[0]).toMatch(/^6:5: this rule can never match: rule number 1 above/);
    expect(messages.at(-1)).toContain(`(and ${COUNT - 1 - TOLD} more problems)`);
  });

  test("bounds that come ever closer: all but the first can never match", () => {
    const messages = told(
      manyRules((index) => `on: cashin.created\nwhere: { amount: { gte: ${index + 1} } }\nthen: [{ pay: {} }]`),
    );
    expect(messages.at(-1)).toContain(`(and ${COUNT - 1 - TOLD} more problems)`);
  });
});

test("an index of rules finds all that match, in their order", () => {
  const noon = ["2026-01-01T12:00:00Z", "2026-01-01T13:00:00.000+01:00"];
  const conditions = ["a", "a*", "*", "1", 5, true, null, ...noon, { gte: 3 }, { in: ["a", "b"] }, { not: "a" }];
  const rules = conditions.flatMap((first) => [
    { x: first },
    ...conditions.map((second) => ({ x: first, "y.z": second })),
  ]);
  const index = new RuleIndex(rules, (where) => where as Record<string, unknown>);
  const values = ["a", "ab", "b", "1", "1.0", "5.00", "true", true, null, undefined, 5, "2026-01-01T12:00:00.000Z"];
  for (const x of values) {
    for (const z of values) {
      const fields = { x, y: { z } };
      const holds = (where: object) => matches(where as Record<string, unknown>, fields);
      expect(index.candidates(fields).filter(holds)).toEqual(rules.filter(holds));
    }
  }
});

test("a scenario named twice over is one scenario, whatever it is called with", async () => {
  const world = await file.world({ scenarios: [scenario("same", rule("cashin.created", [{ note: "first" }]))] });
  const again = await control(
    world,
    "POST",
    "/scenarios",
    scenario("same", rule("cashin.created", [{ note: "second" }])),
  );
  expect([again.status, (await control(world, "GET", "/scenarios")).body.items.length]).toEqual([200, 1]);
});

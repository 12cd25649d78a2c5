/** The JSON Schema of scenario files, held against them by ajv: an editor takes what is right, and marks what it can. */
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { errorCatalogue } from "../../src/domain/errors.ts";
import { eventKinds } from "../../src/domain/events.ts";
import { serviceCalls } from "../../src/domain/service-calls.ts";
import { settingsSchema } from "../../src/domain/settings.ts";
import { shipped, shippedNames } from "../../src/host/scenario-library.ts";
import { resourceActions } from "../../src/service/actions.ts";
import { brokenFiles, withRule, withStep } from "./broken-files.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely.
type Json = any;

const document: Json = JSON.parse(
  readFileSync(new URL("../../src/scenarios/scenario.schema.json", import.meta.url), "utf8"),
);
const ajv = new Ajv({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
});
const judge = ajv.compile(document);

/** What ajv has against a file; nothing where it takes it. */
function objections(source: string): readonly string[] {
  judge(parse(source));
  return (judge.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test("it is a JSON Schema, as strict as ajv can be", () => {
  expect([ajv.validateSchema(document), ajv.errors]).toEqual([true, null]);
  expect(document.$schema).toBe("http://json-schema.org/draft-07/schema#");
});

describe("takes what is right", () => {
  test.each(shippedNames())("the shipped scenario %s", (name) => {
    expect(objections(shipped(name).text)).toEqual([]);
  });

  test("the scenarios of the README", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const blocks = [...readme.matchAll(/```yaml\n(scenario:[\s\S]*?)```/g)].map(([, code = ""]) => code);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(objections(block)).toEqual([]);
  });

  test.each([
    ["a rule", withRule("")],
    ["an action without input", withStep("").replace("- \n", "- pay:\n")],
    ["ISO 8601", withStep("{ after: PT5S, pay: {} }")],
    ["an instant for a moment", withStep('{ at: "2026-01-01T12:00:00Z", pay: {} }')],
    ["comparisons", withRule("where: { amount: { gte: 5, not: { in: [6, 7] } }, external_id: { not: a-* } }")],
    ["null for what is not there", "scenario: x\nexpect: [{ transaction: { status: null } }]\n"],
    ["a glob for a fixed value", withRule("where: { currency_type: cr* }")],
    ["an action on a resource that is named", withStep("{ win: { dispute: 5 } }")],
    [
      "an action that names what its trigger is about",
      withStep("{ deposit: { wallet: 1001, amount: 5 } }").replace("cashin.created", "wallet.created"),
    ],
    ["an action that names another resource of the same kind", withStep("{ pay: { transaction: order-1 } }")],
    [
      "either kind of failure of a webhook's resource",
      withStep("{ fail: { error_code: UNKNOWN } }").replace("cashin.created", "webhook.failed"),
    ],
    [
      "a rule on the clock",
      "scenario: x\nrules:\n  - every: 0 9 * * MON-FRI\n    timezone: UTC\n    then: [{ deposit: { wallet: BRL, amount: 5 } }]\n",
    ],
    [
      "a fault that a step sets",
      withStep("{ fault: { request: POST /v2/transactions/*, inject: { status: 503 }, for: 30s } }"),
    ],
    ["a call with a query", "scenario: x\nmerchant: [{ call: GET /v2/account/balance?currency=BRL }]\n"],
    [
      "a call with a variable",
      `scenario: x\nmerchant: [{ call: "GET /v2/account/infractions?transaction_id=\${charge.transaction_id}" }]\n`,
    ],
    ["the schema's own address, in JSON", '{ "$schema": "scenario.schema.json", "scenario": "x" }'],
  ])("%s", (_what, source) => {
    expect(objections(source)).toEqual([]);
  });
});

describe("marks what is broken, as far as a schema can know", () => {
  const readable = brokenFiles.filter(({ by }) => by !== "yaml");

  test.each(readable.filter(({ by }) => by === "schema"))("$what", ({ source }) => {
    expect(objections(source)).not.toEqual([]);
  });

  test.each(readable.filter(({ by }) => by === "check"))("not $what: only the checks know", ({ source }) => {
    expect(objections(source)).toEqual([]);
  });
});

describe("offers", () => {
  const { definitions } = document;
  /** What the schema says of a key of rules with a trigger. */
  const forTrigger = (trigger: string): Json =>
    definitions.rule.allOf.find((one: Json) => one.if.properties.on?.const === trigger).then.properties;

  test("every trigger, call, setting and error code", () => {
    expect(definitions.rule.properties.on.enum).toEqual(expect.arrayContaining(["cashin.created", ...eventKinds]));
    expect(definitions["merchant-step"].properties.call.anyOf[0].enum).toEqual(serviceCalls);
    expect(Object.keys(document.properties.settings.properties)).toEqual(Object.keys(settingsSchema.shape));
    expect(document.properties.settings.properties.retry_base.enum).toEqual(["previous", "first"]);
    expect(definitions["inject-request"].properties.error.enum).toEqual(Object.keys(errorCatalogue));
  });

  test.each(Object.entries(resourceActions))("the actions of a %s with their input", (kind, actions) => {
    for (const [name, { input }] of Object.entries(actions)) {
      const inputs = [`do-${name}-${kind}`, `do-${name}-named`].map((each) => ({ $ref: `#/definitions/${each}` }));
      expect(definitions[`step-${kind}`].properties[name]).toEqual({ anyOf: inputs });
      expect(Object.keys(definitions[`do-${name}-${kind}`].properties)).toEqual(Object.keys(input.shape));
    }
  });

  test("the steps and fields of what a rule is about", () => {
    const { where, then: steps } = forTrigger("chargeback.opened");
    expect(where).toEqual({ $ref: "#/definitions/where-chargeback.opened" });
    expect(steps.items).toEqual({ $ref: "#/definitions/step-dispute" });
    expect(Object.keys(definitions["where-chargeback.opened"].properties)).toContain("deadline_at");
    expect(definitions["step-dispute"].properties.at.anyOf[0].enum).toEqual(["deadline"]);
  });

  test("a sentence for every key of the file, of rules, steps, settings, calls and expectations", () => {
    const objects = ["rule", "merchant-step", "expectation", "inject-request", "inject-delivery"];
    const described = [document, document.properties.settings, ...objects.map((name) => definitions[name])];
    const actions = Object.keys(definitions).filter((name) => name.startsWith("do-"));
    const all: [string, Json][] = [
      ...described.flatMap(({ properties }) => Object.entries<Json>(properties)),
      ...actions.map((name): [string, Json] => [name, definitions[name]]),
    ];
    expect(all.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
  });
});

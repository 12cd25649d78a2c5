/**
 * Texts that an expression would look through over and over: megabytes of what nearly fits. Each is judged in one go;
 * with as many steps as the square of its length none of these tests would come to its end.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowedHostOf, isControlToken } from "../../src/domain/access.ts";
import { isLocalHost } from "../../src/domain/destinations.ts";
import { parseDuration } from "../../src/domain/durations.ts";
import { parseAmount } from "../../src/domain/money.ts";
import { globOf, matches } from "../../src/scenarios/conditions.ts";
import { loadScenario } from "../../src/scenarios/loader.ts";
import { ScenarioError } from "../../src/scenarios/problems.ts";
import { textFaults } from "../../src/scenarios/text-faults.ts";
import { filled, referencesIn } from "../../src/scenarios/variables.ts";
import { parseInstant } from "../../src/world/instants.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { problemsOf } from "../support/scenarios.ts";

const file = useSandbox();
const LONG = 300_000;

/** TABLE: the beginning of something valid, again and again, and an end that spoils it. */
const nearly: readonly string[] = [
  "1",
  "a",
  "-",
  "/",
  " ",
  "\t\n",
  ".",
  "1.",
  "0,",
  "1h",
  "PT1",
  '"',
  '\\"',
  "${",
  "{",
  "*",
  "a*",
  "%63",
  "<",
  "localhost.",
  "\u00e9",
].flatMap((part) => ["", "!", "\n", "}"].map((end) => part.repeat(LONG / part.length) + end));

describe("globs of scenarios", () => {
  test("are what an expression says of short texts", () => {
    const part = fc.stringMatching(/^[ab.*\n]{0,8}$/);
    fc.assert(
      fc.property(part, part, (pattern, text) => {
        const judge = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`, "s");
        expect(globOf(pattern).test(text)).toBe(judge.test(text));
      }),
      { numRuns: 3_000, seed: 11 },
    );
  });

  test("with many stars are held against long texts", () => {
    const stars = "a*".repeat(200);
    expect(globOf(`${stars}b`).test("a".repeat(100_000))).toBe(false);
    expect(globOf(`${stars}a`).test("a".repeat(100_000))).toBe(true);
    const where = { description: `${"*a".repeat(200)}*b*` };
    expect(matches(where, { description: "a".repeat(100_000) })).toBe(false);
  });
});

test("names, instants, durations and amounts", () => {
  for (const text of nearly) {
    expect(isLocalHost(text)).toBe(/^[\da-z-]+$/i.test(text) && !/^\d+$/.test(text));
    expect([allowedHostOf(text), isControlToken(text), parseInstant(text)]).toEqual([null, false, null]);
    expect(parseDuration(text)).toBe(/^(1h)+$/.test(text) ? (LONG / 2) * 3_600_000 : null);
    expect(() => parseAmount(text, 2)).toThrow();
  }
});

test("references to what was saved", () => {
  for (const text of nearly) {
    const isClosed = /^\$\{/.test(text) && text.endsWith("}");
    expect(referencesIn(text)).toHaveLength(isClosed ? 1 : 0);
    if (!isClosed) expect(filled(text, {})).toBe(text);
  }
});

test("scenario files", () => {
  for (const text of nearly.filter((_text, index) => index % 4 === 1)) {
    const where = `scenario: mine\nrules:\n  - on: cashin.created\n    where: { amount: ${JSON.stringify(text)} }\n`;
    for (const source of [`scenario: ${JSON.stringify(text)}\n`, where]) {
      expect(() => loadScenario(source, "long.yaml")).toThrow(ScenarioError);
    }
  }
  // Quotes that might each begin a text, and that nothing closes.
  expect(textFaults(`{ "scenario": "${'\\"'.repeat(10 * LONG)} // x`)).toHaveLength(1);
});

test("a JSON scenario may have a text of megabytes", () => {
  // The stack of an expression came to its end first.
  for (const text of ["\\n".repeat(1_000) + "x".repeat(1_900_000), '\\"'.repeat(500_000) + "x".repeat(1_000_000)]) {
    expect(textFaults(`{ "description": "${text}" }`)).toEqual([]);
    expect(textFaults(`{ "description": "${text}" } // x`)).toHaveLength(1);
  }
});

test("comments in JSON are still found, behind a quote that nothing closes too", () => {
  const placesOf = (source: string) =>
    problemsOf(source, "commented.json").map(({ line, column }) => `${line}:${column}`);
  expect(placesOf('{ "scenario": "a // b", // c\n "seed": 1 }')).toEqual(["1:25"]);
  expect(placesOf('{ "scenario": "mine,\n "seed": 1 // c\n }')).toContain("2:12");
  expect(placesOf('{ "scenario": "mine, // c\n "seed": 1 }')).toContain("1:22");
});

test("calls of the service", async () => {
  const merchant = await Merchant.of(await file.world({ settings: { protections: "off" } }));
  const long = nearly.map((text) => text.slice(-300_000));
  for (const text of long.filter((_text, index) => index % 4 < 2)) {
    const cashin = await merchant.cashin({ currency: text, amount: 1 });
    expect(cashin.status).toBeGreaterThanOrEqual(400);
    expect(cashin.status).toBeLessThan(500);
    const fields = { currency: "BRL", amount: 1, external_id: "x", postback_url: text };
    expect((await merchant.cashin(fields)).body.error.code).toBe("INVALID_REQUEST");
  }
  const secret = '{"client_secret"';
  for (const body of [secret.repeat(50_000), `${secret}${" ".repeat(900_000)}`, `${secret}:"${"\\".repeat(900_000)}`]) {
    expect((await merchant.call("POST", "/v2/oauth/token", body)).status).toBe(400);
  }
  for (const part of ["\\\\", "%63", "a=&", "&", '"', "\\u0073"]) {
    const text = part.repeat(900_000 / part.length);
    for (const body of [text, `{"client_secret":"${text}"}`, `client_secret=${text}`]) {
      expect((await merchant.call("POST", "/v2/oauth/token", body)).status).toBe(400);
      expect((await merchant.call("POST", "/v2/oauth/tokens", body)).status).toBe(404);
    }
  }
});

test("calls of the control interface", async () => {
  for (const text of nearly.filter((_text, index) => index % 4 === 1)) {
    for (const [method, path, body] of [
      ["POST", "/clock/advance", { by: text }],
      ["POST", "/clock/advance", { to: text }],
      ["POST", "/worlds", { ttl: text }],
      ["POST", "/accounts", { username: text }],
      ["PATCH", "/accounts/acme", { postback_url: text }],
      ["PUT", "/faults", { rules: [{ request: text, inject: { disconnect: "before" } }] }],
      ["PUT", "/rates", { rates: { BRL: text } }],
    ] as const) {
      const { status } = await control(file.sandbox, method, path, body);
      expect([path, text.slice(0, 10), Math.floor(status / 100)]).toEqual([path, text.slice(0, 10), 4]);
    }
  }
});

/** The scenarios that are shipped: each is valid, tells its story in a run, and tells the same one again. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cashoutErrorCodes } from "../../src/domain/cashout-errors.ts";
import { errorCatalogue } from "../../src/domain/errors.ts";
import { eventKinds } from "../../src/domain/events.ts";
import { pixKeyType } from "../../src/domain/identifiers/pix-key.ts";
import { allowedActions, statesOf } from "../../src/domain/machine.ts";
import { serviceCalls } from "../../src/domain/service-calls.ts";
import { shipped, shippedNames } from "../../src/host/scenario-library.ts";
import { libraryPage } from "../../src/pages/library-page.ts";
import { injectionsOf } from "../../src/scenarios/injections.ts";
import { loadScenario } from "../../src/scenarios/loader.ts";
import { usePlayer } from "../support/runs.ts";

const SCHEMA_LINE = "# yaml-language-server: $schema=../src/scenarios/scenario.schema.json";

const play = usePlayer();

const names = shippedNames();
const library = names.map(shipped).map(({ text, file }) => loadScenario(text, file));
const expectations = library.flatMap(({ content }) => content.expect ?? []);
const calls = library.flatMap(({ content }) => content.merchant ?? []);
const rules = library.flatMap(({ content }) => content.rules);

describe.each(names)("%s", (name) => {
  const { text, file } = shipped(name);
  const { content } = loadScenario(text, file);

  test("has its schema, its name, a description, a merchant and expectations", () => {
    expect(text.split("\n")[0]).toBe(SCHEMA_LINE);
    expect(content.scenario).toBe(name);
    expect(content.description?.trim()).toMatch(/^[A-Z].*\.$/s);
    expect(content.merchant ?? []).not.toHaveLength(0);
    expect(content.expect ?? []).not.toHaveLength(0);
    expect(content.rules.map((rule) => rule.name)).not.toContain(undefined);
  });

  test("goes as it is told, with every rule at work, and goes the same again", async () => {
    const first = await play(text, file);
    expect(first.expectations.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(first.verdict).toBe("pass");
    expect(first.rules.filter(({ matched, fired }) => matched === 0 || fired === 0)).toEqual([]);
    const second = await play(text, file);
    expect(second.timeline).toEqual(first.timeline);
  });
});

describe("together the shipped scenarios have", () => {
  test.each(eventKinds)("the event %s", (kind) => {
    expect(expectations.some(({ event, count }) => event === kind && String(count) !== "0")).toBe(true);
  });

  test.each(cashoutErrorCodes)("a cash-out that fails with %s", (code) => {
    expect(expectations.some(({ event, where }) => event === "cashout.failed" && where?.error_code === code)).toBe(
      true,
    );
  });

  const endings = statesOf("dispute").filter((state) => allowedActions("dispute", state).length === 0);
  test.each(endings)("a dispute that ends as %s", (status) => {
    const ends = (dispute: unknown) => (dispute as { status?: unknown } | undefined)?.status === status;
    expect(expectations.some(({ dispute, count }) => ends(dispute) && String(count) !== "0")).toBe(true);
  });

  const codes = Object.entries(errorCatalogue).flatMap(([code, { decision }]) => (decision ? [] : [code]));
  test.each(codes)("a call that is refused with %s", (code) => {
    expect(calls.some((call) => call.expect?.error === code)).toBe(true);
  });

  test.each(serviceCalls)("a merchant that calls %s", (name) => {
    expect(calls.some(({ call }) => call?.split("?")[0] === name)).toBe(true);
  });

  const injections = [...Object.keys(injectionsOf.request), ...Object.keys(injectionsOf.delivery)];
  test.each(injections)("a rule that injects %s", (injection) => {
    expect(rules.some(({ inject }) => inject && injection in inject)).toBe(true);
  });
});

test("none pays out to a tax id or a phone, which may be a real person's PIX key", () => {
  const keys = calls.flatMap(({ body }) => (body as { key?: unknown } | undefined)?.key ?? []).map(String);
  const kinds = new Set(keys.map(pixKeyType));
  expect([kinds.has("evp"), kinds.has("cpf"), kinds.has("cnpj"), kinds.has("phone")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("docs/scenarios.md is up to date (npm run docs), and has a chapter for every scenario", () => {
  const page = readFileSync(new URL("../../docs/scenarios.md", import.meta.url), "utf8");
  expect(page).toBe(libraryPage(library));
  expect(page).not.toContain("## Others");
});

/** The project's own table of what the specification leaves open: it cannot drift from the settings and the code. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decisions } from "../../src/domain/decisions.ts";
import { errorCatalogue } from "../../src/domain/errors.ts";
import { type Settings, settingsSchema, settingValues } from "../../src/domain/settings.ts";
import { openApiDocument } from "../../src/http/document/service-document.ts";
import { dataNames } from "../../src/pages/settings-page.ts";
import { fixtureSchemas } from "../../src/world/fixtures.ts";

const ids = decisions.map(({ id }) => id);
const defaults = settingsSchema.parse({});
const settings = Object.keys(settingsSchema.shape) as (keyof Settings)[];

test("ids are unique and in order", () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^D\d\d[a-z]?$/.test(id))).toEqual([]);
  expect([...ids].sort()).toEqual(ids);
});

test("every setting is decided where its schema says, and nowhere else", () => {
  const source = readFileSync(new URL("../../src/domain/settings.ts", import.meta.url), "utf8");
  const noted = [...source.matchAll(/\/\*\* (D\w+) \*\/ (\w+):/g)].map(([, id, name]) => `${name} ${id}`);
  const decided = decisions.flatMap(({ id, settings: own }) => own.map((name) => `${name} ${id}`));
  expect(decided.filter((pair) => !pair.startsWith("fixtures ")).sort()).toEqual(noted.sort());
  const undecided = settings.filter((name) => !decided.some((pair) => pair.startsWith(`${name} `)));
  // What a receiver is told that it is has nothing to do with the service.
  expect(undecided).toEqual(["receiver_environment"]);
});

test("the page of settings names all data that fixtures takes", () => {
  expect([...dataNames].sort()).toEqual(Object.keys(fixtureSchemas()).sort());
});

test("an answer says what each other value of its settings would do", () => {
  const unsaid = decisions.flatMap(({ id, answer, settings: own }) =>
    own.flatMap((name) => {
      const others = settingValues(name).filter((value) => value !== String(defaults[name]));
      return others.filter((value) => !answer.includes(`\`${value}\``)).map((value) => `${id} ${name} ${value}`);
    }),
  );
  expect(unsaid).toEqual([]);
});

test("durations that are defaults stand in the answer", () => {
  for (const { answer, settings: own } of decisions) {
    for (const name of own.filter((setting) => /^\d+s$/.test(String(defaults[setting])))) {
      expect(answer).toContain(String(defaults[name]).replace("s", " s"));
    }
  }
});

test("every decision that the OpenAPI document, the error catalogue or another answer names is there", () => {
  const document = JSON.stringify(openApiDocument({ version: "0", baseUrl: "http://localhost" }));
  const marks = [...document.matchAll(/"x-sandbox-decisions?":("[^"]+"|\[[^\]]+\])/g)].join(" ");
  const texts = [marks, JSON.stringify(errorCatalogue), ...decisions.map(({ answer }) => answer)].join(" ");
  const named = new Set([...texts.matchAll(/\bD\d\d[a-z]?\b/g)].map(([id]) => id));
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((id) => !ids.includes(id))).toEqual([]);
});

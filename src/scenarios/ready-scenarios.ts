/** Scenarios as they were read when the package was built, so that a server need not read YAML in order to start. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ExactNumber } from "../domain/money.ts";
import { withLeaves } from "./leaves.ts";
import type { LoadedScenario } from "./loader.ts";
import type { ScenarioFile } from "./schema.ts";

/** What a text comes to, and the lines in it that a world asks for at its start. */
interface Ready {
  /** Of the text: of another one nothing is known. */
  readonly digest: string;
  readonly content: ScenarioFile;
  readonly rules: readonly { readonly line: number; readonly steps: readonly number[] }[];
  readonly expect: readonly number[];
}

/** Where `npm run build` puts them; a checkout has none. */
const folder = fileURLToPath(new URL("./ready/", import.meta.url));

/**
 * A shipped scenario that was read when the package was built; null for any other text.
 * @param read reads it after all, for places that are seldom asked for.
 */
export function readyScenario(source: string, file: string, read: () => LoadedScenario): LoadedScenario | null {
  const name = /^scenarios\/([\w-]+)\.yaml$/.exec(file)?.[1];
  const path = `${folder}${name}.json`;
  if (name === undefined || !existsSync(path)) return null;
  return scenarioOf(readFileSync(path, "utf8"), source, file, read);
}

/** The scenario that {@link readyText} was made of; null where it was made of another text than `source`. */
export function scenarioOf(
  ready: string,
  source: string,
  file: string,
  read: () => LoadedScenario,
): LoadedScenario | null {
  const { digest, content, rules, expect } = JSON.parse(ready, withNumbers) as Ready;
  if (digest !== digestOf(source)) return null;
  return {
    file,
    content,
    ruleAt: (index) => `${file}:${rules[index]?.line}`,
    stepAt: (rule, step) => `${file}:${rules[rule]?.steps[step]}`,
    problemAt: (path, message) => read().problemAt(path, message),
    placeOf: (...path) => {
      const [part, index, ...rest] = path;
      const line = part === "expect" && rest.length === 0 ? expect[Number(index)] : undefined;
      return line === undefined ? read().placeOf(...path) : `${file}:${line}`;
    },
  };
}

/** What is kept of a scenario and the text that it was read from. */
export function readyText(source: string, { content, ruleAt, stepAt, placeOf }: LoadedScenario): string {
  const ready: Ready = {
    digest: digestOf(source),
    content,
    rules: content.rules.map(({ then = [] }, rule) => ({
      line: lineOf(ruleAt(rule)),
      steps: then.map((_step, step) => lineOf(stepAt(rule, step))),
    })),
    expect: (content.expect ?? []).map((_expectation, index) => lineOf(placeOf("expect", index))),
  };
  return JSON.stringify(withLeaves(ready, keptNumber));
}

function lineOf(place: string): number {
  return Number(place.slice(place.lastIndexOf(":") + 1));
}

function digestOf(source: string): string {
  return createHash("sha256").update(source).digest("base64");
}

/** What a number that is kept as it was written has for a key; no key of a scenario is of this form. */
const NUMBER = "=number";

function keptNumber(leaf: unknown): unknown {
  return leaf instanceof ExactNumber ? { [NUMBER]: leaf.source } : leaf;
}

function withNumbers(_key: string, value: unknown): unknown {
  const isNumber = value !== null && typeof value === "object" && NUMBER in value;
  return isNumber ? new ExactNumber(String(value[NUMBER])) : value;
}

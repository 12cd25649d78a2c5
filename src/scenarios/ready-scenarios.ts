/** Scenarios that were parsed when the package was built, so that a server can start without parsing YAML. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ExactNumber } from "../domain/money.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { withLeaves } from "./leaves.ts";
import type { LoadedScenario } from "./loader.ts";
import type { ScenarioFile } from "./schema.ts";

/** The content of a scenario, and the line numbers that a world needs at its start. */
interface Ready {
  /** The digest of the text that it was made from; it is not used for any other text. */
  readonly digest: string;
  readonly content: ScenarioFile;
  readonly rules: readonly { readonly line: number; readonly steps: readonly number[] }[];
  readonly expect: readonly number[];
}

/** Where `npm run build` puts these scenarios; a checkout has none. */
const folder = fileURLToPath(new URL("./ready/", import.meta.url));

/**
 * A shipped scenario as it was parsed when the package was built; null for any other text.
 * @param read parses the text after all, for places that are rarely needed.
 */
export function readyScenario(source: string, file: string, read: () => LoadedScenario): LoadedScenario | null {
  const name = /^scenarios\/([\w-]+)\.yaml$/.exec(file)?.[1];
  const path = `${folder}${name}.json`;
  if (name === undefined || !existsSync(path)) return null;
  return scenarioOf(readFileSync(path, "utf8"), source, file, read);
}

/** The scenario that {@link readyText} stored; null if it was made from another text than `source`. */
export function scenarioOf(
  ready: string,
  source: string,
  file: string,
  read: () => LoadedScenario,
): LoadedScenario | null {
  const { digest, content, rules, expect } = JSON.parse(ready, withNumbers) as Ready;
  if (digest !== digestOf(source)) return null;
  const whole = onFirstUse(read);
  return {
    file,
    content,
    ruleAt: (index) => `${file}:${rules[index]?.line}`,
    stepAt: (rule, step) => `${file}:${rules[rule]?.steps[step]}`,
    problemAt: (...about) => whole().problemAt(...about),
    placeOf: (...path) => {
      const [part, index, ...rest] = path;
      const line = part === "expect" && rest.length === 0 ? expect[Number(index)] : undefined;
      return line === undefined ? whole().placeOf(...path) : `${file}:${line}`;
    },
  };
}

/** Serializes a scenario, with the digest of the text that it was read from. */
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

/** The key that marks a serialized ExactNumber; no key of a scenario has this form. */
const NUMBER = "=number";

function keptNumber(leaf: unknown): unknown {
  return leaf instanceof ExactNumber ? { [NUMBER]: leaf.source } : leaf;
}

function withNumbers(_key: string, value: unknown): unknown {
  const isNumber = value !== null && typeof value === "object" && NUMBER in value;
  return isNumber ? new ExactNumber(String(value[NUMBER])) : value;
}

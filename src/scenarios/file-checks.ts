/** Finds what is well-formed in a scenario but cannot happen: checks its parts against each other and the service. */

import { isObject, type Plain } from "../domain/plain-values.ts";
import { listOf } from "./file-values.ts";
import type { Finding } from "./findings.ts";
import { buildsOnFiles, checkWorld, type KnownWorld, knownWorld, openWorld } from "./known-world.ts";
import { checkRule } from "./rule-checks.ts";
import { checkExpectation, checkNoReferences, checkScriptStep } from "./script-checks.ts";
import { checkShadowed } from "./shadowed-rules.ts";

/**
 * Checks a file, which need not fit its schema; each finding says where it is, and what would be right.
 * @param settings the settings that it is run with; its own unless given.
 */
export function* checkFile(file: unknown, settings?: Plain): Generator<Finding> {
  if (!isObject(file)) return;
  const known = worldOf(file, settings);
  yield* checkWorld(file, known);
  const rules = listOf(file.rules);
  for (const [index, rule] of rules.entries()) yield* checkRule(rule, index, known);
  yield* checkShadowed(rules, known);
  yield* checkNoReferences([], withoutRemarks(file, rules));
  const saved = new Set<string>();
  for (const [index, step] of listOf(file.merchant).entries()) {
    if (isObject(step)) yield* checkScriptStep(["merchant", index], step, known, saved);
  }
  for (const [index, expected] of listOf(file.expect).entries()) {
    if (isObject(expected)) yield* checkExpectation(["expect", index], expected, known, saved);
  }
}

function worldOf(file: Plain, settings: Plain | undefined): KnownWorld {
  if (settings !== undefined) return knownWorld({ ...file, settings });
  return buildsOnFiles(file) ? openWorld(file) : knownWorld(file);
}

/** A file's settings, accounts and rules, without texts that are meant for people. */
function withoutRemarks({ settings, accounts }: Plain, rules: readonly unknown[]): Plain {
  return { settings, accounts, rules: rules.map((rule) => (isObject(rule) ? { ...rule, name: null } : rule)) };
}

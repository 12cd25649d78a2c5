/** Finds options that make no difference because the world that they are for exists already. */
import { isDeepStrictEqual } from "node:util";
import { parseDuration } from "../domain/durations.ts";
import { overlaidSettings } from "../domain/settings.ts";
import { withLeaves } from "../scenarios/leaves.ts";
import { keptScenario } from "../scenarios/loader.ts";
import type { ScenarioSource, WorldSpec } from "./creation.ts";
import { DEFAULT_WORLD } from "./sandbox.ts";

/** A part of a world that an option sets. */
type WorldPart = "seed" | "clock" | "speed" | "start" | "settings" | "scenarios" | "postbackUrl";

/** What options say of a world. */
interface Wanted extends Omit<WorldSpec, "settings"> {
  /** Only those of the option itself: scenarios may have others by now than the world was made with. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** TABLE: the parts of a world, and whether it is in each as options say. */
const parts: readonly { part: WorldPart; isSame: (wanted: Wanted, made: WorldSpec) => boolean }[] = [
  { part: "seed", isSame: (wanted, made) => wanted.seed === made.seed },
  { part: "clock", isSame: (wanted, made) => wanted.clock.mode === made.clock.mode },
  { part: "speed", isSame: (wanted, made) => wanted.clock.speed === made.clock.speed },
  { part: "start", isSame: (wanted, made) => wanted.clock.start === made.clock.start },
  { part: "settings", isSame: (wanted, made) => isInForce(wanted.settings, made.settings) },
  { part: "scenarios", isSame: (wanted, made) => isDeepStrictEqual(wanted.scenarios, made.scenarios) },
  { part: "postbackUrl", isSame: (wanted, made) => wanted.postback_url === made.postback_url },
];

/** TABLE: what of a scenario only a fresh world goes by. */
const wishes = ["settings", "seed", "clock", "accounts"] as const;

/**
 * @param wanted what the options say. @param made what the world was made of.
 * @param nameOf the option that sets a part, as its user writes it; undefined if it was not given.
 * @returns the options that differ from what the world was made of.
 */
export function unusedOptions(
  wanted: Wanted,
  made: WorldSpec,
  nameOf: (part: WorldPart) => string | undefined,
): string[] {
  return parts.flatMap(({ part, isSame }) => (isSame(wanted, made) ? [] : (nameOf(part) ?? [])));
}

/**
 * @param now a scenario as it is loaded now. @param former scenarios of which it was one.
 * @returns what of it differs although only a fresh world goes by that, such as `settings`.
 */
export function unusedWishes(now: ScenarioSource, former: readonly ScenarioSource[]): string[] {
  const { content } = keptScenario(now.text, now.file);
  // Files in several folders may have the same name.
  const namesakes = former.filter(({ file }) => file === now.file);
  const all = namesakes.map(({ text, file }) => keptScenario(text, file).content);
  const then = all.find(({ scenario }) => scenario === content.scenario);
  return then ? wishes.filter((wish) => !isSame(content[wish], then[wish])) : [];
}

/** Says that options make no difference. @param folder the option for a data folder, as its user writes it. */
export function staysAsMade(unused: readonly string[], folder: string): string {
  const told = `the world ${DEFAULT_WORLD} is there already and stays as it was made: ${unused.join(", ")} made no difference`;
  return `${told}; give another ${folder} folder for another world.`;
}

/** Whether settings laid over those of a world leave it as it is. */
function isInForce(given: Wanted["settings"], made: WorldSpec["settings"]): boolean {
  // As they would be kept: one that is given as undefined is not given.
  const asKept = JSON.parse(JSON.stringify(given)) as Wanted["settings"];
  return isSame(overlaidSettings(made, asKept), made);
}

/** A decimal with a fraction: the documents and codes of accounts and banks, which are no numbers, have none. */
const FRACTION = /^\d+\.\d+$/;

/** Whether two values come to the same, however their decimals and durations are written. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(inOneForm(one), inOneForm(other));
}

function inOneForm(value: unknown): unknown {
  return withLeaves(value, (leaf) => {
    if (typeof leaf !== "string") return leaf;
    return FRACTION.test(leaf) ? leaf.replace(/\.?0+$/, "") : (parseDuration(leaf) ?? leaf);
  });
}

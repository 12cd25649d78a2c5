/** Finds options that make no difference because the world that they are for exists already. */
import type { WorldSpec } from "./creation.ts";
import { DEFAULT_WORLD } from "./sandbox.ts";

/** A part of a world that an option sets. */
export type WorldPart = "seed" | "clock" | "speed" | "start" | "settings" | "scenarios" | "postbackUrl";

/** TABLE: the parts of a world, and whether two worlds are the same in each. */
const parts: readonly { part: WorldPart; isSame: (left: WorldSpec, right: WorldSpec) => boolean }[] = [
  { part: "seed", isSame: (left, right) => left.seed === right.seed },
  { part: "clock", isSame: (left, right) => left.clock.mode === right.clock.mode },
  { part: "speed", isSame: (left, right) => left.clock.speed === right.clock.speed },
  { part: "start", isSame: (left, right) => left.clock.start === right.clock.start },
  { part: "settings", isSame: (left, right) => isEqual(left.settings, right.settings) },
  { part: "scenarios", isSame: (left, right) => isEqual(left.scenarios, right.scenarios) },
  { part: "postbackUrl", isSame: (left, right) => left.postback_url === right.postback_url },
];

/**
 * @param wanted what the options say. @param made what the world was made of.
 * @param nameOf the option that sets a part, as its user writes it; undefined if it was not given.
 * @returns the options that differ from what the world was made of.
 */
export function unusedOptions(
  wanted: WorldSpec,
  made: WorldSpec,
  nameOf: (part: WorldPart) => string | undefined,
): string[] {
  return parts.flatMap(({ part, isSame }) => (isSame(wanted, made) ? [] : (nameOf(part) ?? [])));
}

/** Says that options make no difference. @param folder the option for a data folder, as its user writes it. */
export function staysAsMade(unused: readonly string[], folder: string): string {
  const told = `the world ${DEFAULT_WORLD} is there already and stays as it was made: ${unused.join(", ")} made no difference`;
  return `${told}; give another ${folder} folder for another world.`;
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Finds options that make no difference because the world that they are for exists already. */
import type { WorldSpec } from "../host/creation.ts";

/** TABLE: the parts of a world, by the option that sets each, and whether two worlds are the same in that part. */
const parts: readonly { option: string; isSame: (left: WorldSpec, right: WorldSpec) => boolean }[] = [
  { option: "seed", isSame: (left, right) => left.seed === right.seed },
  { option: "clock", isSame: (left, right) => left.clock.mode === right.clock.mode },
  { option: "speed", isSame: (left, right) => left.clock.speed === right.clock.speed },
  { option: "start", isSame: (left, right) => left.clock.start === right.clock.start },
  { option: "settings", isSame: (left, right) => isEqual(left.settings, right.settings) },
  // Scenarios that it would add are reported by their names, as they may have been loaded since.
  { option: "scenario", isSame: (wanted, made) => filesOf(made).every((file) => filesOf(wanted).includes(file)) },
  { option: "postback-url", isSame: (left, right) => left.postback_url === right.postback_url },
];

/**
 * @param wanted what the options say. @param made what the world was made of.
 * @param isGiven whether an option was given, by its name in the program (`postbackUrl`).
 * @returns the options that differ from what the world was made of.
 */
export function unusedOptions(wanted: WorldSpec, made: WorldSpec, isGiven: (name: string) => boolean): string[] {
  const differing = parts.filter(({ option, isSame }) => isGiven(inProgram(option)) && !isSame(wanted, made));
  return differing.map(({ option }) => `--${option}`);
}

function inProgram(option: string): string {
  return option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const filesOf = ({ scenarios }: WorldSpec) => scenarios.map(({ file }) => file);

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The name that a word was probably meant to be: one measure of nearness for every room that refuses words. */
import { closest, distance } from "fastest-levenshtein";

/** Of longer words the beginning is compared, and the rest is wrong: some come from callers, and may be of any length. */
const COMPARED = 100;

/** A name, and how many letters a word differs from it in; capitals make no difference. */
export interface NearName {
  readonly name: string;
  readonly slips: number;
}

/** The nearest of names, the first of several; null where there are none. */
export function nearestName(word: string, names: readonly string[]): NearName | null {
  if (names.length === 0) return null;
  const beginning = word.slice(0, COMPARED).toLowerCase();
  const lower = names.map((name) => name.toLowerCase());
  const near = closest(beginning, lower);
  return {
    name: names[lower.indexOf(near)] ?? near,
    slips: distance(beginning, near) + word.length - beginning.length,
  };
}

/** The end of a sentence that refuses a word: the nearest name, near or not; nothing where there are none. */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearestName(word, names);
  return near === null ? "" : `; did you mean ${JSON.stringify(near.name)}?`;
}

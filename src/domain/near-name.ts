/** The name that a word was probably meant to be: one measure of nearness for every room that refuses words. */
import { closest, distance } from "fastest-levenshtein";

/** Of longer words the beginning is compared, and the rest is wrong: some come from callers, and may be of any length. */
const COMPARED = 100;

/** A name, and how many letters a word differs from it in; capitals make no difference. */
interface NearName {
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

/** The name that a word is probably a slip of; null where none is near. */
export function nearName(word: string, names: readonly string[]): string | null {
  const near = nearestName(word, names);
  if (near === null) return null;
  const whole = near.slips > 2 ? fullName(word, names) : null;
  if (whole !== null) return whole;
  const length = Math.max(near.name.length, word.length);
  // Two letters that have changed places are two slips.
  const isNear =
    length > 5 ? near.slips <= Math.max(2, length / 3) : near.slips < 2 || isOfSameLetters(word, near.name);
  return isNear ? near.name : null;
}

/** The only name that is a word with more in its middle: a path of which a part was left out. */
function fullName(word: string, names: readonly string[]): string | null {
  const parts = partsOf(word);
  const [full, other] = names.filter((name) => {
    const own = partsOf(name);
    const hasEnds = own[0] === parts[0] && own.at(-1) === parts.at(-1);
    return hasEnds && own.length > parts.length && parts.every((part) => own.includes(part));
  });
  return full !== undefined && other === undefined ? full : null;
}

function partsOf(name: string): string[] {
  const beginning = name.slice(0, COMPARED).toLowerCase();
  return beginning.match(/[a-z0-9]+/g) ?? [];
}

function isOfSameLetters(word: string, name: string): boolean {
  const [given, meant] = [word, name].map((text) => [...text.toLowerCase()].sort().join(""));
  return given === meant;
}

/** So many names can be told where none is near. */
const MOST_NAMES = 30;

/**
 * How a refusal of a word goes on, without a stop: with the name that was probably meant, else with those that there
 * are. Where they are too many to be told, one that is half alike is better than none.
 */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearName(word, names);
  if (near !== null) return asQuestion(near);
  if (names.length <= MOST_NAMES) return listed(names);
  const alike = nearestName(word, names);
  return alike && alike.slips <= Math.max(alike.name.length, word.length) / 2 ? asQuestion(alike.name) : "";
}

/** A refusal as a sentence: it ends with a stop, unless it asks. */
export function sentence(refusal: string): string {
  return refusal.endsWith("?") ? refusal : `${refusal}.`;
}

/** How a refusal ends where something else was meant; empty where nothing is known to be. */
export function asQuestion(meant: string | null): string {
  return meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;
}

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.map((name) => `; known is ${name}`).join("");
  return `; known are ${names.join(", ").replace(/, ([^,]*)$/, " and $1")}`;
}

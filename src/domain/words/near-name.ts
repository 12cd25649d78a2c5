/** Finds the name that an unknown word was probably meant to be: one measure for all refusals of words. */
import { closest, distance } from "fastest-levenshtein";

/** Characters of a word that are compared; each further one counts as a slip. Words of callers may have any length. */
const COMPARED = 100;

/** A name, and the edit distance of a word from it, whatever the case. */
interface NearName {
  readonly name: string;
  readonly slips: number;
}

/** The nearest of `names`, the first if several are equally near; null if `names` is empty. */
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

/** The name that a word is probably a misspelling of; null if none is near enough. */
export function nearName(word: string, names: readonly string[]): string | null {
  const near = nearestName(word, names);
  if (near === null) return null;
  const whole = near.slips > 2 ? fullName(word, names) : null;
  if (whole !== null) return whole;
  const length = Math.max(near.name.length, word.length);
  // Two swapped letters count as two slips.
  const isNear =
    length > 5 ? near.slips <= Math.max(2, length / 3) : near.slips < 2 || isOfSameLetters(word, near.name);
  return isNear ? near.name : null;
}

/**
 * The one name that has all parts of a word, the same first and last part, and more in between: a path with a part left
 * out. Null if there is none or more than one.
 */
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

/** Up to this many names are listed if none is near. */
const MOST_NAMES = 30;

/**
 * How the refusal of an unknown word continues, without a full stop: with the name that was probably meant, else with
 * all names. If they are too many to list, a name that is half alike is suggested; if there is none, it is empty.
 */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearName(word, names);
  if (near !== null) return asQuestion(near);
  if (names.length <= MOST_NAMES) return listed(names);
  const alike = nearestName(word, names);
  return alike && alike.slips <= Math.max(alike.name.length, word.length) / 2 ? asQuestion(alike.name) : "";
}

/** A refusal as a sentence: it gets a full stop unless it ends with a question mark. */
export function sentence(refusal: string): string {
  return refusal.endsWith("?") ? refusal : `${refusal}.`;
}

/** A sentence without its full stop, to stand within another. */
export function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

/** The end of a refusal that suggests what was meant; empty if that is not known. */
export function asQuestion(meant: string | null): string {
  return meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;
}

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.map((name) => `; known is ${name}`).join("");
  return `; known are ${joined(names)}`;
}

/** Names as a sentence lists them: `one, two and three`. */
export function joined(names: readonly string[]): string {
  return names.join(", ").replace(/, ([^,]*)$/, " and $1");
}

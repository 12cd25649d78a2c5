/** What was probably meant by a word that names nothing. */
import { nearestName } from "../domain/near-name.ts";

/**
 * Ends a sentence about a word that is not known: with the name that was probably meant, where one is near enough to
 * be a slip of the hand.
 */
export function suggestion(word: string, names: readonly string[]): string {
  const near = nearName(word, names);
  return near === null ? "." : `; did you mean ${JSON.stringify(near)}?`;
}

/** The same for names that can all be told, where none of them is near. */
export function suggestionOrAll(word: string, names: readonly string[]): string {
  const near = suggestion(word, names);
  return near === "." ? `; there are ${names.join(", ")}.` : near;
}

/** The name that a word is probably a slip of; null where none is near. */
export function nearName(word: string, names: readonly string[]): string | null {
  const near = nearestName(word, names);
  return near && near.slips <= mostSlips(Math.max(near.name.length, word.length)) ? near.name : null;
}

/** Two letters that have changed places are two slips. */
function mostSlips(length: number): number {
  return length <= 3 ? 1 : Math.max(2, Math.floor(length / 3));
}

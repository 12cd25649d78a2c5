/** Shows invisible characters that change how the text around them is read. */

/** Control characters, characters that change the writing direction, blanks and hyphens without width. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

const SEEN_AS_THEY_ARE = new Set(["\n", "\r", "\t"]);

/** The text with such characters written out: `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => (SEEN_AS_THEY_ARE.has(character) ? character : nameOf(character)));
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/** What a search finds. */

/** Whether a thing says a text: as it is read, in quotes that its JSON writes otherwise, or as its JSON has it. */
export function says(lowerCaseJson: string, words: string): boolean {
  return lowerCaseJson.includes(words) || lowerCaseJson.includes(JSON.stringify(words).slice(1, -1));
}

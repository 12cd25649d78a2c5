/** How schemas are asked so that what they refuse can be told in our words. */

/** The message of an issue whose schema has no words of its own: what is wrong is told by the other fields. */
const NO_WORDS = "";

/** For a parse whose issues are to be told: each has the value that was given, and no words but those of its schema. */
export const TO_BE_TOLD = { reportInput: true, error: () => NO_WORDS } as const;

/** The words of the schema itself for an issue of a parse {@link TO_BE_TOLD}; null if it has none. */
export function ownWords({ message }: { readonly message: string }): string | null {
  return message === NO_WORDS ? null : message;
}

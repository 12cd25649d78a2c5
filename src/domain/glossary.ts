/** The glossary's words for states of transactions, beside those of "States and transitions" (`D48`). */
import type { StateOf } from "./lifecycles.ts";

type TransactionState = StateOf<"cashin" | "cashout">;

/** TABLE: states that the glossary calls otherwise. */
const words = { confirmed: "paid" } as const satisfies Partial<Record<TransactionState, string>>;

/** A word of the glossary. */
export type GlossaryWord = (typeof words)[keyof typeof words];

/** All that there are. */
export const glossaryWords: readonly GlossaryWord[] = Object.values(words);

/** A state in the glossary's word, where it has one. */
export function inGlossary(state: TransactionState): TransactionState | GlossaryWord {
  return words[state as keyof typeof words] ?? state;
}

/** The state that a word of either kind means. */
export function stateMeant(word: TransactionState | GlossaryWord): TransactionState {
  const [state] = Object.entries(words).find(([, own]) => own === word) ?? [word];
  return state as TransactionState;
}

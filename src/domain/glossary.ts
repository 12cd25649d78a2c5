/** The glossary's words for states of transactions, as opposed to those of "States and transitions" (`D48`). */
import type { StateOf } from "./lifecycles.ts";

type TransactionState = StateOf<"cashin" | "cashout">;

/** TABLE: states for which the glossary has another word. */
const words = { confirmed: "paid" } as const satisfies Partial<Record<TransactionState, string>>;

/** A word of the glossary. */
type GlossaryWord = (typeof words)[keyof typeof words];

/** All words of the glossary that differ from the state's name. */
export const glossaryWords: readonly GlossaryWord[] = Object.values(words);

/** The glossary's word for a state; the state itself if the glossary has no other word. */
export function inGlossary(state: TransactionState): TransactionState | GlossaryWord {
  return words[state as keyof typeof words] ?? state;
}

/** The state that a word means, be it the glossary's or a state's own name. */
export function stateMeant(word: TransactionState | GlossaryWord): TransactionState {
  const [state] = Object.entries(words).find(([, own]) => own === word) ?? [word];
  return state as TransactionState;
}

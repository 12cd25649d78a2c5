/** What tests read off the explanation of anything: its chain of causes. */
import type { ExplanationInfo } from "../../src/index.ts";

/** What is said of each cause, from the first one on. */
export const textsOf = ({ chain }: ExplanationInfo) => chain.map(({ text }) => text);

/** The kind of each cause, from the first one on. */
export const kindsOf = ({ chain }: ExplanationInfo) => chain.map(({ kind }) => kind);

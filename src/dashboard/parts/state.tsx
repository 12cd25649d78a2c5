/** A state in its colour, as a word. */
import { type Tone, toneOf } from "../words/tones.ts";

export function State({ state, tone = toneOf(state) }: { state: string; tone?: Tone }) {
  return <span class={`state ${tone}`}>{state.replaceAll("_", " ")}</span>;
}

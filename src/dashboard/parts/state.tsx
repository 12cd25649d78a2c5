/** A state in its colour, as a word. */
import { statusText, type Tone, toneOf, toneOfStatus } from "../words/tones.ts";

/** Any state, status or verdict; its colour is that of the word unless given. */
export function State({ state, tone = toneOf(state) }: { state: string; tone?: Tone }) {
  return <span class={`state ${tone}`}>{state.replaceAll("_", " ")}</span>;
}

/** The status of an HTTP answer. */
export function HttpStatus({ status }: { status: number }) {
  return <State state={statusText(status)} tone={toneOfStatus(status)} />;
}

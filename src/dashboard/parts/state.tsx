/** A state, as a word in its colour. */
import { stateText, statusText, type Tone, toneOf, toneOfStatus } from "../words/tones.ts";

/** Any state, status or verdict; in the colour of the word unless one is given. */
export function State({ state, tone = toneOf(state) }: { state: string; tone?: Tone }) {
  return <span class={`state ${tone}`}>{stateText(state)}</span>;
}

/** The status of an HTTP answer. */
export function HttpStatus({ status }: { status: number }) {
  return <State state={statusText(status)} tone={toneOfStatus(status)} />;
}

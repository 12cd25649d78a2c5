/** TABLE: which colour a state has. The word is always there too. */

/** The name of a colour; the styles have one for each in both themes. */
export type Tone = "good" | "wait" | "bad" | "off" | "special" | "info";

/** A state in plain words. */
export function stateText(state: string): string {
  return state.replaceAll("_", " ");
}

const tones: Readonly<Record<string, Tone>> = {
  confirmed: "good",
  completed: "good",
  delivered: "good",
  provisioned: "good",
  won: "good",
  pass: "good",
  passed: "good",
  active: "good",
  running: "info",
  frozen: "info",
  pending: "wait",
  throttled: "wait",
  open: "wait",
  warn: "wait",
  under_review: "wait",
  responded: "info",
  failed: "bad",
  fail: "bad",
  exhausted: "bad",
  dropped: "bad",
  refused: "bad",
  undeliverable: "off",
  expired: "off",
  canceled: "off",
  not_observed: "off",
  refunded: "special",
  lost: "bad",
};

/** TABLE: the tones of states that mean something else of one kind of resource: `confirmed` is how a lost dispute may end. */
const ownTones: Readonly<Record<string, Tone>> = { "dispute confirmed": "bad" };

/** The tone of a state, status or verdict; `off` for a word that has none. @param resource the kind that it is the state of. */
export function toneOf(state: string, resource?: string): Tone {
  return ownTones[`${resource} ${state}`] ?? tones[state] ?? "off";
}

/** An HTTP status; 0 is that of a call whose connection was cut before it was carried out. */
export function statusText(status: number): string {
  return status === 0 ? "no answer" : String(status);
}

/** The tone of an HTTP status. */
export function toneOfStatus(status: number): Tone {
  if (status === 0) return "bad";
  if (status < 300) return "good";
  return status < 500 ? "wait" : "bad";
}

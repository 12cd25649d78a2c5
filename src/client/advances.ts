/** The advances that a client asks for. */
import type { AdvanceTarget, AdvanceWord } from "./control-requests.ts";
import type { AdvanceInfo } from "./control-types.ts";
import { refuseNoObject } from "./refusals.ts";
import type { WorldCalls } from "./world-calls.ts";

/** Asks for advances of one world's clock, and knows which are not answered yet. */
export class Advances {
  readonly #calls: WorldCalls;
  #underWay = 0;

  constructor(calls: WorldCalls) {
    this.#calls = calls;
  }

  /** Whether one is not answered yet. */
  get areUnderWay(): boolean {
    return this.#underWay > 0;
  }

  /** Asks for one. @throws {ControlCallError} if it is refused. @throws {Error} for no target. */
  async ask(what: AdvanceWord | AdvanceTarget): Promise<AdvanceInfo> {
    if (what === undefined) throw new Error('advance must be told how far, as in advance("5s") or advance("next").');
    const isTarget = Object(what) === what;
    if (isTarget) refuseNoObject("A target of advance", what, '{ to: "2026-02-01T00:00:00Z" }');
    this.#underWay++;
    try {
      // In a program without types it may be a number: it is sent as text, so that the refusal names it.
      return await this.#calls.call("POST", "/clock/advance", isTarget ? what : bodyOf(String(what)));
    } finally {
      this.#underWay--;
    }
  }
}

/** Matches `next`, `idle` and event kinds: these are letters alone, while durations and instants have digits. */
const WORDS = /^[a-z]+([._][a-z]+)?$/i;

function bodyOf(what: string): Record<string, string> {
  if (WORDS.test(what)) return { until: what };
  return /^\d{4}-/.test(what) ? { to: what } : { by: what };
}

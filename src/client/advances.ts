/** The advances that a client asks for. */
import type { AdvanceTarget, AdvanceWord, ClockChanges } from "./control-requests.ts";
import type { AdvanceInfo, ClockInfo } from "./control-types.ts";
import { refuseNoChange, refuseNoObject } from "./refusals.ts";
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
    // In a program without types it may be a number: it is sent as text, so that the refusal names it.
    return this.#untilAnswered("/clock/advance", isTarget ? what : bodyOf(String(what)));
  }

  /** Changes the clock, where `now` is an advance too. @throws {ControlCallError} if it is refused. */
  async change(changes: ClockChanges): Promise<ClockInfo> {
    refuseNoChange("setClock", changes, '{ mode: "running" }');
    if (changes.now === undefined) return this.#calls.call("POST", "/clock", changes);
    return this.#untilAnswered("/clock", changes);
  }

  async #untilAnswered<Answer>(path: string, body: unknown): Promise<Answer> {
    this.#underWay++;
    try {
      return await this.#calls.call<Answer>("POST", path, body);
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

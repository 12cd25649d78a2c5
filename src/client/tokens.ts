/** Tokens as a merchant caches them: requested once, used by all its programs until they expire (Authentication 1). */
import type { ClockInfo } from "./control-types.ts";

/** In this real time, in milliseconds, a call reaches the service. */
const ARRIVAL_MS = 100;

/** A token, and the instants of the world's clock, in milliseconds, between which it is used. */
export interface Token {
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

interface Kept {
  readonly token: Promise<Token>;
  readonly from: number;
  /** Infinite until the token has come: whoever needs one meanwhile waits for the same. */
  until: number;
}

/** One token for each credential of a world. */
export class Tokens {
  readonly #byClientId = new Map<string, Kept>();
  /** How long before its end a token is used no more, in milliseconds of the world's clock. */
  #marginMs = 0;

  /** Takes in how the world's clock goes: while it runs, a token must not end before a call with it arrives. */
  goBy({ mode, speed }: Pick<ClockInfo, "mode" | "speed">): void {
    this.#marginMs = mode === "running" ? ARRIVAL_MS * speed : 0;
  }

  /** Forgets all: after a reset each is requested again, so that the same program makes the same calls. */
  forget(): void {
    this.#byClientId.clear();
  }

  /** The token of a credential; fetched if none is valid at `now`. A failed fetch is not kept. */
  of(clientId: string, now: number, fetch: () => Promise<Token>): Promise<Token> {
    const known = this.#byClientId.get(clientId);
    if (known && this.#isUsed(known, now)) return known.token;
    const kept: Kept = { token: fetch(), from: now, until: Number.POSITIVE_INFINITY };
    this.#byClientId.set(clientId, kept);
    const forget = () => {
      if (this.#byClientId.get(clientId) === kept) this.#byClientId.delete(clientId);
    };
    kept.token.then(({ until }) => {
      kept.until = until;
    }, forget);
    return kept.token;
  }

  /**
   * Whether a token is used at an instant: for half of its life at least, and not before `from` either, since a reset
   * may have taken the clock back.
   */
  #isUsed({ from, until }: Kept, now: number): boolean {
    return from <= now && now < until - Math.min(this.#marginMs, (until - from) / 2);
  }
}

/** Tokens as a merchant caches them: requested once, used by all its programs until they expire (Authentication 1). */

/** A token, and the instants of the world's clock, in milliseconds, between which it is used. */
export interface Token {
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

/** Whether a token is used at an instant: not before `from` either, since a reset may have taken the clock back. */
function isUsed({ from, until }: Pick<Token, "from" | "until">, now: number): boolean {
  return from <= now && now < until;
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

  /** Forgets all: after a reset each is requested again, so that the same program makes the same calls. */
  forget(): void {
    this.#byClientId.clear();
  }

  /** The token of a credential; fetched if none is valid at `now`. A failed fetch is not kept. */
  of(clientId: string, now: number, fetch: () => Promise<Token>): Promise<Token> {
    const known = this.#byClientId.get(clientId);
    if (known && isUsed(known, now)) return known.token;
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
}

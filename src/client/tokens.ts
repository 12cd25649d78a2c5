/** Tokens as a merchant keeps them: called for once, and used by all its programs until they end (Authentication 1). */

/** A token, and the instants of the world's clock between which it is used. */
export interface Token {
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

/** Whether a token is used at an instant; not before its own, to which a reset may have taken the world back. */
export function isUsed({ from, until }: Pick<Token, "from" | "until">, now: number): boolean {
  return from <= now && now < until;
}

interface Kept {
  readonly token: Promise<Token>;
  readonly from: number;
  /** Infinite until it is here: whoever wants one meanwhile waits for the same. */
  until: number;
}

/** One token for each credential of a world. */
export class Tokens {
  readonly #byClientId = new Map<string, Kept>();

  /** Forgets them: in a world that begins anew each is called for again, so that the same calls come of the same program. */
  forget(): void {
    this.#byClientId.clear();
  }

  /** The token of a credential, called for where there is none that is valid at `now`; a refusal is not kept. */
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

import { delay, monotonicNow, timersAreFaked } from "./runtime.ts";

/** A receiver that means to close at once has done so this long after its first answer. */
const PROOF_MS = 25;

/** TABLE: codes of errors with which a connection ends that the receiver closed. */
const CLOSED_BY_RECEIVER: readonly unknown[] = ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"];

/**
 * Which receivers a connection is kept to for the next request. Some close it though they did not say so, most of them
 * at once: a request that leaves on it meanwhile gets no answer, and nobody can tell whether it was taken.
 */
export class KeptConnections {
  readonly #firstAnswers = new Map<string, number>();
  readonly #closers = new Set<string>();

  /** Waits, in the beginning, until the receiver has had time to close. @returns whether a connection may be kept. */
  async mayBeKept(origin: string): Promise<boolean> {
    const answeredAt = this.#firstAnswers.get(origin);
    const waitMs = answeredAt === undefined ? 0 : answeredAt + PROOF_MS - monotonicNow();
    if (waitMs > 0) await delay(waitMs);
    // Of one that is kept it is looked in a later turn whether it still stands.
    return !this.#closers.has(origin) && !timersAreFaked();
  }

  noteAnswer(origin: string): void {
    if (!this.#firstAnswers.has(origin)) this.#firstAnswers.set(origin, monotonicNow());
  }

  /** A connection has ended; a receiver that closed one is not relied on any more. */
  noteEnd(origin: string, error: Error): void {
    if (CLOSED_BY_RECEIVER.includes((error as NodeJS.ErrnoException).code)) this.#closers.add(origin);
  }
}

import { delay, monotonicNow, timersAreFaked } from "../runtime.ts";

/** A receiver that closes connections right after its answer has done so within this time. */
const PROOF_MS = 25;

/** TABLE: codes of the errors that a connection ends with if the receiver closed it. */
const CLOSED_BY_RECEIVER: readonly unknown[] = ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"];

/**
 * Knows to which receivers a connection may be kept open for the next request. Some receivers close it without having
 * announced that, most of them at once: a request sent at that moment gets no answer, and whether it was taken is
 * unknown.
 */
export class KeptConnections {
  readonly #firstAnswers = new Map<string, number>();
  readonly #closers = new Set<string>();

  /** Gives the receiver time to close after its first answer. @returns whether a connection to it may be kept. */
  async mayBeKept(origin: string): Promise<boolean> {
    const answeredAt = this.#firstAnswers.get(origin);
    const waitMs = answeredAt === undefined ? 0 : answeredAt + PROOF_MS - monotonicNow();
    if (waitMs > 0) await delay(waitMs);
    // In a later turn the library checks that a kept connection still stands: with faked timers that turn never comes.
    return !this.#closers.has(origin) && !timersAreFaked();
  }

  noteAnswer(origin: string): void {
    if (!this.#firstAnswers.has(origin)) this.#firstAnswers.set(origin, monotonicNow());
  }

  /** Notes that a connection has ended: to a receiver that closed one, no connection is kept any more. */
  noteEnd(origin: string, error: Error): void {
    if (CLOSED_BY_RECEIVER.includes((error as NodeJS.ErrnoException).code)) this.#closers.add(origin);
  }
}

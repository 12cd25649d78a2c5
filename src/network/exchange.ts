/** One request and the beginning of its answer, without the streams that a client library puts around a body. */
import type { Dispatcher } from "undici";
import { laterTurn, wakeAfter } from "../runtime.ts";

/** An answer, with no more of its body than was asked for. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
  /** Whether there is more of the body than this, because it is longer than what was kept or was broken off. */
  readonly truncated: boolean;
  /** What broke it off: {@link Overdue} or an error of the connection; null if it came to its end, or was long enough. */
  readonly error: Error | null;
}

/** A request that was given up because it took too long. */
class Overdue extends Error {
  override readonly name = "Overdue";
  /** Set if the time ran out before there was a connection: the receiver got nothing. */
  readonly code?: "ETIMEDOUT";

  constructor(isSent = true) {
    super("The answer did not come to its end in time.");
    if (!isSent) this.code = "ETIMEDOUT";
  }
}

/**
 * Sends a request, and reads its answer up to `keptBytes` of the body; the rest of a longer one is not waited for.
 * @param limits in real time: `timeoutMs` for the whole exchange, `connectTimeoutMs` until the request can be sent.
 * @returns the answer, also one that was broken off.
 * @throws {Overdue} when none has begun in time. @throws the connection's error before an answer.
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  keptBytes: number,
  { timeoutMs, connectTimeoutMs }: { readonly timeoutMs: number; readonly connectTimeoutMs: number },
): Promise<Answer> {
  const reception = new Reception(keptBytes);
  const giveUp = () => reception.giveUp();
  // The library's own time-out of connections is up to half a second late.
  // A process that was busy for so long sees a connection that stands in its next turn only.
  const giveUpConnecting = () => void laterTurn().then(() => reception.isConnected || giveUp());
  const stops = [wakeAfter(timeoutMs, giveUp), wakeAfter(connectTimeoutMs, giveUpConnecting)];
  try {
    dispatcher.dispatch(request, reception);
  } catch (error) {
    reception.onResponseError(undefined, error as Error);
  }
  try {
    return await reception.answer;
  } finally {
    for (const stop of stops) stop();
  }
}

/** Takes in what comes back for one request, as the library hands it over. */
class Reception implements Dispatcher.DispatchHandler {
  /** Settled once: what comes after an answer was given up, or is long enough, changes nothing. */
  readonly answer: Promise<Answer>;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #keptBytes: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  /** 0 until an answer has begun. */
  #status = 0;
  #headers: Answer["headers"] = {};
  #controller: Dispatcher.DispatchController | undefined;
  #overdue: Overdue | undefined;

  constructor(keptBytes: number) {
    this.#keptBytes = keptBytes;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Whether there is a connection on which the request can be sent. */
  get isConnected(): boolean {
    return this.#controller !== undefined;
  }

  /** Ends the exchange, because its time is over. */
  giveUp(): void {
    this.#overdue = new Overdue(this.isConnected);
    this.#controller?.abort(this.#overdue);
    this.#fail(this.#overdue);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#overdue) controller.abort(this.#overdue);
  }

  onResponseStart(_controller: unknown, status: number, headers: GivenHeaders): void {
    // Interim responses (1xx) are not the answer.
    if (status < 200) return;
    this.#status = status;
    this.#headers = plainHeaders(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length <= this.#keptBytes) return;
    this.#resolveAnswer(null);
    controller.abort(new Overdue());
  }

  onResponseEnd(): void {
    this.#resolveAnswer(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#status === 0) this.#reject(error);
    else this.#resolveAnswer(error);
  }

  #resolveAnswer(error: Error | null): void {
    const chunks = this.#chunks;
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    const truncated = error !== null || this.#length > this.#keptBytes;
    const kept = body.subarray(0, this.#keptBytes);
    this.#resolve({ status: this.#status, headers: this.#headers, body: kept, truncated, error });
  }
}

type GivenHeaders = Record<string, string | string[] | undefined>;

function plainHeaders(headers: GivenHeaders): Answer["headers"] {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string | string[]] => {
      const [name, value] = entry;
      // An exported bundle with a field of this name could not be read again.
      return value !== undefined && name !== "__proto__";
    }),
  );
}

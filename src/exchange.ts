/** One request and the beginning of its answer, without the streams that a client library puts around a body. */
import type { Dispatcher } from "undici";
import { laterTurn, wakeAfter } from "./runtime.ts";

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
export class Overdue extends Error {
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
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  keptBytes: number,
  { timeoutMs, connectTimeoutMs }: { readonly timeoutMs: number; readonly connectTimeoutMs: number },
): Promise<Answer> {
  let stopWaking = () => {};
  const answer = new Promise<Answer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [status, length] = [0, 0];
    let headers: Answer["headers"] = {};
    let controller: Dispatcher.DispatchController | undefined;
    let overdue: Overdue | undefined;
    const settle = (error: Error | null) => {
      const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      const truncated = error !== null || length > keptBytes;
      resolve({ status, headers, body: body.subarray(0, keptBytes), truncated, error });
    };
    const fail = (error: Error) => (status === 0 ? reject(error) : settle(error));
    const giveUp = () => {
      overdue = new Overdue(controller !== undefined);
      controller?.abort(overdue);
      fail(overdue);
    };
    // The library's own time-out of connections is up to half a second late.
    // A process that was busy for so long sees a connection that stands in its next turn only.
    const giveUpConnecting = () => void laterTurn().then(() => controller ?? giveUp());
    const stops = [wakeAfter(timeoutMs, giveUp), wakeAfter(connectTimeoutMs, giveUpConnecting)];
    stopWaking = () => {
      for (const stop of stops) stop();
    };
    dispatcher.dispatch(request, {
      onRequestStart: (begun) => {
        controller = begun;
        if (overdue) begun.abort(overdue);
      },
      onResponseStart: (_controller, statusCode, given) => {
        // Interim responses (1xx) are not the answer.
        if (statusCode < 200) return;
        status = statusCode;
        headers = plainHeaders(given);
      },
      onResponseData: (own, chunk) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length <= keptBytes) return;
        settle(null);
        own.abort(new Overdue());
      },
      onResponseEnd: () => settle(null),
      onResponseError: (_controller, error) => fail(error),
    });
  });
  return answer.finally(stopWaking);
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Answer["headers"] {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string | string[]] => {
      const [name, value] = entry;
      // An exported bundle with a field of this name could not be read again.
      return value !== undefined && name !== "__proto__";
    }),
  );
}

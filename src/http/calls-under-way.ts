import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Streams of the journal end with their world. */
const STREAM = /\/journal\/stream(\?|$)/;

/** The calls that are under way, and what becomes of them when the server stops. */
export class CallsUnderWay {
  /** With what they are answered; streams are none of them. */
  readonly #answers = new Set<ServerResponse>();
  #isStopping = false;
  #isOver = false;
  #onQuiet: () => void = () => {};

  /** A call comes. @returns whether it is to be carried out; else its connection has been ended. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isOver) {
      request.socket.destroy();
      return false;
    }
    if (this.#isStopping) endWithAnswer(response);
    if (STREAM.test(request.url ?? "")) return true;
    this.#answers.add(response);
    response.once("close", () => {
      this.#answers.delete(response);
      this.#look();
    });
    return true;
  }

  /**
   * Takes no new connections, and ends each one with its next answer.
   * @returns what resolves when those calls have been answered that have come whole: who still sends is not waited for.
   */
  drain(server: Server): Promise<void> {
    this.#isStopping = true;
    server.close();
    server.closeIdleConnections();
    for (const response of this.#answers) endWithAnswer(response);
    return new Promise((resolve) => {
      this.#onQuiet = resolve;
      this.#look();
    });
  }

  /** No call is carried out from now on; those that have not come whole are cut off. */
  refuse(): void {
    this.#isOver = true;
    for (const { req } of this.#answers) if (!req.complete) req.socket.destroy();
  }

  #look(): void {
    if (this.#isStopping && ![...this.#answers].some(({ req }) => req.complete)) this.#onQuiet();
  }
}

function endWithAnswer(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

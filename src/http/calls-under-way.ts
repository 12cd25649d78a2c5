import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { laterTurn } from "../runtime.ts";

/** Streams of the journal end with their world. */
const STREAM = /\/journal\/stream(\?|$)/;

/** Turns of the event loop in which a stream that is read comes to its end. */
const MOST_TURNS = 100;

/** The calls that are under way, and what becomes of them when the server stops. */
export class CallsUnderWay {
  /**
   * With what they are answered; streams are none of them. Not a Set: that makes a new table of itself every few calls,
   * and each one leads to the next. Once one of them is held to be old, all calls that stand in those after it outlive
   * every collection of what is young, which takes ten times as long then.
   */
  readonly #answers: ServerResponse[] = [];
  #streams = 0;
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
    if (STREAM.test(request.url ?? "")) {
      this.#streams++;
      response.once("close", () => this.#streams--);
      return true;
    }
    this.#answers.push(response);
    response.once("close", () => this.#end(response));
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

  /** Resolves when the streams have ended, whose worlds are closed, but for those that nobody reads. */
  async endStreams(): Promise<void> {
    for (let turns = 0; this.#streams > 0 && turns < MOST_TURNS; turns++) {
      await laterTurn();
    }
  }

  #end(response: ServerResponse): void {
    const last = this.#answers.pop();
    if (last && last !== response) this.#answers[this.#answers.indexOf(response)] = last;
    this.#look();
  }

  #look(): void {
    if (this.#isStopping && !this.#answers.some(({ req }) => req.complete)) this.#onQuiet();
  }
}

function endWithAnswer(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

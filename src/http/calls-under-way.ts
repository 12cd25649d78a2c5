import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { laterTurn } from "../runtime.ts";

/** Streams of the journal end with their world, and are counted apart. */
const STREAM = /\/journal\/stream(\?|$)/;

/** Turns of the event loop that suffice for a stream with a reader to end. */
const MOST_TURNS = 100;

/** The calls that are under way, and what becomes of them when the server stops. */
export class CallsUnderWay {
  /**
   * The responses to these calls, without those of streams. An array, not a Set: a Set allocates a new table every few
   * calls, and each table links to the next. Once the garbage collector has promoted one to the old generation, the
   * calls in all tables after it survive every collection of the young one, which then takes ten times as long.
   */
  readonly #answers: ServerResponse[] = [];
  #streams = 0;
  #isStopping = false;
  #isOver = false;
  #onQuiet: () => void = () => {};

  /** Registers a call. @returns whether to carry it out; if not, its connection has been closed. */
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
   * @returns a promise that resolves when all calls that have arrived completely are answered; those still being sent
   * are not waited for.
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

  /** From now on no call is carried out; calls that have not arrived completely are cut off. */
  refuse(): void {
    this.#isOver = true;
    for (const { req } of this.#answers) if (!req.complete) req.socket.destroy();
  }

  /** Resolves when the streams have ended, whose worlds are closed; streams that nobody reads are given up on. */
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

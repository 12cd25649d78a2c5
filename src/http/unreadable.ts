/** Requests that are no HTTP, too large in their headers, or too slow: refused before anything else is known of them. */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DomainError } from "../domain/errors.ts";
import { refusalOutside } from "./refusal.ts";

type Refusal = readonly [status: number, phrase: string, message: string];

/** TABLE: status, reason phrase and message by the code of what went wrong. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The headers of the request are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Payload Too Large", "The chunks of the body carry too much beside it."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long to come."],
};

/** Of whatever has no row of its own. */
const UNREADABLE: Refusal = [400, "Bad Request", "The request is no HTTP that can be read."];

/** Answers such requests with the failure body and the headers that every response has, and closes the connection. */
export function refuseUnreadable(server: Server): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on("request", ({ socket }, response) => answers.set(socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = answers.get(socket);
    const isWithinAnswer = answer?.headersSent && !answer.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || isWithinAnswer) return void socket.destroy();
    const [status, phrase, message] = refusals[error.code ?? ""] ?? UNREADABLE;
    const { headers, body } = refusalOutside(new DomainError("INVALID_REQUEST", message, { status }));
    const fields = Object.entries({ ...headers, "Content-Length": Buffer.byteLength(body), Connection: "close" });
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${lines}\r\n${body}`);
  });
}

/**
 * Refuses requests that are not HTTP, have no address, too large headers, or are too slow, before anything else is
 * known.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { RequestError } from "@hono/node-server";
import { DomainError } from "../domain/errors.ts";
import { QuickResponse } from "./quick-response.ts";
import { refusalOutside } from "./refusal.ts";

type Refusal = readonly [status: number, phrase: string, message: string];

/** TABLE: status, reason phrase and message by the code of what went wrong. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The headers of the request are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Payload Too Large", "The chunks of the body carry too much beside it."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long to come."],
};

/** For codes that have no row. */
const UNREADABLE: Refusal = [400, "Bad Request", "The request is no HTTP that can be read."];

/** The answer to an HTTP request of which the adapter can make no address; 500 if the adapter itself fails. */
export function answerUnaddressed(error: unknown): Response {
  const nowhere = new DomainError("INVALID_REQUEST", "The request has no host, or no address, that can be read.");
  const isOfCaller = error instanceof RequestError;
  const { status, fields, body } = lastAnswer(isOfCaller ? nowhere : new DomainError("INTERNAL_ERROR"));
  return new QuickResponse(body, { status, headers: fields });
}

/**
 * Answers unreadable requests with the failure body and the headers that every response has, and closes the connection.
 */
export function refuseUnreadable(server: Server): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on("request", ({ socket }, response) => answers.set(socket, response));
  server.on("checkExpectation", (_request, response: ServerResponse) => {
    const unknown = new DomainError("INVALID_REQUEST", "The request expects what is not known here.", { status: 417 });
    const { status, fields, body } = lastAnswer(unknown);
    response.writeHead(status, fields).end(body);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const answer = answers.get(socket);
    const isWithinAnswer = answer?.headersSent && !answer.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || isWithinAnswer) return void socket.destroy();
    // What follows a complete call is no part of it: the call is carried out, and its answer is the connection's last.
    if (answer?.req.complete && !answer.headersSent) return void lastOf(answer, socket);
    const [status, phrase, message] = refusals[error.code ?? ""] ?? UNREADABLE;
    const { fields, body } = lastAnswer(new DomainError("INVALID_REQUEST", message, { status }));
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join("")}\r\n${body}`);
  });
}

/** Ends the connection with an answer that is still to come. */
function lastOf(answer: ServerResponse, socket: Socket): void {
  if (answer.getHeader("Connection") === "close") return;
  answer.setHeader("Connection", "close");
  answer.once("finish", () => socket.destroySoon());
}

/** A refusal after which the connection is closed. */
function lastAnswer(error: DomainError) {
  const { status, headers, body } = refusalOutside(error);
  return {
    status,
    body,
    fields: { ...headers, "Content-Length": String(Buffer.byteLength(body)), Connection: "close" },
  };
}

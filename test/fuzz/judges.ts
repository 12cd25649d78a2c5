/** Whether an answer is one that the documents promise. */

import { controlFault, takenFault } from "../support/control-document.ts";
import type { Answer } from "../support/merchant.ts";
import { expectAnswerValid } from "../support/openapi.ts";
import type { Message } from "./message.ts";

/** The hint of an answer that a fault rule of the world made what it is. */
const INJECTED = /^A fault rule of this world/;
/** What HTTP itself refuses, before there is a call. */
const BELOW_HTTP: readonly number[] = [400, 408, 413, 414, 417, 426, 431];

/** @throws {Error} that says what is wrong with an answer; null is a connection that was closed without one. */
export function judge(message: Message, answer: Answer | null): void {
  if (answer === null) {
    if (!message.isGarbled) throw new Error("The connection was closed without an answer.");
    return;
  }
  // Of a HEAD nothing but the headers is taken in.
  const isNamed = message.method === "HEAD" || answer.body?.error?.code === "INVALID_REQUEST";
  const isRefusal = answer.headers.get("connection") === "close" && isNamed;
  if ((message.isGarbled || message.isCut) && isRefusal && BELOW_HTTP.includes(answer.status)) return;
  const isInjected = INJECTED.test(answer.headers.get("x-sandbox-hint") ?? "");
  if (answer.status >= 500 && !isInjected)
    throw new Error(`${answer.status}, and no fault rule asked for it: ${answer.text}`);
  const path = pathOf(message.target);
  const below = /^(?:\/worlds\/[^/]+)?(\/(?:v2|_sandbox)(?:\/.*)?)$/.exec(path)?.[1];
  if (below?.startsWith("/v2/")) judgeService(message, below, answer, isInjected);
  else if (below?.startsWith("/_sandbox")) judgeControl(message, path, answer);
}

/** The path as the service takes it: without dot segments, and with what is written in escapes. */
function pathOf(target: string): string {
  const address = `http://127.0.0.1${target.startsWith("http") ? new URL(target).pathname : target}`;
  const pathname = URL.canParse(address) ? new URL(address).pathname : target;
  return pathname.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURI(escaped);
    } catch {
      return escaped;
    }
  });
}

function judgeService(message: Message, path: string, answer: Answer, isInjected: boolean): void {
  const { status, headers, text, body } = answer;
  if (headers.get("content-type") !== "application/json")
    throw new Error(`The content type is ${headers.get("content-type")}.`);
  if (message.method === "HEAD") return;
  if (body === undefined && isInjected) return;
  if (body === undefined) throw new Error(`The body is no JSON: ${text}`);
  expectAnswerValid(message.method, path, answer);
  expectServiceHeaders(message, answer, isInjected);
  if (status < 300 && "request_id" in body && body.request_id !== headers.get("x-request-id")) {
    throw new Error("request_id and X-Request-Id are not the same.");
  }
}

/** TABLE: headers of every answer of a world (ENV-05, HDR-01, HDR-05, D28, R4). */
const patterns = {
  "x-request-id": /^req_[0-9a-z]{24}$/,
  "x-ratelimit-limit": /^[1-9]\d*$/,
  "x-ratelimit-remaining": /^\d+$/,
  "x-ratelimit-reset": /^\d+$/,
  "x-sandbox-world": /^[a-z0-9-]+$/,
  "x-sandbox-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
};

function expectServiceHeaders(message: Message, { status, headers }: Answer, isInjected: boolean): void {
  // A world that is not there, and a body that breaks off, are refused outside any world.
  const isOutside = !headers.has("x-sandbox-world") && (status === 404 || (status === 400 && message.isGarbled));
  for (const [name, pattern] of Object.entries(patterns)) {
    if (isOutside && !name.startsWith("x-ratelimit")) continue;
    if (!pattern.test(headers.get(name) ?? "")) throw new Error(`The header ${name} is ${headers.get(name)}.`);
  }
  const wait = headers.get("retry-after");
  const isRight = status === 429 ? /^[1-9]\d*$/.test(wait ?? "") : wait === null;
  if (!isRight && !isInjected) throw new Error(`Retry-After is ${wait} at status ${status}.`);
}

function judgeControl(message: Message, path: string, answer: Answer): void {
  const { method, isGarbled } = message;
  const { status, headers, text } = answer;
  const own = path.slice(path.indexOf("/_sandbox") + "/_sandbox".length);
  // Health tells nothing of a world; server-sent events have a word of their own.
  const kept = own === "/journal/stream" && status < 300 ? "no-cache" : "no-store";
  if (own !== "/health" && headers.get("cache-control") !== kept) {
    throw new Error(`Cache-Control is ${headers.get("cache-control")}, not ${kept}.`);
  }
  if (method === "HEAD" || (method === "OPTIONS" && status < 300)) return;
  if (status < 300 && /^\/disputes\/[^/]+\/files\/\d+$/.test(own)) {
    if (!headers.get("content-disposition")?.startsWith("attachment;")) throw new Error("A file is no attachment.");
  }
  const fault = controlFault(method, path, answer);
  if (fault && !(isGarbled && BELOW_HTTP.includes(status))) throw new Error(`${fault}: ${text.slice(0, 2_000)}`);
  if (status < 300 && !isGarbled && !message.isCut) expectDescribed(message, path);
}

/** What was taken as JSON is described: whoever is led by the document could not send it else. */
function expectDescribed({ method, headers, body }: Message, path: string): void {
  const medias = headers.filter(([name]) => name.toLowerCase() === "content-type").map(([, media]) => media);
  if (body.length === 0 || medias.some((media) => /yaml/i.test(media))) return;
  // Without a byte order mark, which is no part of the JSON.
  const text = new TextDecoder().decode(body);
  const fault = takenFault(method, path, text);
  if (fault) throw new Error(`A body was taken that is not described: ${fault}: ${text.slice(0, 2_000)}`);
}

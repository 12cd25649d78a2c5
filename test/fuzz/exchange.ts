/** Sends a message over a connection of its own, and reads the answer that it gets. */
import { connect } from "node:net";
import type { Answer } from "../support/merchant.ts";

/** Far beyond what any call takes; only what never answers gets here. */
const GUARD_MS = 10_000;

/** A call that neither gets an answer nor has its connection closed. */
class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** How an answer is waited for. */
interface Waiting {
  /** Whether the bytes break off: then our side is closed behind them. */
  readonly isCut: boolean;
  /** Told once when the answer takes longer than most; it may give up, which is as if the connection were closed. */
  readonly onSlow?: (giveUp: () => void) => void;
  readonly guardMs?: number;
}

/**
 * The answer to bytes; null where the connection is closed without one.
 * @throws {NoAnswer} where neither comes.
 */
export async function exchange(baseUrl: string, bytes: Buffer, waiting: Waiting): Promise<Answer | null> {
  const received = await receive(baseUrl, bytes, waiting);
  return answerIn(received, bytes.subarray(0, 5).toString() === "HEAD ");
}

function receive(baseUrl: string, bytes: Buffer, { isCut, onSlow, guardMs = GUARD_MS }: Waiting): Promise<Buffer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const parts: Buffer[] = [];
    const slow = setTimeout(() => onSlow?.(finish), 1_500);
    const guard = setTimeout(() => {
      socket.destroy();
      reject(new NoAnswer("neither an answer nor an end of the connection"));
    }, guardMs);
    const finish = () => {
      clearTimeout(slow);
      clearTimeout(guard);
      socket.destroy();
      resolve(Buffer.concat(parts));
    };
    socket.on("data", (part) => {
      parts.push(part);
      // A stream of events has no end: its head is answer enough.
      if (parts.length === 1 && /^content-type: text\/event-stream/im.test(part.toString("latin1"))) finish();
    });
    socket.on("end", finish);
    // What the other side does to the connection is judged by what came of it.
    socket.on("error", finish);
    socket.on("close", finish);
    socket.write(bytes);
    if (isCut) socket.end();
  });
}

/** The first answer among the bytes that came; interim ones are none. */
function answerIn(bytes: Buffer, isHead: boolean): Answer | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [line = "", ...fields] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(line.split(" ")[1]);
  if (status < 200) return answerIn(bytes.subarray(end + 4), isHead);
  const headers = new Headers();
  for (const field of fields)
    headers.append(field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1).trim());
  const rest = bytes.subarray(end + 4);
  const content = isHead ? Buffer.alloc(0) : bodyOf(rest, headers);
  const text = content.toString();
  return { status, headers, text, body: jsonOf(text, headers) };
}

function bodyOf(rest: Buffer, headers: Headers): Buffer {
  if (!headers.get("transfer-encoding")?.includes("chunked"))
    return rest.subarray(0, Number(headers.get("content-length") ?? rest.length));
  const parts: Buffer[] = [];
  for (let at = 0; at < rest.length; ) {
    const lineEnd = rest.indexOf("\r\n", at);
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString(), 16);
    if (lineEnd < 0 || !(size > 0)) break;
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

/** What is no JSON is left undefined, for the judge to see. */
function jsonOf(text: string, headers: Headers): unknown {
  if (!headers.get("content-type")?.startsWith("application/json")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

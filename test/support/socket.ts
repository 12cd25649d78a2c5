/** A connection as a caller may use it that keeps to no rules: bytes as they are, whenever they are sent. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connects to a sandbox. What the other side does to the connection is no fault of the test. */
export async function openSocket(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** The bytes of a request's head, with `Host` unless it is given. */
export function headOf(
  baseUrl: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): string {
  const all = { Host: new URL(baseUrl).host, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** Sends the head of a request and reads that of the answer; then the connection is cut. */
export async function exchange(
  baseUrl: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly head: string }> {
  const socket = await openSocket(baseUrl);
  socket.write(headOf(baseUrl, method, target, headers));
  let text = "";
  for await (const chunk of socket) {
    text += chunk;
    if (text.includes("\r\n\r\n")) break;
  }
  socket.destroy();
  return { head: text.slice(0, text.indexOf("\r\n\r\n") + 4) };
}

/** All that a connection brings until the other side ends it. */
export async function untilClosed(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

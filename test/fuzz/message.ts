/** A request as bytes, and as what a person can send again. */

/** What goes over the wire; whoever makes it odd changes it in place. */
export interface Message {
  method: string;
  target: string;
  /** Without `Host`, `Connection` and what frames the body, unless they are to be odd. */
  headers: [name: string, value: string][];
  body: Buffer;
  /** How the body is framed: with its length, in chunks, or as headers and bytes that are given. */
  framing: "length" | "chunked" | { readonly headers: readonly [string, string][]; readonly bytes: Buffer };
  /** Whether a server may take it for something that is no request, and refuse it without a word or hang up. */
  isGarbled: boolean;
  /** Whether it breaks off before its end. */
  isCut: boolean;
}

/** The bytes of a message. Header values are Latin-1, targets are as they are given. */
export function bytesOf(message: Message, host: string): Buffer {
  const { method, target, headers, body, framing } = message;
  const given = headers.map(([name]) => name.toLowerCase());
  const own: [string, string][] = [
    ...(given.includes("host") ? [] : [["Host", host] as [string, string]]),
    ...(given.includes("connection") ? [] : [["Connection", "close"] as [string, string]]),
  ];
  const framed = framingOf(body, framing, method);
  const lines = [...own, ...headers, ...framed.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"), framed.bytes]);
}

function framingOf(body: Buffer, framing: Message["framing"], method: string) {
  if (typeof framing === "object") return framing;
  if (framing === "chunked") return { headers: [["Transfer-Encoding", "chunked"]], bytes: chunked(body) };
  const isBare = body.length === 0 && (method === "GET" || method === "HEAD");
  return { headers: isBare ? [] : [["Content-Length", String(body.length)]], bytes: body };
}

/** A body in chunks of uneven lengths. */
export function chunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0, size = 1; at < body.length; at += size, size = size * 3 + 1) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

/** How to send it again: as a curl line where curl would, and as bytes in any case. */
export function replayOf(message: Message, baseUrl: string): string {
  const { host } = new URL(baseUrl);
  const bytes = bytesOf(message, host);
  const isPlain =
    message.framing === "length" && !message.isGarbled && message.body.equals(Buffer.from(message.body.toString()));
  const shown =
    bytes.length > 4_000
      ? `${bytes.subarray(0, 4_000).toString("base64")}… (${bytes.length} bytes)`
      : bytes.toString("base64");
  return [...(isPlain ? [curlOf(message, baseUrl)] : []), `bytes, base 64: ${shown}`].join("\n  ");
}

function curlOf({ method, target, headers, body }: Message, baseUrl: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const all = headers.map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`).join("");
  const text = body.length > 2_000 ? `${body.toString().slice(0, 2_000)}… (${body.length} bytes)` : body.toString();
  const data = body.length > 0 ? ` --data-binary ${quoted(text)}` : "";
  return `curl -sS --path-as-is -X ${quoted(method)}${all}${data} ${quoted(new URL(baseUrl).origin + target)}`;
}

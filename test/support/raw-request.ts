/** A request as bytes on a socket would have it: any Host, any Content-Length, no client that knows better. */
import { type IncomingHttpHeaders, request } from "node:http";
import { text as textOf } from "node:stream/consumers";

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely.
  readonly body: any;
}

/** Sends headers and the beginning of a body, and reads the answer without finishing the request. */
export function rawRequest(
  baseUrl: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  begin?: string,
): Promise<RawAnswer> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const prefix = pathname === "/" ? "" : pathname;
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path: prefix + path, method, headers, agent: false };
    const outgoing = request(options, async (incoming) => {
      const text = await textOf(incoming);
      outgoing.destroy();
      const { statusCode: status = 0, headers: answered } = incoming;
      resolve({ status, headers: answered, body: text === "" ? undefined : JSON.parse(text) });
    });
    outgoing.on("error", reject);
    if (begin === undefined) outgoing.end();
    else outgoing.write(begin);
  });
}

/**
 * The class of most answers: the adapter's own Response, which it writes at once, while a standard one goes through a
 * stream. The adapter offers it only by replacing the global class. That is put back here: a sandbox may run in its
 * user's process, who expects what `fetch` gives to be an instance of Response.
 */
import { getRequestListener } from "@hono/node-server";

const replaced = ["Request", "Response"] as const;
const before = replaced.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
getRequestListener(() => new Response());

/** The adapter's Response; to the types it is the global one. */
export const QuickResponse: typeof Response = globalThis.Response;

for (const [index, name] of replaced.entries()) Object.defineProperty(globalThis, name, before[index] ?? {});

/**
 * A JSON answer. @param body any value, or bytes that are JSON already; not told by their class, as a test's environment
 * may have replaced the global one.
 */
export function jsonAnswer(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new QuickResponse(ArrayBuffer.isView(body) ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

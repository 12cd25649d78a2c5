/** Raw calls of the control interface, for tests that look at statuses, headers and refusals. */
import type { Answer } from "./merchant.ts";

/** Calls `{base}/_sandbox{path}`; a text goes as it is, anything else as JSON. */
export async function control(
  { baseUrl }: { readonly baseUrl: string },
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const json = body === undefined ? {} : { "Content-Type": "application/json" };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${baseUrl}/_sandbox${path}`, {
    method,
    headers: { ...json, ...headers },
    ...(body === undefined ? {} : { body: text }),
  });
  const answer = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text: answer,
    body: answer === "" ? undefined : JSON.parse(answer),
  };
}

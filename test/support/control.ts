/**
 * Raw calls of the control interface, for tests that look at statuses, headers and refusals. Every answer must be in its
 * OpenAPI document, and every body that is taken.
 */
import { expectControlAnswerValid, takenFault } from "./control-document.ts";
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
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${baseUrl}/_sandbox${path}`, {
    method,
    headers: { ...json, ...headers },
    ...(body === undefined ? {} : { body: sent }),
  });
  const { status, headers: given } = response;
  const text = await response.text();
  const answer = { status, headers: given, text, body: text === "" ? undefined : JSON.parse(text) };
  const target = `${new URL(baseUrl).pathname.replace(/\/$/, "")}/_sandbox${path}`;
  expectControlAnswerValid(method, target, answer);
  if (status < 300 && sent !== undefined && !/yaml/.test(new Headers(headers).get("content-type") ?? "")) {
    const fault = takenFault(method, target, sent);
    if (fault) throw new Error(`${method} ${target} took what is not described: ${fault}: ${sent}`);
  }
  return answer;
}

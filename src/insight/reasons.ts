/** The reasons that the answer to a call told its caller. */
import type { LoggedRequest } from "../store/logged-calls.ts";
import { objectIn } from "./json-object.ts";

/** What the caller was told. */
export interface Reasons {
  /** The message of a refusal; undefined if there is none, or a fault has cut it off. */
  readonly message: string | undefined;
  /** The sandbox's hint, which may come with any answer. */
  readonly hint: string | undefined;
}

/** The reasons in an answer, from its body and its headers. */
export function reasonsOf({
  error_code,
  response_body,
  answer_headers,
}: Pick<LoggedRequest, "error_code" | "response_body" | "answer_headers">): Reasons {
  const message = error_code === null ? undefined : messageIn(response_body.toString());
  return { message, hint: answer_headers.more["X-Sandbox-Hint"] };
}

/** Undefined if a fault has cut the answer off. */
function messageIn(text: string): string | undefined {
  return (objectIn(text)?.error as { message?: string } | undefined)?.message;
}

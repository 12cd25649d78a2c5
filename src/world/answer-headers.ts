import type { AnswerHeaders } from "../store/logged-answers.ts";
import { formatInstant, type Instant } from "./instants.ts";

/** A call and what the headers of its answer are made of. */
interface AnsweredCall {
  readonly request_id: string;
  readonly at: Instant;
  readonly answer_headers: AnswerHeaders;
}

/** The headers of an answer from the service (Response headers, R4, `D28`). */
export function answerHeaders({ request_id, at, answer_headers }: AnsweredCall): Record<string, string> {
  const { world, more } = answer_headers;
  return {
    "Content-Type": "application/json",
    ...rateHeaders(answer_headers),
    "X-Request-Id": request_id,
    "X-Sandbox-World": world,
    "X-Sandbox-Time": formatInstant(at),
    ...more,
  };
}

/** The rate limit headers of every answer (Response headers). */
export function rateHeaders(window: Pick<AnswerHeaders, "limit" | "remaining" | "resetsAtSeconds">) {
  return {
    "X-RateLimit-Limit": String(window.limit),
    "X-RateLimit-Remaining": String(window.remaining),
    "X-RateLimit-Reset": String(window.resetsAtSeconds),
  };
}

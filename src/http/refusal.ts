/** Refusals that belong to no world. */
import type { DomainError } from "../domain/errors.ts";
import { wallNow } from "../runtime.ts";
import type { Outgoing } from "./messages.ts";
import { failureBody } from "./service-call.ts";

/** A refusal outside any world; no window counts it, so its headers show a full one. */
export function refusalOutside(error: DomainError): Outgoing {
  const headers = {
    "Content-Type": "application/json",
    "X-RateLimit-Limit": "1000",
    "X-RateLimit-Remaining": "1000",
    "X-RateLimit-Reset": String(Math.ceil(wallNow() / 1000) + 60),
  };
  return { status: error.status, headers, body: failureBody(error) };
}

/** Refusals that belong to no world. */
import { DomainError } from "../domain/errors.ts";
import { wallNow } from "../runtime.ts";
import { rateHeaders } from "../world/answer-headers.ts";
import { formatInstant } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { OTHER_PATHS_PER_MINUTE } from "./endpoints.ts";
import type { Outgoing } from "./messages.ts";
import { QuickResponse } from "./quick-response.ts";
import { fullWindow, shownWindow } from "./rate-limit.ts";
import { failureBody } from "./service-call.ts";

/** Message of a call, of the service or of the control interface, to a world that there is not. */
export function noSuchWorld(id: string): string {
  return `There is no world ${JSON.stringify(id)} here.`;
}

/**
 * A refusal outside any world; no window counts it, so its headers show a full one.
 * @param world the world that was called, if it exists but could not serve the call.
 */
export function refusalOutside(error: DomainError, world?: World): Outgoing {
  const { hint } = error.details;
  const now = world?.clock.now();
  const headers = {
    "Content-Type": "application/json",
    ...rateHeaders(shownWindow(fullWindow(OTHER_PATHS_PER_MINUTE, now ?? wallNow()))),
    ...(world && now !== undefined ? { "X-Sandbox-World": world.id, "X-Sandbox-Time": formatInstant(now) } : {}),
    ...(hint === undefined ? {} : { "X-Sandbox-Hint": hint }),
  };
  return { status: error.status, headers, body: failureBody(error) };
}

/** The answer to any other method at an address that can only be read. */
export function refuseOtherMethods(): Response {
  const { status, headers, body } = refusalOutside(new DomainError("METHOD_NOT_ALLOWED"));
  return new QuickResponse(body, { status, headers: { ...headers, Allow: "GET" } });
}

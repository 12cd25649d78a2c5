/** Replays the operations of a bundle that began outside: calls of the service and of the control interface. */
import { playControl } from "../control/replayed-call.ts";
import { bytesIn, type InputOf } from "../history/bundle.ts";
import type { Players } from "../history/replay.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { parseBody } from "./json.ts";
import { formOf } from "./reply-form.ts";
import { serve } from "./service-call.ts";

/** The players of this product. @param onFault is told of faults of our own. */
export function playersOf(onFault: (error: unknown) => void): Players {
  return {
    request: (live, input) => playRequest(live, input, onFault),
    // However many values it has, it was allowed when it was first made.
    control: (live, input) => playControl(live, input, parseBody(Buffer.from(input.body), Number.POSITIVE_INFINITY)),
  };
}

async function playRequest(
  live: LiveWorld,
  { body: kept, too_large, wall_at, sent_after = null, in_company = false, proof, ...call }: InputOf<"request">,
  onFault: (error: unknown) => void,
): Promise<void> {
  const body = bytesIn(kept);
  const { method, path, query, headers, ip } = call;
  const form = formOf({ path, headers, body });
  const found = proof as { credential?: string | null; signature?: boolean };
  const known = {
    bodyTooLarge: too_large,
    wallAt: wall_at,
    sentAfter: sent_after,
    inCompany: in_company,
    proof: found,
  };
  const incoming = { method, path, query, headers, ip, body, ...known };
  serve(live.world, { ...incoming, ...form }, onFault);
}

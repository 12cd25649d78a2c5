/** `GET /export` gives a bundle of all that a world's history follows from; `POST /worlds` {replay} replays one. */
import { bundleAsJson, readBundle } from "../history/bundle.ts";
import type { Players } from "../history/replay.ts";
import { replay } from "../history/replay.ts";
import type { Sandbox } from "../host/sandbox.ts";
import type { ControlRoute } from "./call.ts";
import { Reply } from "./call.ts";
import { worldView } from "./views.ts";

/** TABLE: the call that exports; the one that replays is `POST /worlds`. */
export const historyRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/export",
    operationId: "exportBundle",
    answer: "Bundle",
    handle: ({ live }) => bundleAsJson(live.world),
  },
];

/**
 * Makes a world by replaying a bundle: 201 with the world, frozen where the history ends, and how the replay went.
 * @throws {BundleError} for what is not a bundle of this version.
 * @throws {WorldConflict}
 */
export async function replayedWorld(
  { sandbox, root }: { sandbox: Sandbox; root: string },
  players: Players,
  input: { id: string | undefined; bundle: unknown; ttlMs: number | null },
): Promise<Reply> {
  if (input.id !== undefined) sandbox.refuseTaken(input.id);
  const { outcome, bytes } = await replay(bundleOf(input.bundle), players);
  const live = sandbox.adopt(input.id ?? sandbox.freeId(), bytes, input.ttlMs);
  return new Reply(201, { ...worldView(live, root), replay: outcome });
}

/** The bundle in the body of a call, its exact numbers turned into plain ones. @throws {BundleError} */
export function bundleOf(given: unknown) {
  return readBundle(JSON.parse(JSON.stringify(given)));
}

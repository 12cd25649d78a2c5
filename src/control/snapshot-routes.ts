import { z } from "zod";
import { NAME, NAME_FORM } from "../domain/names.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { type ControlCall, type ControlRoute, inputOf, nothing, pageOf, pageQuery, Reply, taking } from "./call.ts";
import { notFound } from "./errors.ts";
import { noSnapshot } from "./missing-name.ts";
import { snapshotView, worldView } from "./views.ts";

const snapshotInput = onFirstUse(() =>
  z.strictObject({
    name: z
      .string()
      .regex(NAME, { error: `must match ${NAME_FORM}` })
      .optional(),
  }),
);

/** TABLE: snapshots of the whole world, timers, journal and clock included, that it can be restored to. */
export const snapshotRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/snapshots",
    operationId: "listSnapshots",
    query: pageQuery,
    answer: "SnapshotPage",
    handle: (call) => pageOf(call, call.sandbox.snapshots.list(call.live.id), snapshotView, ({ number }) => number),
  },
  {
    method: "POST",
    path: "/snapshots",
    operationId: "takeSnapshot",
    answer: "Snapshot",
    statuses: [201],
    ...taking(snapshotInput, (call, { name }) => take(call, name)),
  },
  {
    method: "POST",
    path: "/snapshots/:name/restore",
    operationId: "restoreSnapshot",
    answer: "World",
    handle: restore,
  },
  {
    method: "DELETE",
    path: "/snapshots/:name",
    operationId: "deleteSnapshot",
    answer: null,
    handle: (call) => {
      inputOf(call, nothing);
      call.sandbox.snapshots.remove(call.live.id, nameOf(call));
      return new Reply(204, null);
    },
  },
];

function take({ sandbox: { snapshots }, live }: ControlCall, given: string | undefined): Reply {
  return new Reply(201, snapshotView(snapshots.take(live, given ?? snapshots.freeName(live.id))));
}

function restore(call: ControlCall) {
  inputOf(call, nothing);
  return worldView(call.sandbox.restore(call.live, nameOf(call)), call.root);
}

/**
 * The snapshot that the path names.
 * @throws {ControlError} 404, which names another world that has one of that name.
 */
function nameOf({ sandbox, live, params }: ControlCall): string {
  const name = params.name ?? "";
  if (sandbox.snapshots.has(live.id, name)) return name;
  const elsewhere = sandbox.all().find((other) => sandbox.snapshots.has(other.id, name));
  if (!elsewhere) throw noSnapshot(sandbox, live, name, "this world");
  const instead = `the world ${elsewhere.id} has one: fork it with {"from": {"world", "snapshot"}}`;
  throw notFound("snapshot", `${name} of this world; ${instead}`);
}

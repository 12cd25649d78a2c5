/** Refusals of unknown names that people choose, with the nearest existing name. */
import { nearName } from "../domain/words/near-name.ts";
import type { LiveWorld } from "../host/live-world.ts";
import type { Sandbox } from "../host/sandbox.ts";
import type { World } from "../world/world.ts";
import { type ControlError, notFound } from "./errors.ts";

/** 404 for an unknown world. */
export function noWorld(sandbox: Sandbox, id: string): ControlError {
  const ids = sandbox.all().map((live) => live.id);
  return notFound("world", id, nearName(id, ids));
}

/** 404 for a snapshot that a world does not have. @param place how the message names the world. */
export function noSnapshot(sandbox: Sandbox, live: LiveWorld, name: string, place: string): ControlError {
  const names = sandbox.snapshots.list(live.id).map((snapshot) => snapshot.name);
  return notFound("snapshot", `${name} of ${place}`, nearName(name, names));
}

/** 404 for the username of an unknown account. */
export function noAccount(world: World, username: string): ControlError {
  const usernames = world.accounts.all().map((account) => account.username);
  return notFound("account", username, nearName(username, usernames));
}

/** 404 for the name of a scenario that a world has not loaded. */
export function noScenario(live: LiveWorld, name: string): ControlError {
  return notFound("scenario", name, nearName(name, live.scenarios.names));
}

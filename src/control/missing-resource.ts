/** Refusals of unknown resource ids; if an id is an external_id, they name the ids that it stands for. */
import { joined } from "../domain/words/near-name.ts";
import { findByExternalId } from "../insight/explain/resource-topics.ts";
import { resourceWord } from "../insight/explain/topics.ts";
import type { World } from "../world/world.ts";
import { ControlError, notFound } from "./errors.ts";

/** Several accounts may use the same external_id; a refusal names this many of their resources. */
const MOST_NAMED = 3;

/**
 * 404 for an unknown resource id. If it is an external_id, the message has the ids that it stands for: addresses of the
 * control interface take ids alone (interface, section 4).
 */
export function noResource(world: World, what: string, id: string): ControlError {
  const meant = findByExternalId(world, id);
  if (meant.length === 0) return notFound(what, id);
  const named = meant.slice(0, MOST_NAMED).map(({ type, key }) => `the ${resourceWord(type)} ${key}`);
  const more = meant.length > MOST_NAMED ? [`${meant.length - MOST_NAMED} more`] : [];
  const all = joined([...named, ...more]);
  return new ControlError(404, "NOT_FOUND", `There is no ${what} ${id}; ${id} is the external_id of ${all}.`);
}

/** All readings of an id, in the order in which they go first. */
import type { World } from "../world/world.ts";
import { findRefused, recordReaders } from "./record-topics.ts";
import { findByExternalId, findByPaymentId, resourceReaders } from "./resource-topics.ts";
import type { Reader, Reading } from "./topics.ts";

/**
 * All that an id stands for; a merchant's own `external_id` comes behind what has that id, since it may be any text, but
 * before the entry of that number, which `entry_12` names as well. What is none of these may be the id of a payment,
 * which takes longest to find, or an `external_id` of calls that were all refused.
 */
export function readingsOf(world: World, id: string): Reading[] {
  const readers: readonly Reader[] = [...resourceReaders, ...recordReaders];
  const known = readers.flatMap((read) => read(world, id) ?? []);
  const isNumbered = ({ type }: Reading) => type === "entry" && /^\d+$/.test(id);
  const numbered = known.filter(isNumbered);
  const all = [...known.filter((one) => !isNumbered(one)), ...findByExternalId(world, id), ...numbered];
  if (all.length > 0) return all;
  const paid = findByPaymentId(world, id);
  return paid.length > 0 ? paid : findRefused(world, id);
}

/** All meanings of an id, in order of precedence. */
import type { World } from "../../world/world.ts";
import { findRefused, recordReaders } from "./record-topics.ts";
import { findByExternalId, findByPaymentId, resourceReaders } from "./resource-topics.ts";
import type { Reader, Reading } from "./topics.ts";

/**
 * All that an id stands for. A merchant's `external_id`, which may be any text, comes after what has the id itself, but
 * before the journal entry of that number, which is also known as `entry_12`. An id that is none of these may be that
 * of a payment, which takes longest to find, or an `external_id` of calls that were all refused.
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

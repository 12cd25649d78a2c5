/** How deeply JSON may be nested. */
import { ExactNumber } from "./money.ts";

/** No real request is nested this deeply; without a limit, the machine's stack size would decide. */
export const MAX_DEPTH = 100;

/** Whether arrays and objects are nested more than {@link MAX_DEPTH} levels deep. */
export function isTooDeep(value: unknown): boolean {
  const isNest = (member: unknown) => typeof member === "object" && member !== null && !(member instanceof ExactNumber);
  let level = [value].filter(isNest);
  for (let reached = 0; level.length > 0; reached++) {
    if (reached === MAX_DEPTH) return true;
    level = level.flatMap((nest) => Object.values(nest as object).filter(isNest));
  }
  return false;
}

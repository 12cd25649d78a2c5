/** What so many come to that an expectation has found: at the end of a run, and while a world goes on. */
import { ExactNumber } from "../domain/money.ts";
import { matches } from "./conditions.ts";

/** What an expectation comes to; `pending` where that is still open. */
export type Verdict = "pass" | "fail" | "pending";

/**
 * What may become of what was found: nothing any more; more may come to it, until its time is over or for as long as
 * the world goes on; or it may become more and fewer again.
 */
export type Outlook = "settled" | "closing" | "endless" | "changing";

/**
 * The verdict on a number of findings: pass where it is as expected, fail where it can never be, else pending. What has
 * an end passes when nothing that comes before it can spoil it; what has none, as long as nothing has.
 * @param count a number, or comparisons with one.
 */
export function verdictOn(count: unknown, found: number, outlook: Outlook): Verdict {
  const isSo = (many: bigint) => matches({ count }, { count: new ExactNumber(String(many)) });
  const later = turningPoints(count).filter((many) => many > BigInt(found));
  if (isSo(BigInt(found))) return outlook === "closing" && !later.every(isSo) ? "pending" : "pass";
  if (outlook === "changing") return "pending";
  return outlook !== "settled" && later.some(isSo) ? "pending" : "fail";
}

/** Numbers of which one at least lies in every stretch in which a condition holds, or does not. */
function turningPoints(count: unknown): bigint[] {
  if (count instanceof ExactNumber) return [-1n, 0n, 1n].map((step) => BigInt(count.source) + step);
  return count === null || typeof count !== "object" ? [] : Object.values(count).flatMap(turningPoints);
}

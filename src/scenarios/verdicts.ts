/** The verdict on a number of findings, at the end of a run or while a world goes on. */
import { ExactNumber } from "../domain/money.ts";
import { matches } from "./conditions.ts";

/** TABLE: the verdicts on an expectation; `pending` while it is open. */
export const verdicts = ["pass", "fail", "pending"] as const;

/** The verdict on an expectation. */
export type Verdict = (typeof verdicts)[number];

/**
 * How the number of findings can still change: not at all (`settled`); it can grow, until a deadline (`closing`) or for
 * as long as the world goes on (`endless`); or it can grow and shrink (`changing`).
 */
export type Outlook = "settled" | "closing" | "endless" | "changing";

/**
 * The verdict on a number of findings: pass if it is as expected, fail if it can never be, else pending. With a
 * deadline, it passes only once no further finding could spoil it; without one, as long as none has.
 * @param count a number, or comparisons with one.
 */
export function verdictOn(count: unknown, found: number, outlook: Outlook): Verdict {
  const isSo = (many: bigint) => matches({ count }, { count: new ExactNumber(String(many)) });
  const later = turningPoints(count).filter((many) => many > BigInt(found));
  if (isSo(BigInt(found))) return outlook === "closing" && !later.every(isSo) ? "pending" : "pass";
  if (outlook === "changing") return "pending";
  return outlook !== "settled" && later.some(isSo) ? "pending" : "fail";
}

/** Numbers to try: every range in which a condition holds, or does not, contains at least one of them. */
function turningPoints(count: unknown): bigint[] {
  if (count instanceof ExactNumber) return [-1n, 0n, 1n].map((step) => BigInt(count.source) + step);
  return count === null || typeof count !== "object" ? [] : Object.values(count).flatMap(turningPoints);
}

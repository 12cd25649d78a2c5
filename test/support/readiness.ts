/** What a test looks at in a readiness report. */
import type { ReportInfo, WorldClient } from "../../src/index.ts";
import type { Answer } from "./merchant.ts";

type CheckInfo = ReportInfo["checks"][number];

/** One check of a report. */
export function checkIn({ checks }: ReportInfo, id: string): CheckInfo {
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`There is no check ${id}.`);
  return check;
}

/** Verdict and evidence of one check of a world, as it is now. */
export async function judgedOf(world: WorldClient, id: string): Promise<[string, readonly string[]]> {
  const { verdict, evidence } = checkIn(await world.report(), id);
  return [verdict, evidence];
}

/** The verdict of one check of a world, as it is now. */
export async function verdictOf(world: WorldClient, id: string): Promise<string> {
  return (await judgedOf(world, id))[0];
}

/** The request id of an answer. */
export function idOf({ headers }: Answer): string | null {
  return headers.get("x-request-id");
}

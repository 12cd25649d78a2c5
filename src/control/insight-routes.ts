/** What a world tells of itself: why things are as they are, how much has been seen. */
import { coverageOf } from "../insight/coverage.ts";
import { explain } from "../insight/explain.ts";
import { readinessOf } from "../insight/readiness/report.ts";
import type { ControlCall, ControlRoute } from "./call.ts";
import { ControlError } from "./errors.ts";

export const insightRoutes: readonly ControlRoute[] = [
  { method: "GET", path: "/explain/:id", handle: explainId },
  { method: "GET", path: "/report", handle: ({ live }) => readinessOf(live.world) },
  { method: "GET", path: "/coverage", handle: ({ live }) => coverageOf(live.world) },
];

function explainId({ live, params }: ControlCall) {
  const id = params.id ?? "";
  const explanation = explain(live.world, id);
  if (explanation) return explanation;
  const message = `Nothing in the world ${live.id} has the id ${JSON.stringify(id)}.`;
  throw new ControlError(404, "NOT_FOUND", message);
}

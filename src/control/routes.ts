import { accountRoutes } from "./account-routes.ts";
import type { ControlRoute } from "./call.ts";
import { clockRoutes } from "./clock-routes.ts";
import { faultRoutes } from "./fault-routes.ts";
import { historyRoutes } from "./history-routes.ts";
import { insightRoutes } from "./insight-routes.ts";
import { recordRoutes } from "./record-routes.ts";
import { resourceRoutes } from "./resource-routes.ts";
import { scenarioRoutes } from "./scenario-routes.ts";
import { snapshotRoutes } from "./snapshot-routes.ts";
import { worldRoutes } from "./world-routes.ts";

/** TABLE: every call of the control interface. */
export const controlRoutes: readonly ControlRoute[] = [
  ...worldRoutes,
  ...snapshotRoutes,
  ...clockRoutes,
  ...accountRoutes,
  ...resourceRoutes,
  ...recordRoutes,
  ...faultRoutes,
  ...historyRoutes,
  ...scenarioRoutes,
  ...insightRoutes,
];

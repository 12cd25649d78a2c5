/** TABLE: every call of the control interface. */
import { accountRoutes } from "./account-routes.ts";
import type { ControlRoute } from "./call.ts";
import { clockRoutes } from "./clock-routes.ts";
import { recordRoutes } from "./record-routes.ts";
import { resourceRoutes } from "./resource-routes.ts";
import { scenarioRoutes } from "./scenario-routes.ts";
import { worldRoutes } from "./world-routes.ts";

export const controlRoutes: readonly ControlRoute[] = [
  ...worldRoutes,
  ...clockRoutes,
  ...accountRoutes,
  ...resourceRoutes,
  ...recordRoutes,
  ...scenarioRoutes,
];

/** What keeps a sandbox in process from starting, for tests that tell one from the other. */
export { CreationError } from "../host/creation.ts";
export { ScenarioSourceError } from "../host/scenario-sources.ts";
export { ListenError } from "../http/server.ts";
export { ScenarioError } from "../scenarios/problems.ts";
export { StoreError } from "../server.ts";

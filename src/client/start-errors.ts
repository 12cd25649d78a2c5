/** What keeps a sandbox in process from starting, for tests that tell one from the other. */
export { CreationError, ScenarioSourceError, StoreError } from "../host/start-errors.ts";
export { ListenError } from "../http/listen-error.ts";
export { ScenarioError } from "../scenarios/problems.ts";

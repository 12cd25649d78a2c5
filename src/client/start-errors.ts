/** The errors with which a sandbox in process fails to start, for tests that tell them apart. */
export { CreationError, ScenarioSourceError, StoreError } from "../host/start-errors.ts";
export { ListenError } from "../http/listen-error.ts";
export { ScenarioError } from "../scenarios/problems.ts";

/** Errors that keep a sandbox or a world from being made; the message says why. */
import { UserError } from "../domain/user-error.ts";

export { StoreError } from "../store/store-error.ts";

/** A world that cannot be made as asked. */
export class CreationError extends UserError {
  override readonly name = "CreationError";
}

/** A named scenario does not exist or cannot be read. */
export class ScenarioSourceError extends UserError {
  override readonly name = "ScenarioSourceError";
}

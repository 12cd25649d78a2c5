import { UserError } from "../domain/user-error.ts";

/** A data file that cannot be opened as a world; the message says which and why. */
export class StoreError extends UserError {
  override readonly name = "StoreError";
}

import { UserError } from "../domain/user-error.ts";

/** An address that cannot be listened on; the message says why. */
export class ListenError extends UserError {
  override readonly name = "ListenError";
}

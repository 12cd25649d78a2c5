/** An address that cannot be listened on; the message says why. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

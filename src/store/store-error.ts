/** A data file that cannot be opened as a world; the message says which and why. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

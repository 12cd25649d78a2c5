/** An event cannot be triggered as asked; the message says why, and what would be possible. */
export class TriggerError extends Error {
  override readonly name = "TriggerError";
  /** Whether the request is wrong in any world; then it is refused before anything is made. */
  readonly isWrongInput: boolean;

  constructor(message: string, { isWrongInput = false }: { isWrongInput?: boolean } = {}) {
    super(message);
    this.isWrongInput = isWrongInput;
  }
}

/** An event that cannot be brought about as asked; the message says why and what could. */
export class TriggerError extends Error {
  override readonly name = "TriggerError";
  /** Whether what was asked is wrong whatever the world: then it is refused before anything is made. */
  readonly isWrongInput: boolean;

  constructor(message: string, { isWrongInput = false }: { isWrongInput?: boolean } = {}) {
    super(message);
    this.isWrongInput = isWrongInput;
  }
}

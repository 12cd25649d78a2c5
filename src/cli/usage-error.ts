/** Something a user can put right: one clear line on stderr. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** 1 where the answer is no, 2 where it could not be done. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

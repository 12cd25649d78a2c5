import { UserError } from "../domain/user-error.ts";

/** What is wrong with a command line, or keeps a command from its work: printed as one clear line on stderr. */
export class UsageError extends UserError {
  override readonly name = "UsageError";
  /** 1 if the answer is no, 2 if it could not be done. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

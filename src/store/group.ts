/** What is done with transactions that are committed together: told how the one they share has ended. */
export interface Group {
  /** Called inside the transaction, before it ends. */
  beforeCommit(): void;
  kept(): void;
  /** All of it has come to nothing. */
  undone(error: unknown): void;
}

/** Pieces of work that are committed together, and are told how the transaction that they share has ended. */
export interface Group {
  /** Called inside the transaction, before it ends. */
  beforeCommit(): void;
  kept(): void;
  /** All work of the group has been undone. */
  undone(error: unknown): void;
}

/** What SQLite takes and gives. */
export type SqlValue = string | number | bigint | Buffer | null;

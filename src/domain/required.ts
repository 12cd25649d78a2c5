/** Values that cannot be missing unless there is a fault. */

/** The value. @param what it is, as the beginning of a sentence. @throws {Error} if it is missing. */
export function required<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw new Error(`${what} is not there.`);
  return value;
}

/**
 * Writes one EMV field: two digits of id, two digits of length, the value.
 * @throws {RangeError} when the value is empty or longer than 99 characters.
 */
export function writeEmvField(id: string, value: string): string {
  if (value.length < 1 || value.length > 99) {
    throw new RangeError(`EMV field ${id} must hold 1 to 99 characters, not ${value.length}`);
  }
  return id + String(value.length).padStart(2, "0") + value;
}

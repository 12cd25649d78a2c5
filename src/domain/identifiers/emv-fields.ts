const FIELD_HEAD = /^\d{4}$/;

/**
 * Writes one EMV field: two digits of id, two digits of length, the value.
 *
 * Throws RangeError when the value is empty or longer than 99 characters.
 */
export function writeEmvField(id: string, value: string): string {
  if (value.length < 1 || value.length > 99) {
    throw new RangeError(`EMV field ${id} must hold 1 to 99 characters, not ${value.length}`);
  }
  return id + String(value.length).padStart(2, "0") + value;
}

/**
 * Reads a run of EMV fields into a map from id to value, in the order of the text.
 *
 * Gives null when the text is empty, when a head is not four digits, when a length is zero or reaches past the end,
 * or when an id comes twice.
 */
export function readEmvFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  let position = 0;
  while (position < text.length) {
    const head = text.slice(position, position + 4);
    if (!FIELD_HEAD.test(head)) return null;
    const id = head.slice(0, 2);
    const end = position + 4 + Number(head.slice(2));
    if (end === position + 4 || end > text.length || fields.has(id)) return null;
    fields.set(id, text.slice(position + 4, end));
    position = end;
  }
  return fields.size === 0 ? null : fields;
}

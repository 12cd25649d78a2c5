const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 64;

/**
 * A function that remembers what it gave for texts that come over and over, such as names of headers and limits. Long
 * ones, which it may be sent a great many of, it does not keep.
 * @param make gives the same for the same text, and no object that is changed. @param longest text that is kept.
 */
export function remembering<Value>(make: (text: string) => Value, longest = LONGEST_KNOWN): (text: string) => Value {
  const known = new Map<string, { readonly value: Value }>();
  return (text) => {
    const before = known.get(text);
    if (before) return before.value;
    const value = make(text);
    if (text.length > longest) return value;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, { value });
    return value;
  };
}

const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 64;

/**
 * Caches the results of `make` for texts that recur, such as names of headers and limits. Long texts are not cached:
 * callers may send any number of them.
 * @param make gives the same value for the same text, and no object that anybody changes.
 * @param longest length of the longest text that is cached.
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

/**
 * What `make` gives, made when it is first asked for: a start does not wait for what it has no use for.
 * Schemas are costly to make, and most of them are for calls that come later, if ever.
 */
export function onFirstUse<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * A function that gives the value of `make`, which runs once, on first use. It keeps the start fast: schemas are costly
 * to make, and most of them are for calls that come later, if ever.
 */
export function onFirstUse<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

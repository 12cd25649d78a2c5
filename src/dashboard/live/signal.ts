/** Values that notify of their changes, and the hooks that redraw on them. */
import { useLayoutEffect, useState } from "preact/hooks";

/** Something to listen to. */
interface Listenable {
  /** @returns a function that ends listening. */
  listen(listener: () => void): () => void;
}

/** Something that notifies its listeners of changes. */
export class Emitter implements Listenable {
  readonly #listeners = new Set<() => void>();

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Never emits. */
export const NEVER: Listenable = { listen: () => () => {} };

/** A value with listeners. */
export class Signal<Value> extends Emitter {
  #value: Value;

  constructor(value: Value) {
    super();
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.emit();
  }
}

/** Redraws whenever the emitter emits. */
export function useListening(emitter: Listenable): void {
  const [, redraw] = useState(0);
  useLayoutEffect(() => emitter.listen(() => redraw((count) => count + 1)), [emitter]);
}

/** The value of a signal; redraws when it changes. */
export function useSignal<Value>(signal: Signal<Value>): Value {
  useListening(signal);
  return signal.value;
}

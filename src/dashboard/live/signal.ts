/** A value that tells of its changes, and the hook that draws by it. */
import { useLayoutEffect, useState } from "preact/hooks";

/** What can be listened to. */
export interface Listenable {
  /** @returns what ends listening. */
  listen(listener: () => void): () => void;
}

/** Something that changes and says so. */
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

/** What never says anything. */
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

/** Draws again whenever it emits. */
export function useListening(emitter: Listenable): void {
  const [, redraw] = useState(0);
  useLayoutEffect(() => emitter.listen(() => redraw((count) => count + 1)), [emitter]);
}

/** The value of a signal, drawn again when it changes. */
export function useSignal<Value>(signal: Signal<Value>): Value {
  useListening(signal);
  return signal.value;
}

/** The machine's clock as far as programs read it: it stands still, and is moved on by hand, until it is let go. */
const machine = Date.now;

export class StoppedWall implements Disposable {
  #at = machine();

  constructor() {
    Date.now = () => this.#at;
  }

  pass(durationMs: number): void {
    this.#at += durationMs;
  }

  /** Lets time pass between two readings from now on, wherever the program is then. @returns whether it has come to that. */
  passBeforeReading(count: number, durationMs: number): () => boolean {
    let left = count;
    Date.now = () => {
      if (--left === 0) this.pass(durationMs);
      return this.#at;
    };
    return () => left <= 0;
  }

  [Symbol.dispose](): void {
    Date.now = machine;
  }
}

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

  [Symbol.dispose](): void {
    Date.now = machine;
  }
}

import { monotonicNow, wakeAfter } from "../runtime.ts";

interface Life {
  readonly ttlMs: number;
  /** When the last call came to its end. */
  lastCallAt: number;
  callsUnderWay: number;
  stop: () => void;
}

/** Worlds that are deleted after so long in real time without a call (`ttl`). */
export class Lifetimes {
  readonly #lives = new Map<string, Life>();
  readonly #end: (id: string) => boolean;

  /** @param end deletes a world; false where it is busy and is to be asked again later. */
  constructor(end: (id: string) => boolean) {
    this.#end = end;
  }

  /** Begins to watch a world. */
  watch(id: string, ttlMs: number): void {
    this.forget(id);
    this.#lives.set(id, { ttlMs, lastCallAt: monotonicNow(), callsUnderWay: 0, stop: () => {} });
    this.#sleep(id, ttlMs);
  }

  /** A call came: the time to live begins anew once it has ended. @returns what tells of its end. */
  attend(id: string): () => void {
    const life = this.#lives.get(id);
    if (!life) return () => {};
    life.callsUnderWay++;
    return () => {
      life.callsUnderWay--;
      life.lastCallAt = monotonicNow();
    };
  }

  forget(id: string): void {
    this.#lives.get(id)?.stop();
    this.#lives.delete(id);
  }

  #sleep(id: string, delayMs: number): void {
    const life = this.#lives.get(id);
    if (life) life.stop = wakeAfter(Math.max(1, delayMs), () => this.#look(id));
  }

  #look(id: string): void {
    const life = this.#lives.get(id);
    if (!life) return;
    const leftMs = life.callsUnderWay > 0 ? life.ttlMs : life.lastCallAt + life.ttlMs - monotonicNow();
    if (leftMs > 0) this.#sleep(id, leftMs);
    else if (!this.#end(id)) this.#sleep(id, life.ttlMs);
  }
}

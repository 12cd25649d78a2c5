import { monotonicNow, wakeAfter } from "../runtime.ts";

interface Life {
  readonly ttlMs: number;
  /** When the last call ended; before any, when watching began. */
  lastCallAt: number;
  callsUnderWay: number;
  stop: () => void;
}

/** Deletes worlds that had no call for their time to live (`ttl`), in real time. */
export class Lifetimes {
  readonly #lives = new Map<string, Life>();
  readonly #end: (id: string) => boolean;

  /** @param end deletes a world; false if that is not possible now and is to be tried again later. */
  constructor(end: (id: string) => boolean) {
    this.#end = end;
  }

  /** Begins to watch a world. */
  watch(id: string, ttlMs: number): void {
    this.forget(id);
    this.#lives.set(id, { ttlMs, lastCallAt: monotonicNow(), callsUnderWay: 0, stop: () => {} });
    this.#sleep(id, ttlMs);
  }

  /** The time to live of a world; null for ever. */
  ttlOf(id: string): number | null {
    return this.#lives.get(id)?.ttlMs ?? null;
  }

  /** Notes a call: the time to live begins anew when it ends. @returns a function to call when it ends. */
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

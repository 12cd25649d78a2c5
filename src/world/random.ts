/**
 * Randomness from the world's seed, split by purpose: a draw depends only on (seed, purpose, counter or key), so that
 * adding one in one place shifts nothing elsewhere.
 */
import { hash } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";
import { bytesOf, ENTROPY_BYTES } from "../domain/identifiers/entropy.ts";
import type { MetaStore } from "../store/meta.ts";
import type { Instant } from "./instants.ts";

const BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";
const BASE36_ID_LENGTH = 24;

const KEY = "counters";

/** The value of each counter. */
type Counters = Readonly<Record<string, number>>;

/**
 * The draws of one world. Ids use counters, which are part of its state; drawing by a key always gives the same.
 */
export class Random {
  readonly #seed: number;
  readonly #meta: MetaStore;
  /** Stored in one row, written at most once per operation: there are only a few, however large the world is. */
  #counters: Record<string, number>;
  #isKept = true;

  constructor(seed: number, meta: MetaStore) {
    this.#seed = seed;
    this.#meta = meta;
    this.#counters = { ...meta.get<Counters>(KEY) };
  }

  /** The next number of a counter that is part of the world's state, starting at 1. */
  next(counter: string): number {
    const value = (this.#counters[counter] ?? 0) + 1;
    this.set(counter, value);
    return value;
  }

  /** Sets a number to be stored with the counters, such as the instant of the last operation. */
  set(counter: string, value: number): void {
    this.#counters[counter] = value;
    this.#isKept = false;
  }

  /** The present value of a counter. */
  count(counter: string): number {
    return this.#counters[counter] ?? 0;
  }

  /** The present counters, to go back to when work is undone. */
  get mark(): Counters {
    return { ...this.#counters };
  }

  /** Goes back to a {@link mark}. */
  rewind(mark: Counters): void {
    this.#counters = { ...mark };
    this.#isKept = false;
  }

  /** Writes the counters, at the end of an operation's transaction. */
  keep(): void {
    if (this.#isKept) return;
    this.#meta.set(KEY, this.#counters);
    this.#isKept = true;
  }

  /** 32 bytes that depend only on the seed, the purpose and the key, for values that operations make up. */
  entropy(purpose: string, key: string | number): Uint8Array {
    return this.#bytes(purpose, key, ENTROPY_BYTES);
  }

  /**
   * The SHA-256 digest of seed, purpose and key, for values that are kept outside, such as credentials in a
   * developer's settings: it must stay the same even if {@link entropy} changes.
   */
  digest(purpose: string, key: string | number): Buffer {
    return seedDigest(this.#seed, purpose, key);
  }

  #bytes(purpose: string, key: string | number, length: number): Uint8Array {
    return bytesOf(`${this.#seed}/${purpose}/${key}`, length);
  }

  /** A number in [0, 1), to compare with a probability. */
  fraction(purpose: string, key: string | number): number {
    return this.digest(purpose, key).readUIntBE(0, 6) / 2 ** 48;
  }

  /** One item of a list of up to a few thousand; undefined if the list is empty. */
  choice<Item>(purpose: string, key: string | number, items: readonly Item[]): Item | undefined {
    const [one = 0, two = 0, three = 0] = this.#bytes(purpose, key, 3);
    return items[(one | (two << 8) | (three << 16)) % items.length];
  }

  /**
   * A fresh id of 32 hexadecimal characters: instant, counter, random part. Ordered by time, so that an index over
   * them grows at its end.
   */
  hexId(purpose: string, now: Instant): string {
    const count = this.next(purpose);
    const time = hexTime(now);
    const order = (count & 0xffffff).toString(16).padStart(6, "0");
    return time + order + bytesToHex(this.#bytes(purpose, count, 7));
  }

  /** A fresh id of 24 base-36 characters: instant, counter, random part; ordered by time like {@link hexId}. */
  base36Id(purpose: string, now: Instant): string {
    const count = this.next(purpose);
    const time = now.toString(36).padStart(9, "0");
    const order = (count % 36 ** 4).toString(36).padStart(4, "0");
    return time + order + base36(this.#bytes(purpose, count, BASE36_ID_LENGTH - time.length - order.length));
  }

  /** `length` (at most 32) base-36 characters out of a {@link digest}. */
  base36Digest(purpose: string, key: string | number, length: number): string {
    return base36(this.digest(purpose, key).subarray(0, length));
  }
}

const HEX_ID_LENGTH = 32;
const HEX_TIME_LENGTH = 12;

function hexTime(instant: Instant): string {
  return instant.toString(16).padStart(HEX_TIME_LENGTH, "0");
}

/** The first of the ids that {@link Random.hexId} can give at an instant, for an id that needs no draw. */
export function firstHexIdAt(instant: Instant): string {
  return hexTime(instant).padEnd(HEX_ID_LENGTH, "0");
}

/** The instant of an id that {@link Random.hexId} gave. */
export function instantOfHexId(id: string): Instant {
  return Number.parseInt(id.slice(0, HEX_TIME_LENGTH), 16);
}

/** The same as {@link Random.digest}, for code that has only the seed of a world. */
export function seedDigest(seed: number, purpose: string, key: string | number): Buffer {
  return hash("sha256", `${seed}/${purpose}/${key}`, "buffer");
}

/**
 * A character per byte: the first four are likelier than the others by a seventh, which harms no id. Even odds
 * would change every id that a seed gives.
 */
function base36(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += BASE36[byte % 36];
  return text;
}

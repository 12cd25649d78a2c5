/** Length in bytes of the entropy that every maker of this folder takes. */
export const ENTROPY_BYTES = 32;

/**
 * Pseudo-random bytes that depend on the text alone, evenly distributed. Texts that differ in one character give
 * unrelated bytes; for one text, a shorter result is a prefix of a longer one. Every call of the service draws some,
 * hence a generator with 128 bits of state (SFC32), much faster than a cryptographic digest. Not for values that must
 * stay secret from somebody who knows the text.
 */
export function bytesOf(text: string, length: number): Uint8Array {
  return generate(stateOf(text), length);
}

/**
 * Stretches entropy to `length` bytes.
 *
 * The label keeps kinds apart: the same entropy gives unrelated bytes to a CPF and to an address.
 * @throws {RangeError} when the entropy is not 32 bytes long.
 */
export function stretchEntropy(entropy: Uint8Array, label: string, length: number): Uint8Array {
  if (entropy.length !== ENTROPY_BYTES) {
    throw new RangeError(`entropy must be ${ENTROPY_BYTES} bytes long, not ${entropy.length}`);
  }
  return generate(stateOf(label, entropy), length);
}

/**
 * Draws `count` characters of `alphabet` (at most 256 characters) out of entropy.
 *
 * Sixteen bits go into each character, so that no character is noticeably likelier than another.
 * @throws {RangeError} when the entropy is not 32 bytes long.
 */
export function drawCharacters(entropy: Uint8Array, label: string, alphabet: string, count: number): string {
  const bytes = stretchEntropy(entropy, label, count * 2);
  let text = "";
  for (let index = 0; index < count; index++) {
    const sixteenBits = (bytes[index * 2]! << 8) | bytes[index * 2 + 1]!;
    text += alphabet[sixteenBits % alphabet.length]!;
  }
  return text;
}

/** Four words of 32 bits. */
export type State = readonly [number, number, number, number];

const NOTHING = new Uint8Array(0);

/**
 * The generator's initial state for a text and bytes. It tells texts apart by itself: every character and byte changes
 * all four words.
 */
export function stateOf(text: string, bytes: Uint8Array = NOTHING): State {
  let [one, two, three, four] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a];
  const end = text.length + bytes.length;
  for (let index = 0; index < end; index++) {
    const next = index < text.length ? text.charCodeAt(index) : bytes[index - text.length]!;
    one = two ^ Math.imul(one ^ next, 0x239b961b);
    two = three ^ Math.imul(two ^ next, 0xab0e9789);
    three = four ^ Math.imul(three ^ next, 0x38b34ae5);
    four = one ^ Math.imul(four ^ next, 0xa1e38b93);
  }
  return [one, two, three, text.length ^ four];
}

/** Rounds whose output is discarded: after them each bit of the initial state has affected the whole state. */
const WARM_UP = 15;

/** SFC32: it passes the usual statistical tests, and its period is far longer than anything drawn here. */
function generate([first, second, third, fourth]: State, length: number): Uint8Array {
  let [one, two, three, counter] = [first, second, third, fourth];
  const bytes = new Uint8Array(length);
  let word = 0;
  for (let round = -WARM_UP; round * 4 < length; round++) {
    word = (one + two + counter) | 0;
    counter = (counter + 1) | 0;
    one = two ^ (two >>> 9);
    two = (three + (three << 3)) | 0;
    three = (((three << 21) | (three >>> 11)) + word) | 0;
    if (round < 0) continue;
    const at = round * 4;
    bytes[at] = word;
    bytes[at + 1] = word >>> 8;
    bytes[at + 2] = word >>> 16;
    bytes[at + 3] = word >>> 24;
  }
  return bytes;
}

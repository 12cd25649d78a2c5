/** TABLE: what is done to the bytes of a body. */
import fc from "fast-check";

/** One thing that is done, and how much or where. */
export interface Oddity {
  readonly kind: string;
  readonly n: number;
}

/** The value of a number; beyond the last they begin anew. */
export const pick = <Value>(values: readonly Value[], n: number) => values[n % values.length] as Value;

/** The bytes of a text. */
export const utf8 = (text: string) => Buffer.from(text);

/** What becomes of the bytes of a body; a signature is made of what comes of it. */
const ofBodies: Readonly<Record<string, (body: Buffer, n: number) => Buffer>> = {
  bom: (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
  utf16: (body) => Buffer.from(body.toString(), "utf16le"),
  invalid_utf8: (body, n) => {
    const bytes = pick([[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80], [0xc0, 0x80]], n);
    const at = body.length === 0 ? 0 : n % body.length;
    return Buffer.concat([body.subarray(0, at), Buffer.from(bytes), body.subarray(at)]);
  },
  truncated: (body, n) => body.subarray(0, body.length === 0 ? 0 : n % body.length),
  nul: (body, n) =>
    Buffer.concat([body.subarray(0, n % (body.length + 1)), Buffer.from([0]), body.subarray(n % (body.length + 1))]),
  trailing: (body, n) => Buffer.concat([body, utf8(pick(["}", " x", ",", "\u0000", "{}", "\n\n", "// c"], n))]),
  replaced: (_body, n) =>
    utf8(
      pick(
        [
          "",
          " ",
          "null",
          "true",
          "0",
          '""',
          "[]",
          "{",
          "nul",
          "'a'",
          "a=1&b=%zz",
          "\ufeff",
          "NaN",
          "{a:1}",
          '{"a":1,}',
        ],
        n,
      ),
    ),
  deep: (_body, n) => utf8(pick(["[", '{"a":', "[{"], n).repeat(pick([100, 10_000, 300_000], n))),
  large: (_body, n) => Buffer.alloc(pick([65_536, 1_048_576, 1_048_577, 2_000_000], n), 0x20),
  flipped: (body, n) => {
    const copy = Buffer.from(body);
    if (copy.length > 0) copy[n % copy.length] = n % 256;
    return copy;
  },
};

/** Things of some kinds. */
export const oddityOf = (kinds: readonly string[]): fc.Arbitrary<Oddity> =>
  fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(5_000) });

/** At most one thing that is done to the bytes of a body. */
export const bodyOddities: fc.Arbitrary<Oddity[]> = fc.oneof(
  { arbitrary: fc.constant<Oddity[]>([]), weight: 8 },
  { arbitrary: fc.array(oddityOf(Object.keys(ofBodies)), { minLength: 1, maxLength: 1 }), weight: 1 },
);

/** The bytes of a body with what is done to them. */
export function oddBody(body: Buffer, oddities: readonly Oddity[]): Buffer {
  return oddities.reduce((bytes, { kind, n }) => ofBodies[kind]?.(bytes, n) ?? bytes, body);
}

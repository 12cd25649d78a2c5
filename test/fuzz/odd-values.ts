/** Values that programs trip over: numbers at the edges of their types, texts of all kinds, nests without end. */
import fc from "fast-check";
import { type JsonNode, nodeOf, type Spoiling } from "./json-nodes.ts";

const oddNumbers = [
  ...[
    "0",
    "-0",
    "-1",
    "1",
    "0.1",
    "1e308",
    "1e309",
    "-1e308",
    "1e-8",
    "1e-400",
    "5e-324",
    "1E+2",
    "0.30000000000000004",
  ],
  ...["2147483648", "9007199254740991", "9007199254740993", "-9007199254740993", "18446744073709551616", "1e21"],
  ...[
    "123456789012345678901234567890",
    "0.123456789012345678901234567890",
    `1${"0".repeat(400)}`,
    `0.${"0".repeat(400)}1`,
  ],
];

/** Number texts where numbers are written as texts. */
const oddDecimals = [
  ...["010", "+1", "1.", ".5", "1,5", " 1 ", "1e2", "0x10", "Infinity", "NaN", "-0.00", "00", "1_000", "١٢٣", "１２"],
  ...[
    "0.00000001",
    "0.000000001",
    "99999999999999999999999999.99",
    "1".repeat(30),
    `0.${"3".repeat(30)}`,
    "9".repeat(5_000),
  ],
];

/** Texts of all kinds; none of them is where anything can be fetched from. */
export const oddTexts: readonly string[] = [
  ...[
    "",
    " ",
    "\t\r\n",
    "null",
    "undefined",
    "true",
    "[object Object]",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
  ],
  ...[
    "\u0000",
    "a\u0000b",
    "\u0001\u001b[31m",
    "\ud800",
    "a\udfff\ud800b",
    "\u202Eevil\u202C",
    "\ufeff",
    "\u200b",
    "İ",
    "ß",
    "ﷺ",
  ],
  ...["😀", "👩‍👩‍👧‍👦".repeat(20), "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L", "𝒳".repeat(64), "e\u0301", "مرحبا", "日本語"],
  ...[
    "' OR 1=1 --",
    "'; DROP TABLE transactions; --",
    "%' ESCAPE '\\",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "#{7*7}",
  ],
  ...[
    "../../../../etc/passwd",
    "..\\..\\x",
    "/dev/null",
    "C:\\",
    "file.txt\u0000.pdf",
    "a/b",
    "a%2Fb",
    "%00",
    "%zz",
    "?",
    "#",
    "&",
    ";",
  ],
  ...[
    "sandbox://inbox",
    "sandbox://",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "http://",
    "http://[::1",
    "http://a b/",
    "//x",
  ],
  ...[
    "x".repeat(65),
    "x".repeat(300),
    "x".repeat(5_001),
    "é".repeat(20_000),
    "(a+)+$".repeat(50),
    `${"a".repeat(5_000)}!`,
  ],
  ...[
    "2026-01-01T12:00:00Z",
    "2026-02-30T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "+275760-09-13T00:00:00Z",
    "0000-00-00T00:00:00Z",
  ],
  ...["-000001-01-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T12:00:60Z", "2026-01-01", "1767268800"],
  ...["P1D", "PT0S", "0s", "-1s", "1.5s", "99999999999999999999w", "1h".repeat(500), "PT1H".repeat(100)],
  ...["0.0.0.0", "::1", "::ffff:1.2.3.4", "fe80::1%lo", "999.1.1.1", "127.1"],
  ...oddDecimals,
];

const oddNests = [
  "[]",
  "{}",
  "[[]]",
  "[null]",
  '{"":null}',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
];

/** Any of them, as JSON. */
export const oddNode: fc.Arbitrary<JsonNode> = fc.oneof(
  { arbitrary: fc.constantFrom(...oddNumbers, "null", "true", "false").map((literal) => ({ literal })), weight: 4 },
  { arbitrary: fc.constantFrom(...oddTexts).map(nodeOf), weight: 6 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 12 }).map(nodeOf), weight: 1 },
  { arbitrary: fc.constantFrom(...oddNests).map((literal) => ({ literal })), weight: 2 },
  {
    arbitrary: fc.constantFrom(101, 1_000).map((many) => ({ list: Array.from({ length: many }, () => nodeOf("x")) })),
    weight: 1,
  },
  {
    arbitrary: fc.constantFrom('"\\ud800"', '"\\u0000"', '"\\ud83d\\ude00"').map((literal) => ({ literal })),
    weight: 1,
  },
);

/** Names of members that no schema has, or that are something else to a program. */
const oddNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "",
  "amount ",
  "Amount",
  "a.b",
  "\u0000",
  "x".repeat(300),
  "length",
];

/** What may be done to a body: nothing more often than anything else. */
export const spoilings: fc.Arbitrary<Spoiling[]> = fc.oneof(
  { arbitrary: fc.constant<Spoiling[]>([]), weight: 6 },
  { arbitrary: fc.array(anySpoiling(), { minLength: 1, maxLength: 3 }), weight: 3 },
);

function anySpoiling(): fc.Arbitrary<Spoiling> {
  return fc.record({
    how: fc.oneof(
      { arbitrary: fc.constantFrom("replace", "drop", "duplicate", "add", "rename"), weight: 12 },
      { arbitrary: fc.constantFrom("nest", "nest_object"), weight: 1 },
    ) as fc.Arbitrary<Spoiling["how"]>,
    place: fc.nat(10_000),
    name: fc.constantFrom(...oddNames),
    value: oddNode,
    depth: fc.constantFrom(1, 99, 100, 101, 1_000, 10_000),
  });
}

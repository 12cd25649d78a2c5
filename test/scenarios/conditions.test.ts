/** Conditions of `where` on the fields of what happened. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExactNumber } from "../../src/domain/money.ts";
import { type Condition, comparisons, fieldAt, matches } from "../../src/scenarios/conditions.ts";
import { documentOfTests } from "../support/openapi.ts";

const fields = {
  currency: "BRL",
  amount: "150.00",
  external_id: "order-0042",
  chain: null,
  payer: { name: "Maria Silva", document: "11144477735" },
  confirmed_at: "2026-01-01T12:00:05.000Z",
  number: 7,
  tiny: 0.00000001,
  order: { id: "007", long: "1".repeat(100), version: "1.50", fee: "1.50", mark: "12e5" },
  flag: true,
  items: [{ id: 1 }, { id: 7 }],
};

const exact = (source: string) => new ExactNumber(source);
const holds = (path: string, condition: unknown) => matches({ [path]: condition }, fields);

describe("interface 5: where", () => {
  test.each<[string, Condition]>([
    ["currency", "BRL"],
    ["amount", "150.00"],
    ["amount", "150"],
    ["amount", exact("150")],
    ["amount", exact("150.0")],
    ["amount", exact("1.5e2")],
    ["amount", exact("+150")],
    ["amount", { gte: exact("1e-8"), lt: exact("1e+21") }],
    ["tiny", exact("0.00000001")],
    ["tiny", { lte: exact("1e-8") }],
    ["order.mark", exact("12e5")],
    ["number", exact("7")],
    ["number", "7"],
    ["number", "7.0"],
    ["order.fee", exact("1.5")],
    ["order.fee", "1.500"],
    ["order.id", "007"],
    ["order.id", exact("007")],
    ["order.id", { gt: exact("6") }],
    ["order.version", exact("1.50")],
    ["order.long", { not: exact("1") }],
    ["flag", true],
    ["chain", null],
    ["payer.name", "Maria Silva"],
    ["payer.name", "Maria*"],
    ["payer.name", "*Silva"],
    ["payer.name", "*"],
    ["payer.name", "M*a S*a"],
    ["external_id", "order-*"],
    ["amount", { gte: exact("150") }],
    ["amount", { gte: "150.00", lte: "150.000" }],
    ["amount", { gt: exact("149.99"), lt: exact("150.01") }],
    ["amount", { lt: "1000" }],
    ["amount", { in: ["1.00", exact("150")] }],
    ["currency", { in: ["MXN", "BRL"] }],
    ["currency", { in: ["M*", "B*"] }],
    ["currency", { not: "MXN" }],
    ["currency", { not: { in: ["MXN", "USDT"] } }],
    ["chain", { not: "tron" }],
    ["amount", { not: { gt: exact("150") } }],
    ["confirmed_at", { gte: "2026-01-01T12:00:05.000Z", lt: "2026-01-02T00:00:00.000Z" }],
  ])("%s holds %o", (path, condition) => {
    expect(holds(path, condition)).toBe(true);
  });

  test.each<[string, Condition]>([
    ["currency", "brl"],
    ["currency", "BR"],
    ["currency", ""],
    ["currency", null],
    ["amount", "150.01"],
    ["amount", exact("15")],
    ["amount", "abc"],
    ["chain", "null"],
    ["chain", "*"],
    ["flag", "true"],
    ["flag", false],
    ["flag", exact("1")],
    ["payer", null],
    ["payer.name", "Maria"],
    ["payer.name", "Silva*"],
    ["payer.name", "M*ari*ia*"],
    ["external_id", "order-*04*42"],
    ["payer.name", "Maria.Silva"],
    ["external_id", "order.*"],
    ["external_id", "42"],
    ["amount", { gt: exact("150") }],
    ["amount", { lt: "150" }],
    ["amount", { gte: "9", lt: "20" }],
    ["amount", { gte: "abc" }],
    ["currency", { gte: exact("1") }],
    ["currency", { in: [] }],
    ["currency", { not: "B*" }],
    ["payer.age", exact("7")],
    ["order.id", exact("7")],
    ["order.id", "7"],
    ["order.id", { in: [exact("7"), "07"] }],
    ["order.version", exact("1.5")],
    ["order.version", "1.5"],
    ["order.long", exact("1")],
    ["order.long", { gt: exact("1") }],
  ])("%s does not hold %o", (path, condition) => {
    expect(holds(path, condition)).toBe(false);
  });

  test.each(["gte", "gt", "lte", "lt"])("what is not there is neither more nor less than anything: %s", (name) => {
    for (const operand of ["2026-01-01T00:00:00.000Z", "a", "zzz", "0", exact("1")]) {
      expect([operand, holds("chain", { [name]: operand })]).toEqual([operand, false]);
      expect([operand, holds("payer.age", { [name]: operand })]).toEqual([operand, false]);
    }
  });

  test.each(["gte", "gt", "lte", "lt"])("nothing is more or less than true, a list or an object: %s", (name) => {
    for (const operand of ["A", "zzz", "true", true, exact("1")]) {
      for (const path of ["flag", "items", "payer"]) expect(holds(path, { [name]: operand })).toBe(false);
    }
    for (const path of ["currency", "number"]) expect(holds(path, { [name]: true })).toBe(false);
  });

  test("all of them must hold, and none is needed", () => {
    expect(matches({}, fields)).toBe(true);
    expect(matches({ currency: "BRL", amount: { gte: exact("100") } }, fields)).toBe(true);
    expect(matches({ currency: "BRL", amount: { gte: exact("200") } }, fields)).toBe(false);
    expect(matches({ currency: "MXN", amount: { gte: exact("100") } }, fields)).toBe(false);
  });
});

describe("instants are held against each other by time, in any zone and to any precision", () => {
  test.each<[Condition]>([
    ["2026-01-01T12:00:05Z"],
    ["2026-01-01T13:00:05+01:00"],
    ["2026-01-01T09:00:05.000-03:00"],
    [{ gte: "2026-01-01T12:00:05Z" }],
    [{ lte: "2026-01-01T12:00:05Z" }],
    [{ gt: "2026-01-01T12:59:00+01:00", lt: "2026-01-01T12:00:05.001Z" }],
    [{ in: ["2026-01-02T12:00:05Z", "2026-01-01T12:00:05+00:00"] }],
    [{ not: "2026-01-01T12:00:05.001Z" }],
    ["2026-01-01T12:00:*"],
    [{ gt: "2026-01-01", lt: "2026-01-02" }],
    [{ gt: "2025-12", lt: "2026-02" }],
  ])("%o holds", (condition) => {
    expect(holds("confirmed_at", condition)).toBe(true);
  });

  test.each<[Condition]>([
    [{ lt: "2026-01-01T12:00:05Z" }],
    [{ gt: "2026-01-01T12:00:05Z" }],
    [{ gte: "2026-01-01T12:00:05-01:00" }],
    [{ not: "2026-01-01T12:00:05Z" }],
    [{ not: { in: ["2026-01-01T13:00:05+01:00"] } }],
    ["2026-01-01T12:00:05"],
    ["2026-01-01T12:00:05+01:00"],
    ["2026-01-01"],
  ])("%o does not hold", (condition) => {
    expect(holds("confirmed_at", condition)).toBe(false);
  });
});

test.each<[Condition, boolean]>([
  [{ gte: "2026-01-01" }, true],
  [{ lte: "2026-01-01" }, true],
  [{ gt: "2026-01-01" }, false],
  [{ lt: "2026-01" }, false],
])("a day and a month are their first instant, UTC: %o is %o of midnight", (condition, isTrue) => {
  expect(matches({ at: condition }, { at: "2026-01-01T00:00:00.000Z" })).toBe(isTrue);
});

describe("fieldAt", () => {
  test.each<[string, unknown]>([
    ["currency", "BRL"],
    ["payer.document", "11144477735"],
    ["items[1].id", 7],
    ["items.1.id", 7],
    ["items[2].id", null],
    ["payer.name.first", null],
    ["currency.length", null],
    ["nothing", null],
    ["nothing.at.all", null],
    ["chain.name", null],
    ["", null],
    ["payer.", null],
    ["constructor", null],
    ["__proto__", null],
    ["payer.toString", null],
  ])("%j is %o", (path, value) => {
    expect(fieldAt(fields, path)).toEqual(value);
  });
});

/** How the OpenAPI document says that a text is a decimal. */
const DECIMAL = "^-?\\d+(\\.\\d+)?$";

/** Every field of a JSON Schema and of all within it, with its own schema. */
function* fieldsIn(schema: unknown): Generator<[name: string, schema: { readonly pattern?: unknown }]> {
  if (schema === null || typeof schema !== "object") return;
  if ("properties" in schema) yield* Object.entries(schema.properties as Record<string, object>);
  for (const member of Object.values(schema)) yield* fieldsIn(member);
}

describe("laws", () => {
  const anyText = fc.string({ unit: fc.constantFrom(..."ab*.0129-+()[]\\^$ \n") });
  const anyAmount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).map((cents) => {
    const digits = (cents < 0n ? -cents : cents).toString().padStart(3, "0");
    return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  });

  test("a text always equals itself, and not is the contrary", () => {
    fc.assert(
      fc.property(anyText, anyText, (value, condition) => {
        expect(matches({ value }, { value })).toBe(true);
        expect(matches({ value: { not: condition } }, { value })).toBe(!matches({ value: condition }, { value }));
      }),
    );
  });

  test("a star stands for any text, and nothing else has a meaning of its own", () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (head, middle, tail) => {
        const plain = (text: string) => text.replaceAll("*", "");
        const [first, last] = [plain(head), plain(tail)];
        expect(matches({ value: `${first}*${last}` }, { value: first + middle + last })).toBe(true);
        expect(matches({ value: `${first}*${last}x` }, { value: `${first}${middle}${last}y` })).toBe(false);
      }),
    );
  });

  test("amounts are ordered by value: exactly one of lt, equal and gt holds", () => {
    fc.assert(
      fc.property(anyAmount, anyAmount, (value, other) => {
        const is = (condition: unknown) => matches({ amount: condition }, { amount: value });
        expect([is({ lt: other }), is(exact(other)), is({ gt: other })].filter(Boolean)).toHaveLength(1);
        expect([is({ gte: other }), is({ lte: other })]).toEqual([!is({ lt: other }), !is({ gt: other })]);
      }),
    );
  });

  test("of the fields of answers and events those that hold decimals are equal by value, and no others", () => {
    const fieldsThere = [...fieldsIn(documentOfTests())];
    const decimals = fieldsThere.filter(([, schema]) => schema.pattern === DECIMAL);
    const byValue = fieldsThere.filter(([name]) => matches({ [name]: exact("1.5") }, { [name]: "1.50" }));
    const names = (all: typeof fieldsThere) => [...new Set(all.map(([name]) => name))].sort();
    expect(names(decimals).length).toBeGreaterThan(20);
    expect(names(byValue)).toEqual(names(decimals));
  });

  test("every comparison has its name in the list", () => {
    expect([...comparisons].sort()).toEqual(["gt", "gte", "in", "lt", "lte", "not"]);
  });
});

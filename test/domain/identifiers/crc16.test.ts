import fc from "fast-check";
import { expect, test } from "vitest";
import { crc16Ccitt } from "../../../src/domain/identifiers/crc16.ts";

test("the CRC-16/CCITT-FALSE of 123456789 is 29B1", () => {
  expect(crc16Ccitt("123456789")).toBe("29B1");
});

test("the CRC-16 of an empty text is the initial value", () => {
  expect(crc16Ccitt("")).toBe("FFFF");
});

test("the CRC-16 is four upper-case hexadecimal digits for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => /^[0-9A-F]{4}$/.test(crc16Ccitt(text))));
});

test("the CRC-16 of a text followed by its own CRC bytes is zero", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
      const crc = Number.parseInt(crc16Ccitt(text), 16);
      fc.pre(crc >> 8 < 0x80 && (crc & 0xff) < 0x80);
      expect(crc16Ccitt(text + String.fromCharCode(crc >> 8, crc & 0xff))).toBe("0000");
    }),
  );
});

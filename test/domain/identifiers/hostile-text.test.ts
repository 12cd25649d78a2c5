import fc from "fast-check";
import { expect, test } from "vitest";
import { isAddress } from "../../../src/domain/identifiers/chain-address.ts";
import { isClabe } from "../../../src/domain/identifiers/clabe.ts";
import { pixKeyType } from "../../../src/domain/identifiers/pix-key.ts";
import { isCnpj, isCpf, taxIdKind } from "../../../src/domain/identifiers/tax-id.ts";
import { isTransactionHash } from "../../../src/domain/identifiers/transaction-hash.ts";
import { parsePixCode } from "../../support/pix-code-parser.ts";
import { FORMATS } from "./arbitraries.ts";

const CHECKS: Record<string, (text: string) => boolean> = {
  isCpf,
  isCnpj,
  isClabe,
  taxIdKind: (text) => taxIdKind(text) !== null,
  pixKeyType: (text) => pixKeyType(text) !== null,
  parsePixCode: (text) => parsePixCode(text) !== null,
};
for (const format of FORMATS) {
  CHECKS[`isAddress ${format}`] = (text) => isAddress(format, text);
  CHECKS[`isTransactionHash ${format}`] = (text) => isTransactionHash(format, text);
}

/** Beginnings that get a text past the first look of a check. */
const BEGINNINGS = ["", "0x", "bc1", "bc1q", "BC1", "T", "1", "+5511", "a@", "00020126", "***"];
const FILLINGS = ["0", "1", "z", "a.", "a@", "a-", "0099", "é", "\u0000", " ", "\ud800", "😀", "\u0130", "\u212a", "٣"];
const LONG_TEXTS = BEGINNINGS.flatMap((beginning) =>
  FILLINGS.map((filling) => beginning + filling.repeat(100_000 / filling.length)),
);

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.nat(0xffff), { maxLength: 100 }).map((units) => String.fromCharCode(...units)),
  fc.tuple(fc.constantFrom(...BEGINNINGS), fc.string()).map(([beginning, rest]) => beginning + rest),
);

test.each(Object.entries(CHECKS))("%s refuses texts of 100 000 characters without throwing", (_, check) => {
  for (const text of LONG_TEXTS) expect(check(text)).toBe(false);
});

test.each(Object.entries(CHECKS))("%s never throws, whatever the text", (_, check) => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(typeof check(text)).toBe("boolean");
    }),
  );
});

test.each(Object.entries(CHECKS))("%s refuses an empty text, a blank and a lone surrogate", (_, check) => {
  for (const text of ["", " ", "\n", "\ud800", "null", "undefined", "__proto__"]) expect(check(text)).toBe(false);
});

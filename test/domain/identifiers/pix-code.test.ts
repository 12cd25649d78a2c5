import { getPixPayloadInfo, isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { hasError, isDynamicPix, isStaticPix, parsePix } from "pix-utils";
import { expect, test } from "vitest";
import { crc16Ccitt } from "../../../src/domain/identifiers/crc16.ts";
import { dynamicPixCode, staticPixCode } from "../../../src/domain/identifiers/pix-code.ts";
import { makeEvp } from "../../../src/domain/identifiers/pix-key.ts";
import { parsePixCode } from "../../support/pix-code-parser.ts";
import { anyEntropy, HEXADECIMAL } from "./arbitraries.ts";

const DYNAMIC =
  "00020126760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5918Sandbox Pagamentos6009SAO PAULO62070503***630430F3";
const STATIC =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";

const charge = {
  location: "pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441",
  amount: "150.00",
  merchantName: "Sandbox Pagamentos",
  merchantCity: "SAO PAULO",
};
const wallet = {
  key: "123e4567-e12b-12d1-a456-426655440000",
  merchantName: "Fulano de Tal",
  merchantCity: "BRASILIA",
};

const nameWithLetters = fc
  .oneof(fc.string({ unit: "grapheme", maxLength: 60 }), fc.constantFrom("Padaria São João & Filhos Ltda.", "ÁÉÍ ãõç"))
  .map((name) => `A${name}`);
const anyAmount = fc.nat(99_999_999).map((cents) => {
  const text = String(cents + 1).padStart(3, "0");
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
});
const anyCharge = fc.record({
  location: fc
    .string({ unit: fc.constantFrom(...HEXADECIMAL), minLength: 32, maxLength: 32 })
    .map((id) => `pix.example.com/qr/v2/${id}`),
  amount: anyAmount,
  merchantName: nameWithLetters,
  merchantCity: nameWithLetters,
});
const anyWallet = fc.record({
  key: anyEntropy.map(makeEvp),
  merchantName: nameWithLetters,
  merchantCity: nameWithLetters,
});

test("D31 CIN-04 a dynamic PIX text begins 00020126: the location in 26-25, the amount in 54, *** in 62-05", () => {
  const text = dynamicPixCode(charge);
  const unsealed = `${DYNAMIC.slice(0, -8).replace("5802BR", "5406150.005802BR")}6304`;
  expect(text).toBe(unsealed + crc16Ccitt(unsealed));
  expect(text.startsWith("00020126")).toBe(true);
});

test("D31 a static PIX text is the central bank's own example: its key in 26-01, no amount", () => {
  expect(staticPixCode(wallet)).toBe(STATIC);
});

test("D31 the two vectors of the field are read", () => {
  expect(parsePixCode(STATIC)).toEqual({ ...wallet, location: null, amount: null, transactionLabel: "***" });
  expect(parsePixCode(DYNAMIC)).toEqual({ ...charge, key: null, amount: null, transactionLabel: "***" });
});

test("D31 what a dynamic text was made of is read back, and both judges read the same", () => {
  fc.assert(
    fc.property(anyCharge, (made) => {
      const text = dynamicPixCode(made);
      const read = parsePixCode(text);
      expect(text.startsWith("00020126")).toBe(true);
      expect(read).toMatchObject({
        key: null,
        location: made.location,
        amount: made.amount,
        transactionLabel: "***",
      });
      const judged = parsePix(text);
      expect(!hasError(judged) && isDynamicPix(judged) && judged.url).toBe(made.location);
      expect(judged).toMatchObject({ merchantName: read?.merchantName, merchantCity: read?.merchantCity });
      expect(getPixPayloadInfo(text)).toMatchObject({ url: made.location, merchantName: read?.merchantName });
    }),
  );
});

test("D31 what a static text was made of is read back, and both judges read the same", () => {
  fc.assert(
    fc.property(anyWallet, (made) => {
      const text = staticPixCode(made);
      const read = parsePixCode(text);
      expect(text.startsWith("00020126")).toBe(true);
      expect(read).toMatchObject({ key: made.key, location: null, amount: null, transactionLabel: "***" });
      const judged = parsePix(text);
      expect(!hasError(judged) && isStaticPix(judged) && judged.pixKey).toBe(made.key);
      expect(judged).toMatchObject({ merchantName: read?.merchantName, merchantCity: read?.merchantCity });
      expect(isValidPixPayload(text)).toBe(true);
    }),
  );
});

test("D31 names are folded to ASCII and cut to 25 and 15 characters", () => {
  const text = staticPixCode({
    key: wallet.key,
    merchantName: "  Padaria São João\t& Filhos do Pará Ltda.",
    merchantCity: "São José dos Campos 🏙",
  });
  expect(parsePixCode(text)).toMatchObject({
    merchantName: "Padaria Sao Joao & Filhos",
    merchantCity: "Sao Jose dos Ca",
  });
});

test("D31 a name cut at a space does not end in one", () => {
  const text = staticPixCode({ ...wallet, merchantCity: "Abcdefghijklmn Opq" });
  expect(parsePixCode(text)?.merchantCity).toBe("Abcdefghijklmn");
});

test.each([
  ["a location with a scheme", { location: "https://pix.example.com/qr/v2/1" }],
  ["an empty location", { location: "" }],
  ["a location without path", { location: "pix.example.com" }],
  ["a location with a space", { location: "pix.example.com/qr/v2/a b" }],
  ["a location of 78 characters", { location: `pix.example.com/${"a".repeat(62)}` }],
  ["an amount without decimals", { amount: "150" }],
  ["an amount with a comma", { amount: "150,00" }],
  ["an amount with three decimals", { amount: "150.000" }],
  ["a negative amount", { amount: "-1.00" }],
  ["an amount of fourteen characters", { amount: "12345678901.00" }],
  ["a name of nothing but blanks", { merchantName: " \t " }],
  ["a name without any ASCII form", { merchantName: "東京" }],
  ["an empty city", { merchantCity: "" }],
])("D31 a dynamic PIX text is not made of %s", (_, fault) => {
  expect(() => dynamicPixCode({ ...charge, ...fault })).toThrow(RangeError);
});

test.each([
  ["an empty key", ""],
  ["a key of no format", "???"],
  ["a key of 78 characters", `${"a".repeat(66)}@example.com`],
])("D31 a static PIX text is not made of %s", (_, key) => {
  expect(() => staticPixCode({ ...wallet, key })).toThrow(RangeError);
});

test("D31 the longest fields still fit", () => {
  const location = `pix.example.com/${"a".repeat(61)}`;
  const text = dynamicPixCode({ ...charge, location, amount: "1234567890.00" });
  expect(parsePixCode(text)).toMatchObject({ location, amount: "1234567890.00" });
  const key = `${"a".repeat(65)}@example.com`;
  expect(parsePixCode(staticPixCode({ ...wallet, key }))?.key).toBe(key);
});

import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isCnpj, isCpf, makeCnpj, makeCpf, taxIdKind } from "../../../src/domain/identifiers/tax-id.ts";
import { anyEntropy, DIGITS, everyChange, oneCharacterChanged } from "./arbitraries.ts";

const anyDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength: length, maxLength: length });
const anyAlphanumericBase = fc.string({
  unit: fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
  minLength: 12,
  maxLength: 12,
});

test.each(["12345678909", "11144477735", "51998259765"])("D36 %s is a CPF", (text) => {
  expect(isCpf(text)).toBe(true);
  expect(taxIdKind(text)).toBe("cpf");
});

test.each([
  ["with a wrong check digit", "12345678900"],
  ["of equal digits", "11111111111"],
  ["of zeros", "00000000000"],
  ["with punctuation", "123.456.789-09"],
  ["with a blank", " 12345678909"],
  ["with a line break", "12345678909\n"],
  ["of ten digits", "1234567890"],
  ["of other scripts' digits", "１２３４５６７８９０９"],
  ["that is empty", ""],
])("D36 a text %s is no CPF", (_, text) => {
  expect(isCpf(text)).toBe(false);
  expect(taxIdKind(text)).toBeNull();
});

test.each(["11222333000181", "12ABC34501DE35"])("D36 %s is a CNPJ", (text) => {
  expect(isCnpj(text)).toBe(true);
  expect(taxIdKind(text)).toBe("cnpj");
});

test.each([
  ["with a wrong check digit", "12ABC34501DE36"],
  ["in lower case", "12abc34501de35"],
  ["of zeros", "00000000000000"],
  ["with punctuation", "11.222.333/0001-81"],
  ["with letters as check digits", "12ABC34501DEAB"],
])("D36 a text %s is no CNPJ", (_, text) => {
  expect(isCnpj(text)).toBe(false);
  expect(taxIdKind(text)).toBeNull();
});

test("every made CPF is valid, to the judge too", () => {
  fc.assert(
    fc.property(anyEntropy, (entropy) => {
      const cpf = makeCpf(entropy);
      expect(isCpf(cpf) && isValidCpf(cpf)).toBe(true);
      expect(taxIdKind(cpf)).toBe("cpf");
      expect(cpf[8], "so that the digits are never all equal").not.toBe(cpf[7]);
    }),
  );
});

test("every made CNPJ is valid, to the judge too, and a head office", () => {
  fc.assert(
    fc.property(anyEntropy, (entropy) => {
      const cnpj = makeCnpj(entropy);
      expect(isCnpj(cnpj) && isValidCnpj(cnpj)).toBe(true);
      expect(cnpj.slice(8, 12)).toBe("0001");
    }),
  );
});

test("the judge agrees on every eleven and fourteen digits", () => {
  fc.assert(fc.property(anyDigits(11), (text) => isCpf(text) === isValidCpf(text)));
  fc.assert(fc.property(anyDigits(14), (text) => isCnpj(text) === isValidCnpj(text)));
});

test("the judge agrees on which of the hundred endings of a base is right", () => {
  const endings = Array.from({ length: 100 }, (_, ending) => String(ending).padStart(2, "0"));
  fc.assert(
    fc.property(anyDigits(9), anyAlphanumericBase, (cpfBase, cnpjBase) => {
      for (const ending of endings) {
        expect(isCpf(cpfBase + ending)).toBe(isValidCpf(cpfBase + ending));
        expect(isCnpj(cnpjBase + ending)).toBe(isValidCnpj(cnpjBase + ending, { version: 2 }));
      }
      expect(endings.filter((ending) => isCnpj(cnpjBase + ending)).length).toBeLessThanOrEqual(1);
    }),
  );
});

test("one changed digit makes a CPF or CNPJ invalid, unless its first check digit is 0", () => {
  const anyTaxId = fc.oneof(anyEntropy.map(makeCpf), anyEntropy.map(makeCnpj)).filter((id) => id.at(-2) !== "0");
  const anyChange = anyTaxId.chain((id) => oneCharacterChanged(id, DIGITS));
  fc.assert(fc.property(anyChange, (changed) => taxIdKind(changed) === null));
  for (const changed of everyChange("11144477735", DIGITS)) expect(isCpf(changed)).toBe(false);
  for (const changed of everyChange("11222333000181", DIGITS)) expect(isCnpj(changed)).toBe(false);
});

test("the official rule's own weakness: after a first check digit 0 one changed digit may go unseen", () => {
  for (const text of ["12345678909", "22345678909"]) expect(isCpf(text) && isValidCpf(text)).toBe(true);
  for (const text of ["10000003700", "00000003700"]) expect(isCpf(text) && isValidCpf(text)).toBe(true);
  for (const text of ["10000017000100", "30000017000100"]) expect(isCnpj(text) && isValidCnpj(text)).toBe(true);
});

test("the official rule's own weakness: characters eleven apart look alike to an alphanumeric CNPJ", () => {
  for (const text of ["12ABC34501DE35", "12LBC34501DE35"]) {
    expect(isCnpj(text) && isValidCnpj(text, { version: 2 })).toBe(true);
  }
});

import { getPixKeyInfo } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeEvp, pixKeyType } from "../../../src/domain/identifiers/pix-key.ts";
import { makeCnpj, makeCpf } from "../../../src/domain/identifiers/tax-id.ts";
import { anyEntropy, DIGITS } from "./arbitraries.ts";

test.each([
  ["12345678909", "cpf"],
  ["11144477735", "cpf"],
  ["51998259765", "cpf"],
  ["11222333000181", "cnpj"],
  ["12ABC34501DE35", "cnpj"],
  ["fulano@example.com", "email"],
  ["a.b+c_d@sub.example.com.br", "email"],
  [`${"a".repeat(65)}@example.com`, "email"],
  ["+5511987654321", "phone"],
  ["+5551998259765", "phone"],
  ["123e4567-e12b-12d1-a456-426655440000", "evp"],
  ["00000000-0000-0000-0000-000000000000", "evp"],
])("D36 the key %s gets its type %s", (key, type) => {
  expect(pixKeyType(key)).toBe(type);
  if (!key.startsWith("0000")) expect(getPixKeyInfo(key)?.type).toBe(type);
});

test.each([
  ["no format", "???"],
  ["an empty text", ""],
  ["a CPF with a wrong check digit", "12345678900"],
  ["a CPF with punctuation", "123.456.789-09"],
  ["a CNPJ with a wrong check digit", "12ABC34501DE36"],
  ["a CNPJ in lower case", "12abc34501de35"],
  ["an e-mail in upper case", "Fulano@example.com"],
  ["an e-mail of 78 characters", `${"a".repeat(66)}@example.com`],
  ["an e-mail without domain", "fulano@"],
  ["an e-mail with two at signs", "a@b@example.com"],
  ["an e-mail with a blank", "ful ano@example.com"],
  ["an e-mail with an accent", "joão@example.com"],
  ["a phone without plus", "5511987654321"],
  ["a phone without +55", "11987654321"],
  ["a landline", "+551133334444"],
  ["a phone without the ninth digit", "+551187654321"],
  ["a phone whose ninth digit is no nine", "+5511887654321"],
  ["a phone of another country", "+14155552671"],
  ["a phone with area code 0x", "+5501987654321"],
  ["an EVP in upper case", "123E4567-E12B-12D1-A456-426655440000"],
  ["an EVP without hyphens", "123e4567e12b12d1a456426655440000"],
  ["a CLABE", "032180000118359719"],
  ["a key and a line break", "12345678909\n"],
])("D36 %s is no PIX key", (_, key) => {
  expect(pixKeyType(key)).toBeNull();
});

test("every made EVP is a lower-case UUID of version 4, to the judge too", () => {
  fc.assert(
    fc.property(anyEntropy, (entropy) => {
      const evp = makeEvp(entropy);
      expect(evp).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(pixKeyType(evp)).toBe("evp");
      expect(getPixKeyInfo(evp)?.type).toBe("evp");
    }),
  );
});

test("D36 the judge agrees on the type of made tax ids and mobile phones", () => {
  const anyPhone = fc
    .string({ unit: fc.constantFrom(...DIGITS), minLength: 8, maxLength: 8 })
    .map((number) => `+55119${number}`);
  const anyKey = fc.oneof(anyEntropy.map(makeCpf), anyEntropy.map(makeCnpj), anyPhone);
  fc.assert(
    fc.property(anyKey, (key) => {
      const judged = getPixKeyInfo(key);
      fc.pre(judged !== null || !key.startsWith("+"));
      expect(pixKeyType(key)).toBe(judged?.type);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { type MexicanName, makeRfc } from "../../../src/domain/identifiers/rfc.ts";
import { judgeRfc } from "../../support/rfc-judge.ts";
import { anyEntropy } from "./arbitraries.ts";

const ENTROPY = new Uint8Array(32).fill(7);
const anyWord = fc.constantFrom(
  "María",
  "José",
  "Íñigo",
  "Ñañez",
  "Núñez",
  "de la Cruz",
  "Kyra",
  "Sámano",
  "Oca",
  "Ruiz",
);
const anyName = fc.record({ given: anyWord, paternal: anyWord, maternal: anyWord });

test("every made RFC is a person's to the judge: letters, date, homoclave, check digit", () => {
  fc.assert(
    fc.property(anyName, anyEntropy, (name, entropy) => {
      expect(judgeRfc(makeRfc(name, entropy))).toMatchObject({ isValid: true, type: "person" });
    }),
  );
});

test.each<[string, MexicanName]>([
  ["ROHV", { given: "Verónica", paternal: "Rodríguez", maternal: "Hernández" }],
  ["AUGL", { given: "José Luis", paternal: "Águila", maternal: "García" }],
  ["CULC", { given: "María del Carmen", paternal: "de la Cruz", maternal: "de los López" }],
  ["KXGJ", { given: "José", paternal: "Krz", maternal: "Gómez" }],
  ["ÑAPA", { given: "Ana María", paternal: "Ñañez", maternal: "Pérez" }],
])("an RFC begins with %s for its person", (letters, name) => {
  expect(makeRfc(name, ENTROPY).slice(0, 4)).toBe(letters);
});

test("a beginning that nobody is given ends with an X", () => {
  expect(makeRfc({ given: "Olga", paternal: "Pérez", maternal: "Díaz" }, ENTROPY).slice(0, 4)).toBe("PEDX");
});

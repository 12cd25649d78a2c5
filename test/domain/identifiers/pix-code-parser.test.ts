import { isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { createDynamicPix, createStaticPix, hasError, parsePix } from "pix-utils";
import { expect, test } from "vitest";
import { crc16Ccitt } from "../../../src/domain/identifiers/crc16.ts";
import { writeEmvField } from "../../../src/domain/identifiers/emv-fields.ts";
import { dynamicPixCode } from "../../../src/domain/identifiers/pix-code.ts";
import { parsePixCode } from "../../support/pix-code-parser.ts";
import { everyChange, oneCharacterChanged, PRINTABLE } from "./arbitraries.ts";

const KEY = "123e4567-e12b-12d1-a456-426655440000";
const LOCATION = "pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441";
const GUI = writeEmvField("00", "br.gov.bcb.pix");

type Fields = [id: string, value: string][];
const STATIC_FIELDS: Fields = [
  ["00", "01"],
  ["26", GUI + writeEmvField("01", KEY)],
  ["52", "0000"],
  ["53", "986"],
  ["58", "BR"],
  ["59", "Fulano de Tal"],
  ["60", "BRASILIA"],
  ["62", "0503***"],
];

function sealed(fields: Fields): string {
  const text = `${fields.map(([id, value]) => writeEmvField(id, value)).join("")}6304`;
  return text + crc16Ccitt(text);
}

/** The static fields with one of them replaced, or left out when the value is null. */
function withField(id: string, value: string | null): string {
  const kept = STATIC_FIELDS.map(([each, old]): [string, string | null] => [each, each === id ? value : old]);
  return sealed(kept.filter((field): field is [string, string] => field[1] !== null));
}

test("D31 any one changed character makes a PIX text unreadable, to us and to the judges", () => {
  const text = dynamicPixCode({ location: LOCATION, amount: "150.00", merchantName: "Loja", merchantCity: "SP" });
  for (const changed of everyChange(text, PRINTABLE)) expect(parsePixCode(changed)).toBeNull();
  fc.assert(
    fc.property(oneCharacterChanged(text, PRINTABLE), (changed) => {
      expect(parsePixCode(changed)).toBeNull();
      expect(hasError(parsePix(changed))).toBe(true);
    }),
  );
});

test("D31 a cut text, a longer one and one without its field 63 are unreadable", () => {
  const text = sealed(STATIC_FIELDS);
  for (let length = 0; length < text.length; length++) expect(parsePixCode(text.slice(0, length))).toBeNull();
  expect(parsePixCode(`${text} `)).toBeNull();
  expect(parsePixCode(text + text)).toBeNull();
  expect(parsePixCode(text.slice(0, -8))).toBeNull();
});

test("D31 a field 63 that is not the last one seals nothing, even with the CRC of all but the last four characters", () => {
  const begun = sealed(STATIC_FIELDS).slice(0, -8);
  const text = `${begun}6304ABCD80102466780000`;
  expect(crc16Ccitt(text.slice(0, -4))).toBe("ABCD");
  expect(parsePixCode(text)).toBeNull();
});

test("D31 a lower-case CRC is not right", () => {
  const text = sealed(STATIC_FIELDS);
  expect(text.slice(-4)).toBe("1D3D");
  expect(parsePixCode(text.slice(0, -4) + text.slice(-4).toLowerCase())).toBeNull();
});

test("field 01 may be absent, 11 or 12 and nothing else", () => {
  const withInitiation = (value: string) => sealed([["00", "01"], ["01", value], ...STATIC_FIELDS.slice(1)]);
  expect(parsePixCode(withInitiation("11"))?.key).toBe(KEY);
  expect(parsePixCode(withInitiation("12"))?.key).toBe(KEY);
  expect(parsePixCode(withInitiation("13"))).toBeNull();
});

test("26-00 is compared without regard to case", () => {
  expect(parsePixCode(withField("26", writeEmvField("00", "BR.GOV.BCB.PIX") + writeEmvField("01", KEY)))?.key).toBe(
    KEY,
  );
});

test("a static text may carry an amount, a label of its own and fields unknown here", () => {
  const fields: Fields = [...STATIC_FIELDS.slice(0, 4), ["54", "10.50"], ...STATIC_FIELDS.slice(4, 7)];
  const text = sealed([...fields, ["62", "0507Order42"], ["80", "0003abc"]]);
  expect(parsePixCode(text)).toMatchObject({ amount: "10.50", transactionLabel: "Order42" });
  expect(isValidPixPayload(text)).toBe(true);
});

test("texts of the judge pix-utils are read", () => {
  const receiver = { merchantName: "Fulano de Tal", merchantCity: "SAO PAULO" };
  const fixed = createStaticPix({ ...receiver, pixKey: KEY, transactionAmount: 12.5, txid: "Order42" }).throwIfError();
  expect(parsePixCode("toBRCode" in fixed ? fixed.toBRCode() : "")).toMatchObject({ key: KEY, amount: "12.50" });
  const dynamic = createDynamicPix({ ...receiver, url: LOCATION, oneTime: true }).throwIfError();
  expect(parsePixCode("toBRCode" in dynamic ? dynamic.toBRCode() : "")).toMatchObject({
    location: LOCATION,
    key: null,
  });
});

test.each([
  ["another payload format", withField("00", "02")],
  ["field 00 not in front", sealed([STATIC_FIELDS[1]!, STATIC_FIELDS[0]!, ...STATIC_FIELDS.slice(2)])],
  ["another arrangement", withField("26", writeEmvField("00", "br.gov.bcb.pox") + writeEmvField("01", KEY))],
  ["no arrangement", withField("26", writeEmvField("01", KEY))],
  ["neither key nor location", withField("26", GUI)],
  ["both key and location", withField("26", GUI + writeEmvField("01", "a@b.co") + writeEmvField("25", LOCATION))],
  ["a location with a scheme", withField("26", GUI + writeEmvField("25", `https://${LOCATION}`))],
  ["a broken template 26", withField("26", `${GUI}0199${KEY}`)],
  ["no field 26", withField("26", null)],
  ["another category", withField("52", "5411")],
  ["no category", withField("52", null)],
  ["another currency", withField("53", "840")],
  ["another country", withField("58", "US")],
  ["no name", withField("59", null)],
  ["a name of 26 characters", withField("59", "a".repeat(26))],
  ["a name outside ASCII", withField("59", "São João")],
  ["no city", withField("60", null)],
  ["a city of 16 characters", withField("60", "a".repeat(16))],
  ["no field 62", withField("62", null)],
  ["no 62-05", withField("62", "0403***")],
  ["a label of 26 characters", withField("62", `0526${"a".repeat(26)}`)],
  ["a label with a hyphen", withField("62", "0503a-b")],
  ["a dynamic text with a label", withField("26", GUI + writeEmvField("25", LOCATION)).replace("***", "abc")],
  ["a field that comes twice", sealed([...STATIC_FIELDS, ["59", "Outro"]])],
  ["an amount without decimals", sealed([...STATIC_FIELDS, ["54", "10"]])],
  ["an amount of fourteen characters", sealed([...STATIC_FIELDS, ["54", "12345678901.00"]])],
  ["more than 512 characters", sealed([...STATIC_FIELDS, ...longFields()])],
  ["an empty field", reseal(`${sealed(STATIC_FIELDS).slice(0, -8)}8000`)],
])("D31 a PIX text with %s is unreadable", (_, text) => {
  expect(parsePixCode(reseal(text.slice(0, -8)))).toBeNull();
});

test("D31 resealing is no fault by itself", () => {
  expect(parsePixCode(reseal(sealed(STATIC_FIELDS).slice(0, -8)))?.key).toBe(KEY);
});

function reseal(unsealed: string): string {
  return `${unsealed}6304${crc16Ccitt(`${unsealed}6304`)}`;
}

function longFields(): Fields {
  return ["80", "81", "82", "83", "84"].map((id) => [id, "x".repeat(90)]);
}

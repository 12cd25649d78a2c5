import fc from "fast-check";
import { expect, test } from "vitest";
import { makeEndToEndId } from "../../../src/domain/identifiers/end-to-end-id.ts";
import { anyEntropy, entropyOf } from "./arbitraries.ts";

const moment = { ispb: "12345678", instant: "2026-01-01T12:34:56.789Z", entropy: entropyOf(1) };
const anyInstant = fc
  .date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const anyIspb = fc.string({
  unit: fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
  minLength: 8,
  maxLength: 8,
});

test("TX-17 an end-to-end id is E, the ISPB, the minute in UTC and eleven alphanumerics", () => {
  expect(makeEndToEndId(moment)).toMatch(/^E12345678202601011234[A-Za-z0-9]{11}$/);
});

test("TX-17 every made end-to-end id has 32 characters and its ISPB, date and time parts", () => {
  fc.assert(
    fc.property(anyIspb, anyInstant, anyEntropy, (ispb, instant, entropy) => {
      const id = makeEndToEndId({ ispb, instant, entropy });
      expect(id).toMatch(/^E[0-9A-Z]{8}\d{12}[A-Za-z0-9]{11}$/);
      expect(id.slice(1, 9)).toBe(ispb);
      expect(id.slice(9, 21)).toBe(instant.replace(/\D/g, "").slice(0, 12));
    }),
  );
});

test("TX-17 an instant may come without milliseconds", () => {
  expect(makeEndToEndId({ ...moment, instant: "2026-01-01T12:34:56Z" })).toBe(makeEndToEndId(moment));
});

test.each([
  "",
  "2026-01-01",
  "2026-01-01T12:34:56.789",
  "2026-01-01T12:34:56.789+00:00",
  "2026-01-01T12:34:56.789-03:00",
  "2026-13-01T12:34:56.789Z",
  "2026-00-01T12:34:56.789Z",
  "2026-01-32T12:34:56.789Z",
  "2026-01-01T24:00:00.000Z",
  "2026-01-01T12:60:00.000Z",
  "+012026-01-01T12:00:00.000Z",
  "2026-01-01 12:34:56.789Z",
])("TX-17 an id is not made of the instant %j", (instant) => {
  expect(() => makeEndToEndId({ ...moment, instant })).toThrow(RangeError);
});

test.each(["", "1234567", "123456789", "1234567a", "1234567-"])("TX-17 an id is not made of the ISPB %j", (ispb) => {
  expect(() => makeEndToEndId({ ...moment, ispb })).toThrow(RangeError);
});

/** The file of `--settings`, laid over what the scenarios wish for. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsOf } from "../../src/cli/serving/settings-file.ts";
import { overlaidSettings } from "../../src/domain/settings.ts";
import { readSettings } from "../../src/host/creation.ts";
import { loadFixtures } from "../../src/world/fixtures.ts";
import { testFolder } from "../support/folder.ts";

const fee = { currency: "EUR", operation: "cashin", percentage: "1", fixed: "0", minimum: "0" };

function settingsIn(text: string, wishes: Record<string, unknown>) {
  const given = settingsOf(join(testFolder({ "own.yaml": text }), "own.yaml"), wishes);
  return readSettings(overlaidSettings(wishes, given));
}

test("D07 its data stands beside that of the scenarios, and wins where both have some of a kind", () => {
  const wishes = { quotes: "ignore", fixtures: { rates: { BRL: "0.5" }, fees: [] } };
  const settings = settingsIn("protections: off\nfixtures: { rates: { BRL: '2' } }\n", wishes);
  expect(settings).toMatchObject({ protections: "off", quotes: "ignore" });
  expect(settings.fixtures).toEqual({ rates: { BRL: "2" }, fees: [] });
});

test("D07 its data may rest on that of the scenarios, such as fees on a currency of theirs", () => {
  const { currencies } = loadFixtures();
  const euro = { ...currencies[0], currency: "EUR" };
  const text = `fixtures: { fees: [${JSON.stringify(fee)}] }\n`;
  const { fixtures } = settingsIn(text, { fixtures: { currencies: [...currencies, euro] } });
  expect(fixtures.fees).toEqual([fee]);
  expect(() => settingsIn(text, {})).toThrow('own.yaml:1:32: fixtures.fees.0.currency cannot have the currency "EUR"');
});

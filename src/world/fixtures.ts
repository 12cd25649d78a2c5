/** The data of `fixtures/`, validated when it is read; a fault names the file and the path in it (`D06`, `D07`). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { usernameField } from "../domain/account-fields.ts";
import { chainSchema, currencySchema } from "../domain/currencies.ts";
import { decimalText } from "../domain/decimal-text.ts";
import { feeSchema } from "../domain/fees.ts";
import { foldToAscii } from "../domain/identifiers/ascii-name.ts";
import { ISPB } from "../domain/identifiers/end-to-end-id.ts";
import { isLocation, LONGEST_ACCOUNT } from "../domain/identifiers/pix-code-rules.ts";
import { limitSchema } from "../domain/limits.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { UserError } from "../domain/user-error.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";

/** Length of a transaction id, which follows the location in a PIX text. */
const ID_CHARACTERS = 32;

/** TABLE: the schema of each file of `fixtures/`, and of what `settings.fixtures` may replace it with (`D07`). */
export const fixtureSchemas = onFirstUse(() => {
  /** A PIX text holds only ASCII and no empty field. */
  const printedName = z
    .string()
    .refine((text) => foldToAscii(text, 1) !== "", { error: "must have a character that ASCII has too" });

  const threeDigits = z.string().regex(/^\d{3}$/, { error: "must be three digits, as in a CLABE" });

  /** Any text is let in: a world that was made from some is made again from it by each reset. */
  const accountSchema = z.strictObject({
    username: usernameField,
    name: z.string(),
    document: z.string(),
    email: z.string(),
  });

  return {
    currencies: z.array(currencySchema()),
    chains: z.array(chainSchema()),
    fees: z.array(feeSchema()),
    limits: z.array(limitSchema()),
    rates: z.record(z.string(), decimalText),
    accounts: z.strictObject({ accounts: z.array(accountSchema).min(1), balances: z.record(z.string(), decimalText) }),
    /** Terms that are the same for every currency and account: D40a, D43. */
    terms: z.strictObject({ conversion_spread_percentage: decimalText, wallets_per_credential: z.int().min(0) }),
    banks: z.strictObject({
      pix: z.strictObject({
        ispb: z.string().regex(ISPB, { error: "must be an ISPB of eight digits or capital letters" }),
        name: z.string(),
        merchant_name: printedName,
        merchant_city: printedName,
        location: z.string().refine((text) => isLocation(`${text}/${"0".repeat(ID_CHARACTERS)}`), {
          error: `must be a lower-case host with a path, short enough for a PIX text: ${LONGEST_ACCOUNT} characters with a slash and an id of ${ID_CHARACTERS}`,
        }),
      }),
      spei: z.strictObject({ bank: threeDigits, plaza: threeDigits, name: z.string() }),
    }),
  } as const;
});

type FixtureName = keyof ReturnType<typeof fixtureSchemas>;

/** The data of a world by file name, including the replacements from its settings. */
export type Fixtures = { readonly [Name in FixtureName]: z.infer<ReturnType<typeof fixtureSchemas>[Name]> };

/** Data that does not fit its schema; the message says which file or setting, which path, and why. */
export class FixtureError extends UserError {
  override readonly name = "FixtureError";
}

const folder = fileURLToPath(new URL("../../fixtures/", import.meta.url));
/** All fixtures in one file, made when the package is built; a checkout has none. */
const readyFile = fileURLToPath(new URL("./ready-fixtures.json", import.meta.url));
let shipped: Fixtures | undefined;

/**
 * The data of a world: the shipped files, replaced by `replacements` where it has data of the same name.
 * @throws {FixtureError} if a replacement has an unknown name or does not fit its schema.
 */
export function loadFixtures(replacements: Readonly<Record<string, unknown>> = {}): Fixtures {
  shipped ??= existsSync(readyFile) ? (parseFile(readyFile) as Fixtures) : readShipped();
  if (Object.keys(replacements).length === 0) return shipped;
  const merged: Record<string, unknown> = { ...shipped };
  for (const [name, data] of Object.entries(replacements)) {
    if (!Object.hasOwn(fixtureSchemas(), name)) throw new FixtureError(sentence(`fixtures.${unknownData(name)}`));
    merged[name] = validate(name as FixtureName, data, `fixtures.${name}`);
  }
  return merged as Fixtures;
}

/** What is said of a replacement for which there is no data, as the end of a path. */
export function unknownData(name: string): string {
  return `${name}: there is no such data${didYouMean(name, Object.keys(fixtureSchemas()))}`;
}

/** Reads the shipped files. @throws {FixtureError} */
export function readShipped(): Fixtures {
  const entries = Object.keys(fixtureSchemas()).map((name) => {
    const file = join(folder, `${name}.json`);
    return [name, validate(name as FixtureName, parseFile(file), file)];
  });
  return Object.fromEntries(entries) as Fixtures;
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new FixtureError(`${file}: ${(error as Error).message}`);
  }
}

function validate(name: FixtureName, data: unknown, where: string): unknown {
  const result = fixtureSchemas()[name].safeParse(data, { jitless: true, reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new FixtureError(`${where}: ${issue?.path.join(".") || "the data"}: ${issue?.message}.`);
}

import { stretchEntropy } from "./entropy.ts";

/** TABLE: four-letter beginnings that the tax authority does not issue; it replaces their fourth letter with an X. */
const WITHHELD = new Set(
  (
    "BUEI BUEY CACA CACO CAGA CAGO CAKA CAKO COGE COJA COJE COJI COJO CULO FETO GUEY JOTO KACA KACO KAGA KAGO KAKA " +
    "KOGE KOJO KULO LOCA LOCO LOKA LOKO MAME MAMO MEAR MEAS MEON MION MOCO MULA PEDA PEDO PENE PUTA PUTO QULO RATA RUIN"
  ).split(" "),
);

/** The value of a character is its index here; the check digit is computed from the values. */
const VALUES = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ";
const FIRST_OF_HOMOCLAVE = "ABCDEFGHIJKLMNOPQRSTUV123456789";
const SECOND_OF_HOMOCLAVE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789";

/** A person's name, in the parts that the tax authority uses. */
export interface MexicanName {
  readonly given: string;
  readonly paternal: string;
  readonly maternal: string;
}

/**
 * Makes the RFC of a person, thirteen characters: four letters of the name, a birth date between 1950 and 2004, the
 * homoclave, the check digit. It may by chance be a real person's: show it to no real authority.
 * @throws {RangeError} when the entropy is not 32 bytes long.
 */
export function makeRfc(name: MexicanName, entropy: Uint8Array): string {
  const [year = 0, month = 0, day = 0, first = 0, second = 0] = stretchEntropy(entropy, "rfc", 5);
  const date = [(50 + (year % 55)) % 100, 1 + (month % 12), 1 + (day % 28)];
  const homoclave =
    FIRST_OF_HOMOCLAVE.charAt(first % FIRST_OF_HOMOCLAVE.length) +
    SECOND_OF_HOMOCLAVE.charAt(second % SECOND_OF_HOMOCLAVE.length);
  const base = lettersOf(name) + date.map((part) => String(part).padStart(2, "0")).join("") + homoclave;
  return base + checkDigit(base);
}

/** First letter and first vowel after it of the father's surname, first letters of the mother's and the given name. */
function lettersOf({ given, paternal, maternal }: MexicanName): string {
  const [own, mothers, fathers] = [plain(given).replace(/^(MARIA|JOSE) /, ""), plain(maternal), plain(paternal)];
  const vowel = fathers.slice(1).match(/[AEIOU]/)?.[0] ?? "X";
  const letters = fathers.charAt(0) + vowel + mothers.charAt(0) + withoutParticles(own).charAt(0);
  return WITHHELD.has(letters) ? `${letters.slice(0, 3)}X` : letters;
}

function plain(name: string): string {
  const bare = name
    .toUpperCase()
    .normalize("NFD")
    .replaceAll(/(?<!N)\p{Mark}/gu, "");
  return withoutParticles(bare.normalize("NFC"));
}

function withoutParticles(name: string): string {
  return name.replace(/^((DE|DEL|LA|LAS|LOS|Y) )+/, "");
}

/** Mod 11 over values by place, weights 13 to 2; ten is the letter A. */
function checkDigit(base: string): string {
  let sum = 0;
  for (let index = 0; index < base.length; index++) sum += VALUES.indexOf(base.charAt(index)) * (13 - index);
  return "0123456789A".charAt((11 - (sum % 11)) % 11);
}

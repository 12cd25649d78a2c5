import { foldToAscii } from "./ascii-name.ts";
import { crc16Ccitt } from "./crc16.ts";
import { writeEmvField } from "./emv-fields.ts";
import {
  AMOUNT,
  ANY_LABEL,
  isLocation,
  LONGEST_AMOUNT,
  LONGEST_CITY,
  LONGEST_NAME,
  PIX_GUI,
} from "./pix-code-rules.ts";
import { pixKeyType } from "./pix-key.ts";

/** The receiver as a payer's bank app shows it. */
type PixReceiver = { merchantName: string; merchantCity: string };

/**
 * Makes a dynamic BR Code (D31, CIN-04): begins `00020126` (no field 01), the location in 26-25, the amount in 54,
 * `***` in 62-05 and the CRC-16 in 63.
 *
 * `location` is the URL without its scheme, at most 77 characters; `amount` is written as given, like `150.00`.
 * Name and city are folded to ASCII and cut to 25 and 15 characters.
 * @throws {RangeError} when a field does not fit.
 */
export function dynamicPixCode(charge: PixReceiver & { location: string; amount: string }): string {
  if (!isLocation(charge.location)) {
    throw new RangeError("the location must be a host and a path without scheme, at most 77 characters");
  }
  if (!AMOUNT.test(charge.amount) || charge.amount.length > LONGEST_AMOUNT) {
    throw new RangeError("the amount must have two decimals and at most 13 characters, like 150.00");
  }
  return assemble(writeEmvField("25", charge.location), writeEmvField("54", charge.amount), charge);
}

/**
 * Makes a static BR Code without amount (D31): the PIX key in 26-01 and `***` in 62-05.
 *
 * Name and city are folded as in `dynamicPixCode`.
 * @throws {RangeError} when the key is no PIX key or a field does not fit.
 */
export function staticPixCode(wallet: PixReceiver & { key: string }): string {
  if (pixKeyType(wallet.key) === null) throw new RangeError("the key must be a PIX key");
  return assemble(writeEmvField("01", wallet.key), "", wallet);
}

function assemble(account: string, amountField: string, receiver: PixReceiver): string {
  const unsealed = [
    writeEmvField("00", "01"),
    writeEmvField("26", writeEmvField("00", PIX_GUI) + account),
    writeEmvField("52", "0000"),
    writeEmvField("53", "986"),
    amountField,
    writeEmvField("58", "BR"),
    writeEmvField("59", foldToAscii(receiver.merchantName, LONGEST_NAME)),
    writeEmvField("60", foldToAscii(receiver.merchantCity, LONGEST_CITY)),
    writeEmvField("62", writeEmvField("05", ANY_LABEL)),
    "6304",
  ].join("");
  return unsealed + crc16Ccitt(unsealed);
}

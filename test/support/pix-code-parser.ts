/** Reads PIX codes, as the app of a payer's bank does: the sandbox only writes them. */
import { crc16Ccitt } from "../../src/domain/identifiers/crc16.ts";
import {
  AMOUNT,
  ANY_LABEL,
  isLocation,
  LONGEST_AMOUNT,
  LONGEST_CITY,
  LONGEST_NAME,
  PIX_GUI,
} from "../../src/domain/identifiers/pix-code-rules.ts";

/** What a BR Code says. Exactly one of `key` (static) and `location` (dynamic) is not null. */
type PixCode = {
  key: string | null;
  location: string | null;
  amount: string | null;
  merchantName: string;
  merchantCity: string;
  transactionLabel: string;
};

type Account = Pick<PixCode, "key" | "location">;

const LONGEST_PIX_CODE = 512;
const PRINTABLE = /^[ -~]+$/;
const TRANSACTION_LABEL = /^([A-Za-z0-9]{1,25}|\*{3})$/;
const FIELD_HEAD = /^\d{4}$/;

/**
 * Reads a BR Code strictly (D31): printable ASCII, at most 512 characters, every field well-formed and none twice,
 * 00 first, 63 last with the right upper-case CRC-16, exactly one of 26-01 and 26-25.
 *
 * Field 01 may be absent, `11` or `12`. Fields this sandbox does not know are passed over. Gives null for any other
 * text and never throws.
 */
export function parsePixCode(text: string): PixCode | null {
  if (text.length > LONGEST_PIX_CODE || !PRINTABLE.test(text)) return null;
  const fields = readEmvFields(text);
  if (fields === null || !isSealed(text, fields) || !hasFixedFields(fields)) return null;
  const account = readAccount(fields.get("26"));
  const transactionLabel = readTransactionLabel(fields.get("62"));
  if (account === null || transactionLabel === null) return null;
  if (account.location !== null && transactionLabel !== ANY_LABEL) return null;
  return {
    ...account,
    amount: fields.get("54") ?? null,
    merchantName: fields.get("59")!,
    merchantCity: fields.get("60")!,
    transactionLabel,
  };
}

function isSealed(text: string, fields: Map<string, string>): boolean {
  const ids = [...fields.keys()];
  return ids[0] === "00" && ids.at(-1) === "63" && fields.get("63") === crc16Ccitt(text.slice(0, -4));
}

function hasFixedFields(fields: Map<string, string>): boolean {
  const initiation = fields.get("01") ?? "11";
  const amount = fields.get("54") ?? "0.00";
  return (
    fields.get("00") === "01" &&
    (initiation === "11" || initiation === "12") &&
    fields.get("52") === "0000" &&
    fields.get("53") === "986" &&
    fields.get("58") === "BR" &&
    AMOUNT.test(amount) &&
    amount.length <= LONGEST_AMOUNT &&
    fits(fields.get("59"), LONGEST_NAME) &&
    fits(fields.get("60"), LONGEST_CITY)
  );
}

function fits(value: string | undefined, longest: number): boolean {
  return value !== undefined && value.length <= longest;
}

/** The length of a key is not checked: beside the arrangement's name, field 26 has room for 77 characters at most. */
function readAccount(template: string | undefined): Account | null {
  const fields = readEmvFields(template ?? "");
  if (fields === null || fields.get("00")?.toLowerCase() !== PIX_GUI) return null;
  const key = fields.get("01") ?? null;
  const location = fields.get("25") ?? null;
  if ((key === null) === (location === null)) return null;
  if (location !== null && !isLocation(location)) return null;
  return { key, location };
}

function readTransactionLabel(template: string | undefined): string | null {
  const label = readEmvFields(template ?? "")?.get("05");
  return label !== undefined && TRANSACTION_LABEL.test(label) ? label : null;
}

/**
 * Reads a run of EMV fields into a map from id to value, in the order of the text.
 *
 * Gives null when the text is empty, when a head is not four digits, when a length is zero or reaches past the end,
 * or when an id comes twice.
 */
function readEmvFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  let position = 0;
  while (position < text.length) {
    const head = text.slice(position, position + 4);
    if (!FIELD_HEAD.test(head)) return null;
    const id = head.slice(0, 2);
    const end = position + 4 + Number(head.slice(2));
    if (end === position + 4 || end > text.length || fields.has(id)) return null;
    fields.set(id, text.slice(position + 4, end));
    position = end;
  }
  return fields.size === 0 ? null : fields;
}

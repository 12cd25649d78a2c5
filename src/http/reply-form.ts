/** The multipart body of a dispute reply, read before the checks and judged after them (`D51`). */
import { createHash } from "node:crypto";
import { MIMEType } from "node:util";
import { DomainError } from "../domain/errors.ts";
import { inMebibytes } from "../domain/words/mebibytes.ts";
import type { DisputeReply } from "../service/disputes.ts";
import { isWithinLength } from "../service/input.ts";
import { invalidRequest } from "../service/together.ts";
import type { ReplyFile } from "../store/disputes.ts";

const REPLY_PATH = "/v2/account/infractions/reply";

/** Whether the body of calls to a path is a form; it is read before the checks, because they are synchronous. */
export function hasForm(path: string): boolean {
  return path === REPLY_PATH;
}

/** Largest body of a reply (`D21`). */
export const MAX_REPLY_BYTES = 12 * 1024 * 1024;

/** More than any reply has: each part becomes an object of its own. */
const MAX_PARTS = 100;
/** Most characters of a dispute's id, as of ids in a list's filter: refusals repeat it whole. */
export const MAX_ID = 64;
/** Characters of a reply's text (`D51`). */
export const MAX_TEXT = 5_000;
/** Files of one reply (`D51`). */
export const MAX_FILES = 5;
/** Largest file of a reply (`D51`). */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Most bytes of all files of a reply (`D51`). */
export const MAX_ALL_BYTES = 10 * 1024 * 1024;

/** The plain fields of a reply. */
export const plainFields = ["infraction_id", "text"] as const;
type Field = (typeof plainFields)[number];

/** The field for its files, which some clients write with brackets. */
export const fileFields: readonly string[] = ["files", "files[]"];

/** TABLE: the kinds of files that are accepted, recognized by their first bytes. */
export const fileKinds: readonly { type: string; bytes: Buffer }[] = [
  { type: "application/pdf", bytes: Buffer.from("%PDF-") },
  { type: "image/png", bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: "image/jpeg", bytes: Buffer.from([0xff, 0xd8, 0xff]) },
];

/** A part of a form, its content in memory. */
export interface FormPart {
  readonly name: string;
  /** Undefined for a plain field. */
  readonly fileName: string | undefined;
  readonly content: Buffer;
  /** Whether it is text that is not valid UTF-8. */
  readonly isUnreadable?: boolean;
}

/** The form of a call, to be spread into it; nothing for a call whose body is none. */
export async function formOf({
  path,
  headers,
  body,
}: {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}): Promise<{ readonly form?: FormPart[] | null }> {
  return hasForm(path) ? { form: await readForm(body, headers["content-type"] ?? "") } : {};
}

/** Reads a multipart body; null if it cannot be read, or has more than {@link MAX_PARTS} parts. */
async function readForm(body: Buffer, contentType: string): Promise<FormPart[] | null> {
  const boundary = boundaryOf(contentType);
  if (boundary === null || hasTooManyParts(body, boundary)) return null;
  try {
    // Parsed with a boundary of our own, as the parser may take the header to name another one than {@link boundaryOf}
    // does.
    const own = createHash("sha256").update(body).digest("hex");
    const headers = { "Content-Type": `multipart/form-data; boundary=${own}` };
    const form = await new Response(new Uint8Array(withBoundary(body, boundary, own)), { headers }).formData();
    const parts = [...form.entries()].map(async ([name, value]): Promise<FormPart> => {
      if (typeof value === "string") return textPart(name, value, body);
      return { name, fileName: value.name, content: Buffer.from(await value.arrayBuffer()) };
    });
    return await Promise.all(parts);
  } catch {
    return null;
  }
}

/** Invalid UTF-8 has been read as U+FFFD: then the body does not contain the text's own bytes. */
function textPart(name: string, value: string, body: Buffer): FormPart {
  const content = Buffer.from(value);
  return { name, fileName: undefined, content, isUnreadable: value.includes("\uFFFD") && !body.includes(content) };
}

/** The boundary between the parts of a form (RFC 2046); null if the header names none. */
export function boundaryOf(contentType: string): string | null {
  try {
    const { essence, params } = new MIMEType(contentType);
    const boundary = essence === "multipart/form-data" ? params.get("boundary") : null;
    return boundary !== null && /^[\w'()+,./:=? -]{1,70}$/.test(boundary) ? boundary : null;
  } catch {
    return null;
  }
}

/** Counts the lines between parts, which is quick, before the parts are made. */
function hasTooManyParts(body: Buffer, boundary: string): boolean {
  const line = `--${boundary}`;
  let at = body.indexOf(line);
  // There is one such line more than there are parts.
  for (let found = 1; at >= 0; found++) {
    if (found > MAX_PARTS + 1) return true;
    at = body.indexOf(line, at + line.length);
  }
  return false;
}

/** The same form with another boundary: Node's parser ends a part at the boundary's text, even within a line. */
function withBoundary(body: Buffer, boundary: string, own: string): Buffer {
  const [first = "", ...others] = body.toString("latin1").split(`--${boundary}`);
  const written = [first];
  let before = `\r\n${first}`;
  for (const piece of others) {
    const isLine = before.endsWith("\r\n") && /^(--|[ \t]*\r\n)/.test(piece);
    // Transports may add blanks after a boundary (RFC 2046), which Node's parser does not accept.
    written.push(isLine ? `--${own}${withReadableQuotes(piece.replace(/^[ \t]+/, ""))}` : `--${boundary}${piece}`);
    before = piece;
  }
  return Buffer.from(written.join(""), "latin1");
}

/**
 * Go, Java and older curl escape a quote in a file's name as \"; Node's parser knows only %22, which browsers write.
 */
function withReadableQuotes(part: string): string {
  const end = part.indexOf("\r\n\r\n");
  if (end < 0) return part;
  const headers = part.slice(0, end).replaceAll(/\\[\\"]/g, (escaped) => (escaped === '\\"' ? "%22" : escaped));
  return headers + part.slice(end);
}

/** @throws {DomainError} INVALID_REQUEST, PAYLOAD_TOO_LARGE. */
export function replyOf(parts: readonly FormPart[] | null | undefined): DisputeReply {
  if (!parts)
    throw new DomainError("INVALID_REQUEST", `The body must be a multipart form of at most ${MAX_PARTS} parts.`);
  const infractionId = fieldOf(parts, "infraction_id");
  // A form has every line break as CRLF: the merchant's own text has fewer characters.
  const text = fieldOf(parts, "text").replaceAll("\r\n", "\n");
  const files = parts.filter((part) => fileFields.includes(part.name) && !isNoFile(part));
  const problems = [
    ...absenceOf(parts, "infraction_id", infractionId),
    ...absenceOf(parts, "text", text),
    ...plainFields.flatMap((name) => fieldFaults(parts, name)),
    ...(!isWithinLength(infractionId, MAX_ID) ? [`infraction_id must be at most ${MAX_ID} characters`] : []),
    ...(!isWithinLength(text, MAX_TEXT) ? [`text must be at most ${MAX_TEXT} characters`] : []),
    ...(files.length > MAX_FILES ? [`files must be at most ${MAX_FILES}`] : []),
  ];
  const areTooLarge = tooLarge(files);
  const read = files.map(fileOf);
  const others = read.flatMap((file, index) => (file ? [] : [`files[${index}] must be a pdf, png or jpeg file`]));
  if (!areTooLarge) problems.push(...others);
  if (problems.length > 0) throw invalidRequest(problems);
  if (areTooLarge) {
    const [each, all] = [inMebibytes(MAX_FILE_BYTES), inMebibytes(MAX_ALL_BYTES)];
    throw new DomainError("PAYLOAD_TOO_LARGE", `Files may have ${each} each and ${all} in all.`);
  }
  return { infraction_id: infractionId, text, files: read.filter((file) => file !== null) };
}

function absenceOf(parts: readonly FormPart[], name: Field, value: string): string[] {
  if (value !== "") return [];
  return [parts.some((part) => part.name === name) ? `${name} must not be empty` : `${name} is missing`];
}

/** What a browser sends for a file field in which no file was chosen. */
const isNoFile = ({ fileName, content }: FormPart) => fileName === "" && content.length === 0;

function tooLarge(parts: readonly FormPart[]): boolean {
  const total = parts.reduce((sum, part) => sum + part.content.length, 0);
  return total > MAX_ALL_BYTES || parts.some((part) => part.content.length > MAX_FILE_BYTES);
}

/** A file of the reply; null if it is of no accepted kind, or came without a file name. */
function fileOf({ fileName, content }: FormPart): ReplyFile | null {
  const known = fileKinds.find(({ bytes }) => content.subarray(0, bytes.length).equals(bytes));
  return known && fileName !== undefined ? { name: fileName, type: known.type, content } : null;
}

function fieldOf(parts: readonly FormPart[], name: Field): string {
  return partsOf(parts, name)[0]?.content.toString() ?? "";
}

function partsOf(parts: readonly FormPart[], name: Field): readonly FormPart[] {
  return parts.filter((part) => part.name === name && part.fileName === undefined);
}

/**
 * Faults of a field that is given. Two values are one: which of them counts is unclear, and a reply cannot be taken
 * back.
 */
function fieldFaults(parts: readonly FormPart[], name: Field): string[] {
  const given = partsOf(parts, name);
  return [
    ...(given.length > 1 ? [`${name} must be given once`] : []),
    ...(given.some(({ isUnreadable }) => isUnreadable) ? [`${name} must be text in UTF-8`] : []),
  ];
}

/** The multipart body of a dispute reply, read before the checks and judged after them (`D51`). */
import { isUtf8 } from "node:buffer";
import { unescape as percentDecoded } from "node:querystring";
import { MIMEType } from "node:util";
import { DomainError } from "../domain/errors.ts";
import { REPLY_PATH } from "../domain/service-calls.ts";
import { inMebibytes } from "../domain/words/mebibytes.ts";
import type { DisputeReply } from "../service/disputes.ts";
import { isWithinLength } from "../service/input.ts";
import { invalidRequest } from "../service/together.ts";
import type { ReplyFile } from "../store/disputes.ts";

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
export function formOf({
  path,
  headers,
  body,
}: {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}): { readonly form?: FormPart[] | null } {
  return hasForm(path) ? { form: readForm(body, headers["content-type"] ?? "") } : {};
}

/**
 * Reads a multipart body (RFC 7578); null if it cannot be read, or has more than {@link MAX_PARTS} parts. It is read by
 * hand: what `formData` of a Response does depends on globals that a test's environment may have replaced.
 */
function readForm(body: Buffer, contentType: string): FormPart[] | null {
  const boundary = boundaryOf(contentType);
  const parts = boundary === null ? null : piecesOf(body, boundary)?.map(partOf);
  return parts?.every((part) => part !== null) ? parts : null;
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

/** What stands between the lines with the boundary; null if the last of these is missing, or if there is too much. */
function piecesOf(body: Buffer, boundary: string): string[] | null {
  const text = `\r\n${body.toString("latin1")}`;
  // Transports may add blanks after a boundary (RFC 2046).
  const lines = new RegExp(`\r\n--${boundary.replaceAll(/\W/g, "\\$&")}(--|[ \t]*(?=\r\n))`, "g");
  const pieces: string[] = [];
  let from: number | undefined;
  for (const { 0: line, 1: end, index } of text.matchAll(lines)) {
    if (from !== undefined) pieces.push(text.slice(from, index));
    if (end === "--") return pieces;
    if (pieces.length === MAX_PARTS) return null;
    from = index + line.length;
  }
  return null;
}

/** A header of a part: its name, and its value with its blanks, which a pattern would look through again and again. */
const HEADER = /^[ \t]*([!#$%&'*+.^\w`|~-]+)[ \t]*:(.*)$/;

/** A part as it stands between two lines, in latin1; null if it is none. */
function partOf(piece: string): FormPart | null {
  const end = piece.indexOf("\r\n\r\n");
  const headers = piece.slice(0, Math.max(end, 0)).split("\r\n").slice(1);
  const fields = new Map<string, string>();
  for (const header of headers) {
    const [, name, value = ""] = HEADER.exec(header) ?? [];
    if (name === undefined) return null;
    fields.set(name.toLowerCase(), value.trim());
  }
  const names = namesIn(fields.get("content-disposition") ?? "");
  const isBase64 = fields.get("content-transfer-encoding")?.toLowerCase() === "base64";
  const content = Buffer.from(piece.slice(end + 4), isBase64 ? "base64" : "latin1");
  return names && { ...names, content, isUnreadable: names.fileName === undefined && !isUtf8(content) };
}

/** Matched one by one: a pattern for all of them runs out of memory where they are a million. */
const PARAMETER = /[ \t]*;[ \t]*([\w-]+\*?)=(?:"([^"]*)"|([^\s;"]*))/gy;

/** The names of a part and of its file in the value of its Content-Disposition; null if it names no part. */
function namesIn(value: string): Pick<FormPart, "name" | "fileName"> | null {
  // Go, Java and older curl escape a quote in a file's name as \"; browsers write %22.
  const written = value.replaceAll(/\\[\\"]/g, (escaped) => (escaped === '\\"' ? "%22" : escaped));
  const [, listed] = /^form-data(.*)$/i.exec(written) ?? [];
  if (listed === undefined) return null;
  const given = new Map<string, string>();
  let end = 0;
  for (const { 0: all, 1: parameter = "", 2: quoted, 3: plain = "" } of listed.matchAll(PARAMETER)) {
    given.set(parameter.toLowerCase(), Buffer.from(quoted ?? plain, "latin1").toString());
    end += all.length;
  }
  if (!["", ";"].includes(listed.slice(end))) return null;
  const name = given.get("name");
  // Some clients name the file a second time so (RFC 5987), with all its letters.
  const [extended] = /(?<=^utf-8'[^']*').*/i.exec(given.get("filename*") ?? "") ?? [];
  if (name === undefined || (given.has("filename*") && extended === undefined)) return null;
  const fileName = extended === undefined ? given.get("filename") : percentDecoded(extended);
  return { name: unquoted(name), fileName: fileName === undefined ? undefined : unquoted(fileName) };
}

/** A name without the escapes that browsers write. */
function unquoted(name: string): string {
  return name.replaceAll(/%(0a|0d|22)/gi, percentDecoded);
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
    ...(files.length > MAX_FILES ? [`files must have at most ${MAX_FILES} items`] : []),
  ];
  const areTooLarge = tooLarge(files);
  const read = files.map(fileOf);
  const faults = read.flatMap((file, index) => (typeof file === "string" ? [`files[${index}] ${file}`] : []));
  if (!areTooLarge) problems.push(...faults);
  if (problems.length > 0) throw invalidRequest(problems);
  if (areTooLarge) {
    const [each, all] = [inMebibytes(MAX_FILE_BYTES), inMebibytes(MAX_ALL_BYTES)];
    throw new DomainError("PAYLOAD_TOO_LARGE", `Files may have ${each} each and ${all} in all.`);
  }
  return { infraction_id: infractionId, text, files: read.filter((file) => typeof file !== "string") };
}

function absenceOf(parts: readonly FormPart[], name: Field, value: string): string[] {
  if (value !== "") return [];
  if (partsOf(parts, name).length > 0) return [`${name} must not be empty`];
  const isFile = parts.some((part) => part.name === name);
  return [isFile ? `${name} must come without a file name` : `${name} is missing`];
}

/** What a browser sends for a file field in which no file was chosen. */
const isNoFile = ({ fileName, content }: FormPart) => fileName === "" && content.length === 0;

function tooLarge(parts: readonly FormPart[]): boolean {
  const total = parts.reduce((sum, part) => sum + part.content.length, 0);
  return total > MAX_ALL_BYTES || parts.some((part) => part.content.length > MAX_FILE_BYTES);
}

/** A file of the reply, or what is wrong with it. */
function fileOf({ fileName, content }: FormPart): ReplyFile | string {
  const known = fileKinds.find(({ bytes }) => content.subarray(0, bytes.length).equals(bytes));
  if (!known) return "must be a pdf, png or jpeg file";
  return fileName === undefined ? "must come with a file name" : { name: fileName, type: known.type, content };
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

/** The caller's probable mistake in the form of a dispute reply, in a sentence for `X-Sandbox-Hint` (`D51`, R4). */
import { nearName } from "../domain/words/near-name.ts";
import type { ServiceCall } from "./checks.ts";
import { boundaryOf, type FormPart, fileFields, plainFields } from "./reply-form.ts";
import type { UnknownField } from "./unknown-fields.ts";

/** This many characters of what a caller sent are shown. */
export const MOST_SHOWN = 80;

const [FILES = ""] = fileFields;
const KNOWN: readonly string[] = [...plainFields, ...fileFields];

/**
 * The hint for a form that was refused, or accepted in spite of a mistake; null for none, and for a call without a
 * form.
 */
export function formHint({ endpoint, incoming: { form, headers, body } }: ServiceCall): string | null {
  if (endpoint?.media !== "multipart" || form === undefined) return null;
  return form === null ? unreadFormHint(body, headers["content-type"] ?? "") : partHint(form);
}

/** Why a form cannot be read: a Content-Type set by hand may name no boundary, or not the body's. Null if unknown. */
function unreadFormHint(body: Buffer, contentType: string): string | null {
  if (body.length === 0) return "The body is empty.";
  const boundary = boundaryOf(contentType);
  if (boundary === null) {
    return "The header Content-Type names no boundary: leave the header to the HTTP client, which makes the form.";
  }
  const line = `--${boundary}`;
  if (body.indexOf(line) < 0) return `The body has no line --${boundary}, though Content-Type names this boundary.`;
  if (body.indexOf(`${line}--`) < 0) return `The form has no end: its last line would be --${boundary}--.`;
  return body.indexOf(`${line}\r\n`) < 0
    ? "The lines of a form's headers and boundaries end with CRLF, not with LF alone."
    : null;
}

function partHint(parts: readonly FormPart[]): string | null {
  const asFile = parts.find(
    ({ name, fileName }) => plainFields.some((field) => field === name) && fileName !== undefined,
  );
  if (asFile) return `The part "${asFile.name}" came as a file and was ignored; send it without a file name.`;
  const slip = unknownPartsIn(parts).find(({ meant }) => meant !== null);
  if (!slip) return null;
  const shown = JSON.stringify(slip.path.join().slice(0, MOST_SHOWN));
  return `The part ${shown} is not known and was ignored; did you mean ${slip.meant}?`;
}

/** The parts of a form that a reply ignores. */
export function unknownPartsIn(parts: readonly Pick<FormPart, "name" | "fileName">[]): UnknownField[] {
  const free = KNOWN.filter((known) => !parts.some(({ name }) => name === known));
  const unknown = parts.filter(({ name }) => !KNOWN.includes(name));
  return unknown.map(({ name, fileName }) => ({
    path: [name],
    meant: fileName === undefined ? nearName(name, free) : FILES,
    known: [...plainFields, FILES],
  }));
}

/**
 * A form with its files as the body of a request. Its parts are made by hand: the `FormData` and `Blob` of a test's
 * environment may be its own, such as jsdom's, which nothing of Node can send.
 */
import { createHash } from "node:crypto";
import { writtenForm, writtenPart } from "../http/written-form.ts";
import { textOf } from "./refusals.ts";

/** A body, and its media type, which names the boundary between its parts. */
export interface FormBody {
  readonly type: string;
  readonly content: NonNullable<RequestInit["body"]>;
}

/**
 * Writes a form; a field has as many parts as its list has items, and those that are undefined or null are left out.
 * @throws {Error} names the call and the field of a value that is neither a file nor has a text of its own.
 */
export async function formBody(call: string, fields: Readonly<Record<string, unknown>>): Promise<FormBody> {
  const given = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((part) => [name, part] as const));
  const sent = given.filter(([, part]) => part != null);
  const parts = await Promise.all(sent.map(([name, part]) => partOf(call, name, part)));
  // It comes from the content, which does not contain it: the same form always has the same bytes.
  const boundary = createHash("sha256").update(Buffer.concat(parts)).digest("hex");
  const { body, type } = writtenForm(parts, boundary);
  return { type, content: body as FormBody["content"] };
}

async function partOf(call: string, name: string, value: unknown): Promise<Buffer> {
  const field = withLineBreaks(name);
  if (!isBlob(value)) {
    const text = textOf(`${call}: ${name} must be a text or a file`, value);
    return writtenPart(field, Buffer.from(withLineBreaks(text)));
  }
  const file = { name: withLineBreaks(value.name ?? "blob"), type: value.type || "application/octet-stream" };
  return writtenPart(field, new Uint8Array(await value.arrayBuffer()), file);
}

/** Told by what it can do: it may be of another class than the global one, and without the tag of one. */
function isBlob(value: unknown): value is Blob & { readonly name?: string } {
  return typeof (value as Partial<Blob> | null)?.arrayBuffer === "function";
}

/** Line breaks of a form are CRLF. */
function withLineBreaks(text: string): string {
  return text.replaceAll(/\r\n?|\n/g, "\r\n");
}

/**
 * A form with its files as the body of a request (RFC 7578). It is written by hand: the `FormData` and `Blob` of a
 * test's environment may be its own, such as jsdom's, which nothing of Node can send.
 */
import { createHash } from "node:crypto";

/** A body, and its media type, which names the boundary between its parts. */
export interface FormBody {
  readonly type: string;
  readonly content: NonNullable<RequestInit["body"]>;
}

/** Writes a form; a field has as many parts as its list has items, and those that are undefined or null are left out. */
export async function formBody(fields: Readonly<Record<string, unknown>>): Promise<FormBody> {
  const given = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((part) => [name, part] as const));
  const parts = await Promise.all(given.filter(([, part]) => part != null).map(([name, part]) => partOf(name, part)));
  // It comes from the content, which does not contain it: the same form always has the same bytes.
  const boundary = createHash("sha256").update(Buffer.concat(parts)).digest("hex");
  const lines = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from("\r\n")]);
  const content = Buffer.concat([...lines, Buffer.from(`--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, content };
}

async function partOf(name: string, value: unknown): Promise<Buffer> {
  const disposition = `Content-Disposition: form-data; name="${escaped(name)}"`;
  if (!isBlob(value)) return Buffer.from(`${disposition}\r\n\r\n${withLineBreaks(String(value))}`);
  const { name: fileName = "blob", type } = value;
  const headers = `${disposition}; filename="${escaped(fileName)}"\r\nContent-Type: ${type || "application/octet-stream"}`;
  return Buffer.concat([Buffer.from(`${headers}\r\n\r\n`), new Uint8Array(await value.arrayBuffer())]);
}

/** Told by what it can do: it may be of another class than the global one, and without the tag of one. */
function isBlob(value: unknown): value is Blob & { readonly name?: string } {
  return typeof (value as Partial<Blob> | null)?.arrayBuffer === "function";
}

/** A name as browsers write it in quotes. */
function escaped(name: string): string {
  return withLineBreaks(name).replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

/** Line breaks of a form are CRLF. */
function withLineBreaks(text: string): string {
  return text.replaceAll(/\r\n?|\n/g, "\r\n");
}

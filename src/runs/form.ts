/** Multipart forms of a scripted merchant, with the same bytes in every run. */
import { fileKinds } from "../http/reply-form.ts";

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

const BOUNDARY = "payments-sandbox-form-boundary";

/** Makes up a file of a type and size. */
export function madeUpFile({ name, type, size }: { name: string; type: string; size: unknown }): FormFile {
  const content = Buffer.alloc(Number(size));
  fileKinds.find((kind) => kind.type === type)?.bytes.copy(content);
  return { name, type, content };
}

/** The body and content type of a form; lists are lists of files. */
export function multipart(
  form: Readonly<Record<string, unknown>>,
  fileOf: (file: unknown) => FormFile,
): { body: Buffer; type: string } {
  const parts = Object.entries(form).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((file) => filePart(name, fileOf(file))) : [fieldPart(name, String(value))],
  );
  const body = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${BOUNDARY}` };
}

function fieldPart(name: string, value: string): Buffer {
  return Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`);
}

function filePart(field: string, { name, type, content }: FormFile): Buffer {
  const disposition = `Content-Disposition: form-data; name="${quoted(field)}"; filename="${quoted(name)}"`;
  const head = `--${BOUNDARY}\r\n${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n")]);
}

/** Escapes a name for double quotes as browsers do: quotes and line ends are percent-encoded. */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign));
}

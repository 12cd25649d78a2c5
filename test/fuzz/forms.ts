/** Bodies that are forms. */

/** A part of a multipart form: a field, or a file where it has bytes. */
interface Part {
  readonly name: string;
  readonly value: string;
  readonly file: Buffer | undefined;
}

const BOUNDARY = "----fuzz7MA4YWxkTrZu0gW";

/** A multipart form; names are put in as they are, which garbles those that would have to be escaped. */
export function encodedMultipart(parts: readonly Part[]): { media: string; bytes: Buffer } {
  const lines = parts.flatMap(({ name, value, file }) => {
    const fileName = file ? `; filename="${value}.bin"` : "";
    const type = file ? "Content-Type: application/octet-stream\r\n" : "";
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n${type}\r\n`;
    return [Buffer.from(head), file ?? Buffer.from(value), Buffer.from("\r\n")];
  });
  const bytes = Buffer.concat([...lines, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  return { media: `multipart/form-data; boundary=${BOUNDARY}`, bytes };
}

/** Form fields; a per cent sign stays one, so that some are garbled. */
export function encodedForm(fields: readonly (readonly [string, string])[]): Buffer {
  const text = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString();
  return Buffer.from(text.replaceAll("%25", "%"));
}

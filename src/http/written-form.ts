/** Writes multipart forms (RFC 7578), as clients of the service send them. */

/** A part of a form, without the lines between parts. @param file for a part that is a file. */
export function writtenPart(name: string, content: Uint8Array, file?: { name: string; type: string }): Buffer {
  const disposition = `Content-Disposition: form-data; name="${escaped(name)}"`;
  const head = file ? `${disposition}; filename="${escaped(file.name)}"\r\nContent-Type: ${file.type}` : disposition;
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), content]);
}

/** A form of parts, and its media type. @param boundary a text that no part contains. */
export function writtenForm(parts: readonly Buffer[], boundary: string): { body: Buffer; type: string } {
  const lines = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from("\r\n")]);
  const body = Buffer.concat([...lines, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** Escapes a name for double quotes as browsers do: quotes and line ends are percent-encoded. */
function escaped(name: string): string {
  return name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign));
}

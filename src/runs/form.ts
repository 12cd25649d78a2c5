/** Multipart forms of a scripted merchant, with the same bytes in every run. */
import { isObject } from "../domain/plain-values.ts";
import { fileKinds } from "../http/reply-form.ts";
import { writtenForm, writtenPart } from "../http/written-form.ts";

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

/** How many bytes the files of a form have that are to be made up. */
export function madeUpBytes(form: Readonly<Record<string, unknown>>): number {
  const files = Object.values(form).flatMap((value): unknown[] => (Array.isArray(value) ? value : []));
  return files.reduce<number>((sum, file) => sum + (isObject(file) ? Number(file.size) : 0), 0);
}

/** The body and content type of a form; lists are lists of files. */
export function multipart(
  form: Readonly<Record<string, unknown>>,
  fileOf: (file: unknown) => FormFile,
): { body: Buffer; type: string } {
  const filePart = (name: string, file: FormFile) => writtenPart(name, file.content, file);
  const parts = Object.entries(form).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((file) => filePart(name, fileOf(file)))
      : [writtenPart(name, Buffer.from(String(value)))],
  );
  return writtenForm(parts, BOUNDARY);
}

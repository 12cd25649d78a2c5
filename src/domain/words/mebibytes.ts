const MEBIBYTE = 1024 * 1024;

/** A size in whole mebibytes, as messages show it: `5 MiB`. */
export function inMebibytes(bytes: number): string {
  return `${bytes / MEBIBYTE} MiB`;
}

/** Says why a file that the user named could not be read. */

/** TABLE: error codes of the system, in plain words. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a folder, not a file",
  EACCES: "you may not read it",
  EPERM: "you may not read it",
};

/** The end of a sentence that begins with the file's name. */
export function reasonUnread(error: unknown): string {
  const { code = "", message, path } = error as NodeJS.ErrnoException;
  if (path === "") return "the name of the file is empty";
  return reasons[code] ?? `it cannot be read: ${message}`;
}

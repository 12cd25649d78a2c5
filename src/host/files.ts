/** Files and folders of this machine: whether they are there, made, and written whole. */
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Writes a file atomically: even if the process dies, it is there whole or not at all. */
export function writeWhole(path: string, bytes: Buffer): void {
  layReady(path, bytes)();
}

/** The suffix of a file's name while it is being written. */
const UNFINISHED = ".new";

/**
 * Removes unfinished files of a process that died while writing.
 * @param folder ignored if it does not exist. @param isOurs whether a file of this name is one that we write.
 */
export function removeUnfinished(folder: string, isOurs: (name: string) => boolean): void {
  if (!isFolder(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isFile() || !name.endsWith(UNFINISHED) || !isOurs(name.slice(0, -UNFINISHED.length))) continue;
    rmSync(join(folder, name), { force: true });
  }
}

/** Writes the new content of a file beside it. @returns a function that puts it in the file's place, atomically. */
export function layReady(path: string, bytes: Buffer): () => void {
  const ready = path + UNFINISHED;
  try {
    writeFileSync(ready, bytes);
  } catch (error) {
    rmSync(ready, { force: true });
    throw error;
  }
  return () => renameSync(ready, path);
}

/**
 * Makes a folder and its parents if they do not exist. Node's recursive `mkdir` never ends in places such as `/proc`,
 * where making a folder fails with ENOENT.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

/** Whether there is a folder at a path, as far as the path can be looked at. */
export function isFolder(path: string): boolean {
  return seenAt(path)?.isDirectory() ?? false;
}

/** Whether there is a file, not a folder, at a path, as far as the path can be looked at. */
export function isFile(path: string): boolean {
  return seenAt(path)?.isFile() ?? false;
}

/** Whether there is a file at a path that can be read. */
export function isReadableFile(path: string): boolean {
  return isFile(path) && whyUnreadable(path) === null;
}

/** Undefined if nothing is there, or if that cannot be known: {@link whyUnreadable} says why. */
function seenAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Why what is at a path cannot be read, such as "EACCES: permission denied"; null if it can, or if nothing is there. */
export function whyUnreadable(path: string): string | null {
  if (path.includes("\0")) return "a path has no character U+0000";
  try {
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // What follows is the name of the system's call and the path.
    return code === "ENOENT" || code === "ENOTDIR" ? null : message.replace(/, access .*/s, "");
  }
}

/** Files and folders of this machine: whether they are there, made, and written whole. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
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

/** Whether there is a folder at a path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Whether there is a file, not a folder, at a path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

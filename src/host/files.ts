/** Files of the data folder. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes a file that is there whole or not at all, whenever the process dies. */
export function writeWhole(path: string, bytes: Buffer): void {
  layReady(path, bytes)();
}

/** What is put beside the name of a file while it is written. */
const UNFINISHED = ".new";

/**
 * Removes what a process left of files that it was writing when it died.
 * @param folder nothing happens where there is none. @param isOurs says of the name of a file whether it is written so.
 */
export function removeUnfinished(folder: string, isOurs: (name: string) => boolean): void {
  if (!isFolder(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isFile() || !name.endsWith(UNFINISHED) || !isOurs(name.slice(0, -UNFINISHED.length))) continue;
    rmSync(join(folder, name), { force: true });
  }
}

/** Writes what is to take a file's place. @returns what puts it there, at one stroke. */
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
 * Makes a folder, with those above it, where it is not there. Node's own way of doing so never ends in a place such as
 * `/proc`, which says of a new folder that there is no such thing.
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

/** Whether a path is that of a folder; a path of nothing is not. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Files of the data folder. */
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file that is there whole or not at all, whenever the process dies. */
export function writeWhole(path: string, bytes: Buffer): void {
  layReady(path, bytes)();
}

/** Writes what is to take a file's place. @returns what puts it there, at one stroke. */
export function layReady(path: string, bytes: Buffer): () => void {
  const ready = `${path}.new`;
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

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Files of the data folder. */
import { renameSync, rmSync, writeFileSync } from "node:fs";

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

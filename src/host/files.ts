/** Files of the data folder. */
import { renameSync, writeFileSync } from "node:fs";

/** Writes a file that is there whole or not at all, whenever the process dies. */
export function writeWhole(path: string, bytes: Buffer): void {
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}

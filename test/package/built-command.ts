/** Lays out what has been built as npm installs it, and has the tests that run the command run that. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { layPackage, programFolder } from "../support/laid-package.ts";

export default function setup(): () => void {
  const folder = programFolder();
  layPackage(folder);
  process.env.TESTED_COMMAND = join(folder, "bin/payments-sandbox.js");
  return () => rmSync(folder, { recursive: true, force: true });
}

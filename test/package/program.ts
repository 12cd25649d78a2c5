/**
 * Builds the program from the sources as they stand and lays it out as npm installs it, for the tests that run the
 * command: it starts in less than half the time that a checkout needs.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { checkout, layAroundProgram, programFolder } from "../support/laid-package.ts";

export default async function setup(): Promise<() => void> {
  const folder = programFolder();
  layAroundProgram(folder);
  const outDir = join(folder, "dist");
  await build({ configFile: join(checkout, "vite.program.config.ts"), logLevel: "warn", build: { outDir } });
  process.env.TESTED_COMMAND = join(folder, "bin/payments-sandbox.js");
  return () => rmSync(folder, { recursive: true, force: true });
}

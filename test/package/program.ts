/**
 * Builds the program from the sources as they stand and lays it out as npm installs it, for the tests that run the
 * command: it starts in less than half the time that a checkout needs.
 */
import { join } from "node:path";
import { build } from "vite";
import { checkout, copy, layAroundProgram, layTested } from "../support/laid-package.ts";

export default () =>
  layTested(async (folder) => {
    layAroundProgram(folder);
    copy("dist/dashboard", folder);
    const outDir = join(folder, "dist");
    await build({ configFile: join(checkout, "vite.program.config.ts"), logLevel: "warn", build: { outDir } });
  });

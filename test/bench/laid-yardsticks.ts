/** The yardsticks as plain JavaScript beside the package: no side is measured with the stripping of types. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { checkout } from "../support/laid-package.ts";

const YARDSTICKS = ["answer", "constant", "four-inserts", "minimal"];

export function layYardsticks(folder: string): void {
  mkdirSync(join(folder, "yardsticks"));
  for (const name of YARDSTICKS) {
    const typed = readFileSync(join(checkout, `test/bench/yardsticks/${name}.ts`), "utf8");
    const plain = stripTypeScriptTypes(typed).replaceAll(/from "(\.\/[\w-]+)\.ts"/g, 'from "$1.js"');
    writeFileSync(join(folder, `yardsticks/${name}.js`), plain);
  }
}

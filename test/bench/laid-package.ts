/**
 * The package laid out in a folder as npm installs it, without sources, beside the yardsticks as plain JavaScript: so
 * nothing is measured that only a checkout has, such as the stripping of types.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout, with a slash at its end. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

const YARDSTICKS = ["answer", "constant", "four-inserts", "minimal"];

/** Of what npm packs, what a server reads. */
const PACKED = ["bin", "dist", "fixtures", "scenarios", "package.json"];

/** Lays it out. @throws {Error} when nothing has been built. */
export function layPackage(folder: string): void {
  if (!existsSync(join(checkout, "dist/cli/main.js"))) throw new Error("There is no dist/; run npm run build first.");
  for (const name of PACKED) cpSync(join(checkout, name), join(folder, name), { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "yardsticks"));
  for (const name of YARDSTICKS) {
    const typed = readFileSync(join(checkout, `test/bench/yardsticks/${name}.ts`), "utf8");
    const plain = stripTypeScriptTypes(typed).replaceAll(/from "(\.\/[\w-]+)\.ts"/g, 'from "$1.js"');
    writeFileSync(join(folder, `yardsticks/${name}.js`), plain);
  }
}

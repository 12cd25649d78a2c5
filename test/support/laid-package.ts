/** The package laid out in a folder as npm installs it, without sources: so nothing is seen that only a checkout has. */
import { cpSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout, with a slash at its end. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** Of what npm packs, what the program reads. */
const PACKED = ["bin", "dist", "fixtures", "scenarios", "src/scenarios/scenario.schema.json", "package.json"];

/** Lays it out. @throws {Error} when nothing has been built. */
export function layPackage(folder: string): void {
  if (!existsSync(join(checkout, "dist/cli/main.js"))) throw new Error("There is no dist/; run npm run build first.");
  for (const name of PACKED) cpSync(join(checkout, name), join(folder, name), { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
}

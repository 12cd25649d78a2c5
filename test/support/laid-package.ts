/** The package laid out in a folder as npm installs it, without sources: so nothing is seen that only a checkout has. */
import { chmodSync, cpSync, existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout, with a slash at its end. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** Of what npm packs, what the program reads beside what is built. */
const PACKED = ["bin", "fixtures", "scenarios", "src/scenarios/scenario.schema.json", "package.json"];

/** A folder to lay it out in, of which all users of the machine may read, as of any place where programs are. */
export function programFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-program-"));
  chmodSync(folder, 0o755);
  return folder;
}

/** Lays it out with what has been built. @throws {Error} when nothing has been. */
export function layPackage(folder: string): void {
  if (!existsSync(join(checkout, "dist/cli/main.js"))) throw new Error("There is no dist/; run npm run build first.");
  layAroundProgram(folder);
  copy("dist", folder);
}

/** Lays out all but the program, which is built there; the dashboard is, where it has been built. */
export function layAroundProgram(folder: string): void {
  for (const name of PACKED) copy(name, folder);
  if (existsSync(join(checkout, "dist/dashboard"))) copy("dist/dashboard", folder);
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
}

function copy(name: string, folder: string): void {
  cpSync(join(checkout, name), join(folder, name), { recursive: true });
}

/** The package laid out in a folder as npm installs it, without sources: so nothing is seen that only a checkout has. */
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout, with a slash at its end. */
export const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** Of what npm packs, what the program reads beside what is built. */
const PACKED = ["bin", "fixtures", "scenarios", "src/scenarios/scenario.schema.json", "package.json"];

/**
 * Has the tests that run the command run one that is laid out in a folder of its own, of which all users of the machine
 * may read, as of any place where programs are.
 * @returns what removes it.
 */
export async function layTested(lay: (folder: string) => void | Promise<void>): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-program-"));
  chmodSync(folder, 0o755);
  await lay(folder);
  process.env.TESTED_COMMAND = join(folder, "bin/payments-sandbox.js");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Vitest tears nothing down where Ctrl-C ends it.
  process.once("exit", remove);
  return remove;
}

/** Lays it out with what has been built. @throws {Error} when nothing has been. */
export function layPackage(folder: string): void {
  if (!existsSync(join(checkout, "dist/cli/main.js"))) throw new Error("There is no dist/; run npm run build first.");
  layAroundProgram(folder);
  copy("dist", folder);
}

/** Lays out all but what is built. */
export function layAroundProgram(folder: string): void {
  for (const name of PACKED) copy(name, folder);
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
}

/** Of the checkout. */
export function copy(name: string, folder: string): void {
  cpSync(join(checkout, name), join(folder, name), { recursive: true });
}

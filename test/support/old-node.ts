/** A Node that the program does not run on. */
import { execFileSync } from "node:child_process";
import { delimiter, join } from "node:path";

/** The first Node on the path that is too old, if there is one. */
export function oldNode(): { node: string; version: string } | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const node = join(folder, "node");
    try {
      const version = execFileSync(node, ["--version"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
      const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
      if (major < 22 || (major === 22 && minor < 18)) return { node, version };
    } catch {
      // There is no Node in this folder.
    }
  }
  return undefined;
}

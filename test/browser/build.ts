/** Builds the dashboard for the tests that look at it in a browser, where it is missing or older than its sources. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "..", "..");
const sources = ["src/dashboard", "src/domain", "vite.config.ts", "package-lock.json"].map((name) => join(root, name));
const built = join(root, "dist", "dashboard", "dashboard.css.br");

export async function setup(): Promise<void> {
  if (existsSync(built) && sources.every((path) => newestIn(path) <= statSync(built).mtimeMs)) return;
  await build({ configFile: join(root, "vite.config.ts"), logLevel: "warn" });
}

function newestIn(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
  return Math.max(stats.mtimeMs, ...inside.map((name) => statSync(name).mtimeMs));
}

/** What an installation in production brings along. */
import { execFileSync, type StdioOptions } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../support/laid-package.ts";
import { ratio } from "./figures.ts";
import type { Measured } from "./results.ts";

/** What a lock file tells of a package. */
interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Rows "packages", "size": of the lock file's production part, as it lies in node_modules, and of the package itself. */
export async function measurePackages(): Promise<Measured> {
  const lock = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8"));
  const locked = Object.entries(lock.packages as Record<string, Locked>);
  const installed = locked.filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional);
  const sizes: [string, number][] = installed.map(([path]) => [path, bytesIn(join(checkout, path))]);
  sizes.push(["payments-sandbox itself", packedBytes()]);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / 1e6;
  const rows = sizes
    .sort(([, left], [, right]) => right - left)
    .map(([path, bytes]) => [path.replace(/^node_modules\//, ""), ratio(bytes / 1e6)]);
  return {
    figures: [
      { id: "packages", value: sizes.length },
      { id: "size", value: total },
    ],
    tables: [{ title: "Installed in production", head: ["", "MB"], rows }],
  };
}

/** Of all files at or below a path. */
function bytesIn(path: string): number {
  const entry = lstatSync(path);
  if (!entry.isDirectory()) return entry.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

/** Of the package itself, as npm would unpack it. */
function packedBytes(): number {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--silent"];
  const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: checkout, encoding: "utf8", stdio }));
  return packed.unpackedSize;
}

/** The packages that the product is made of: what is installed with it, and what is bundled into it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A package as the lock file has it. */
interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The lock file, by the places of packages. */
export const locked: Readonly<Record<string, Locked>> = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
).packages;

/** Packages that modules of `src` name, be they installed with the product or bundled into it. */
export function importedPackages(): string[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, "src", file), "utf8"));
  const named = texts.flatMap((text) => [
    ...text.matchAll(/(?:\bfrom |\bimport |\bimport\(|\brequire\w*(?:\([^)]*\))?\()"([@\w][^"]*)"/g),
  ]);
  const names = named.map(([, specifier = ""]) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
  return [...new Set(names)].filter((name) => locked[`node_modules/${name}`]).sort();
}

/** Places in the lock file of packages with all that they need in production. */
export function closureOf(names: readonly string[]): string[] {
  const found = new Set<string>();
  const follow = (name: string, from: string): void => {
    const place = placeOf(name, from);
    if (found.has(place)) return;
    found.add(place);
    for (const needed of Object.keys(locked[place]?.dependencies ?? {})) follow(needed, place);
  };
  for (const name of names) follow(name, "");
  return [...found].sort();
}

/** The name of the package at a place of the lock file. */
export function nameAt(place: string): string {
  return place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Where Node finds a package that another one names: within it, or beside one above it. */
function placeOf(name: string, from: string): string {
  const own = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (locked[own]) return own;
  if (from === "") throw new Error(`${name} is not in the lock file.`);
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))));
}

/**
 * `npm run audit`: leaves with 1 where a vulnerability is known of a package that the product is made of, bundled ones
 * included, which `npm audit --omit=dev` takes for tools. Those of tools are told, and fail nothing. Where the registry
 * answers no questions of this kind it says so and leaves with 0.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { closureOf, importedPackages, nameAt } from "./product-packages.ts";

interface Vulnerability {
  readonly name: string;
  readonly severity: string;
  readonly range: string;
  readonly nodes: readonly string[];
}

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const { stdout, error } = spawnSync("npm", ["audit", "--json"], { cwd, encoding: "utf8" });
if (error) throw error;
const answer = JSON.parse(stdout || "{}") as { vulnerabilities?: Record<string, Vulnerability>; message?: string };
if (answer.vulnerabilities === undefined) {
  process.stderr.write(`The registry does not audit: ${answer.message ?? "it gave no answer"}.\n`);
} else {
  const places = closureOf(importedPackages());
  const known = Object.values(answer.vulnerabilities);
  const grave = known.filter(({ nodes }) => nodes.some((place) => places.includes(place)));
  for (const one of known) {
    process.stdout.write(`${grave.includes(one) ? "product" : "tool"}: ${one.name} ${one.range}, ${one.severity}\n`);
  }
  const names = places.map(nameAt).join(", ");
  process.stdout.write(`${grave.length} known vulnerabilities in ${places.length} packages of the product: ${names}\n`);
  process.exitCode = grave.length > 0 ? 1 : 0;
}

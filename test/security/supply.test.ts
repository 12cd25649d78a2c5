/** What the package brings along: whose it is, under which licence, and that nothing of it runs while it is installed. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { closureOf, importedPackages, locked, nameAt } from "../package/product-packages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

const manifest = read("package.json");
const lock: { lockfileVersion: number; packages: { "": typeof manifest } } = read("package-lock.json");
const places = Object.entries(locked).filter(([place]) => place !== "");
const installed = closureOf(Object.keys(manifest.dependencies));
const product = closureOf(importedPackages());

const at = (name: string) => `node_modules/${name}`;

/** TABLE: licences under which a user may do with the product what the product's own allows. */
const permissive = ["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "BlueOak-1.0.0", "CC0-1.0"];

describe("the lock file", () => {
  test("says of every package what its bytes are, and names no place but the registry", () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(places.length).toBeGreaterThan(product.length);
    const loose = places.filter(([, { resolved, integrity = "" }]) => {
      // Without an address it is the registry that a user has set.
      const isElsewhere = resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/");
      return isElsewhere || !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
    });
    expect(loose.map(([place]) => place)).toEqual([]);
  });

  test("is of this package.json", () => {
    const { dependencies, devDependencies, version } = lock.packages[""];
    expect({ dependencies, devDependencies, version }).toEqual({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
      version: manifest.version,
    });
  });

  test("has what is needed in production as such, and nothing more", () => {
    const production = places.filter(([, { dev, optional }]) => !dev && !optional).map(([place]) => place);
    expect(production.sort()).toEqual(installed);
    expect(installed.length).toBeLessThanOrEqual(30);
    expect(installed.filter((place) => !product.includes(place))).toEqual([]);
  });
});

describe("what the product is made of", () => {
  test.each(product)("%s has a permissive licence, and brings its text", (path) => {
    const { license, name } = read(join(path, "package.json"));
    expect([name, permissive.includes(license)]).toEqual([name, true]);
    expect(locked[path]?.license).toBe(license);
    const texts = readdirSync(join(root, path)).filter((file) => /^(licen[cs]e|copying)/i.test(file));
    expect([name, texts.length > 0 || readmeHasLicence(path)]).toEqual([name, true]);
  });

  test("is found by its imports", () => {
    expect(product).toEqual(expect.arrayContaining(["better-sqlite3", "hono", "zod", "undici", "preact"].map(at)));
    expect(product).not.toContain(at("vite"));
  });

  test("what is bundled into the dashboard has one too", () => {
    const text = readFileSync(join(root, "dist/dashboard/licenses.md"), "utf8");
    const named = [...text.matchAll(/^## (?<name>\S+) - \S+ \((?<licence>[^)]+)\)/gm)].map(({ groups }) => groups);
    expect(named.map((groups) => groups?.name)).toContain("preact");
    expect(named.filter((groups) => !permissive.includes(groups?.licence ?? ""))).toEqual([]);
  });
});

describe("package.json", () => {
  test("runs nothing on a user's machine when it is installed", () => {
    const scripts = Object.keys(manifest.scripts).filter((name) =>
      /^(pre|post)?(install|prepare|uninstall)$/.test(name),
    );
    expect(scripts).toEqual([]);
    expect(existsSync(join(root, "binding.gyp"))).toBe(false);
  });

  test("lets no dependency run anything either but what is needed", () => {
    const running = places.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place);
    expect(Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name])).toEqual(["node"]);
    expect(running.filter((place) => product.includes(place)).map(nameAt)).toEqual([]);
  });

  test("is ready to be published with provenance, and to be imported with types", () => {
    expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
    expect(manifest.license).toBe("MIT");
    expect(manifest.exports["."]).toEqual({ types: manifest.types, default: "./dist/index.js" });
    expect(manifest.files).toContain("dist");
    expect(manifest.files.some((path: string) => /^(test|\.ci|\*|\.|node_modules)/.test(path))).toBe(false);
  });
});

function readmeHasLicence(path: string): boolean {
  const readme = readdirSync(join(root, path)).find((file) => /^readme/i.test(file));
  return readme !== undefined && /licen[cs]e/i.test(readFileSync(join(root, path, readme), "utf8"));
}

/**
 * The build of the program: `src` and its libraries in few files, which are read in a fraction of the time that it takes
 * to find and read a file per module. What is needed later than at the start is in files of its own. Names are kept, so
 * that stacks can be read; SQLite, which is no JavaScript, stays a package.
 */
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, relative, resolve, sep } from "node:path";
import { defineConfig, type Plugin, type Rolldown } from "vite";

const source = join(import.meta.dirname, "src");
/** `dist`, unless a build says otherwise. */
let outDir: string;

const destination: Plugin = {
  name: "destination",
  configResolved({ root, build }) {
    outDir = resolve(root, build.outDir);
  },
};

/**
 * TABLE: libraries that are loaded with `createRequire` at their first use, the file that each becomes, and the module
 * that it is made of: one that names what it exports, as the names of a CommonJS module would be lost.
 */
const LATER: Readonly<Record<string, { file: string; module: string }>> = {
  "@faker-js/faker/locale/pt_BR": { file: "chunks/faker", module: "@faker-js/faker/locale/pt_BR" },
  "@faker-js/faker/locale/es_MX": { file: "chunks/faker-mexico", module: "@faker-js/faker/locale/es_MX" },
  "jsonc-parser": {
    file: "chunks/jsonc-parser",
    module: join(import.meta.dirname, "node_modules", "jsonc-parser", "lib", "esm", "main.js"),
  },
  yaml: { file: "chunks/yaml", module: join(import.meta.dirname, "node_modules", "yaml", "browser", "index.js") },
};

/** A module finds what it reads beside itself, or of the package, as if it were a file of its own in `dist`. */
const addresses: Plugin = {
  name: "addresses",
  transform(code, id) {
    if (!id.startsWith(source + sep) || !code.includes("import.meta.url")) return;
    const address = slashed(relative(source, id)).replace(/\.ts$/, ".js");
    return code
      .replaceAll("import.meta.url", `new URL("place:${address}", import.meta.url).href`)
      .replace(/(?<=createRequire\(.+\)\()"([^"]+)"/g, (_name, library: string) => {
        const later = LATER[library];
        if (later === undefined)
          throw new Error(`${address} loads ${library} at its first use; LATER does not know it.`);
        return JSON.stringify(wayFrom(address, `${later.file}.js`));
      });
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(/"place:([^"]+)"/g, (_place, address) => JSON.stringify(wayFrom(fileName, address))),
};

/** A file without characters beyond ASCII is read faster, and takes half the memory. */
const ascii: Plugin = {
  name: "ascii",
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === "chunk") file.code = file.code.replaceAll(/[\u0080-\uffff]/g, escaped);
    }
  },
};

/** The types of the package rest on those of zod, and on no other library's: a copy of them goes with it. */
const types: Plugin = {
  name: "types",
  closeBundle() {
    const ours = declarations(outDir);
    if (ours.length === 0) return;
    const [from, to] = [join(import.meta.dirname, "node_modules", "zod"), join(outDir, "zod")];
    for (const part of ["index.d.ts", "v4/classic", "v4/core", "v4/locales"]) {
      const filter = (path: string) => /\.d\.ts$|\/[a-z\d]+$/.test(slashed(path));
      cpSync(join(from, part), join(to, part), { recursive: true, filter });
    }
    for (const file of ours) {
      const way = wayFrom(slashed(relative(outDir, file)), "zod/index.js");
      writeFileSync(file, readFileSync(file, "utf8").replaceAll('from "zod"', `from "${way}"`));
    }
  },
};

/** What the program reads beside itself; some of it is read beforehand, so that no start has to. */
const beside: Plugin = {
  name: "beside",
  closeBundle() {
    cpSync(join(source, "store", "migrations"), join(outDir, "store", "migrations"), { recursive: true });
    execFileSync(process.execPath, [join(source, "build", "ready-files.ts"), outDir]);
  },
};

let needed: { readonly serve: Set<string>; readonly quick: Set<string> } | undefined;

export default defineConfig({
  plugins: [destination, addresses, ascii, types, beside],
  ssr: { noExternal: true, external: ["better-sqlite3"] },
  build: {
    ssr: true,
    outDir: "dist",
    emptyOutDir: false,
    target: "node22.18",
    minify: false,
    reportCompressedSize: false,
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      input: {
        index: join(source, "index.ts"),
        "cli/main": join(source, "cli", "main.ts"),
        ...Object.fromEntries(Object.values(LATER).map(({ file, module }) => [file, module])),
      },
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: serverChunk, debugName: "server" }] },
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
});

/**
 * All that a server needs for its first answer is one file: to find, read and link many takes longer than a start has.
 * What a health check needs, which is asked every few seconds, is kept out of it, as is what every command needs.
 */
function serverChunk(id: string, modules: Rolldown.ChunkingContext): string | null {
  needed ??= {
    serve: reachable(modules, "commands/serve.ts"),
    quick: reachable(modules, "main.ts", "commands/health.ts"),
  };
  return needed.serve.has(id) && !needed.quick.has(id) ? "server" : null;
}

/** The modules that files of the command line cannot do without. */
function reachable(modules: Rolldown.ChunkingContext, ...files: string[]): Set<string> {
  const found = new Set(files.map((file) => join(source, "cli", file)));
  for (const id of found) {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

function declarations(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".d.ts") && !file.startsWith("zod"))
    .map((file) => join(folder, file));
}

/** How a file of `dist` names another one, both by their place in it. */
function wayFrom(file: string, other: string): string {
  return posix.relative(posix.dirname(file), other).replace(/^(?!\.)/, "./");
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}

/** The library that reads YAML. */
import { createRequire } from "node:module";

type Library = typeof import("yaml");

let loaded: Library | undefined;

/** Loads the library on first use: a server with only scenarios parsed at build time starts without it. */
export function yaml(): Library {
  loaded ??= createRequire(import.meta.url)("yaml") as Library;
  return loaded;
}

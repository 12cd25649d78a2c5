/** The library that reads YAML. */
import { createRequire } from "node:module";

type Library = typeof import("yaml");

let loaded: Library | undefined;

/** Loaded with the first text: a server whose scenarios were read when the package was built starts without it. */
export function yaml(): Library {
  loaded ??= createRequire(import.meta.url)("yaml") as Library;
  return loaded;
}

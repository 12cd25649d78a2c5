#!/usr/bin/env node
// Nothing may be imported before the version check: the SQLite binding crashes Node 20 outright.
const required = [22, 18];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < required[0] || (major === required[0] && minor < required[1])) {
  process.stderr.write(
    `payments-sandbox needs Node ${required.join(".")} or newer, this is ${process.version} (${process.execPath}).\n`,
  );
  process.exitCode = 2;
} else {
  const { existsSync } = await import("node:fs");
  const { enableCompileCache, flushCompileCache } = await import("node:module");
  enableCompileCache?.();
  // A checkout runs its sources as they are; the published package has only what was built from them.
  const source = new URL("../src/cli/main.ts", import.meta.url);
  const entry = existsSync(source) ? source : new URL("../dist/cli/main.js", import.meta.url);
  const { main } = await import(entry.href);
  await main(process.argv.slice(2));
  // A server that listens has compiled what starts need; one that is killed would not leave that to the next.
  flushCompileCache?.();
}

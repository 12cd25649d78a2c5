/** What the Dockerfile promises (interface, section 8), read from it; `npm run proof:dockerfile` performs it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { serveOptions } from "../../src/cli/serving/serve-options.ts";
import { commandOf, ignoredBy, readDockerfile, variablesOf } from "../support/dockerfile.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const instructions = readDockerfile(read("Dockerfile"));
const stages = instructions.filter(({ keyword }) => keyword === "FROM");
const last = instructions.slice(instructions.lastIndexOf(stages.at(-1) as never));
const only = (keyword: string) => {
  const found = last.filter((instruction) => instruction.keyword === keyword);
  expect(found, keyword).toHaveLength(1);
  return found[0]?.text ?? "";
};
const manifest = JSON.parse(read("package.json"));

test("it is built in one stage and run in another, on a small image of a Node that the package allows", () => {
  expect(stages).toHaveLength(2);
  for (const { text } of stages) expect(text).toMatch(/^node:24-slim\b/);
  expect(manifest.engines.node).toBe(">=22.18");
});

test("it does not run as root, and listens where other containers reach it, on the port that is the default", () => {
  expect(only("USER")).toBe("node");
  expect(variablesOf(only("ENV"))).toMatchObject({ PAYMENTS_SANDBOX_HOST: "0.0.0.0" });
  expect(only("EXPOSE")).toBe(serveOptions.find(({ long }) => long === "--port")?.defaultValue);
});

test("its health check is the command's own", () => {
  expect(commandOf(only("HEALTHCHECK").replace(/^CMD /, ""))).toEqual(["payments-sandbox", "health"]);
});

test("its entry point hands over to the command, which signals reach then, with all that it is given", () => {
  const [shell, flag, script, name] = commandOf(only("ENTRYPOINT"));
  expect([shell, flag, name]).toEqual(["/bin/sh", "-c", "payments-sandbox"]);
  expect(script).toMatch(/; exec payments-sandbox "\$@"$/);
});

test("it has the folders that the package ships and the program reads", () => {
  const copied = last.filter(({ keyword }) => keyword === "COPY").flatMap(({ text }) => text.split(" ").slice(0, -1));
  const read = manifest.files.filter((name: string) => /^\w+$/.test(name)).map((name: string) => `/app/${name}`);
  expect(read).toEqual(["/app/bin", "/app/dist", "/app/fixtures", "/app/scenarios"]);
  for (const path of [...read, "/app/package.json", "/app/node_modules"]) expect(copied).toContain(path);
});

test("what was built or installed outside does not get in, nor does the history", () => {
  const isIgnored = ignoredBy(read(".dockerignore"));
  const left = ["node_modules", "node_modules/hono/package.json", "dist/index.js", ".git/config", "a.tgz", "docs/x.md"];
  expect(left.filter((path) => !isIgnored(path))).toEqual([]);
  const taken = ["package.json", "package-lock.json", "src/index.ts", "src/dashboard/index.html", "vite.config.ts"];
  expect(taken.filter(isIgnored)).toEqual([]);
});

test("a Dockerfile is read by its lines, comments, continuations and flags", () => {
  const text = "# x\nFROM a AS b\n\nRUN one \\\n  # y\n  two\nCOPY --from=b --chown=c:d /x ./\n";
  expect(readDockerfile(text)).toEqual([
    { keyword: "FROM", flags: {}, text: "a AS b", line: 2 },
    { keyword: "RUN", flags: {}, text: "one two", line: 4 },
    { keyword: "COPY", flags: { from: "b", chown: "c:d" }, text: "/x ./", line: 7 },
  ]);
});

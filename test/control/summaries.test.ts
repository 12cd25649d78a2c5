/** What docs/control.md tells of every call: no route without its line, and no line without its route. */
import { expect, test } from "vitest";
import { controlRoutes } from "../../src/control/routes.ts";
import { controlChapters } from "../../src/control/summaries.ts";
import { useSandbox } from "../support/sandbox.ts";

const summaries = controlChapters.flatMap(({ calls }) => Object.entries(calls));
const told = summaries.map(([call]) => call);
/** Mounted by the HTTP side alone: they are about no world, or about one that is not there yet, or never end. */
const besides = ["GET /health", "PUT /", "GET /journal/stream"];
const file = useSandbox();

test("every call is told, once", () => {
  const routes = controlRoutes.map(({ method, path }) => `${method} ${path}`);
  expect([...told].sort()).toEqual([...routes, ...besides].sort());
});

test("what is told to be at the root only is", () => {
  const atRoot = controlRoutes.filter(({ rootOnly }) => rootOnly).map(({ method, path }) => `${method} ${path}`);
  const toldSo = summaries.filter(([, summary]) => summary.includes("At the root only.")).map(([call]) => call);
  expect(toldSo.sort()).toEqual([...atRoot, "GET /health"].sort());
});

test.each(besides)("%s is there", async (call) => {
  const [method = "", path = ""] = call.split(" ");
  const base = method === "PUT" ? `${file.sandbox.baseUrl}/worlds/new` : file.sandbox.baseUrl;
  const abort = new AbortController();
  const response = await fetch(`${base}/_sandbox${path === "/" ? "" : path}`, { method, signal: abort.signal });
  expect(response.ok).toBe(true);
  abort.abort();
});

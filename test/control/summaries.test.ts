/** What docs/control.md tells of every call: no route without its line, and no line without its route. */
import { expect, test } from "vitest";
import { furtherCalls } from "../../src/control/further-calls.ts";
import { controlRoutes } from "../../src/control/routes.ts";
import { controlChapters } from "../../src/control/summaries.ts";
import { useSandbox } from "../support/sandbox.ts";

const summaries = controlChapters.flatMap(({ calls }) => Object.entries(calls));
const told = summaries.map(([call]) => call);
const besides = furtherCalls.map(({ method, path }) => `${method} ${path}`);
const file = useSandbox();

test("every call is told, once", () => {
  const routes = controlRoutes.map(({ method, path }) => `${method} ${path}`);
  expect([...told].sort()).toEqual([...routes, ...besides].sort());
});

test("what is told to be at the root only is", () => {
  const atRoot = [...controlRoutes, ...furtherCalls]
    .filter(({ rootOnly }) => rootOnly)
    .map(({ method, path }) => `${method} ${path}`);
  const toldSo = summaries.filter(([, summary]) => summary.includes("At the root only.")).map(([call]) => call);
  expect(toldSo.sort()).toEqual([...atRoot].sort());
});

test.each(besides)("%s is there", async (call) => {
  const [method = "", path = ""] = call.split(" ");
  const base = method === "PUT" ? `${file.sandbox.baseUrl}/worlds/new` : file.sandbox.baseUrl;
  const abort = new AbortController();
  const response = await fetch(`${base}/_sandbox${path === "/" ? "" : path}`, { method, signal: abort.signal });
  expect(response.ok).toBe(true);
  abort.abort();
});

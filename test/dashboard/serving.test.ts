/** The dashboard on the network: what is sent, to whom, how often and how large. */
import { readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { rawRequest } from "../support/raw-request.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();
const guarded = useSandbox({ controlToken: "open-sesame" });

const built = (name: string) => readFileSync(new URL(`../../dist/dashboard/${name}`, import.meta.url));

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${file.sandbox.baseUrl}${path}`, { headers, redirect: "manual" });
}

describe("the page", () => {
  test.each(["/", "/worlds/default/"])("%s has a policy that lets nothing in but what is ours", async (path) => {
    const response = await get(path, { Accept: "text/html" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const page = await response.text();
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|style=|https?:\/\//);
  });

  test("without a slash at its end a world's address leads to that with one, beside which its parts are", async () => {
    const world = await file.world();
    const path = new URL(world.baseUrl).pathname;
    const response = await get(path);
    expect(response.status).toBe(302);
    expect(new URL(response.headers.get("location") ?? "", world.baseUrl).pathname).toBe(`${path}/`);
    for (const part of ["", "dashboard.js", "dashboard.css"]) {
      expect([part, (await get(`${path}/${part}`)).status]).toEqual([part, 200]);
    }
  });

  test("of a world that is not there: the page with 404 for a browser, the service's failure for a program", async () => {
    const forBrowser = await get("/worlds/nowhere/", { Accept: "text/html,*/*" });
    expect([forBrowser.status, forBrowser.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    for (const path of ["/worlds/nowhere", "/worlds/nowhere/"]) {
      const forProgram = await get(path);
      const { error } = (await forProgram.json()) as { error: { code: string } };
      expect([forProgram.status, error.code]).toEqual([404, "NOT_FOUND"]);
    }
  });

  test.each(["/worlds/nowhere", "/worlds/nowhere/", "/worlds/nowhere/openapi.json"])(
    "%s, of a world that is not there, is not found by any method",
    async (path) => {
      for (const method of ["GET", "POST", "PUT"]) {
        const { status, headers } = await fetch(`${file.sandbox.baseUrl}${path}`, { method });
        expect([status, headers.get("allow")]).toEqual([404, null]);
      }
    },
  );

  test.each(["/", "/dashboard.js", "/openapi.json", "/worlds/default", "/worlds/default/"])(
    "%s is there to be read: 405 for other methods",
    async (path) => {
      for (const method of ["POST", "OPTIONS"]) {
        const response = await fetch(`${file.sandbox.baseUrl}${path}`, { method });
        const { error } = (await response.json()) as { error: { code: string } };
        expect([response.status, error.code, response.headers.get("allow")]).toEqual([
          405,
          "METHOD_NOT_ALLOWED",
          "GET",
        ]);
      }
    },
  );

  test("needs no control token, since it asks for it itself", async () => {
    const response = await fetch(`${guarded.sandbox.baseUrl}/`);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain("open-sesame");
  });

  test.each(["/", "/worlds/default", "/worlds/default/", "/dashboard.js", "/dashboard.css"])(
    "%s is refused to a foreign host",
    async (path) => {
      const { status, body } = await rawRequest(file.sandbox.baseUrl, "GET", path, { Host: "merchant.example" });
      expect([status, body?.error?.code]).toEqual([403, "FOREIGN_HOST"]);
    },
  );
});

describe("its parts", () => {
  test.each([
    ["dashboard.js", "text/javascript; charset=utf-8"],
    ["dashboard.css", "text/css; charset=utf-8"],
  ])("%s comes as it is, by gzip or by brotli", async (name, type) => {
    const bytes = built(name);
    for (const [accepted, encoding, unpack] of [
      ["identity", undefined, (body: Buffer) => body],
      ["gzip;q=1.0, br;q=0", "gzip", gunzipSync],
      ["gzip; q=0.5, br; q=0.0", "gzip", gunzipSync],
      ["gzip;q=0.5, br;q=0.25", "br", brotliDecompressSync],
      ["gzip, deflate, br", "br", brotliDecompressSync],
    ] as const) {
      const { status, headers, bytes: body } = await rawBytes(`/${name}`, accepted);
      expect([status, headers["content-type"], headers["content-encoding"]]).toEqual([200, type, encoding]);
      expect(unpack(body).equals(bytes)).toBe(true);
      expect(headers.vary).toBe("Accept-Encoding");
    }
  });

  test.each(["/", "/dashboard.js", "/dashboard.css"])("%s is not sent twice", async (path) => {
    const first = await get(path);
    const tag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const second = await get(path, { "If-None-Match": tag });
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect((await get(path, { "If-None-Match": '"other"' })).status).toBe(200);
  });

  test("that a world is not there is told to a browser that has the page too", async () => {
    const tag = (await get("/")).headers.get("etag") ?? "";
    expect((await get("/worlds/gone/", { "If-None-Match": tag, Accept: "text/html" })).status).toBe(404);
  });

  test("all of it is under 200 KB by gzip", () => {
    const sizes = ["index.html", "dashboard.js.gz", "dashboard.css.gz"].map((name) => built(name).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  });

  test("the licences of what is bundled come along", () => {
    expect(built("licenses.md").toString()).toMatch(/preact.*MIT[\s\S]*uqr.*MIT/);
  });
});

/** An answer with its bytes as they came, which `fetch` would unpack. */
async function rawBytes(path: string, accepted: string) {
  const { request } = await import("node:http");
  return new Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }>((resolve, reject) => {
    const call = request(`${file.sandbox.baseUrl}${path}`, { headers: { "Accept-Encoding": accepted } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    call.on("error", reject);
    call.end();
  });
}

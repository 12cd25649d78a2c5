/**
 * Pages that a developer happens to visit neither steer a sandbox nor read it: what browsers send for them, byte for
 * byte, since a program's `fetch` sends none of it.
 */
import { describe, expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { rawRequest } from "../support/raw-request.ts";
import { useSandbox } from "../support/sandbox.ts";
import { exchange, openSocket, untilClosed } from "../support/socket.ts";

const file = useSandbox();
const allowing = useSandbox({ allowedHosts: ["Sandbox.Company.example", "payments.default.svc.cluster.local"] });

/** TABLE: what a browser adds to a call of a page of another site, by how the page makes it. */
const foreignCalls: readonly [how: string, method: string, headers: Record<string, string>, body?: string][] = [
  ["fetch with JSON in spite of a refused preflight", "POST", json({ Origin: "https://shop.example" }), "{}"],
  ["a simple request, for which nobody asks", "POST", plain({ Origin: "https://shop.example" }), "{}"],
  ["a form", "POST", form({ Origin: "https://shop.example", "Sec-Fetch-Site": "cross-site" }), "{}"],
  ["a form in a sandboxed frame", "POST", form({ Origin: "null", "Sec-Fetch-Site": "cross-site" }), "{}"],
  ["a form of a browser that tells no origin", "POST", form({ "Sec-Fetch-Site": "cross-site" }), "{}"],
  ["a form of a page on another port", "POST", form({ "Sec-Fetch-Site": "same-site" }), "{}"],
  ["a form that leads away", "POST", form({ "Sec-Fetch-Site": "cross-site", ...navigation("document") }), "{}"],
  ["a beacon", "POST", plain({ Origin: "http://localhost:3000", "Sec-Fetch-Site": "same-site" }), "{}"],
  ["an image", "GET", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" }],
  ["a script", "GET", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script" }],
  ["a frame", "GET", { "Sec-Fetch-Site": "cross-site", ...navigation("iframe") }],
  ["an extension", "GET", { Origin: "chrome-extension://abcdefghijklmnop" }],
  ["a file", "GET", { Origin: "file://" }],
];

describe("a page of another site", () => {
  test("does not come through as an extension that is named like this machine", async () => {
    const { host } = new URL(file.sandbox.baseUrl);
    for (const [scheme, status] of [["chrome-extension", 403] as const, ["http", 200] as const]) {
      const headers = { Origin: `${scheme}://${host}` };
      expect((await rawRequest(file.sandbox.baseUrl, "GET", "/_sandbox/", headers)).status, scheme).toBe(status);
    }
  });

  test("is none of the sandbox's own, which steer though their host is called in capitals", async () => {
    const { port } = new URL(file.sandbox.baseUrl);
    const headers = { Host: `LOCALHOST:${port}`, Origin: `http://localhost:${port}` };
    expect((await rawRequest(file.sandbox.baseUrl, "GET", "/_sandbox/clock", headers)).status).toBe(200);
  });

  test.each(foreignCalls)("does not come through by %s", async (_how, method, headers, body) => {
    for (const path of method === "GET" ? ["/", "/export", "/journal/stream"] : ["/reset", "/clock/advance"]) {
      const answer = await rawRequest(file.sandbox.baseUrl, method, `/_sandbox${path}`, headers, body);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, "FOREIGN_ORIGIN"]);
    }
  });

  test("gets no leave to ask: no answer has a header of CORS", async () => {
    const asking = { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" };
    const private_ = { ...asking, "Access-Control-Request-Private-Network": "true" };
    for (const path of ["/_sandbox/", "/_sandbox/clock/advance", "/_sandbox/health", "/v2/transactions/cashin"]) {
      for (const method of ["OPTIONS", "GET", "POST"]) {
        const { head } = await exchange(file.sandbox.baseUrl, method, path, private_);
        expect(head.toLowerCase()).not.toContain("access-control-");
      }
    }
  });

  test("opens no socket of its own kind: an upgrade is a call like any other", async () => {
    const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
    const asked = { ...upgrade, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", Origin: "https://shop.example" };
    const { head } = await exchange(file.sandbox.baseUrl, "GET", "/_sandbox/journal/stream", asked);
    expect(head).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("may have a link here that somebody follows", async () => {
    const followed = { "Sec-Fetch-Site": "cross-site", ...navigation("document") };
    expect((await rawRequest(file.sandbox.baseUrl, "GET", "/_sandbox/clock", followed)).status).toBe(200);
  });
});

describe("D22 the service, whose credentials anyone can know", () => {
  const token = "/v2/oauth/token";
  const wrong = "client_id=a&client_secret=b";
  const status = async (headers: Record<string, string>, baseUrl = file.sandbox.baseUrl) =>
    (await rawRequest(baseUrl, "POST", token, { ...form(headers), "Content-Length": String(wrong.length) }, wrong))
      .status;

  test.each(foreignCalls)("does not hear a page of another site by %s", async (_how, method, headers, body) => {
    const world = await file.sandbox.defaultWorld();
    const before = await world.journal();
    // A page of this machine's own may have its calls passed on by its server.
    const far = { ...headers, ...(headers.Origin?.includes("localhost") ? { Origin: "https://shop.example" } : {}) };
    for (const path of ["/v2/oauth/token", "/v2/transactions/cashin", "/worlds/default/v2/account/balance"]) {
      const answer = await rawRequest(file.sandbox.baseUrl, method, path, far, body);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, "INVALID_REQUEST"]);
      expect([path, answer.body.error.group]).toEqual([path, "SECURITY"]);
      const { "x-sandbox-time": now = "", "x-ratelimit-reset": reset, ...others } = answer.headers;
      expect(others).toMatchObject({ "x-sandbox-world": "default" });
      // HDR-04: on the world's clock.
      expect(Number(reset)).toBe(Math.ceil(Date.parse(String(now)) / 1000) + 60);
    }
    expect(await world.journal()).toEqual(before);
  });

  test("is not blocked for the developer by what a page sends", async () => {
    const world = await file.world({ settings: { protections: "enforce" } });
    const merchant = await Merchant.of(world);
    const foreign = { Origin: "https://shop.example", "Sec-Fetch-Site": "cross-site" };
    for (let sent = 0; sent < 10; sent++) expect(await status(foreign, world.baseUrl)).toBe(403);
    expect((await merchant.call("GET", "/v2/account/balance")).status).toBe(200);
  });

  test("is not blocked by a page of the network either: a router's, a printer's, one of the company", async () => {
    for (const origin of ["http://192.168.1.50", "http://printer", "http://wiki.internal:8080"]) {
      expect(await status({ Origin: origin, "Sec-Fetch-Site": "cross-site" }), origin).toBe(403);
    }
  });

  test("takes no page under a name that is made to point here, but one of --allow-host", async () => {
    const rebound = { Host: "rebound.example", Origin: "http://rebound.example", "Sec-Fetch-Site": "same-origin" };
    expect(await status(rebound)).toBe(403);
    const host = "sandbox.company.example";
    expect(await status({ Host: host, Origin: `https://${host}` }, allowing.sandbox.baseUrl)).toBe(401);
  });

  test("takes the dashboard's page, and pages of this machine", async () => {
    const host = new URL(file.sandbox.baseUrl).host;
    for (const origin of [`http://${host}`, "http://localhost:5173"])
      expect(await status({ Origin: origin })).toBe(401);
    expect(await status({ "Sec-Fetch-Site": "same-origin" })).toBe(401);
  });

  test("takes an address that somebody types, which is a call of no page", async () => {
    const typed = { "Sec-Fetch-Site": "none", ...navigation("document") };
    const answer = await rawRequest(file.sandbox.baseUrl, "GET", "/v2/account/balance", typed);
    expect([answer.status, answer.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  test("gives a page no leave to send a token", async () => {
    const foreign = { Origin: "https://shop.example", "Sec-Fetch-Site": "cross-site" };
    // Authorization needs a preflight, which is answered without leave.
    const asking = { ...foreign, "Access-Control-Request-Headers": "authorization" };
    const { head } = await exchange(file.sandbox.baseUrl, "OPTIONS", "/v2/transactions/cashin", asking);
    expect(head).toMatch(/^HTTP\/1\.1 403 /);
    expect(head.toLowerCase()).not.toContain("access-control-");
  });

  test("answers programs under any name", async () => {
    const merchant = await Merchant.of(await file.sandbox.defaultWorld());
    const headers = { Host: "payments.merchant.example", Authorization: `Bearer ${merchant.token}` };
    expect((await rawRequest(file.sandbox.baseUrl, "GET", "/v2/account/balance", headers)).status).toBe(200);
  });
});

describe("a name that is made to point here (DNS rebinding)", () => {
  const shown = ["/", "/worlds/default/", "/dashboard.js", "/openapi.json", "/worlds/default/openapi.json"];
  const steering = ["/_sandbox/", "/_sandbox/health", "/_sandbox/journal/stream", "/worlds/default/_sandbox/"];

  test.each([...shown, ...steering])("gets nothing of %s", async (path) => {
    for (const host of ["rebound.example", "rebound.example:4400", "127.0.0.1.rebound.example", "localhost."]) {
      const { status, body } = await rawRequest(file.sandbox.baseUrl, "GET", path, { Host: host });
      expect([host, status, body?.error?.code]).toEqual([host, 403, "FOREIGN_HOST"]);
    }
  });

  test("cannot be left out", async () => {
    for (const head of ["GET /_sandbox/clock HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n\r\n"]) {
      const socket = await openSocket(file.sandbox.baseUrl);
      const answer = untilClosed(socket);
      socket.end(head);
      expect(await answer).toMatch(/^HTTP\/1\.1 40[03] /);
    }
  });

  test("but health, which tells nothing, is told to a proxy that asks by HTTP/1.0, of any world", async () => {
    const { baseUrl } = await file.world();
    for (const base of ["", new URL(baseUrl).pathname]) {
      const socket = await openSocket(file.sandbox.baseUrl);
      const answer = untilClosed(socket);
      socket.write(`GET ${base}/_sandbox/health HTTP/1.0\r\n\r\n`);
      expect(await answer).toMatch(/^HTTP\/1\.1 200 (.|\r\n)*\{"status":"ok","version":"[^"]+"\}$/);
    }
  });

  test.each(["localhost@rebound.example", "rebound.example@localhost", "localhost/x", "localhost#x", "localhost?x"])(
    "cannot be spelled as %j, with an absolute address in the request line neither",
    async (host) => {
      for (const target of ["/_sandbox/clock", "http://localhost/_sandbox/clock"]) {
        const { head } = await exchange(file.sandbox.baseUrl, "GET", target, { Host: host });
        expect(head).toMatch(/^HTTP\/1\.1 40[03] /);
      }
    },
  );

  test("nor with an absolute address in the request line", async () => {
    const { head } = await exchange(file.sandbox.baseUrl, "GET", "http://localhost/_sandbox/clock", {
      Host: "rebound.example",
    });
    expect(head).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  test("a sibling container is let in by its name, and by its address", async () => {
    for (const host of ["payments-sandbox:4000", "payments_sandbox:4000", "172.18.0.3:4000", "[fd00::3]:4000"]) {
      const { status } = await rawRequest(file.sandbox.baseUrl, "GET", "/_sandbox/clock", { Host: host });
      expect([host, status]).toEqual([host, 200]);
    }
  });
});

describe("--allow-host", () => {
  test.each(["sandbox.company.example", "SANDBOX.company.example:8443", "payments.default.svc.cluster.local:4000"])(
    "lets %s in",
    async (host) => {
      for (const path of ["/_sandbox/clock", "/_sandbox/health", "/openapi.json"]) {
        const { status } = await rawRequest(allowing.sandbox.baseUrl, "GET", path, { Host: host });
        expect([path, status]).toEqual([path, 200]);
      }
    },
  );

  test.each(["company.example", "x.sandbox.company.example", "sandbox.company.example.rebound.example"])(
    "does not let %s in",
    async (host) => {
      const { status } = await rawRequest(allowing.sandbox.baseUrl, "GET", "/_sandbox/clock", { Host: host });
      expect(status).toBe(403);
    },
  );

  test.each([
    "",
    "http://a.example",
    "a.example:80",
    "a.example/x",
    "*.example",
    "a b",
    "x@a.example",
    "a".repeat(254),
  ])("is refused what is no host name: %j", async (name) => {
    const rule = "must be a host name such as sandbox.example.dev, without scheme, port or path";
    await expect(startSandbox({ allowedHosts: [name] })).rejects.toThrow(`allowedHosts: each ${rule}, not "${name}".`);
  });

  test("pages of that name may steer, behind a proxy that takes the port or the name off too", async () => {
    const origin = { Origin: "https://sandbox.company.example:8443" };
    for (const host of ["sandbox.company.example", "127.0.0.1:4400"]) {
      const headers = { ...json(origin), Host: host, "Content-Length": "2" };
      const { status } = await rawRequest(allowing.sandbox.baseUrl, "POST", "/_sandbox/clock", headers, "{}");
      expect([host, status]).toEqual([host, 200]);
    }
    const foreign = { ...json({ Origin: "https://shop.example" }), Host: "sandbox.company.example" };
    const refused = await rawRequest(allowing.sandbox.baseUrl, "POST", "/_sandbox/reset", foreign, "{}");
    expect([refused.status, refused.body.error.code]).toEqual([403, "FOREIGN_ORIGIN"]);
  });
});

describe("what answers tell browsers", () => {
  test.each(["/_sandbox/", "/_sandbox/nowhere", "/_sandbox/journal/stream"])(
    "%s is neither kept, nor guessed at, nor embedded elsewhere",
    async (path) => {
      const { head } = await exchange(file.sandbox.baseUrl, "GET", path, {});
      expect(head).toMatch(/^x-content-type-options: nosniff\r$/im);
      expect(head).toMatch(/^cross-origin-resource-policy: same-origin\r$/im);
      expect(head).toMatch(/^cache-control: no-(store|cache)/im);
    },
  );

  test.each([
    "https:shop.example",
    "%5C%5Cshop.example",
    "javascript:alert(1)",
    "%0d%0aSet-Cookie:x=y",
    "%3Cscript%3E",
  ])("the address of a world that is called %s leads nowhere else", async (world) => {
    const page = { Accept: "text/html" };
    const { head } = await exchange(file.sandbox.baseUrl, "GET", `/worlds/${world}`, page);
    const location = /^location: (.*)\r$/im.exec(head)?.[1] ?? "";
    const { origin, pathname } = new URL(location, `${file.sandbox.baseUrl}/worlds/${world}`);
    expect([origin, pathname.startsWith("/worlds/")]).toEqual([file.sandbox.baseUrl, true]);
    expect(head).not.toMatch(/^set-cookie/im);
  });
});

function json(headers: Record<string, string>): Record<string, string> {
  return { "Content-Type": "application/json", ...headers };
}

function plain(headers: Record<string, string>): Record<string, string> {
  return { "Content-Type": "text/plain;charset=UTF-8", ...headers };
}

function form(headers: Record<string, string>): Record<string, string> {
  return { "Content-Type": "application/x-www-form-urlencoded", ...headers };
}

function navigation(destination: string): Record<string, string> {
  return { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": destination };
}

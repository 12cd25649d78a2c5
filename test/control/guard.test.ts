/** Who may steer a sandbox: token, host, origin. */
import { describe, expect, test } from "vitest";
import { ControlCallError, connectSandbox } from "../../src/index.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { rawRequest } from "../support/raw-request.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();
const TOKEN = "open-sesame";
const guarded = useSandbox({ controlToken: TOKEN });

describe("the control token", () => {
  test.each([
    ["missing", undefined],
    ["wrong", "Bearer wrong"],
    ["empty", "Bearer "],
    ["of another scheme", `Basic ${TOKEN}`],
    ["longer", `Bearer ${TOKEN}x`],
  ])("%s: 401", async (_what, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
    for (const path of ["/", "/clock", "/journal/stream", "/nowhere"]) {
      const { status, body } = await control(guarded.sandbox, "GET", path, undefined, headers);
      expect([path, status, body.error.code]).toEqual([path, 401, "UNAUTHORIZED"]);
    }
    const created = await control(guarded.sandbox, "POST", "/worlds", {}, headers);
    expect(created.status).toBe(401);
  });

  test("right: every call is served, of every world", async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const world = await guarded.world();
    for (const base of [guarded.sandbox, world]) {
      expect((await control(base, "GET", "/clock", undefined, headers)).status).toBe(200);
      expect((await control(base, "GET", "/clock")).status).toBe(401);
    }
    const put = await control({ baseUrl: `${guarded.sandbox.baseUrl}/worlds/new` }, "PUT", "", {});
    expect(put.status).toBe(401);
  });

  test("is not asked of the service, nor of the health check", async () => {
    const world = await guarded.world();
    const merchant = await Merchant.of(world);
    expect((await merchant.cashin({ currency: "BRL", amount: 1 })).status).toBe(200);
    for (const base of [guarded.sandbox, world]) {
      const health = await control(base, "GET", "/health");
      expect([health.status, health.body]).toEqual([200, { status: "ok", version: expect.stringMatching(/^\d+\./) }]);
    }
  });

  test("is what a client sends that was given it", async () => {
    const connected = await connectSandbox(guarded.sandbox.baseUrl, { controlToken: TOKEN });
    expect((await (await connected.defaultWorld()).clock()).mode).toBe("frozen");
    const refused = connectSandbox(guarded.sandbox.baseUrl, { controlToken: "wrong" });
    await expect(refused).rejects.toThrowError(ControlCallError);
    await expect(refused).rejects.toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  });
});

describe("the host", () => {
  const own = ["localhost", "localhost:4400", "127.0.0.1", "[::1]:4400", "10.1.2.3:80", "sandbox:4400", "pay.internal"];
  const longForms = ["[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]:4400", "[FD12::1]:80"];

  test.each([...own, ...longForms])("%s is this machine or its network", async (host) => {
    const { status } = await rawRequest(file.sandbox.baseUrl, "GET", "/_sandbox/clock", { Host: host });
    expect(status).toBe(200);
  });

  test.each([
    "merchant.example",
    "merchant.example:4400",
    "localhost.merchant.example",
    "my.sandbox.dev",
    "127.merchant.example",
    "10.0.0.1.nip.io",
  ])("%j is foreign: 403, whatever the call", async (host) => {
    for (const [method, path] of [
      ["GET", "/_sandbox/clock"],
      ["POST", "/_sandbox/reset"],
      ["GET", "/_sandbox/nowhere"],
    ] as const) {
      const { status, body } = await rawRequest(file.sandbox.baseUrl, method, path, { Host: host });
      expect([status, body?.error?.code]).toEqual([403, "FOREIGN_HOST"]);
    }
  });
});

describe("the origin", () => {
  test("of the sandbox itself may call", async () => {
    const headers = { Origin: file.sandbox.baseUrl };
    expect((await control(file.sandbox, "GET", "/clock", undefined, headers)).status).toBe(200);
    expect((await control(file.sandbox, "POST", "/clock", {}, headers)).status).toBe(200);
  });

  test.each(["https://merchant.example", "http://127.0.0.1:1", "http://localhost:4400", "null", "file://"])(
    "%s may not: 403",
    async (origin) => {
      const { status, body } = await control(file.sandbox, "POST", "/clock/advance", { by: "1s" }, { Origin: origin });
      expect([status, body.error.code]).toEqual([403, "FOREIGN_ORIGIN"]);
      const world = await file.sandbox.defaultWorld();
      expect((await world.clock()).now).toBe("2026-01-01T12:00:00.000Z");
    },
  );

  test("is looked at before the token", async () => {
    const { status } = await control(guarded.sandbox, "GET", "/clock", undefined, {
      Origin: "https://merchant.example",
    });
    expect(status).toBe(403);
  });
});

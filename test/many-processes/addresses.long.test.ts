/** Which call goes where behind the nginx of docs/many-processes.md, and what arrives there. */
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectSandbox, type SandboxClient } from "../../src/index.ts";
import { control } from "../support/control.ts";
import { openStream } from "../support/event-stream.ts";
import { Merchant } from "../support/merchant.ts";
import { Fleet, freePlace } from "./fleet.ts";
import { type Nginx, startNginx } from "./nginx.ts";

const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-addresses-"));
const fleet = new Fleet(folder);
let nginx: Nginx;
let sandbox: SandboxClient;

beforeAll(async () => {
  for (let count = 0; count < 3; count++) await fleet.grow();
  await fleet.startAll();
  nginx = await startNginx(join(folder, "nginx"), { listen: await freePlace(200), processes: fleet.places });
  sandbox = await connectSandbox(nginx.baseUrl);
});

afterAll(async () => {
  await nginx?.stop();
  await fleet.endAll("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** `host:port` of the process that an address falls to. */
async function processOf(path: string): Promise<string | null> {
  return (await fetch(nginx.baseUrl + path)).headers.get("x-sandbox-process");
}

/** The process that keeps a world in its folder; undefined where none does, or several do. */
function keeperOf(id: string): string | undefined {
  const [index, ...others] = fleet.worlds().flatMap((worlds, at) => (worlds.includes(id) ? [at] : []));
  return index === undefined || others.length > 0 ? undefined : fleet.places[index];
}

/** An id that falls to another process than a world does. */
async function idElsewhere(id: string): Promise<string> {
  const home = await processOf(`/worlds/${id}/`);
  for (let count = 1; ; count++) {
    if ((await processOf(`/worlds/elsewhere-${count}/`)) !== home) return `elsewhere-${count}`;
  }
}

test("all that is below a world's address goes to one process, however it is written", async () => {
  const world = await sandbox.openWorld("checkout");
  expect(world.baseUrl).toBe(`${nginx.baseUrl}/worlds/checkout`);
  expect((await world.info()).base_url).toBe(world.baseUrl);
  const home = keeperOf("checkout");
  expect(home).toBeDefined();
  const paths = ["", "/", "/_sandbox", "/_sandbox/clock?x=/worlds/other", "/v2/account/balance", "/openapi.json"];
  for (const path of paths) expect([path, await processOf(`/worlds/checkout${path}`)]).toEqual([path, home]);
  for (const path of ["/worlds/check%6Fut/", "/worlds/checkout--7/", "/_sandbox/worlds/checkout"]) {
    expect([path, await processOf(path)]).toEqual([path, home]);
  }
});

test("the root and the world default are those of the first process", async () => {
  const paths = ["/", "/_sandbox", "/_sandbox/health", "/v2/account/balance", "/worlds/default/_sandbox", "/worlds"];
  paths.push("/worlds/default--1/", "/_sandbox/worlds/default");
  for (const path of paths) expect([path, await processOf(path)]).toEqual([path, fleet.places[0]]);
  expect((await sandbox.defaultWorld()).id).toBe("default");
  const refused = await control(sandbox, "DELETE", "/worlds/default");
  expect([refused.status, refused.body.error.code]).toEqual([409, "WORLD_IN_USE"]);
});

test("a fork of the world default is one of that at the root, where its id begins as it should", async () => {
  await (await sandbox.defaultWorld()).accounts.fund("acme", { currency: "BRL", amount: "1.00" });
  const fork = await sandbox.openWorld("default--1", { from: "default" });
  expect(keeperOf("default--1")).toBe(fleet.places[0]);
  expect(await (await Merchant.of(fork)).balance("BRL")).toMatchObject({ balance: "10001.00" });
});

test("a world that is given no id gets one, and lies where its address leads", async () => {
  const worlds = await Promise.all(Array.from({ length: 20 }, (_unused, seed) => sandbox.createWorld({ seed })));
  const keepers = worlds.map(({ id }) => keeperOf(id));
  for (const [seed, world] of worlds.entries()) {
    expect(await processOf(`/worlds/${world.id}/`)).toBe(keepers[seed]);
    expect((await world.info()).seed).toBe(seed);
    await world.delete();
    expect(keeperOf(world.id)).toBeUndefined();
  }
  expect(keepers).not.toContain(undefined);
  expect(new Set(keepers).size).toBeGreaterThan(1);
});

test("what a proxy cannot do right is refused: a list of all worlds, and an id within a body", async () => {
  // The proxy's own word: no document of a sandbox has it.
  const list = await fetch(`${sandbox.baseUrl}/_sandbox/worlds`);
  const { error } = (await list.json()) as { error: { code: string } };
  expect([list.status, error.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
  const made = await control(sandbox, "POST", "/worlds", { id: "by-body" });
  expect([made.status, made.body.error.code]).toEqual([422, "INVALID_REQUEST"]);
  expect(keeperOf("by-body")).toBeUndefined();
});

test("a world is forked and taken back within its process; to another one it goes as a bundle", async () => {
  const world = await sandbox.openWorld("prepared");
  const merchant = await Merchant.of(world);
  await merchant.cashin({ currency: "BRL", amount: 10, external_id: "order-1" });
  await world.takeSnapshot("early");
  await world.advance("5s");

  const fork = await sandbox.openWorld("prepared--1", { from: "prepared" });
  const early = await sandbox.openWorld("prepared--2", { from: { world: "prepared", snapshot: "early" } });
  const statuses = async ({ baseUrl }: { baseUrl: string }) => {
    const { items } = (await control({ baseUrl }, "GET", "/transactions")).body;
    return items.map(({ status }: { status: string }) => status);
  };
  expect([await statuses(fork), await statuses(early)]).toEqual([["confirmed"], ["pending"]]);

  const other = { baseUrl: `${nginx.baseUrl}/worlds/${await idElsewhere("prepared")}` };
  expect((await control(other, "PUT", "", { from: "prepared" })).status).toBe(404);
  expect((await control(other, "GET", "")).status).toBe(404);
  const replayed = await control(other, "PUT", "", { replay: await world.export() });
  expect([replayed.status, replayed.body.replay.identical]).toEqual([201, true]);
  expect(await statuses(other)).toEqual(["confirmed"]);
});

test("the journal comes as it is written", async () => {
  const world = await sandbox.openWorld("streamed");
  const merchant = await Merchant.of(world);
  await using stream = await openStream(world);
  expect([stream.status, stream.contentType]).toEqual([200, expect.stringContaining("text/event-stream")]);
  await merchant.cashin({ currency: "BRL", amount: 10 });
  const [first] = await stream.take(1);
  expect(first?.event).toMatch(/./);
});

test("the caller's address is the one that the proxy saw, whatever the caller says", async () => {
  const world = await sandbox.openWorld("seen");
  const status = await new Promise((resolve, reject) => {
    const headers = { "X-Forwarded-For": "203.0.113.9" };
    const url = `${world.baseUrl}/v2/account/balance`;
    request(url, { localAddress: "127.0.0.66", headers, agent: false }, (incoming) => {
      incoming.resume().on("end", () => resolve(incoming.statusCode));
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(401);
  const { items } = (await control(world, "GET", "/requests")).body;
  expect(items.map(({ ip }: { ip: string }) => ip)).toEqual(["127.0.0.66"]);
});

test("base URLs have the scheme by which the proxy was called, whatever the caller says", async () => {
  const world = await sandbox.openWorld("shown");
  const shown = async (place: string) => {
    const headers = { "X-Forwarded-Proto": "https" };
    const info = await control({ baseUrl: `${place}/worlds/shown` }, "GET", "", undefined, headers);
    const document = await fetch(`${place}/worlds/shown/openapi.json`, { headers });
    const { servers } = (await document.json()) as { servers: { url: string }[] };
    return [info.body.base_url, servers[0]?.url];
  };
  expect(await shown(nginx.baseUrl)).toEqual([world.baseUrl, world.baseUrl]);
  // As a proxy would say it that was called by TLS.
  const keeper = keeperOf("shown");
  expect(await shown(`http://${keeper}`)).toEqual(Array(2).fill(`https://${keeper}/worlds/shown`));
});

test("an answer that is lost behind the proxy is 502, and the call is not made again", async () => {
  const world = await sandbox.openWorld("lost");
  const merchant = await Merchant.of(world);
  await world.faults.set([{ request: "POST /v2/transactions/cashin", inject: { disconnect: "after" }, times: 1 }]);
  const response = await fetch(`${world.baseUrl}/v2/transactions/cashin`, {
    method: "POST",
    headers: { Authorization: `Bearer ${merchant.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ currency: "BRL", amount: 10 }),
  });
  expect(response.status).toBe(502);
  expect((await control(world, "GET", "/transactions")).body.items).toHaveLength(1);
});

test("a body that is too large is refused by the sandbox, not by the proxy", async () => {
  const merchant = await Merchant.of(await sandbox.openWorld("large"));
  const answer = await merchant.cashin({ currency: "BRL", amount: 10, external_id: "x".repeat(2 * 1024 * 1024) });
  expect([answer.status, answer.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
});

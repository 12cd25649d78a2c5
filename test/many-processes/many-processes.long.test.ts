/**
 * A thousand worlds in three processes behind nginx, with the configuration and the script of docs/many-processes.md.
 * The tests go on from each other, as a day of a company does.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from "vitest";
import { connectSandbox, type SandboxClient } from "../../src/index.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { Fleet, freePlace } from "./fleet.ts";
import { type Nginx, startNginx } from "./nginx.ts";
import { blockWith } from "./page.ts";
import { charge, confirmedAfterAdvance, each, openShop, type Shop, stateOf, Traffic } from "./use.ts";

const IDS = Array.from({ length: 1000 }, (_unused, index) => `shop-${index + 1}`);
/** The process that is replaced; not that of the root. */
const REPLACED = 1;

const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-fleet-"));
const fleet = new Fleet(folder);
let nginx: Nginx;
let listen: string;
let sandbox: SandboxClient;
let receiver: Receiver;
let shops: Shop[];
/** External ids of the charges that a receiver was told of. */
const told: string[] = [];

const startProxy = () => startNginx(join(folder, "nginx"), { listen, processes: fleet.places });
const shopsOf = (index: number) => shops.filter(({ id }) => fleet.worlds()[index]?.includes(id));
const put = (id: string) => fetch(`${nginx.baseUrl}/worlds/${id}/_sandbox`, { method: "PUT" });
const answers = async (shop: Shop) => (await fetch(`${shop.baseUrl}/_sandbox/clock`)).status === 200;
const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await pause(20);
};

beforeAll(async () => {
  receiver = await startReceiver(({ body }, response) => {
    told.push(body.data.external_id);
    response.writeHead(200).end();
  });
  for (let count = 0; count < 3; count++) await fleet.grow();
  await fleet.startAll();
  listen = await freePlace(200);
  nginx = await startProxy();
  sandbox = await connectSandbox(nginx.baseUrl);
});

afterAll(async () => {
  await nginx?.stop();
  await fleet.endAll("SIGKILL");
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

// A 502 alone does not tell whose fault it was.
beforeEach(() => {
  onTestFailed(() => {
    process.stderr.write([...fleet.toldOf(), nginx.errors(), ""].join("\n"));
  });
});

test("1 000 worlds are made by PUT at their own address and used; each lies in exactly one of three folders", async () => {
  shops = await each(IDS, (id) => openShop(sandbox, id, receiver.url));
  const kept = fleet.worlds();
  expect(kept.flat().sort()).toEqual([...IDS].sort());
  for (const worlds of kept) expect(worlds.length).toBeGreaterThan(0);
  expect(told.toSorted()).toEqual(IDS.map((id) => `${id}-1`).sort());
});

test("a killed process is replaced: nothing else fails meanwhile, nobody else makes its worlds, and they are back", async () => {
  const killed = shopsOf(REPLACED);
  const before = await each(killed, stateOf);
  const others = shops.filter((shop) => !killed.includes(shop));
  const lists = fleet.worlds();

  const traffic = new Traffic(others);
  await fleet.end(REPLACED, "SIGKILL");
  const made = await each(killed, async ({ id }) => (await put(id)).status);
  const read = await each(killed, async ({ baseUrl }) => (await fetch(`${baseUrl}/_sandbox`)).status);
  const served = await each(killed, async ({ baseUrl }) => (await fetch(`${baseUrl}/v2/account/balance`)).status);
  expect(new Set([...made, ...read, ...served])).toEqual(new Set([502]));
  expect(fleet.worlds()).toEqual(lists);
  const late = Array.from({ length: 60 }, (_unused, index) => `late-${index}`);
  const first = await each(late, async (id) => (await put(id)).status);
  expect(new Set(first)).toEqual(new Set([201, 502]));

  await fleet.start(REPLACED);
  await until(() => answers(killed[0] as Shop));
  await traffic.stop();
  expect(traffic.failures).toEqual([]);
  expect(traffic.calls).toBeGreaterThan(killed.length);

  expect(await each(killed, stateOf)).toEqual(before);
  const second = await each(late, async (id) => (await put(id)).status);
  expect(second).toEqual(first.map((status) => (status === 502 ? 201 : 200)));
  expect(fleet.worlds().flat().sort()).toEqual([...IDS, ...late].sort());
  await each(late, (id) => sandbox.deleteWorld(id));
  expect(fleet.worlds()).toEqual(lists);
});

test("SIGTERM lets a call that is under way through the proxy come to its end", async () => {
  const [shop, other] = shopsOf(2) as [Shop, Shop];
  const release = Promise.withResolvers<void>();
  await using slow = await startReceiver(async ({ body }, response) => {
    await release.promise;
    told.push(body.data.external_id);
    response.writeHead(200).end();
  });
  const world = await sandbox.openWorld(shop.id);
  await world.setPostbackUrl("acme", slow.url);
  await charge(shop);
  const advancing = world.advance("5s");
  await slow.arrived(1);
  const ending = fleet.end(2, "SIGTERM");
  await until(async () => !(await answers(other)));
  release.resolve();
  const waiting = shop.charges.length - 1;
  expect((await advancing).webhooks).toMatchObject({ delivered: waiting, failed: 0, pending: 0 });
  expect(await ending).toBe(0);

  await fleet.start(2);
  await until(() => answers(other));
  expect((await world.checkLedger()).ok).toBe(true);
  await world.setPostbackUrl("acme", receiver.url);
});

test("with a process more, the page's script moves the worlds that are the new one's, and those alone", async () => {
  const prepared = shops.filter((_shop, index) => index % 10 === 0);
  const forks = await each(prepared, async ({ id }) => {
    await (await sandbox.openWorld(id)).takeSnapshot("before-the-move");
    return sandbox.openWorld(`${id}--fork`, { from: id });
  });
  const [before, forked] = [await each(prepared, stateOf), await each(forks, stateOf)];
  const lists = fleet.worlds();
  await fleet.grow();
  await fleet.endAll("SIGTERM");
  await nginx.stop();
  nginx = await startProxy();

  const script = join(folder, "move-worlds.sh");
  writeFileSync(script, blockWith("bash", "# move-worlds.sh"));
  const table = fleet.places.map((place, index) => `${place}=${fleet.dataOf(index)}`);
  const { stdout } = await promisify(execFile)("bash", [script, nginx.baseUrl, ...table]);

  const moved = fleet.worlds();
  const news = moved[3] ?? [];
  expect(stdout.trim().split("\n")).toHaveLength(news.length);
  expect(news.filter((id) => id.endsWith("--fork"))).not.toEqual([]);
  expect(moved.flat().sort()).toEqual([...IDS, ...forks.map(({ id }) => id)].sort());
  expect(moved.slice(0, 3)).toEqual(lists.map((worlds) => worlds.filter((id) => !news.includes(id))));
  await fleet.startAll();
  expect(await each(prepared, stateOf)).toEqual(before);
  await each(forks, (world) => world.reset());
  expect(await each(forks, stateOf)).toEqual(forked);
});

test("everything goes on: what waited is paid and told of once", async () => {
  await each(shops, async (shop) => {
    await charge(shop);
    expect((await confirmedAfterAdvance(shop)).sort()).toEqual([...shop.charges].sort());
  });
  expect(told.sort()).toEqual(shops.flatMap(({ charges }) => charges).sort());
});

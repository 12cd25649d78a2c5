/** Worlds with a `ttl`: they go by themselves after so long in real time without a call, and not before. */
import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Lifetimes } from "../../src/host/lifetimes.ts";
import { type SandboxClient, startSandbox } from "../../src/index.ts";
import { makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { startHeld } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

// The product keeps to the machine's timers, whatever a test fakes; here they are the faked ones.
vi.mock("../../src/runtime.ts", async (original) => ({
  ...(await original<typeof import("../../src/runtime.ts")>()),
  monotonicNow: () => performance.now(),
  wakeAfter: (delayMs: number, callback: () => void) => {
    const handle = setTimeout(callback, Math.min(Math.max(delayMs, 0), 2 ** 31 - 1));
    return () => clearTimeout(handle);
  },
}));

const file = useSandbox();

async function idsOf(sandbox: SandboxClient): Promise<string[]> {
  const { body } = await control(sandbox, "GET", "/worlds?limit=1000");
  return body.items.map(({ world }: { world: string }) => world);
}

const POLL_MS = 5;

/** Looks from another address, which is no call for the world. */
async function gone(id: string, sandbox = file.sandbox): Promise<void> {
  while ((await idsOf(sandbox)).includes(id)) await pause(POLL_MS);
}

describe("a world with a ttl", () => {
  test("vanishes without calls, and its id is free again", async () => {
    await file.world({ id: "brief", ttl: "50ms" });
    await gone("brief");
    const { status, body } = await control({ baseUrl: `${file.sandbox.baseUrl}/worlds/brief` }, "GET", "/");
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect((await file.world({ id: "brief" })).id).toBe("brief");
  });

  test("one that was deleted before does not take a new one of its id with it", async () => {
    const brief = await file.world({ id: "again", ttl: "100ms" });
    await brief.delete();
    await file.world({ id: "again" });
    await file.world({ id: "longer", ttl: "200ms" });
    await gone("longer");
    expect(await idsOf(file.sandbox)).toContain("again");
  });

  test("one without stays, and so does a fork or a replay of one that had a ttl, unless it has its own", async () => {
    const origin = await file.world({ id: "origin-of-forks", ttl: "1h" });
    await origin.takeSnapshot("early");
    const stays = await file.sandbox.createWorld({ id: "stays", from: "origin-of-forks" });
    await file.sandbox.createWorld({ id: "goes", from: "origin-of-forks", ttl: "20ms" });
    await file.sandbox.createWorld({
      id: "goes-too",
      from: { world: "origin-of-forks", snapshot: "early" },
      ttl: "20ms",
    });
    const replay = await origin.call("GET", "/export");
    const root = await file.sandbox.defaultWorld();
    await root.call("POST", "/worlds", { id: "goes-as-well", replay, ttl: "20ms" });
    await gone("goes");
    await gone("goes-too");
    await gone("goes-as-well");
    expect(await idsOf(file.sandbox)).toEqual(expect.arrayContaining(["default", "origin-of-forks", "stays"]));
    expect((await stays.clock()).mode).toBe("frozen");
  });

  test("keeps it over a reset and a restore", async () => {
    for (const back of ["reset", "restore"] as const) {
      const world = await file.world({ id: `back-by-${back}`, ttl: "300ms" });
      await world.takeSnapshot("begin");
      if (back === "reset") await world.reset();
      else await world.restore("begin");
      await gone(`back-by-${back}`);
    }
  });

  test("keeps it over a restart that comes after a reset or a restore", async () => {
    const data = testFolder();
    const first = await startSandbox({ data });
    for (const back of ["reset", "restore"] as const) {
      const world = await first.createWorld({ id: `back-by-${back}`, ttl: "1s" });
      await world.takeSnapshot("begin");
      if (back === "reset") await world.reset();
      else await world.restore("begin");
    }
    await first.stop();
    await using second = await startSandbox({ data });
    for (const back of ["reset", "restore"]) await gone(`back-by-${back}`, second);
  });

  test("stays while somebody follows its journal, however long ago that call came", async () => {
    const world = await file.world({ id: "followed", ttl: "300ms" });
    const stream = await openStream(world.baseUrl);
    await file.world({ id: "goes-later", ttl: "600ms" });
    await gone("goes-later");
    expect(await idsOf(file.sandbox)).toContain("followed");
    await stream[Symbol.asyncDispose]();
    await gone("followed");
  });

  test("stays while it is forked, though nobody calls it", async () => {
    await file.world({ id: "prepared", ttl: "500ms" });
    await file.world({ id: "marks-the-time", ttl: "1s" });
    while ((await idsOf(file.sandbox)).includes("marks-the-time")) {
      const fork = await file.sandbox.createWorld({ from: "prepared" });
      await fork.delete();
      await pause(POLL_MS);
    }
    expect(await idsOf(file.sandbox)).toContain("prepared");
    await gone("prepared");
  });

  test("stays while it is advanced, though whoever asked for that has gone", async () => {
    await using receiver = await startHeld();
    const origin = await file.world({ postback_url: receiver.url });
    await makeCharge(origin);
    const world = await file.sandbox.createWorld({ id: "advanced", from: origin.id, ttl: "300ms" });
    const connection = new AbortController();
    const { signal } = connection;
    const body = JSON.stringify({ by: "1h" });
    const headers = { "Content-Type": "application/json" };
    const call = fetch(`${world.baseUrl}/_sandbox/clock/advance`, { method: "POST", body, headers, signal });
    await receiver.arrived(1);
    connection.abort();
    await expect(call).rejects.toThrow();
    await file.world({ id: "goes-later", ttl: "600ms" });
    await gone("goes-later");
    expect(await idsOf(file.sandbox)).toContain("advanced");
    receiver.release();
    await gone("advanced");
  });

  test("survives a restart, and goes after it with all its files", async () => {
    const data = testFolder();
    const first = await startSandbox({ data });
    const world = await first.createWorld({ id: "brief", ttl: "1s" });
    await world.takeSnapshot();
    await first.stop();
    await using second = await startSandbox({ data });
    expect(await idsOf(second)).toContain("brief");
    await gone("brief", second);
    expect(readdirSync(data, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("brief"))).toEqual(
      [],
    );
  });

  test.each(["0s", "-5s", "soon", "", 5, null])("a ttl of %j: 400", async (ttl) => {
    const { status, body } = await control(file.sandbox, "POST", "/worlds", { id: "never-made", ttl });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^ttl /)]);
    expect(await idsOf(file.sandbox)).not.toContain("never-made");
  });
});

describe("the watch over lifetimes", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Lifetimes on a clock that the function moves; what was ended is in the list. */
  function watched({ busy = () => false }: { busy?: () => boolean } = {}) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const ended: string[] = [];
    const lifetimes = new Lifetimes((id) => {
      if (busy()) return false;
      lifetimes.forget(id);
      ended.push(id);
      return true;
    });
    return { lifetimes, ended, passMs: (byMs: number) => vi.advanceTimersByTime(byMs) };
  }

  test("each call, once it has ended, begins the time anew", () => {
    const { lifetimes, ended, passMs } = watched();
    lifetimes.watch("one", 1000);
    for (let count = 0; count < 10; count++) {
      passMs(900);
      lifetimes.attend("one")();
    }
    passMs(999);
    expect(ended).toEqual([]);
    passMs(1);
    expect(ended).toEqual(["one"]);
  });

  test("calls under way keep it, the last of several counts", () => {
    const { lifetimes, ended, passMs } = watched();
    lifetimes.watch("one", 1000);
    const [leaveFirst, leaveSecond] = [lifetimes.attend("one"), lifetimes.attend("one")];
    passMs(5000);
    leaveFirst();
    passMs(5000);
    expect(ended).toEqual([]);
    leaveSecond();
    passMs(999);
    expect(ended).toEqual([]);
    passMs(1001);
    expect(ended).toEqual(["one"]);
  });

  test("one that is busy is asked again; one that is forgotten, or began anew, is not ended in the name of the old", () => {
    let busy = true;
    const { lifetimes, ended, passMs } = watched({ busy: () => busy });
    lifetimes.watch("busy", 1000);
    lifetimes.watch("forgotten", 1000);
    lifetimes.watch("again", 1000);
    const leaveOld = lifetimes.attend("again");
    lifetimes.forget("forgotten");
    lifetimes.watch("again", 100_000);
    leaveOld();
    passMs(2500);
    expect(ended).toEqual([]);
    busy = false;
    passMs(1000);
    expect(ended).toEqual(["busy"]);
  });

  test("a time longer than the machine's timers take is waited for in parts", () => {
    const { lifetimes, ended, passMs } = watched();
    const days60 = 60 * 86_400_000;
    lifetimes.watch("patient", days60);
    passMs(days60 - 1);
    expect(ended).toEqual([]);
    passMs(1);
    expect(ended).toEqual(["patient"]);
  });
});

/** A connection that follows the journal of a world until it is disposed of. */
async function openStream(baseUrl: string): Promise<AsyncDisposable> {
  const connection = new AbortController();
  const response = await fetch(`${baseUrl}/_sandbox/journal/stream`, { signal: connection.signal });
  expect(response.status).toBe(200);
  return {
    [Symbol.asyncDispose]: async () => {
      connection.abort();
      await response.text().catch(() => {});
    },
  };
}

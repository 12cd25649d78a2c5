/** `--data`: one file per world; all is back after a restart, and what cannot be read is left as it is. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { connectSandbox, type SandboxClient } from "../../src/index.ts";
import { type Ready, runCommand, startCommand, startReady, terminate } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { withApplicationId, withVersion } from "../support/world-file.ts";

test("a restart brings every world back: money, timers, clock, credentials and tokens", async () => {
  const data = join(testFolder(), "made", "when-missing");
  const first = await startReady(["--data", data, "--seed", "5"]);
  const world = await (await connectSandbox(first.ready.base_url)).createWorld({ id: "shop-1" });
  const merchant = await Merchant.of(world);
  const paid = await merchant.cashin({ currency: "BRL", amount: 100, external_id: "paid" });
  await world.advance("5s");
  await merchant.cashin({ currency: "BRL", amount: 50, external_id: "waits" });
  const clock = await world.clock();
  expect((await terminate(first)).code).toBe(0);
  expect(readdirSync(data).sort()).toEqual([".lock", "default.db", "shop-1.db"]);

  const second = await startReady(["--data", data]);
  expect(second.ready).toMatchObject({ client_id: first.ready.client_id, signing_key: first.ready.signing_key });
  const back = await (await connectSandbox(second.ready.base_url)).openWorld("shop-1");
  expect(await back.clock()).toEqual(clock);
  const again = new Merchant(back, back.credentials);
  again.token = merchant.token;
  expect((await again.balance("BRL")).balance).toBe("10099.00");
  expect(await back.transaction(paid.body.data.transaction_id)).toMatchObject({ status: "confirmed" });
  await back.advance("5s");
  expect((await again.balance("BRL")).balance).toBe("10148.50");
  expect((await terminate(second)).code).toBe(0);
  expect(readdirSync(data).sort(), "nothing is left beside the worlds").toEqual([".lock", "default.db", "shop-1.db"]);
});

describe("a file that cannot be read", () => {
  /** TABLE: what has become of a world's file, and what is said of it. */
  const damages: readonly (readonly [what: string, damage: (whole: Buffer) => Buffer, word: string])[] = [
    ["of a newer version", (whole) => withVersion(whole, 99), "newer version"],
    ["that is something else", () => Buffer.alloc(8192, "not a database "), "is not a world"],
    ["of another program's SQLite", (whole) => withApplicationId(whole, 1), "is not a world"],
    ["that is empty", () => Buffer.alloc(0), "damaged"],
    ["cut off within its first fields", (whole) => whole.subarray(0, 50), "damaged"],
    ["cut off within its header", (whole) => whole.subarray(0, 90), "damaged"],
    ["cut off in its middle", (whole) => whole.subarray(0, whole.length / 2), "damaged"],
    ["with a page overwritten", (whole) => Buffer.from(whole).fill(0xa5, 8192, 12_288), "damaged"],
    ["sound as a database, but no world can be made of it", withoutIdentity, "cannot be brought back"],
  ];

  /** A folder with two sound worlds: the default one and `sound`. */
  async function folderOfTwo(): Promise<string> {
    const data = testFolder();
    const running = await startReady(["--data", data]);
    await (await connectSandbox(running.ready.base_url)).createWorld({ id: "sound" });
    await terminate(running);
    return data;
  }

  test("is refused by name and left untouched while the others start", async () => {
    const data = await folderOfTwo();
    const whole = readFileSync(join(data, "sound.db"));
    const damaged = damages.map(([, damage, word], index) => ({ file: `bad-${index}.db`, bytes: damage(whole), word }));
    for (const { file, bytes } of damaged) writeFileSync(join(data, file), bytes);

    const running = await startReady(["--data", data]);
    const sandbox = await connectSandbox(running.ready.base_url);
    expect(await idsOf(sandbox)).toEqual(["default", "sound"]);
    await expect(sandbox.createWorld({ id: "bad-0" })).rejects.toMatchObject({
      code: "WORLD_EXISTS",
      message: expect.stringContaining("has a file of a world bad-0 that could not be brought back; move it away"),
    });
    const { code, stderr } = await terminate(running);

    expect(code).toBe(0);
    expect(stderr.trimEnd().split("\n")).toEqual(
      damaged.map(({ file, word }) => expect.stringMatching(new RegExp(`^payments-sandbox: .*${file} .*${word}`))),
    );
    for (const { file, bytes } of damaged) expect(readFileSync(join(data, file)).equals(bytes)).toBe(true);
  });

  test.each(damages)("ends the start when it is the default world's, %s", async (_what, damage, word) => {
    const data = await folderOfTwo();
    const file = join(data, "default.db");
    const bytes = damage(readFileSync(file));
    writeFileSync(file, bytes);
    const { code, stdout, stderr } = await runCommand(["--port", "0", "--data", data]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^payments-sandbox: [^\n]+\n$/);
    expect(stderr).toContain("default.db");
    expect(stderr).toContain(word);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

describe.runIf(process.platform !== "win32")("what is no file", () => {
  /** TABLE: what stands in the place of a world's file. */
  const strangers: readonly (readonly [what: string, make: (path: string) => void])[] = [
    ["a pipe that nobody writes to", (path) => void execFileSync("mkfifo", [path])],
    ["a folder", (path) => void mkdirSync(path)],
  ];

  test.each(strangers)("%s: told by name and not opened, the others start", async (_what, make) => {
    const data = testFolder();
    make(join(data, "other.db"));
    const { code, stderr } = await terminate(await startReady(["--data", data]));
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^payments-sandbox: [^\n]*other\.db is not a world of payments-sandbox: it is not a file\.\n$/,
    );
  });

  test.each(strangers)("%s in the place of the default world ends the start", async (_what, make) => {
    const data = testFolder();
    make(join(data, "default.db"));
    const { code, stderr } = await runCommand(["--port", "0", "--data", data]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^payments-sandbox: [^\n]*default\.db is not a world [^\n]+\n$/),
    ]);
  });
});

test("what was half written when a process died is removed by the next one, but not by one that is refused", async () => {
  const snapshots = join("snapshots", "default");
  const ours = [
    "default.db.new",
    "shop.db.new",
    "shop.origin.new",
    join(snapshots, "a.db.new"),
    join(snapshots, "a.json.new"),
  ];
  const others = ["Notes.new", "shop.txt.new", join(snapshots, "A.json.new")];
  const data = testFolder();
  await terminate(await startReady(["--data", data]));
  mkdirSync(join(data, snapshots), { recursive: true });
  for (const name of [...ours, ...others]) writeFileSync(join(data, name), "half");
  const running = await startReady(["--data", data]);
  const isThere = (name: string) => existsSync(join(data, name));
  expect([ours.filter(isThere), others.filter(isThere)]).toEqual([[], others]);
  writeFileSync(join(data, "shop.db.new"), "being written");
  expect((await runCommand(["--port", "0", "--data", data])).code).toBe(2);
  expect(isThere("shop.db.new")).toBe(true);
  expect((await terminate(running)).stderr).toBe("");
});

test("a folder in use by another process is refused, and the other one goes on", async () => {
  const data = testFolder();
  const running = await startReady(["--data", data]);
  const { code, stderr } = await runCommand(["--port", "0", "--data", data]);
  expect([code, stderr]).toEqual([2, inUse(data)]);
  expect((await (await connectSandbox(running.ready.base_url)).defaultWorld()).id).toBe("default");
});

test("of two that start at once on a new folder one runs and keeps what it is told, the other is refused", async () => {
  for (let round = 0; round < 4; round++) {
    const data = join(testFolder(), "new");
    const both = [1, 2].map(() => startCommand(["--port", "0", "--log", "json", "--data", data]));
    const lines = await Promise.all(both.map(({ firstLine }) => firstLine));
    expect(lines.filter(Boolean)).toHaveLength(1);
    const [running, refused] = lines[0] ? both : [...both].reverse();
    if (!running || !refused) throw new Error("There are two.");
    expect(await refused.ended).toMatchObject({ code: 2, stderr: inUse(data) });
    const { base_url } = JSON.parse(lines.find(Boolean) ?? "") as Ready;
    const first = await (await connectSandbox(base_url)).defaultWorld();
    await first.accounts.fund("acme", { currency: "BRL", amount: "1" });
    await terminate(running);
    const again = await startReady(["--data", data]);
    const world = await (await connectSandbox(again.ready.base_url)).defaultWorld();
    const { balances } = await world.accounts.get("acme");
    expect(balances).toContainEqual(expect.objectContaining({ currency: "BRL", balance: "10001.00" }));
    await terminate(again);
  }
});

test("a folder is in use while its worlds are reset and while what has it comes to its end", async () => {
  const data = testFolder();
  const running = await startReady(["--data", data, "--clock", "frozen"]);
  const sandbox = await connectSandbox(running.ready.base_url);
  const world = await sandbox.defaultWorld();
  const other = await sandbox.createWorld({ id: "busy", clock: { mode: "running" } });
  let isOver = false;
  const resetting = (async () => {
    while (!isOver) await world.reset();
  })();
  for (let start = 0; start < 3; start++) {
    expect(await runCommand(["--port", "0", "--data", data])).toMatchObject({ code: 2, stderr: inUse(data) });
  }
  isOver = true;
  await resetting;
  const hung = Promise.withResolvers<void>();
  await using receiver = await startReceiver(async (_request, response) => {
    await hung.promise;
    response.end();
  });
  await other.setPostbackUrl("acme", receiver.url);
  const charge = await (await Merchant.of(other)).cashin({ currency: "BRL", amount: 5 });
  void other.act(String(charge.body.data?.transaction_id), "pay").catch(() => {});
  await receiver.arrived(1);
  const ended = terminate(running);
  expect(await runCommand(["--port", "0", "--data", data])).toMatchObject({ code: 2, stderr: inUse(data) });
  hung.resolve();
  expect((await ended).code).toBe(0);
  const next = await startReady(["--data", data]);
  expect(await idsOf(await connectSandbox(next.ready.base_url))).toEqual(["busy", "default"]);
});

const inUse = (data: string) => `payments-sandbox: The data folder ${data} is in use by another sandbox.\n`;

async function idsOf(sandbox: SandboxClient): Promise<string[]> {
  const { items } = await (await sandbox.defaultWorld()).call<{ items: { world: string }[] }>("GET", "/worlds");
  return items.map(({ world }) => world).sort();
}

/** What a world is, no longer to be read. */
function withoutIdentity(whole: Buffer): Buffer {
  const bytes = Buffer.from(whole);
  bytes.write("!", bytes.indexOf('{"id":"', bytes.indexOf("world")));
  return bytes;
}

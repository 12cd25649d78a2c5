/** A data folder that may not be written to any longer: 503, nothing half done, and all as before once it may be. */
import { chmodSync, chownSync, existsSync, lstatSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";

const refusal = {
  status: 503,
  body: {
    error: {
      code: "STORAGE_READ_ONLY",
      message:
        "The data folder may not be written to: nothing half done was kept. Give the sandbox the right to write to it and repeat the call.",
      details: {},
    },
  },
};

/** Where nobody makes a folder, whoever runs the tests; only Linux has it. */
const CLOSED = "/sys";

test.runIf(existsSync(CLOSED))("a snapshot is refused as long as it cannot be kept", async () => {
  const dataDir = testFolder();
  await using sandbox = await startSandbox({ data: dataDir });
  symlinkSync(CLOSED, join(dataDir, "snapshots"));
  const world = await sandbox.createWorld({ id: "kept" });
  expect(await control(world, "POST", "/snapshots", { name: "one" })).toMatchObject(refusal);
  rmSync(join(dataDir, "snapshots"));
  expect((await control(world, "POST", "/snapshots", { name: "one" })).status).toBe(201);
});

const gone = {
  status: 503,
  body: {
    error: {
      message: expect.stringMatching(
        /^The data folder, or the file \.lock in it, is not there any more: .* as it runs\.$/,
      ),
    },
  },
};

test("a data folder that was removed is told of: nothing is written, and it is not made anew", async () => {
  const dataDir = testFolder();
  await using sandbox = await startSandbox({ data: dataDir });
  const world = await sandbox.createWorld({ id: "kept" });
  rmSync(dataDir, { recursive: true, force: true });
  for (const body of [{ id: "new" }, { id: "fork", from: "kept" }]) {
    expect(await control(sandbox, "POST", "/worlds", body)).toMatchObject(gone);
  }
  expect(await control(world, "POST", "/snapshots", { name: "one" })).toMatchObject(gone);
  expect(await control(world, "POST", "/reset")).toMatchObject(gone);
  expect(await control(sandbox, "DELETE", "/worlds/kept")).toMatchObject(gone);
  expect(existsSync(dataDir)).toBe(false);
  expect((await world.advance("1h")).reached).toBe(true);
});

test.runIf(process.platform !== "win32")("so is a lock that was removed, in a folder that is there", async () => {
  const dataDir = testFolder();
  await using sandbox = await startSandbox({ data: dataDir });
  rmSync(join(dataDir, ".lock"));
  expect(await control(sandbox, "POST", "/worlds", { id: "new" })).toMatchObject(gone);
  expect(readdirSync(dataDir)).not.toContain("new.db");
});

test.runIf(process.platform !== "win32")(
  "a sandbox whose data folder was removed leaves that of another one at its path alone",
  async () => {
    const dataDir = testFolder();
    await using first = await startSandbox({ data: dataDir });
    const mine = await first.createWorld({ id: "kept" });
    rmSync(dataDir, { recursive: true, force: true });
    const second = await startSandbox({ data: dataDir });
    const theirs = await second.createWorld({ id: "kept" });
    await theirs.takeSnapshot("one");
    const files = () => readdirSync(dataDir, { recursive: true }).sort();
    const before = files();
    expect(await control(first, "POST", "/reset")).toMatchObject(gone);
    expect(await control(first, "POST", "/worlds", { from: "kept" })).toMatchObject(gone);
    expect(await control(mine, "POST", "/snapshots", { name: "two" })).toMatchObject(gone);
    expect(await control(mine, "POST", "/snapshots/one/restore")).toMatchObject(gone);
    expect(await control(mine, "DELETE", "/snapshots/one")).toMatchObject(gone);
    expect(await control(first, "DELETE", "/worlds/kept")).toMatchObject(gone);
    expect(files()).toEqual(before);
    await (await second.world("default")).advance("1h");
    const journal = await (await second.world("default")).journal();
    await first.stop();
    await second.stop();
    await using third = await startSandbox({ data: dataDir });
    expect(await (await third.world("default")).journal()).toEqual(journal);
    expect((await (await third.world("kept")).snapshots()).map(({ name }) => name)).toEqual(["one"]);
  },
);

test.runIf(process.platform !== "win32")("a link that leads nowhere is no place for a new world", async () => {
  const dataDir = testFolder();
  symlinkSync(join(dataDir, "not-mounted", "w.db"), join(dataDir, "w.db"));
  await using sandbox = await startSandbox({ data: dataDir });
  const { status, body } = await control({ baseUrl: `${sandbox.baseUrl}/worlds/w` }, "PUT", "");
  expect([status, body.error.code]).toEqual([409, "WORLD_EXISTS"]);
  expect(lstatSync(join(dataDir, "w.db")).isSymbolicLink()).toBe(true);
});

/** A user without any rights of its own. */
const NOBODY = 65_534;

/** Does something as the owner of a folder whom the rights of files bind: they bind all but root. */
async function asBoundOwner<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) {
    for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) chownSync(path, NOBODY, 0);
    process.seteuid?.(NOBODY);
  }
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test.runIf(process.platform !== "win32")(
  "worlds stay as they are: none is made, forked, reset or deleted",
  async () => {
    const dataDir = testFolder();
    await using sandbox = await startSandbox({ data: dataDir });
    const world = await sandbox.createWorld({ id: "kept" });
    chmodSync(dataDir, 0o555);
    try {
      await asBoundOwner(dataDir, async () => {
        expect(await control(sandbox, "POST", "/worlds", { id: "new" })).toMatchObject(refusal);
        expect(await control(sandbox, "POST", "/worlds", { id: "new", from: "kept" })).toMatchObject(refusal);
        expect(await control(world, "POST", "/reset")).toMatchObject(refusal);
        expect(await control(sandbox, "DELETE", "/worlds/kept")).toMatchObject(refusal);
        expect((await world.advance("1h")).reached).toBe(true);
      });
    } finally {
      chmodSync(dataDir, 0o755);
    }
    expect((await control(sandbox, "DELETE", "/worlds/kept")).status).toBe(204);
    expect((await control(sandbox, "POST", "/worlds", { id: "new" })).status).toBe(201);
  },
);

/** A world's file that something else damages while it is open: 503, and nobody else notices. */
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { FROZEN, type SandboxProcess, startProcess } from "../support/process.ts";

const PAGE_BYTES = 4096;

const refusal = {
  status: 503,
  body: {
    error: {
      code: "STORAGE_DAMAGED",
      message:
        "The file of the world was damaged by something else: nothing half done was kept. Restore a snapshot or reset the world; if neither works, stop the sandbox and put back a copy of the file.",
      details: {},
    },
  },
};

async function serve(folder: string, ...args: string[]): Promise<SandboxProcess> {
  const running = await startProcess("--data", folder, ...args);
  onTestFinished(async () => void (await running.end("SIGKILL")));
  return running;
}

/** A sandbox with a world whose first page alone is left of its file, of which little was read. */
async function withDamagedWorld() {
  const folder = testFolder();
  const first = await serve(folder, ...FROZEN);
  const made = await first.sandbox.createWorld({ id: "kept" });
  await (await Merchant.of(made)).cashin({ currency: "BRL", amount: "150.00" });
  await made.takeSnapshot("good");
  await first.end("SIGTERM");
  const running = await serve(folder);
  truncateSync(join(folder, "kept.db"), PAGE_BYTES);
  const baseUrl = `${running.baseUrl}/worlds/kept`;
  return { running, baseUrl, merchant: new Merchant({ baseUrl }, made.credentials) };
}

async function expectOthersWork({ sandbox, world }: SandboxProcess): Promise<void> {
  for (const other of [world, await sandbox.createWorld()] satisfies WorldClient[]) {
    const merchant = await Merchant.of(other);
    expect((await merchant.cashin({ currency: "BRL", amount: "1.00" })).status).toBe(200);
  }
}

const TOLD =
  /^payments-sandbox: the file of the world was damaged by something else; calls that need what is lost are answered 503 until the world is restored or reset \([^\n]*kept\.db: [^\n]+\)\.\n$/;

test("calls to it are answered 503 in the common failure body, one line says why, and a snapshot brings it back", async () => {
  const { running, baseUrl, merchant } = await withDamagedWorld();
  const answer = await merchant.authenticate();
  expect(answer.status).toBe(503);
  expect(answer.body).toStrictEqual({
    success: false,
    error: { code: "SERVICE_UNAVAILABLE", message: expect.any(String), group: "PROVIDER", retryable: true },
  });
  expect(answer.headers.get("x-sandbox-hint")).toMatch(/^This is the sandbox's own: the file of the world was damaged/);
  for (const [method, path, body] of [
    ["GET", "/transactions", undefined],
    ["GET", "/journal/stream", undefined],
    ["POST", "/clock/advance", { by: "1h" }],
    ["POST", "/clock/advance", { until: "idle" }],
    ["POST", "/clock/settle", {}],
    ["POST", "/snapshots", { name: "late" }],
  ] as const) {
    expect([path, await control({ baseUrl }, method, path, body)]).toMatchObject([path, refusal]);
  }
  await expectOthersWork(running);
  expect(running.complaints()).toMatch(TOLD);

  expect((await control({ baseUrl }, "POST", "/snapshots/good/restore")).status).toBe(200);
  const world = await running.sandbox.world("kept");
  expect(await world.advance("5s")).toMatchObject({ reached: true, timers: 1 });
  expect(await world.checkLedger()).toMatchObject({ ok: true });
  expect(await running.end("SIGTERM")).toBe(0);
});

/** A disk that takes nothing more: 503, nothing half done, and all goes on once there is room (issue: bad input). */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectSandbox, type WorldClient } from "../../src/index.ts";
import { stateOf } from "../support/answers.ts";
import { startCommand } from "../support/command.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { FROZEN, limitFiles, type SandboxProcess, startProcess } from "../support/process.ts";
import { startReceiver } from "../support/receiver.ts";
import { faultsOf } from "./load/invariants.ts";

interface Served {
  readonly running: SandboxProcess;
  readonly world: WorldClient;
  readonly folder: string;
}

async function serve(folder: string, ...args: string[]): Promise<Served> {
  const running = await startProcess("--data", folder, ...args);
  onTestFinished(async () => void (await running.end("SIGKILL")));
  return { running, world: running.world, folder };
}

/** What the folder holds beside its lock, in bytes. */
function sizesOf(folder: string): Record<string, number> {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const names = all.filter((name) => name !== ".lock");
  return Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).size]));
}

/** No file may grow any more. */
function fill({ running, folder }: Served): void {
  limitFiles(running, Math.max(...Object.values(sizesOf(folder))));
}

function makeRoom({ running }: Served): void {
  limitFiles(running, "unlimited");
}

/** Charges until one is refused; then nothing at all can be written. @returns the charges answered, and the refusal. */
async function chargeUntilFull(served: Served, merchant: Merchant) {
  fill(served);
  const ids: string[] = [];
  for (let count = 0; ; count++) {
    const body = { currency: "BRL", amount: "150.00", external_id: `order-${count}` };
    const answer = await merchant.cashin(body);
    if (answer.status === 200) ids.push(answer.body.data.transaction_id);
    else {
      // What is smaller than a charge might still have its place.
      limitFiles(served.running, 1);
      return { ids, body, answer };
    }
  }
}

/** Every change of a state that has an event has it, and the history plays again to the same journal. */
async function expectConsistent(world: WorldClient): Promise<void> {
  expect(await faultsOf(world)).toEqual([]);
  const answer = await control(world, "POST", "/worlds", { id: "again", replay: await world.export() });
  expect(answer.body.replay).toMatchObject({ identical: true, difference: null });
  await control(world, "DELETE", "/worlds/again");
}

const FULL = {
  status: 503,
  body: { error: { code: "STORAGE_FULL", message: expect.stringMatching(/^The disk .*\.$/) } },
};

describe.runIf(process.platform === "linux")("a full disk", () => {
  test("503 in the common failure body, and reads answer; with room the very same call succeeds and all goes on", async () => {
    await using receiver = await startReceiver();
    const served = await serve(testFolder(), ...FROZEN, "--postback-url", receiver.url);
    const { world } = served;
    const merchant = await Merchant.of(world);
    await merchant.cashin({ currency: "BRL", amount: "1.00" });
    const { ids, body, answer } = await chargeUntilFull(served, merchant);

    expect(answer.status).toBe(503);
    expect(answer.body).toStrictEqual({
      success: false,
      error: { code: "SERVICE_UNAVAILABLE", message: expect.any(String), group: "PROVIDER", retryable: true },
    });
    expect(answer.headers.get("x-ratelimit-limit")).toMatch(/^\d+$/);
    const told = ["world", "time", "hint"].map((name) => answer.headers.get(`x-sandbox-${name}`));
    expect(told).toEqual([
      world.id,
      "2026-01-01T12:00:00.000Z",
      expect.stringContaining("the disk takes nothing more"),
    ]);
    const before = await stateOf(world);
    expect(before).toMatchObject({ sound: true });
    expect(before.transactions).toHaveLength(ids.length + 1);

    const scenario = { scenario: "late", rules: [] };
    expect(await control(world, "POST", "/clock/advance", { by: "5s" })).toMatchObject(FULL);
    expect(await control(world, "POST", "/clock", { mode: "running", speed: 9 })).toMatchObject(FULL);
    expect(await control(world, "POST", "/scenarios", scenario)).toMatchObject(FULL);
    expect(await control(world, "DELETE", "/scenarios/happy-path")).toMatchObject(FULL);
    expect(await control(world, "PUT", "/rates", { rates: { BRL: "0.5" } })).toMatchObject(FULL);
    expect(await stateOf(world)).toEqual(before);
    expect(await world.clock()).toMatchObject({ mode: "frozen", speed: 1, now: "2026-01-01T12:00:00.000Z" });
    expect((await world.info()).scenarios).toEqual(["happy-path", "magic-values"]);

    makeRoom(served);
    const repeated = await merchant.cashin(body);
    expect(repeated.status).toBe(200);
    const charges = ids.length + 2;
    expect(await world.advance("5s")).toMatchObject({ reached: true, webhooks: { delivered: charges, pending: 0 } });
    expect(receiver.received).toHaveLength(charges);
    expect((await control(world, "POST", "/scenarios", scenario)).status).toBe(201);
    await expectConsistent(world);
  });

  test("an advance that comes to it answers 503 and loses no timer, no webhook and no landing", async () => {
    await using receiver = await startReceiver();
    const served = await serve(testFolder(), ...FROZEN, "--postback-url", receiver.url);
    const { world } = served;
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 30; count++) await merchant.cashin({ currency: "BRL", amount: "150.00" });
    receiver.answerWith((_request, response, index) => {
      // In the middle of the advance, while the answers to what was sent are on their way.
      if (index === 9) limitFiles(served.running, 1);
      response.writeHead(200).end("ok");
    });
    expect(await control(world, "POST", "/clock/advance", { by: "1m" })).toMatchObject(FULL);
    expect(receiver.received).toHaveLength(10);
    expect(await world.checkLedger()).toMatchObject({ ok: true });
    const webhooks = await world.webhooks();
    const changed = (await world.journal()).filter(
      ({ kind, data }) => kind === "transition" && data.to === "confirmed",
    );
    expect(webhooks).toHaveLength(changed.length);

    makeRoom(served);
    expect(await world.advance("1m")).toMatchObject({ reached: true, webhooks: { pending: 0 } });
    // None was sent twice: what had come down was written down when there was room.
    expect(receiver.received).toHaveLength(30);
    const attempts = await Promise.all((await world.webhooks()).map(({ webhook_id }) => world.webhook(webhook_id)));
    expect(attempts.map(({ status, attempts }) => [status, attempts.length])).toEqual(
      Array.from({ length: 30 }, () => ["delivered", 1]),
    );
    await expectConsistent(world);
  });

  test("a re-delivery whose outcome cannot be written answers 503, and the outcome is written later", async () => {
    await using receiver = await startReceiver();
    const served = await serve(testFolder(), ...FROZEN, "--postback-url", receiver.url);
    const { world } = served;
    const merchant = await Merchant.of(world);
    await merchant.cashin({ currency: "BRL", amount: "150.00" });
    await world.advance("5s");
    const [webhook] = await world.webhooks();
    const path = `/webhooks/${webhook?.webhook_id}`;
    receiver.answerWith(async (_request, response) => {
      await chargeUntilFull(served, merchant);
      response.writeHead(200).end("ok");
    });
    expect(await control(world, "POST", `${path}/redeliver`, {})).toMatchObject(FULL);
    makeRoom(served);
    await world.settle();
    const { attempts } = await world.webhook(webhook?.webhook_id ?? "");
    expect(attempts.map(({ manual, outcome }) => [manual, outcome])).toEqual([
      [false, "delivered"],
      [true, "delivered"],
    ]);
    await expectConsistent(world);
  });

  test("kill -9 in that state: nothing that was answered is missing, and what was in the air is sent again", async () => {
    const folder = testFolder();
    await using receiver = await startReceiver();
    const first = await serve(folder, ...FROZEN, "--postback-url", receiver.url);
    const merchant = await Merchant.of(first.world);
    await merchant.cashin({ currency: "BRL", amount: "150.00", external_id: "in-the-air" });
    let answered = { ids: [] as string[] };
    receiver.answerWith(
      async (_request, response) => {
        answered = await chargeUntilFull(first, merchant);
        response.writeHead(200).end("ok");
      },
      () => {},
    );
    expect(await control(first.world, "POST", "/clock/advance", { by: "5s" })).toMatchObject(FULL);
    await first.running.end("SIGKILL");
    receiver.answerWith(200);

    const { world } = await serve(folder);
    const known = (await world.all<{ transaction_id: string }>("/transactions")).map((row) => row.transaction_id);
    expect(known).toEqual(expect.arrayContaining(answered.ids));
    await world.advance("5s");
    const sent = receiver.received.map(({ body }) => body.data.external_id);
    expect(sent.filter((id) => id === "in-the-air")).toHaveLength(2);
    expect(new Set(sent).size).toBe(answered.ids.length + 1);
    await expectConsistent(world);
  });

  test("a start on a full disk answers reads, and goes on with what was in the air once there is room", async () => {
    const folder = testFolder();
    await using receiver = await startReceiver(() => {});
    const first = await serve(folder, ...FROZEN, "--postback-url", receiver.url);
    const merchant = await Merchant.of(first.world);
    await merchant.cashin({ currency: "BRL", amount: "150.00" });
    const advance = first.world.advance("5s").catch(() => "killed");
    await receiver.arrived(1);
    await first.running.end("SIGKILL");
    expect(await advance).toBe("killed");

    receiver.answerWith(200);
    const running = startUnderLimit(folder, 0);
    const ready = JSON.parse((await running.firstLine) ?? "{}");
    const world = await (await connectSandbox(ready.base_url)).defaultWorld();
    expect((await Merchant.of(world).catch((error) => error)).token).toBeFalsy();
    expect(await world.webhooks()).toMatchObject([{ status: "pending" }]);
    expect(receiver.received).toHaveLength(1);
    limitFiles(running, "unlimited");
    await world.settle();
    expect(await world.webhooks()).toMatchObject([{ status: "delivered" }]);
    expect(receiver.received).toHaveLength(2);
    await expectConsistent(world);
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/^payments-sandbox: the disk takes nothing more; [^\n]+\n$/);
  });

  test("a start without room for its first world: one clear line, exit 2", async () => {
    const folder = testFolder();
    const { code, stdout, stderr } = await startUnderLimit(folder, 100).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^payments-sandbox: The data folder [^\n]* cannot be used: [^\n]+\n$/);
    expect(sizesOf(folder)).toEqual({});
  });

  test("without room for a file no world, fork, snapshot, restore or reset is made, and nothing is left behind", async () => {
    const served = await serve(testFolder(), ...FROZEN);
    const { world, folder, running } = served;
    const merchant = await Merchant.of(world);
    await merchant.cashin({ currency: "BRL", amount: "150.00" });
    await world.call("POST", "/snapshots", { name: "early" });
    await merchant.cashin({ currency: "BRL", amount: "150.00" });
    const [before, files] = [await stateOf(world), Object.keys(sizesOf(folder))];
    limitFiles(running, 100_000);
    for (const [path, body] of [
      ["/worlds", { id: "other" }],
      ["/worlds", { id: "other", from: "default" }],
      ["/worlds", { id: "other", replay: await world.call("GET", "/export") }],
      ["/snapshots", { name: "late" }],
      ["/snapshots/early/restore", {}],
      ["/reset", {}],
    ] as const) {
      expect([path, await control(world, "POST", path, body)]).toMatchObject([path, FULL]);
    }
    expect(await stateOf(world)).toEqual(before);
    expect(Object.keys(sizesOf(folder))).toEqual(files);
    makeRoom(served);
    await world.call("POST", "/snapshots/early/restore", {});
    expect(await world.all("/transactions")).toHaveLength(1);
    await running.sandbox.createWorld({ id: "other" });
    await expectConsistent(world);
  });

  test("on a running clock time goes on, and what fell due meanwhile is done once there is room", async () => {
    await using receiver = await startReceiver();
    const served = await serve(testFolder(), "--clock", "running", "--speed", "1000", "--postback-url", receiver.url);
    const { world } = served;
    const merchant = await Merchant.of(world);
    await merchant.cashin({ currency: "MXN", amount: "150.00" });
    const { ids } = await chargeUntilFull(served, merchant);
    makeRoom(served);
    await receiver.arrived(ids.length + 1);
    await world.advance("1h");
    await expectConsistent(world);
  });

  test("a stop while it cannot write ends with 0, and what it could not write is done after the next start", async () => {
    const folder = testFolder();
    await using receiver = await startReceiver();
    const first = await serve(folder, ...FROZEN, "--postback-url", receiver.url);
    const merchant = await Merchant.of(first.world);
    await merchant.cashin({ currency: "BRL", amount: "150.00" });
    receiver.answerWith(async (_request, response) => {
      await chargeUntilFull(first, merchant);
      response.writeHead(200).end("ok");
    });
    expect(await control(first.world, "POST", "/clock/advance", { by: "5s" })).toMatchObject(FULL);
    expect(await first.running.end("SIGTERM")).toBe(0);
    receiver.answerWith(200);
    const { world } = await serve(folder);
    await world.advance("idle");
    expect((await world.webhooks()).map(({ status }) => status)).not.toContain("pending");
    await expectConsistent(world);
  });
});

/** A server that may write no file beyond so many KiB from its start. */
function startUnderLimit(folder: string, kibibytes: number) {
  return startCommand(["--port", "0", "--log", "json", "--data", folder, ...FROZEN], {
    node: "bash",
    nodeOptions: ["-c", `ulimit -S -f ${kibibytes}; exec "$0" "$@"`, process.execPath],
  });
}

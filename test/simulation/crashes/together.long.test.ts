/** Calls of one turn of the event loop share a commit: all of them are kept, or none is (issue: speed, crash). */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { testFolder } from "../../support/folder.ts";
import { Merchant } from "../../support/merchant.ts";
import { limitFiles, type NodeStart, type SandboxProcess, startProcessWith } from "../../support/process.ts";
import { startReceiver } from "../../support/receiver.ts";
import { faultsOf } from "../load/invariants.ts";
import { preload } from "./crash-points.ts";

const CALLS = 16;

async function serve(start: NodeStart, ...args: string[]): Promise<SandboxProcess> {
  const running = await startProcessWith(start, "--data", testFolder(), "--clock", "frozen", ...args);
  onTestFinished(async () => void (await running.end("SIGKILL")));
  return running;
}

/** Calls that come in one piece, and so in one turn. @returns the status of each answer, in order. */
async function inOnePiece({ baseUrl }: SandboxProcess, merchant: Merchant, name: string): Promise<number[]> {
  const calls = Array.from({ length: CALLS }, (_, index) => {
    const body = JSON.stringify({ currency: "BRL", amount: "10.00", external_id: `${name}-${index}` });
    const fields = [
      "POST /v2/transactions/cashin HTTP/1.1",
      `Host: ${new URL(baseUrl).host}`,
      `Authorization: Bearer ${merchant.token}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    return `${fields.join("\r\n")}\r\n\r\n${body}`;
  });
  const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
  socket.write(calls.join(""));
  return answersOn(socket);
}

async function answersOn(socket: Socket): Promise<number[]> {
  let text = "";
  for await (const chunk of socket) {
    text += chunk;
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    // The loop ends the connection when it is left.
    if (statuses.length === CALLS) return statuses;
  }
  throw new Error(`The connection ended after: ${text}`);
}

const all = (status: number) => Array.from({ length: CALLS }, () => status);

test("calls that come in one turn share a commit", async () => {
  const points = join(testFolder({ points: "" }), "points");
  const running = await serve({ nodeOptions: ["--import", preload], env: { CRASH_POINTS: points } });
  const merchant = await Merchant.of(running.world);
  const commits = () =>
    readFileSync(points, "utf8")
      .split("\n")
      .filter((line) => line === "commit").length;
  const before = commits();
  expect(await inOnePiece(running, merchant, "order")).toEqual(all(200));
  expect(commits() - before).toBeLessThan(CALLS / 2);
});

describe.runIf(process.platform === "linux")("on a full disk", () => {
  test("calls that come in one turn are all answered 503 and none is carried out; with room all succeed, once", async () => {
    await using receiver = await startReceiver();
    const running = await serve({}, "--postback-url", receiver.url);
    const { world } = running;
    const merchant = await Merchant.of(world);
    limitFiles(running, 1);
    expect(await inOnePiece(running, merchant, "order")).toEqual(all(503));
    expect(await world.all("/transactions")).toEqual([]);
    expect(await faultsOf(world)).toEqual([]);

    limitFiles(running, "unlimited");
    expect(await inOnePiece(running, merchant, "order")).toEqual(all(200));
    const charges = await world.all<{ external_id: string }>("/transactions");
    expect(new Set(charges.map(({ external_id }) => external_id)).size).toBe(CALLS);
    await world.advance("5s");
    expect(receiver.received).toHaveLength(CALLS);
    expect(await faultsOf(world)).toEqual([]);
    const { identical } = await running.sandbox.replay(await world.export());
    expect(identical).toBe(true);
  });
});

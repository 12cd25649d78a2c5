/** A process that has as many files open as it may: 503, nothing half done, and all goes on once some are closed. */
import { readdirSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { stateOf } from "../support/answers.ts";
import { makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { limitOpenFiles, startProcess } from "../support/process.ts";

const MANY = 1_000;

const TOO_MANY = {
  status: 503,
  body: {
    error: { code: "TOO_MANY_FILES", message: expect.stringMatching(/^Too many files are open: .*ulimit -n.*\.$/) },
  },
};

/** The number that the next file of a process gets. */
function firstFree(pid: number | undefined): number {
  const taken = readdirSync(`/proc/${pid}/fd`).map(Number);
  return Array.from({ length: taken.length + 1 }, (_, number) => number).find((number) => !taken.includes(number)) ?? 0;
}

describe.runIf(process.platform === "linux")("as many files open as a process may have", () => {
  test.each([
    ["/worlds", { id: "other" }],
    ["/worlds", { id: "other", from: "default" }],
    ["/snapshots", { name: "late" }],
    ["/snapshots/early/restore", {}],
    ["/reset", {}],
  ] as const)("POST %s %j: 503 however many are wanting, and nothing is left behind", async (path, body) => {
    const folder = testFolder();
    const running = await startProcess("--data", folder, "--clock", "frozen");
    onTestFinished(async () => void (await running.end("SIGKILL")));
    const { world, child } = running;
    await world.takeSnapshot("early");
    await makeCharge(world);
    const filesOf = () => readdirSync(folder, { recursive: true }).sort();
    const [before, files] = [await stateOf(world), filesOf()];
    let refused = 0;
    for (let limit = firstFree(child.pid); ; limit++) {
      limitOpenFiles(running, limit);
      const answer = await control(world, "POST", path, body);
      limitOpenFiles(running, MANY);
      if (answer.status < 300) break;
      expect(answer).toMatchObject(TOO_MANY);
      expect([await stateOf(world), filesOf()]).toEqual([before, files]);
      refused++;
    }
    expect(refused).toBeGreaterThan(0);
    expect(running.complaints()).toMatch(/^$|^payments-sandbox: too many files are open; [^\n]+\n$/);
  });
});

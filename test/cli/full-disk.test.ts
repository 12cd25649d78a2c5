/** A disk that takes nothing more of what a command prints: one sentence on stderr and exit 2. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { bin, runCommand } from "../support/command.ts";

/** A file that is always full; only Linux has one. */
const FULL = "/dev/full";

test.runIf(existsSync(FULL)).each([
  ["what is printed once", ["schema"]],
  ["a report", ["run", "happy-path"]],
  ["the log of a server", ["--port", "0", "--log", "json"]],
])("%s", async (_what, args) => {
  const full = openSync(FULL, "w");
  onTestFinished(() => closeSync(full));
  const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", full, "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, "close")]);
  expect([code, stderr]).toEqual([2, "payments-sandbox: Standard output takes nothing more: the disk is full.\n"]);
});

test.runIf(existsSync(FULL))("the bundle of an exploration", async () => {
  // Nothing listens on a port that no ordinary program may have: the run without any change fails already.
  const hook = ["--postback-url", "http://127.0.0.1:2/hook"];
  const ended = await runCommand(["run", "charge-pix", "--explore", "1", ...hook, "--bundle", FULL]);
  const stderr = "payments-sandbox: --bundle /dev/full cannot be written: ENOSPC: no space left on device, write.\n";
  expect(ended).toMatchObject({ code: 2, stderr });
});

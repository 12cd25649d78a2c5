/** A fault of ours in a command: loud, with the way to report it, and never taken for an answer. */
import { spawnSync } from "node:child_process";
import { expect, onTestFinished, test, vi } from "vitest";
import { Log } from "../../src/cli/serving/log.ts";
import { bin, runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";

/** Makes a command fail where none does: it writes its answer by what is broken here. */
const BROKEN = 'process.stdout.write = () => { throw new TypeError("nothing writes \\u001b[31mhere"); };';

test("it is told with where it came from and how to report it, and leaves with 2, as 1 says that the answer is no", async () => {
  const nodeOptions = ["--import", `data:text/javascript,${encodeURIComponent(BROKEN)}`];
  const { code, stderr } = await runCommand(["schema"], { nodeOptions });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^payments-sandbox: a fault of the sandbox, please report it with what is below\.\n/);
  // A terminal would obey what a fault quotes.
  expect(stderr).toMatch(/\nTypeError: nothing writes \\u001b\[31mhere\n {4}at /);
});

test.skipIf(process.platform === "win32").each(["run", "check"])(
  "a working folder that is gone is no fault of the sandbox: %s",
  (command) => {
    const program = [process.execPath, bin, command, "happy-path"];
    const ended = spawnSync("sh", ["-c", 'rmdir "$PWD" && exec "$0" "$@"', ...program], { cwd: testFolder({}) });
    expect([ended.status, String(ended.stdout), String(ended.stderr)]).toEqual([
      2,
      "",
      "payments-sandbox: The working folder is gone: change to one that is there.\n",
    ]);
  },
);

test("a server tells of a full disk, and of each damaged file, once in a while; of any other fault each time", () => {
  const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => told.mockRestore());
  const log = new Log("silent");
  const faults = [
    { code: "ENOSPC", message: "no room" },
    { code: "SQLITE_CORRUPT", message: "one.sqlite" },
    { code: "SQLITE_CORRUPT", message: "other.sqlite" },
    { code: "NONE", message: "another one" },
  ];
  for (const { code, message } of [...faults, ...faults]) log.fault(Object.assign(new Error(message), { code }));
  const words = told.mock.calls.map(([text]) => faults.find(({ message }) => String(text).includes(message))?.message);
  expect(words).toEqual(["no room", "one.sqlite", "other.sqlite", "another one", "another one"]);
});

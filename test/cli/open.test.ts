/** `--open` (interface, section 2). */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { startReady } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";

/** What opens pages on this platform, as a script that notes what it is asked to open. */
const opener = process.platform === "darwin" ? "open" : "xdg-open";

test.runIf(process.platform !== "win32")("--open opens the dashboard; without it nothing is opened", async () => {
  const folder = testFolder();
  const note = join(folder, "opened");
  writeFileSync(join(folder, opener), `#!/bin/sh\necho "$1" >> "${note}"\n`);
  chmodSync(join(folder, opener), 0o755);
  const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
  await startReady([], { env });
  const { ready } = await startReady(["--open"], { env });
  const noted = () => (existsSync(note) ? readFileSync(note, "utf8") : "");
  await expect.poll(noted, { timeout: 30_000 }).toContain("\n");
  // By then the first one, too, would have had its page opened.
  expect(noted()).toBe(`${ready.dashboard_url}\n`);
});

test("where nothing can open a page it is said, and the server goes on", async () => {
  const running = await startReady(["--open"], { env: { PATH: testFolder() } });
  expect((await fetch(`${running.ready.base_url}/_sandbox/health`)).status).toBe(200);
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0, stderr: expect.stringContaining("open it yourself") });
});

/** What empty views teach: commands that work when they are pasted. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { INBOX } from "../../src/domain/destinations.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

const TOKEN = "open-sesame";

describeInBrowser("the lessons of empty views", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("the first lesson works when it is pasted", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/transactions`);
    await pasteLesson(page);
    await page.getByText("order-1").waitFor();
  });

  test.each(["inbox", "webhooks"])(
    "the lesson of the %s works when it is pasted, whoever has an account",
    async (view) => {
      const world = await file.world({ accounts: [{ username: "shop" }] });
      const page = await open(`${world.baseUrl}/#/${view}`);
      await pasteLesson(page);
      expect((await world.info()).accounts).toMatchObject([{ username: "shop", postback_url: INBOX }]);
    },
  );

  test("the magic values are taught where they are not loaded, which the console takes for no error", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/magic-values`);
    await page.getByRole("heading", { name: "The scenario magic-values is not loaded" }).waitFor();
    await world.scenarios.load("magic-values");
    await page.getByRole("columnheader", { name: "what happens" }).waitFor();
  });
});

describeInBrowser("the lessons of a sandbox with a control token", () => {
  const guarded = useSandbox({ controlToken: TOKEN });
  const open = useBrowser();

  test("take the token from the environment, and do not show it", async () => {
    const world = await guarded.world();
    const page = await open(`${world.baseUrl}/#/scenarios`, { mayComplain: /status of 401/ });
    await page.getByLabel("Control token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.locator(".command").waitFor();
    expect(await page.locator("body").innerText()).not.toContain(TOKEN);
    await pasteLesson(page);
    await page.getByRole("article", { name: "Scenario happy-path" }).waitFor();
  });
});

/** Does what the empty view says. */
async function pasteLesson(page: Page): Promise<void> {
  const command = await page.locator(".command pre").innerText();
  const env = { ...process.env, PAYMENTS_SANDBOX_CONTROL_TOKEN: TOKEN };
  await promisify(execFile)("bash", ["-c", `set -eo pipefail\n${command}`], { env });
}

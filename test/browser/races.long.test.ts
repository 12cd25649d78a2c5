/** What the dashboard makes of answers that come late, twice or not at all. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

/** Lets the next answer of an address wait once the sandbox has given it. @returns what lets it go. */
async function holdAnswer(page: Page, url: string): Promise<() => void> {
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch();
      await isLetGo;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return letGo;
}

describeInBrowser("the dashboard, when answers come late", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("the clock is not taken back by what was asked for before it was moved", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/`);
    await world.advance("1h");
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("13:00:00");
    const letGo = await holdAnswer(page, `${world.baseUrl}/_sandbox/`);
    const asked = page.waitForRequest(`${world.baseUrl}/_sandbox/`);
    await world.reset();
    await asked;
    await page.getByRole("button", { name: "Advance by 1m" }).click();
    await page.getByText("1m on, to").waitFor();
    const clock = page.waitForResponse("**/clock");
    letGo();
    await clock;
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("12:01:00");
  });
});

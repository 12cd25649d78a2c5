/** Accounts in the dashboard: more than one page of them. */
import { expect, test } from "vitest";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("accounts in the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("those beyond the first two hundred are a page further", async () => {
    const world = await file.world();
    for (let number = 0; number < 205; number++) await world.call("POST", "/accounts", { username: `shop-${number}` });
    const page = await open(`${world.baseUrl}/#/accounts`);
    await page.getByText("the first 200 accounts").waitFor();
    await page.getByRole("button", { name: "further ones" }).click();
    await page.getByRole("article", { name: "Account shop-204" }).waitFor();
    expect(await page.getByRole("article").count()).toBeLessThan(20);
    await page.getByRole("button", { name: "the first ones" }).click();
    await page.getByText("the first 200 accounts").waitFor();
  });
});

/** Where lists of the dashboard are when they are gone back to. */
import { expect, test } from "vitest";
import { chargeOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("lists of the dashboard that are gone back to", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("are where they were left, and not where another one was", async () => {
    const world = await file.world({ settings: { protections: "off" }, postback_url: "sandbox://inbox" });
    const merchant = await Merchant.of(world);
    for (let number = 1; number <= 90; number++) {
      await world.act(await chargeOf(merchant, { external_id: `order-${number}.` }), "pay");
    }
    const page = await open(`${world.baseUrl}/#/transactions`);
    const grid = page.getByRole("grid");
    const goTo = async (name: string) => {
      await page.getByRole("link", { name, exact: true }).click();
      await grid.and(page.getByLabel(name)).getByRole("row").nth(2).waitFor();
      return grid.evaluate((box) => box.scrollTop);
    };
    await page.getByText("order-90.").waitFor();
    await grid.evaluate((box) => {
      box.scrollTop = 900;
    });
    await page.getByText("order-55.").waitFor();
    expect(await goTo("Webhooks")).toBe(0);
    await page.getByRole("link", { name: "Charges", exact: true }).click();
    await page.getByText("order-55.").waitFor();
    expect(await grid.evaluate((box) => box.scrollTop)).toBe(900);
  });
});

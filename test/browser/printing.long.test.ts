/** The dashboard on paper: the whole view, in light, without what only a page can do. */
import { expect, test } from "vitest";
import { chargeOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("the dashboard on paper", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("a list is printed with all its rows, and grows as long as they are", async () => {
    const world = await file.world({ settings: { protections: "off" } });
    const merchant = await Merchant.of(world);
    for (let number = 1; number <= 90; number++) await chargeOf(merchant, { external_id: `order-${number}.` });
    const page = await open(`${world.baseUrl}/#/transactions`, { colorScheme: "dark" });
    await page.getByText("order-90.").waitFor();
    expect(await page.getByText("order-1.").count()).toBe(0);
    await page.emulateMedia({ media: "print" });
    await page.getByText("order-1.").waitFor();
    const look = await page.evaluate(() => ({
      ground: getComputedStyle(document.body).backgroundColor,
      length: document.documentElement.scrollHeight,
      ways: [...document.querySelectorAll("nav, .top")].map((part) => getComputedStyle(part).display),
    }));
    expect(look).toMatchObject({ ground: "rgb(244, 245, 247)", ways: ["none", "none"] });
    expect(look.length).toBeGreaterThan(90 * 30);
    await page.emulateMedia({ media: null });
    await page.getByText("order-1.").waitFor({ state: "detached" });
  });
});

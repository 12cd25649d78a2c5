/** Instants on the page, told as they are or from now. */
import { expect, test } from "vitest";
import { makeCharge } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("times of the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("told from now, what is pending has its instants too, and worlds have their own", async () => {
    const world = await file.world({ id: "of-times" });
    await makeCharge(world);
    const page = await open(`${world.baseUrl}/#/`);
    await page.getByRole("button", { name: "times from now" }).click();
    await page.goto(`${world.baseUrl}/#/pending`);
    const row = page.getByRole("row", { name: "charge expires" });
    await row.waitFor();
    const cells = await row.getByRole("cell").allInnerTexts();
    expect(cells.slice(0, 2)).toEqual(["in 30m", "2026-01-01 12:30:00"]);
    await page.goto(`${world.baseUrl}/#/worlds`);
    const times = page.locator(".line", { hasText: "of-times" }).locator("time");
    await times.waitFor();
    expect(await times.innerText()).toBe("2026-01-01 12:00:00");
  });
});

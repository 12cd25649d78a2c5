/** Instants on the page, told as they are or from now. */
import { expect, test } from "vitest";
import { makeCharge } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { clockRule, scenario } from "../support/scenarios.ts";
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

  test("an instant has its day from when another one begins, whatever else happens", async () => {
    const world = await file.world();
    await makeCharge(world);
    await world.advance("1h");
    const page = await open(`${world.baseUrl}/#/transactions`);
    const created = page.locator(".transactions .rows .cell.time");
    await created.getByText("12:00:00", { exact: true }).waitFor();
    await world.advance("1d");
    await created.getByText("01-01 12:00:00", { exact: true }).waitFor();
  });

  test("a rule by the clock that does nothing leaves what is pending, and the next of it, as they are", async () => {
    const rule = clockRule({ every: "* * * * *", skip: 1_000_000 }, [{ note: "never" }]);
    const world = await file.world({ scenarios: [scenario("idle", rule)] });
    const page = await open(`${world.baseUrl}/#/pending`);
    const row = page.getByRole("row", { name: "rule by the clock" });
    await row.getByText("2026-01-01 12:01:00").waitFor();
    await world.advance("10m");
    await row.getByText("2026-01-01 12:11:00").waitFor();
    await page.clock.install();
    await page.reload();
    await world.setClock({ mode: "running", speed: 86_400 });
    await page.getByRole("button", { name: "freeze time" }).waitFor();
    for (let look = 0; look < 3; look++) {
      const before = await row.innerText();
      const after = async () => {
        await page.clock.runFor(1_000);
        return row.innerText();
      };
      await expect.poll(after).not.toBe(before);
    }
  });
});

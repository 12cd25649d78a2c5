/** Lists of which the dashboard reads the first page: it says so where there are more. */
import { expect, test } from "vitest";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("views that show the first items of a list", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("say so, and the world of the page is among the worlds", async () => {
    await file.world({ id: "before" });
    const world = await file.world({ id: "own", scenarios: ["happy-path", "charge-expired"] });
    for (const name of ["one", "two"]) await world.call("POST", "/snapshots", { name });
    const page = await open(`${world.baseUrl}/#/worlds`);
    const line = page.getByRole("listitem").filter({ hasText: "this one" });
    await line.getByText("own", { exact: true }).waitFor();
    expect(await page.getByText("the first").count()).toBe(0);
    await page.route(/limit=1000$/, (route) => route.continue({ url: route.request().url().replace("1000", "1") }));
    await page.reload();
    await page.getByText("the first 1 world", { exact: true }).waitFor();
    await line.getByText("own", { exact: true }).waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "seed" }).count()).toBe(2);
    await page.goto(`${world.baseUrl}/#/snapshots`);
    await page.getByText("the first 1 snapshot", { exact: true }).waitFor();
    await page.goto(`${world.baseUrl}/#/scenarios`);
    await page.getByText("the first 1 scenario", { exact: true }).waitFor();
  });
});

/** Faults in the dashboard: what they have counted, and what of that stays when others are put on beside them. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makeCharge } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

const refusal = (more: object) => ({ request: "POST /v2/transactions/cashin", inject: { status: 503 }, ...more });

describeInBrowser("faults in the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();
  const card = (page: Page, name: string) => page.locator(".card", { has: page.getByRole("heading", { name }) });

  test("a rule that is put on leaves to the others what they have struck and let go by, and their moments", async () => {
    const world = await file.world();
    const set = "scenario: later\nrules:\n  - at: +5m\n    then:\n      - fault: ";
    const fault = "{ name: by a step, request: POST /v2/transactions/cashin, inject: { status: 503 }, from: +1d }";
    await world.scenarios.load(set + fault);
    await world.call("PUT", "/faults", {
      rules: [
        refusal({ name: "patient", skip: 5 }),
        refusal({ name: "spent", times: 1 }),
        refusal({ name: "thrice", times: 3 }),
        refusal({ name: "later", from: "+1h30m", until: "+PT2H" }),
        refusal({ name: "in summer", from: "2026-06-01T00:00:00Z" }),
      ],
    });
    const page = await open(`${world.baseUrl}/#/faults`);
    await card(page, "patient").getByText("matched 0, struck 0").waitFor();
    for (let calls = 0; calls < 3; calls++) await expect(makeCharge(world)).rejects.toThrow("The charge was refused");
    await card(page, "patient").getByText("matched 3, struck 0").waitFor();
    await card(page, "spent").getByText("matched 3, struck 1, spent").waitFor();
    await world.advance("10m");
    await page.getByRole("button", { name: "add…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "add" }).click();
    await page.getByText("The fault is on.").waitFor();
    const { rules } = await world.call<{ rules: Record<string, unknown>[] }>("GET", "/faults");
    expect(rules).toMatchObject([
      { name: "by a step", from: "+1d" },
      { name: "patient", skip: 5, matched: 3, fired: 0 },
      { name: "spent", times: 1, matched: 3, fired: 1 },
      { name: "thrice", times: 3, matched: 2, fired: 2 },
      { name: "later", from: "+1h30m", until: "+PT2H" },
      { name: "in summer", from: "2026-06-01T00:00:00Z" },
      { inject: { status: 503 }, matched: 0 },
    ]);
    await card(page, "patient").getByRole("button", { name: "Take this fault out" }).click();
    await card(page, "patient").waitFor({ state: "detached" });
    await card(page, "thrice").getByText("matched 2, struck 2").waitFor();
  });

  test("a call that is let go by is counted on the page too", async () => {
    const world = await file.world();
    await world.call("PUT", "/faults", { rules: [refusal({ name: "patient", skip: 1 })] });
    const page = await open(`${world.baseUrl}/#/faults`);
    await card(page, "patient").getByText("matched 0, struck 0").waitFor();
    await makeCharge(world);
    await card(page, "patient").getByText("matched 1, struck 0").waitFor();
  });

  test("all of them are taken out once that has been asked", async () => {
    const world = await file.world();
    await world.call("PUT", "/faults", { rules: [refusal({ name: "one" }), refusal({ name: "other" })] });
    const page = await open(`${world.baseUrl}/#/faults`);
    const allOff = page.getByRole("button", { name: "all off…" });
    await allOff.click();
    await page.getByRole("dialog").getByRole("button", { name: "leave it" }).click();
    await allOff.click();
    expect(await page.locator(".card").count()).toBe(2);
    await page.getByRole("dialog").getByRole("button", { name: "all off" }).click();
    await page.getByRole("heading", { name: "Nothing goes wrong" }).waitFor();
  });
});

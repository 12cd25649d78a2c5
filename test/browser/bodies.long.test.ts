/** Bodies in the dashboard: laid out to be read, and as they were sent. */
import { expect, test } from "vitest";
import { makeCharge } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("bodies in the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();

  test("a body is shown and copied as it was sent, though it is laid out to be read", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const sent = '{"currency":  "BRL","amount":150.10,\t"external_id":"order-1"}';
    await merchant.call("POST", "/v2/transactions/cashin", sent);
    const request = (await world.all<{ request_id: string }>("/requests")).at(-1)?.request_id;
    const page = await open(`${world.baseUrl}/#/requests/${request}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const body = page.getByRole("group", { name: "body", exact: true });
    await expect.poll(() => body.innerText()).toContain('{\n  "currency": "BRL",\n  "amount": 150.10,');
    await page.getByRole("button", { name: "Copy body" }).click();
    await page.getByText("body copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sent);
    await page.getByRole("button", { name: "body as sent" }).click();
    expect(await body.textContent()).toBe(sent);
  });

  test("an external id and a payer's name show what is invisible in them, and are copied as they are", async () => {
    const world = await file.world();
    const [external_id, shown] = ["\u202eevil-\u200b12", "⟨U+202E⟩evil-⟨U+200B⟩12"];
    const id = await makeCharge(world, { external_id, payer: { name: "Ana\u2066", document: "529.982.247-25" } });
    const page = await open(`${world.baseUrl}/`, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator(".timeline .external-id", { hasText: shown }).waitFor();
    await page.goto(`${world.baseUrl}/#/transactions/${id}`);
    await page.getByRole("gridcell", { name: shown, exact: true }).waitFor();
    const detail = page.getByRole("complementary", { name: "Details" });
    await detail.locator(".fields").getByText(shown).waitFor();
    await detail.getByText("Ana⟨U+2066⟩", { exact: true }).waitFor();
    await detail.getByRole("button", { name: "Copy external id" }).click();
    await page.getByText("external id copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(external_id);
  });

  test("the names of rules, and what a scenario says of itself, show what would turn the order of writing", async () => {
    const world = await file.world();
    const shown = (text: string) => text.replace("\u202e", "⟨U+202E⟩");
    const [fault, rule, description] = ["late \u202ekcab", "a \u202eelur", "of \u202esredro"];
    await world.call("POST", "/faults", { name: fault, delivery: "*", inject: { duplicate: 1 } });
    await world.scenarios.load(
      `scenario: turned\ndescription: ${description}\nrules:\n  - { name: ${rule}, on: cashin.created, then: [{ note: x }] }\n`,
    );
    const page = await open(`${world.baseUrl}/#/faults`);
    await page.getByRole("heading", { name: shown(fault) }).waitFor();
    await page.goto(`${world.baseUrl}/#/scenarios`);
    for (const text of [rule, description]) await page.getByText(shown(text), { exact: true }).waitFor();
  });
});

/** Bodies in the dashboard: laid out to be read, and as they were sent. */
import { expect, test } from "vitest";
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
});

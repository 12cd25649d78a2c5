/** What a merchant's developer does with the dashboard, by clicks. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { INBOX } from "../../src/domain/destinations.ts";
import { chargeOf, makeCharge, paidWebhook, transactionOf } from "../support/charges.ts";
import { openedDispute, pdf, png, reply } from "../support/disputes.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";
import { SigningMerchant } from "../support/signing.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

describeInBrowser("the dashboard, by clicks", () => {
  const file = useSandbox();
  const open = useBrowser();
  const detail = (page: Page) => page.getByRole("complementary", { name: "Details" });
  const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();

  test("a charge appears as it is made, is paid by its button, and shows its webhook and why all of it came about", async () => {
    const world = await file.world({ postback_url: INBOX });
    const page = await open(`${world.baseUrl}/#/transactions`);
    await page.getByRole("heading", { name: "Nothing has been charged yet" }).waitFor();
    const id = await makeCharge(world, { external_id: "order-1" });
    await row(page, "order-1").click();
    await detail(page).getByRole("heading", { name: "Charge of 150.00 BRL" }).waitFor();
    await detail(page).getByRole("img", { name: "QR picture of the PIX code" }).waitFor();
    expect(page.url()).toContain(`#/transactions/${id}`);

    await detail(page).getByRole("button", { name: "pay", exact: true }).click();
    await detail(page).locator(".state", { hasText: "confirmed" }).first().waitFor();
    expect(await transactionOf(world, id)).toMatchObject({ status: "confirmed" });
    const postings = detail(page).locator(".postings tbody tr");
    expect(await postings.first().innerText()).toMatch(/external:pix\s+merchant:acme:available\s+150\.00 BRL/);
    await detail(page).getByText("Control call POST").waitFor();

    await detail(page).getByRole("link", { name: "cashin.confirmed", exact: true }).click();
    await detail(page).getByText("Attempt 1", { exact: true }).waitFor();
    await detail(page).getByText('"order-1"').waitFor();
  });

  test("the actions are those that the state allows, and no other", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const page = await open(`${world.baseUrl}/#/transactions/${id}`);
    const actions = () =>
      detail(page)
        .getByRole("group", { name: "Actions" })
        .getByRole("button")
        .evaluateAll((buttons) => buttons.map((button) => button.textContent));
    await expect.poll(actions).toEqual(["pay", "…", "expire", "cancel", "fail…"]);
    await world.act(id, "pay");
    await expect.poll(actions).toEqual(["refund…", "dispute…"]);
    await detail(page).getByRole("button", { name: "refund…" }).click();
    await page.getByRole("dialog").getByLabel("Amount").fill("50");
    await page.getByRole("dialog").getByRole("button", { name: "refund" }).click();
    await detail(page).locator(".state", { hasText: "refunded" }).first().waitFor();
    expect(await transactionOf(world, id)).toMatchObject({ amount_refunded: "50.00" });
  });

  test("an action that is refused says why, and the dialog keeps what was typed", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    await world.act(id, "pay");
    const page = await open(`${world.baseUrl}/#/transactions/${id}`, { mayComplain: /status of 422/ });
    await detail(page).getByRole("button", { name: "refund…" }).click();
    await page.getByRole("dialog").getByLabel("Amount").fill("1000000");
    await page.getByRole("dialog").getByRole("button", { name: "refund" }).click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
    expect(await page.getByRole("dialog").getByLabel("Amount").inputValue()).toBe("1000000");
  });

  test("what a long story leaves out is said, in its middle and at its end", async () => {
    const refunds = Array.from({ length: 300 }, () => ({ refund: { amount: "0.01" } }));
    const drip = scenario("drip", rule("cashin.created", [{ pay: {} }, ...refunds]));
    const world = await file.world({ scenarios: [drip] });
    const id = await makeCharge(world);
    const page = await open(`${world.baseUrl}/#/transactions/${id}`);
    await detail(page).getByText("… 105 more …").waitFor();
    const [made] = (await world.explain(id)).chain;
    await page.goto(`${world.baseUrl}/#/timeline/${made?.sequence}`);
    await detail(page).getByText("There may be more.").waitFor();
  });

  test("the clock is moved: by a step, through the next timer, to an instant; it runs and is frozen again", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    await makeCharge(world);
    const page = await open(`${world.baseUrl}/`);
    const now = page.locator(".now .time");
    await page.getByRole("button", { name: "Advance by 1m", exact: true }).click();
    await expect.poll(() => now.innerText()).toContain("12:01:00");
    await makeCharge(world);
    await page.getByText("2 timers").waitFor();
    await page.getByRole("button", { name: "next" }).click();
    await expect.poll(() => now.innerText()).toContain("12:01:05");
    await page.getByRole("button", { name: "until…" }).click();
    await page.getByLabel("How far").selectOption("to an instant");
    await page.getByLabel("Instant, with its zone").fill("2026-01-02T00:00:00Z");
    await page.getByRole("dialog").getByRole("button", { name: "advance" }).click();
    await expect.poll(() => now.innerText()).toContain("00:00:00");
    await page.getByRole("button", { name: "Let time flow" }).click();
    await page.getByRole("button", { name: "Freeze time" }).click();
    await expect.poll(async () => (await world.clock()).mode).toBe("frozen");
  });

  test("the title of the page names the view and the world", async () => {
    const world = await file.world({ id: "tabs" });
    const page = await open(`${world.baseUrl}/`);
    await expect.poll(() => page.title()).toBe("Time line – tabs – payments-sandbox");
    await page.getByRole("link", { name: "Disputes", exact: true }).click();
    await expect.poll(() => page.title()).toBe("Disputes – tabs – payments-sandbox");
    await page.goto(`${file.sandbox.baseUrl}/#/webhooks`);
    await expect.poll(() => page.title()).toBe("Webhooks – payments-sandbox");
  });

  test("the time line has one thread per charge, from the call to the webhook; an entry opens its causes", async () => {
    const world = await file.world({ scenarios: ["happy-path"], postback_url: INBOX });
    const page = await open(`${world.baseUrl}/`);
    const merchant = await Merchant.of(world);
    await chargeOf(merchant, { external_id: "first" });
    await chargeOf(merchant, { external_id: "second" });
    await row(page, "second").waitFor();
    await world.advance("5s");
    await row(page, "delivered").waitFor();
    const rows = await page
      .locator(".timeline .row")
      .evaluateAll((all) => all.slice(0, 8).map((row) => row.textContent));
    const said = [
      /Charge/,
      /POST \/v2.*cashin/,
      /is made/,
      /the rule "a PIX charge is paid after five seconds" of happy-path/,
      /pay/,
      /is paid/,
      /queued/,
      /delivered/,
    ];
    for (const [index, words] of said.entries()) expect(rows[index]).toMatch(words);
    await row(page, "delivered").click();
    const chain = detail(page).locator(".chain").first().locator("li");
    await expect.poll(() => chain.count()).toBeGreaterThanOrEqual(6);
    expect(await chain.first().innerText()).toContain("POST /v2/transactions/cashin");
    await detail(page).getByText('"cashin.confirmed"').waitFor();
  });

  test("what was steered by hand heads its thread by the call", async () => {
    const world = await file.world();
    await world.call("POST", "/scenarios", { name: "happy-path" });
    const page = await open(`${world.baseUrl}/`);
    await page.getByRole("grid", { name: "Time line" }).getByText("scenario happy-path loaded").waitFor();
    expect(await page.locator(".cell.head b").allInnerTexts()).toEqual(["POST /scenarios", "The making of the world"]);
  });

  test("a webhook that was given up is delivered by hand, and again", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    const page = await open(`${world.baseUrl}/#/webhooks/${webhook_id}`);
    await detail(page).getByText("Attempt 1", { exact: true }).waitFor();
    await detail(page).getByRole("button", { name: "re-deliver" }).click();
    await page.locator(".notice.bad", { hasText: "Not delivered: the receiver answered 500." }).waitFor();
    receiver.answerWith(200);
    await detail(page).getByRole("button", { name: "re-deliver" }).click();
    await page.locator(".notice.good", { hasText: "Delivered: the receiver answered 200." }).waitFor();
    await detail(page).getByRole("button", { name: "re-deliver" }).click();
    await page.locator(".notice.good", { hasText: "Delivered again: the receiver answered 200." }).waitFor();
    expect(receiver.received).toHaveLength(4);
  });

  test("a dispute shows the reply and its files, which can be saved, and is decided", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const { infractionId } = await openedDispute(world, merchant, { reason: "never came" });
    const files = [
      { name: "receipt.pdf", content: pdf },
      { name: "parcel.png", content: png },
    ];
    await reply(merchant, { infraction_id: infractionId, text: "It was signed for.", files });
    const page = await open(`${world.baseUrl}/#/disputes`);
    await row(page, "never came").click();
    await detail(page).getByText("It was signed for.").waitFor();
    const download = page.waitForEvent("download");
    await detail(page).getByRole("button", { name: "Save receipt.pdf" }).click();
    expect((await download).suggestedFilename()).toBe("receipt.pdf");
    await detail(page).getByRole("button", { name: "win" }).click();
    await detail(page).locator(".state", { hasText: "won" }).first().waitFor();
  });

  test("a snapshot is taken and gone back to: the page shows the world as it was", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/snapshots`);
    await page.getByLabel("Name of the snapshot").fill("before");
    await page.getByRole("button", { name: "take" }).click();
    await makeCharge(world, { external_id: "afterwards" });
    await world.advance("1h");
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("13:00:00");
    await page.getByRole("button", { name: "restore" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "restore" }).click();
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("12:00:00");
    await page.getByRole("link", { name: "Charges" }).click();
    await page.getByRole("heading", { name: "Nothing has been charged yet" }).waitFor();
  });

  test("going back to a snapshot, and resetting, are said once, and the sandbox is not said to be gone", async () => {
    const world = await file.world();
    await world.call("POST", "/snapshots", { name: "before" });
    await makeCharge(world, { external_id: "forgotten" });
    const page = await open(`${world.baseUrl}/#/snapshots`);
    const told = await toldFromNow(page);
    await page.getByRole("button", { name: "restore" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "restore" }).click();
    await page.getByRole("link", { name: "Charges" }).click();
    await page.getByRole("heading", { name: "Nothing has been charged yet" }).waitFor();
    await makeCharge(world, { external_id: "remembered" });
    await row(page, "remembered").waitFor();
    expect(await told()).toEqual(["The world is as it was in before."]);
    await page.getByRole("link", { name: "Worlds" }).click();
    await page.getByRole("button", { name: "reset this one…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "reset" }).click();
    await page.getByText("The world is as it was made.").waitFor();
    await page.getByRole("link", { name: "Charges" }).click();
    await page.getByRole("heading", { name: "Nothing has been charged yet" }).waitFor();
    await makeCharge(world, { external_id: "anew" });
    await row(page, "anew").waitFor();
    expect(await told()).toEqual(["The world is as it was in before.", "The world is as it was made."]);
  });

  test("a world that is taken back by another is said to be, once, and the sandbox is not said to be gone", async () => {
    const world = await file.world();
    await makeCharge(world, { external_id: "forgotten" });
    const page = await open(`${world.baseUrl}/#/transactions`);
    await row(page, "forgotten").waitFor();
    const told = await toldFromNow(page);
    await world.reset();
    await row(page, "forgotten").waitFor({ state: "detached" });
    // The same calls again would be the same history: the page has to have seen that it was gone.
    await page.getByText("The world has another history now").waitFor();
    await makeCharge(world, { external_id: "anew" });
    await row(page, "anew").waitFor();
    expect(await told()).toEqual([expect.stringContaining("The world has another history now")]);
  });

  test("credentials are there to be copied, the secret without being shown", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/accounts`, { permissions: ["clipboard-read", "clipboard-write"] });
    const account = page.getByRole("article", { name: "Account acme" });
    await account.getByText(world.credentials.clientId).waitFor();
    expect(await account.innerText()).not.toContain(world.credentials.clientSecret);
    await account.getByRole("button", { name: "Copy client secret" }).click();
    await account.getByText("client secret copied").waitFor({ state: "attached" });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(world.credentials.clientSecret);
  });

  test("an account gets a destination, a scenario is loaded and a fault put on, each by its form", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/accounts`);
    await page.getByLabel("Webhooks go to").first().fill(INBOX);
    await page.getByRole("button", { name: "save" }).first().click();
    await page.getByText(`Webhooks of acme go to ${INBOX}.`).waitFor();
    await page.getByRole("link", { name: "Scenarios" }).click();
    await page.getByRole("button", { name: "load…" }).click();
    await page.getByLabel("A shipped one, by its name").fill("happy-path");
    await page.getByRole("dialog").getByRole("button", { name: "load" }).click();
    await page.getByRole("article", { name: "Scenario happy-path" }).waitFor();
    await page.getByRole("link", { name: "Faults" }).click();
    await page.getByRole("button", { name: "add…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "add" }).click();
    await page.getByRole("button", { name: "Take this fault out" }).waitFor();
    const { rules } = await world.call<{ rules: unknown[] }>("GET", "/faults");
    expect(rules).toHaveLength(1);
    expect((await world.info()).scenarios).toEqual(["happy-path"]);
  });

  test("a fault that is put on beside others lets them end when they were to end, and those that have ended be", async () => {
    const world = await file.world();
    const rule = (name: string, span: string) => ({ name, request: "* /v2/*", inject: { status: 503 }, for: span });
    await world.call("PUT", "/faults", { rules: [rule("over", "10s"), rule("on", "30s")] });
    await world.advance("20s");
    const page = await open(`${world.baseUrl}/#/faults`);
    await page.getByText("ended 2026-01-01 12:00:10").waitFor();
    await page.getByRole("button", { name: "add…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "add" }).click();
    await page.getByText("The fault is on.").waitFor();
    const { rules } = await world.call<{ rules: unknown[] }>("GET", "/faults");
    expect(rules).toMatchObject([
      { name: "over", ends_at: "2026-01-01T12:00:10.000Z" },
      { name: "on", ends_at: "2026-01-01T12:00:30.000Z" },
      { ends_at: null },
    ]);
  });

  test("what only a run of a scenario's file can judge is kept apart; the rest has its verdict", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const own = "scenario: own\nexpect:\n  - { name: somebody pays, event: cashin.confirmed }\n";
    const page = await open(`${world.baseUrl}/#/scenarios`);
    const happy = page.getByRole("article", { name: "Scenario happy-path" });
    await happy.getByText("7 expectations, judged only when the file is run").click();
    await happy.getByText("the PIX charge is paid after five seconds").waitFor();
    expect(await happy.innerText()).not.toMatch(/nothing is saved|pending/);
    await page.getByRole("button", { name: "load…" }).click();
    await page.getByRole("dialog").getByLabel("Or one of your own, in YAML").fill(own);
    await page.getByRole("dialog").getByRole("button", { name: "load" }).click();
    const other = page.getByRole("article", { name: "Scenario own" });
    await other.getByText("somebody pays").waitFor();
    expect(await other.innerText()).toMatch(/pending\s+somebody pays it did not come/);
  });

  test("a charge is called so, and is asked for a transaction hash only where there is a chain", async () => {
    const world = await file.world();
    const ids = [await makeCharge(world), await makeCharge(world, { currency: "USDT", chain: "tron", amount: "90" })];
    const page = await open(`${world.baseUrl}/`);
    const asked = [];
    for (const id of ids) {
      await page.goto(`${world.baseUrl}/#/transactions/${id}`);
      await detail(page).getByText(id).first().waitFor();
      await detail(page).getByRole("button", { name: "pay with more said" }).click();
      const dialog = page.getByRole("dialog", { name: "pay this charge" });
      await dialog.waitFor();
      asked.push(await dialog.getByLabel("Transaction hash").count());
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    expect(asked).toEqual([0, 1]);
  });

  test("a charge that was paid on a chain tells by which transaction there", async () => {
    const world = await file.world();
    const id = await makeCharge(world, { currency: "USDT", chain: "tron", amount: "90" });
    await world.act(id, "pay");
    const [paid] = await world.all<{ tx_hash: string }>("/transactions");
    const page = await open(`${world.baseUrl}/#/transactions/${id}`);
    await detail(page)
      .locator(".fields")
      .getByText(paid?.tx_hash ?? "no hash")
      .first()
      .waitFor();
  });

  test("a deposit is asked for a transaction hash only where there is a chain", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
    await merchant.call("POST", "/v2/transactions/wallet", { currency: "USDT", chain: "tron" });
    const page = await open(`${world.baseUrl}/`);
    const asked = [];
    for (const id of ["1001", "1002"]) {
      await page.goto(`${world.baseUrl}/#/wallets/${id}`);
      await detail(page).getByText(id, { exact: true }).waitFor();
      await detail(page).getByRole("button", { name: "deposit…" }).click();
      const dialog = page.getByRole("dialog", { name: "deposit this wallet" });
      await dialog.getByLabel("Amount").waitFor();
      asked.push(await dialog.getByLabel("Transaction hash").count());
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    expect(asked).toEqual([0, 1]);
  });

  test("webhooks that ran out of attempts are exhausted by every account, and the note of it is no good news", async () => {
    await using receiver = await startReceiver(500);
    const world = await file.world({ postback_url: receiver.url });
    await paidWebhook(world);
    const page = await open(`${world.baseUrl}/#/webhooks`);
    await row(page, "cashin.confirmed").waitFor();
    await page.getByRole("button", { name: "Advance by 31m", exact: true }).click();
    await page.locator(".notice.wait", { hasText: "1 webhook exhausted" }).waitFor();
    await page.getByRole("group", { name: "Which webhooks" }).getByRole("button", { name: "exhausted" }).click();
    await row(page, "cashin.confirmed").locator(".state", { hasText: "exhausted" }).waitFor();
    expect(await page.getByText("given up").count()).toBe(0);
    await page.getByRole("button", { name: "Advance by 1m", exact: true }).click();
    await page.locator(".notice.good", { hasText: "1m on" }).waitFor();
  });

  test("of many timers the next ones are listed, and said to be that", async () => {
    const world = await file.world({ scenarios: [], settings: { protections: "off" } });
    const page = await open(`${world.baseUrl}/#/pending`);
    await makeCharge(world);
    await page.locator(".view-head").getByText("1 timer", { exact: true }).waitFor();
    for (let made = 1; made < 201; made++) await makeCharge(world);
    await page.locator(".clock-bar").getByText("201 timers").waitFor();
    await page.locator(".view-head").getByText("the next 200 timers", { exact: true }).waitFor();
  });

  test("of many accounts the first ones are shown, and said to be that", async () => {
    const accounts = Array.from({ length: 201 }, (_, index) => ({ username: `shop-${index}` }));
    const world = await file.world({ accounts });
    const page = await open(`${world.baseUrl}/#/accounts`);
    await page.locator(".view-head").getByText("the first 200 accounts", { exact: true }).waitFor();
  });

  test("probes are sent by a button, and judged in the report beside it", async () => {
    await using receiver = await startReceiver(200);
    const world = await file.world({ scenarios: [] });
    const page = await open(`${world.baseUrl}/#/readiness`, { mayComplain: /status of 409/ });
    await page.getByRole("button", { name: "send probes" }).click();
    await page.getByText("There is no receiver to probe: give the account acme a postback_url.").first().waitFor();
    await world.setPostbackUrl("acme", receiver.url);
    await paidWebhook(world);
    await page.getByRole("button", { name: "send probes" }).click();
    await page.getByText("1 webhook from a wrong address taken.").waitFor();
  });

  test("the list of calls, while it is empty, speaks of calls", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/requests`);
    await page.getByRole("heading", { name: "No call has come yet" }).waitFor();
    expect(await page.getByText("Nothing has been charged yet").count()).toBe(0);
  });

  test("a call that was refused for a slip shows the hint", async () => {
    const world = await file.world();
    const refused = await (await Merchant.of(world)).cashin({ currency: "BRL", amout: 5 });
    const page = await open(`${world.baseUrl}/#/requests/${refused.headers.get("x-request-id")}`);
    await page.locator(".fields").getByText('The field "amout" is not known', { exact: false }).waitFor();
  });
});

/** Watches what the page says of itself. @returns what gives all of it so far: banners, and notices. */
async function toldFromNow(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node instanceof HTMLElement && node.matches(".banner, .notice")) told.push(node.innerText.trim());
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { told: string[] }).told);
}

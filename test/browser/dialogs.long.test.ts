/** Dialogs: where the focus is once they have closed, and where they say why something was refused. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makeCharge } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";

const REFUSED = /status of 4\d\d/;

describeInBrowser("dialogs of the dashboard", () => {
  const file = useSandbox();
  const open = useBrowser();
  const dialog = (page: Page) => page.getByRole("dialog");
  const alerts = (page: Page) => dialog(page).getByRole("alert");
  const closed = (page: Page) => dialog(page).waitFor({ state: "detached" });

  test("the focus goes back to the list, whether the dialog was left or did its work", async () => {
    const world = await file.world();
    await makeCharge(world, { external_id: "order-1" });
    const page = await open(`${world.baseUrl}/#/transactions`);
    await page.getByText("order-1").waitFor();
    await page.keyboard.press("j");
    const list = await focused(page);
    expect(list).toBe("Charges and cash-outs");
    await page.keyboard.press("a");
    await dialog(page).waitFor();
    await page.keyboard.press("Escape");
    await closed(page);
    expect(await focused(page)).toBe(list);
    await page.keyboard.press("a");
    await page.getByLabel("Span").fill("5s");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("12:00:05");
    await closed(page);
    expect(await focused(page)).toBe(list);
    await page.keyboard.press("?");
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await closed(page);
    expect(await focused(page)).toBe(list);
  });

  test("a dialog that is opened as soon as another has gone stays: that one's closing, told later, does not close it", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/`);
    await page.getByRole("button", { name: "until…" }).click();
    await dialog(page).waitFor();
    // All before the browser has time to tell of the closing.
    const opened = await page.evaluate(async () => {
      document.querySelector<HTMLElement>("dialog [aria-label=Close]")?.click();
      while (document.querySelector("dialog")) await Promise.resolve();
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
      while (!document.querySelector("dialog")) await Promise.resolve();
      return document.querySelector("dialog")?.getAttribute("aria-label");
    });
    expect(opened).toBe("Keys");
    await twoFrames(page);
    expect(await dialog(page).count()).toBe(1);
    await dialog(page).getByRole("button", { name: "Close" }).click();
    await closed(page);
  });

  test("the focus goes back to the button that asked; where that is gone, to the title of the details", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const page = await open(`${world.baseUrl}/#/transactions/${id}`);
    const ask = page.getByRole("button", { name: "fail…" });
    await ask.focus();
    await page.keyboard.press("Enter");
    await dialog(page).waitFor();
    await page.keyboard.press("Escape");
    await closed(page);
    expect(await focused(page)).toBe("fail…");
    await page.keyboard.press("Enter");
    await dialog(page).getByLabel("Reason").press("Enter");
    await closed(page);
    await ask.waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Charge of 150.00 BRL");
  });

  test("the button that advances the clock keeps the focus while the clock is on its way, and afterwards", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/`);
    const until = page.getByRole("button", { name: "until…" });
    await until.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Span").fill("5s");
    await page.keyboard.press("Enter");
    await page.getByText("5s on, to").waitFor();
    await page.getByRole("button", { name: "stop" }).waitFor({ state: "detached" });
    await closed(page);
    expect(await focused(page)).toBe("until…");
  });

  test("a button that has done its work keeps the focus: the probes, and the last timer", async () => {
    const world = await file.world();
    await makeCharge(world);
    const page = await open(`${world.baseUrl}/#/readiness`, { mayComplain: REFUSED });
    const probes = page.getByRole("button", { name: "send probes" });
    await probes.press("Enter");
    await page.locator(".notice").waitFor();
    expect(await focused(page)).toBe("send probes");
    await page.getByRole("button", { name: "next" }).press("Enter");
    await page.getByText("nothing pending").waitFor();
    await page.getByRole("button", { name: "stop" }).waitFor({ state: "detached" });
    await twoFrames(page);
    expect(await focused(page)).toBe("next");
  });

  test("an advance that is asked for while another is under way is not done, and that is said", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/`);
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/clock/advance", async (route) => {
      await isLetGo;
      await route.continue();
    });
    await page.getByRole("button", { name: "Advance by 1m", exact: true }).click();
    await page.keyboard.press("a");
    await page.getByLabel("Span").fill("2h");
    await page.keyboard.press("Enter");
    await page.locator(".notice.wait", { hasText: "The clock is on its way already." }).waitFor();
    letGo();
    await page.getByText("1m on, to").waitFor();
    expect((await world.clock()).now).toBe("2026-01-01T12:01:00.000Z");
  });

  test("an advance that takes longer goes on without its dialog, and a refusal that comes then is told all the same", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/`, { mayComplain: REFUSED });
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/clock/advance", async (route) => {
      await isLetGo;
      await route.continue();
    });
    await page.getByRole("button", { name: "until…" }).waitFor();
    await page.keyboard.press("a");
    await page.getByLabel("Span").fill("soon");
    await page.keyboard.press("Enter");
    await closed(page);
    await page.getByRole("button", { name: "stop" }).waitFor();
    letGo();
    await page.locator(".notice.bad", { hasText: "by must be a duration" }).waitFor();
    await page.getByRole("button", { name: "stop" }).waitFor({ state: "detached" });
  });

  test("a dialog whose action goes away meanwhile stays, with what was typed, and says so", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const page = await open(`${world.baseUrl}/#/transactions/${id}`, { mayComplain: REFUSED });
    await page.getByRole("button", { name: "fail…" }).click();
    const reason = dialog(page).getByLabel("Reason");
    await reason.fill("the bank is closed");
    await world.act(id, "expire");
    await alerts(page).getByText("The charge has changed meanwhile: fail is not possible any more.").waitFor();
    expect(await reason.inputValue()).toBe("the bank is closed");
    await reason.press("Enter");
    await alerts(page).getByText("expired").waitFor();
    await page.keyboard.press("Escape");
    await closed(page);
  });

  test("an amount that was copied from the page is taken, with the narrow spaces between its groups", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/accounts`);
    await page.getByRole("button", { name: "fund…" }).first().click();
    await dialog(page).getByLabel("Amount").fill("1\u202f234\u202f567.50");
    await page.keyboard.press("Enter");
    await page.getByText("The account is funded.").waitFor();
    const [funded] = (await world.journal()).filter(({ kind }) => kind === "control");
    expect(funded?.data).toMatchObject({ input: { amount: "1234567.50" } });
  });

  test("where what had the focus goes with the details, the list has it; who clicks beside everything leaves it", async () => {
    const world = await file.world();
    await makeCharge(world, { external_id: "order-1" });
    const page = await open(`${world.baseUrl}/#/transactions`);
    await page.getByRole("row").filter({ hasText: "order-1" }).click();
    await page.getByRole("button", { name: "Close details" }).press("Enter");
    await page.getByRole("complementary", { name: "Details" }).waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Charges and cash-outs");
    await page.locator(".brand").evaluate(() => (document.activeElement as HTMLElement).blur());
    await world.advance("1m");
    await page.getByText("12:01:00").waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
  });

  /** TABLE: dialogs, what they are opened by, and what each of them refuses. */
  const refusals = [
    { view: "timeline", ask: "until…", field: "Span", wrong: ["soon", "9000000d"] },
    { view: "scenarios", ask: "load…", field: "Or one of your own, in YAML", wrong: ["rules: [", "scenario: 1"] },
    { view: "accounts", ask: "fund…", field: "Amount", wrong: ["1,50", "-3"] },
    { view: "accounts", ask: "open an account…", field: "Username", wrong: ["Not So", "acme"] },
    { view: "worlds", ask: "make one…", field: "Id", wrong: ["Fork 1", "default"] },
    {
      view: "faults",
      ask: "add…",
      field: "The rule, as in a scenario file, in JSON",
      wrong: ["{", "null", '{"inject": 1}'],
    },
  ] as const;

  test.each(refusals)("$view, $ask says in the dialog why it was refused, and only that", async (refusal) => {
    const { view, ask, field, wrong } = refusal;
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/${view}`, { mayComplain: REFUSED });
    await page.getByRole("button", { name: ask }).first().click();
    const said: string[] = [];
    for (const text of wrong) {
      await dialog(page).getByLabel(field).fill(text);
      await dialog(page).locator("footer button").click();
      // What was said of the one before is not what is said of this one.
      const fresh = expect.not.stringContaining(said.at(-1) ?? "Nothing was said before.");
      await expect.poll(() => alerts(page).allInnerTexts()).toEqual([fresh]);
      said.push(await alerts(page).innerText());
    }
    const marked = dialog(page).getByLabel(field);
    expect(await marked.getAttribute("aria-invalid")).toBe("true");
    expect(await marked.getAttribute("aria-describedby")).toBe(await alerts(page).getAttribute("id"));
    expect(await isInSight(page)).toBe(true);
    expect(await page.locator(".notice").count()).toBe(0);
    await page.keyboard.press("Escape");
    await closed(page);
    expect(await page.getByText(said.at(-1) ?? "").count()).toBe(0);
    await page.getByRole("button", { name: ask }).first().click();
    await dialog(page).waitFor();
    expect(await alerts(page).count()).toBe(0);
  });

  test("what was refused is no longer said once something else is chosen", async () => {
    const page = await open(`${(await file.world()).baseUrl}/`, { mayComplain: REFUSED });
    await page.getByRole("button", { name: "until…" }).click();
    await dialog(page).getByLabel("Span").fill("soon");
    await page.keyboard.press("Enter");
    await alerts(page).waitFor();
    await dialog(page).getByLabel("How far").selectOption("until nothing is left to happen");
    await alerts(page).waitFor({ state: "detached" });
  });

  test("a seed is typed in digits, and blanks at the edges of a field are of no account", async () => {
    const page = await open(`${file.sandbox.baseUrl}/#/worlds`, { mayComplain: REFUSED });
    await page.getByRole("button", { name: "make one…" }).click();
    await dialog(page).getByLabel("Id").fill(" seeded ");
    for (const seed of ["0x10", "1e3", "1.5", "sixteen"]) {
      await dialog(page).getByLabel("Seed").fill(seed);
      const answer = page.waitForResponse("**/worlds");
      await page.keyboard.press("Enter");
      expect((await answer).status(), seed).toBe(400);
      await alerts(page).getByText("seed must be a whole number").waitFor();
    }
    await dialog(page).getByLabel("Seed").fill(" 16 ");
    await page.keyboard.press("Enter");
    await page.getByText("seeded is made.").waitFor();
    const world = await file.sandbox.world("seeded");
    expect((await world.info()).seed).toBe(16);
  });

  test.each([false, true])(
    "D55 an advance until an event offers the legacy names where they are sent alone: %s",
    async (legacy_refund_events) => {
      const world = await file.world({ settings: { legacy_refund_events } });
      const page = await open(`${world.baseUrl}/`);
      await page.getByRole("button", { name: "until…" }).click();
      await dialog(page).getByLabel("How far").selectOption("until an event");
      const offered = await dialog(page).getByLabel("Event").locator("option").allTextContents();
      expect(offered).toContain("chargeback.confirmed");
      expect(offered.includes("refund_confirmed")).toBe(legacy_refund_events);
    },
  );

  test("Enter held down on what asks first presses nothing in the question, and Enter pressed again leaves it", async () => {
    await file.world({ id: "held-down" });
    const page = await open(`${file.sandbox.baseUrl}/#/worlds`);
    const trash = page.getByRole("button", { name: "Delete world held-down" });
    await trash.focus();
    // Without a release in between, all but the first are repeats.
    for (let times = 0; times < 5; times++) await page.keyboard.down("Enter");
    await dialog(page).getByText("Delete held-down?").waitFor();
    expect(await focused(page)).toBe("leave it");
    await page.keyboard.up("Enter");
    await page.keyboard.press("Enter");
    await closed(page);
    expect(await focused(page)).toBe("Delete world held-down");
    expect((await (await file.sandbox.world("held-down")).info()).world).toBe("held-down");
  });

  test("the longest id of a world wraps in the question, and hides none of its words", async () => {
    const id = "w".repeat(63);
    await file.world({ id });
    const page = await open(`${file.sandbox.baseUrl}/#/worlds`);
    await page.getByRole("button", { name: `Delete world ${id}` }).click();
    await dialog(page).getByText(`Delete ${id}?`).waitFor();
    const room = await dialog(page).evaluate((box) => [box.scrollWidth - box.clientWidth, box.scrollLeft]);
    expect(room).toEqual([0, 0]);
  });

  test("a double click in a dialog that closes meets nothing of what lay beneath", async () => {
    for (let number = 0; number < 30; number++) await file.world();
    await file.world({ id: "twice-clicked" });
    const page = await open(`${file.sandbox.baseUrl}/#/worlds`);
    await page.getByRole("button", { name: "Delete world twice-clicked" }).click();
    await dialog(page).getByRole("button", { name: "delete", exact: true }).dblclick({ delay: 60 });
    await page.getByText("twice-clicked is deleted.").waitFor();
    expect(page.url()).toBe(`${file.sandbox.baseUrl}/#/worlds`);
  });

  test("a scenario is asked for by its name or by its text: of both, neither is loaded", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/scenarios`);
    await page.getByRole("button", { name: "load…" }).click();
    await dialog(page).getByLabel("A shipped one, by its name").fill("happy-path");
    await dialog(page).getByLabel("Or one of your own, in YAML").fill("scenario: mine");
    await dialog(page).getByRole("button", { name: "load", exact: true }).click();
    await alerts(page).getByText("not both").waitFor();
    expect(await world.scenarios.list()).toEqual([]);
  });

  test("a scenario is taken out once that has been asked, and one without a name or a text is not sent", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    const page = await open(`${world.baseUrl}/#/scenarios`);
    const card = page.getByRole("article", { name: "Scenario happy-path" });
    const takeOut = page.getByRole("button", { name: "Take out happy-path" });
    await takeOut.click();
    await dialog(page).getByRole("button", { name: "leave it" }).click();
    await closed(page);
    await page.getByRole("button", { name: "load…" }).click();
    await dialog(page).getByRole("button", { name: "load", exact: true }).click();
    await alerts(page).getByText("Give a name or a text.").waitFor();
    await page.keyboard.press("Escape");
    expect(await card.count()).toBe(1);
    await takeOut.click();
    await dialog(page).getByRole("button", { name: "take out" }).click();
    await page.getByText("happy-path is taken out.").waitFor();
    await card.waitFor({ state: "detached" });
  });

  test("snapshots that another takes or deletes are seen", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/snapshots`);
    await page.getByRole("heading", { name: "None has been taken" }).waitFor();
    await world.call("POST", "/snapshots", { name: "by-another" });
    await page.getByText("by-another", { exact: true }).waitFor();
    await world.call("DELETE", "/snapshots/by-another");
    await page.getByRole("heading", { name: "None has been taken" }).waitFor();
  });

  test("a form that is sent again before it is answered is sent once, and its button is busy until then", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/accounts`);
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/fund", async (route) => {
      await isLetGo;
      await route.continue();
    });
    await page.getByRole("button", { name: "fund…" }).first().click();
    await dialog(page).getByLabel("Amount").fill("5");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await dialog(page).locator("button[aria-busy=true]", { hasText: "fund" }).waitFor();
    letGo();
    await page.getByText("The account is funded.").waitFor();
    await closed(page);
    expect((await world.journal()).filter(({ kind }) => kind === "control")).toHaveLength(1);
  });

  test("a button that acts at once does so once, however often it is clicked before it is answered", async () => {
    const world = await file.world();
    const id = await makeCharge(world);
    const page = await open(`${world.baseUrl}/#/transactions/${id}`);
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/pay", async (route) => {
      await isLetGo;
      await route.continue();
    });
    const pay = page.getByRole("group", { name: "Actions" }).getByRole("button", { name: "pay", exact: true });
    await pay.dblclick();
    await pay.click();
    letGo();
    await page.getByText("pay: done.").waitFor();
    expect((await world.journal()).filter(({ kind }) => kind === "control")).toHaveLength(1);
  });

  test("a double click takes out one fault, and not that which comes in its place; of a snapshot it asks", async () => {
    const world = await file.world();
    const rules = ["1s", "2s", "3s"].map((latency) => ({ request: "* /v2/*", inject: { latency } }));
    await world.call("PUT", "/faults", { rules });
    const page = await open(`${world.baseUrl}/#/faults`);
    const twice = async (name: string) => {
      const box = await page.getByRole("button", { name }).first().boundingBox();
      await page.mouse.dblclick((box?.x ?? 0) + 8, (box?.y ?? 0) + 8, { delay: 150 });
    };
    await twice("Take this fault out");
    await expect.poll(() => page.locator(".card").count()).toBe(2);
    for (const name of ["one", "two", "three"]) await world.call("POST", "/snapshots", { name });
    await page.goto(`${world.baseUrl}/#/snapshots`);
    await twice("Delete snapshot");
    await dialog(page).getByRole("button", { name: "delete", exact: true }).dblclick({ delay: 60 });
    await page.getByText("Snapshot one is deleted.").waitFor();
    await expect.poll(() => page.locator(".lines .line").count()).toBe(2);
    expect(await world.call("GET", "/faults")).toMatchObject({ rules: rules.slice(1) });
  });

  test("a refusal that comes after the dialog was closed is a note", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/accounts`, { mayComplain: REFUSED });
    const { promise: isClosed, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/fund", async (route) => {
      await isClosed;
      await route.continue();
    });
    await page.getByRole("button", { name: "fund…" }).first().click();
    await dialog(page).getByLabel("Amount").fill("1,50");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await closed(page);
    letGo();
    await page.locator(".notice.bad").waitFor();
  });

  test("what was asked for in a dialog that was left closes none that was opened since", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/accounts`);
    const { promise: isOpenAgain, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/fund", async (route) => {
      await isOpenAgain;
      await route.continue();
    });
    const amount = dialog(page).getByLabel("Amount");
    await page.getByRole("button", { name: "fund…" }).first().click();
    await amount.fill("1.50");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await closed(page);
    await page.getByRole("button", { name: "fund…" }).first().click();
    await amount.fill("2.50");
    letGo();
    await page.getByText("The account is funded.").waitFor();
    expect(await amount.inputValue()).toBe("2.50");
  });

  test("a rule that was typed is there again when its kind is, after another was looked at", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/faults`);
    await page.getByRole("button", { name: "add…" }).click();
    const [kind, rule] = [dialog(page).getByLabel("Begin with"), dialog(page).getByLabel("The rule")];
    await rule.fill('{"typed": true}');
    await kind.selectOption("answer late");
    expect(await rule.inputValue()).toContain("latency");
    await kind.selectOption("refuse a call with 503");
    expect(await rule.inputValue()).toBe('{"typed": true}');
  });

  test("a fault begins with what its dialog says, after another was chosen and left, too", async () => {
    const world = await file.world();
    const page = await open(`${world.baseUrl}/#/faults`);
    const add = page.getByRole("button", { name: "add…" });
    const kind = dialog(page).getByLabel("Begin with");
    await add.click();
    await kind.selectOption("answer late");
    await dialog(page).getByText("latency").waitFor();
    await page.keyboard.press("Escape");
    await closed(page);
    await add.click();
    expect(await kind.inputValue()).toBe("refuse a call with 503");
    expect(await dialog(page).getByLabel("The rule").inputValue()).toContain("503");
  });
});

/** What has the focus, by its name or its text. */
function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent?.trim();
  });
}

/** The browser looks for a lost focus when it draws. */
function twoFrames(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Whether nothing lies over what the dialog says. */
function isInSight(page: Page): Promise<boolean> {
  return page.getByRole("alert").evaluate((said) => {
    const { left, top } = said.getBoundingClientRect();
    return said.contains(document.elementFromPoint(left + 2, top + 6));
  });
}

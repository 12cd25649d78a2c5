/** How the dashboard looks to all kinds of eyes: contrast, names and roles, narrow pages, keys alone, no other address. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { makeCharge, transactionOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { describeInBrowser, useBrowser } from "./browser.ts";
import { playMorning } from "./traffic.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describeInBrowser("the dashboard, by its looks", () => {
  const file = useSandbox();
  const open = useBrowser();
  let world: WorldClient;
  let places: string[];

  beforeAll(async () => {
    world = await file.world({ scenarios: ["happy-path", "magic-values"], postback_url: "sandbox://inbox" });
    const { infractionId, pending } = await playMorning(world);
    await world.call("POST", "/snapshots", { name: "morning" });
    const [webhook] = await world.webhooks();
    const { items } = await world.call<{ items: { request_id: string }[] }>("GET", "/requests");
    const views = "pending transactions disputes wallets transfers conversions accounts ledger webhooks requests inbox";
    const rest = "readiness coverage scenarios magic-values faults rates snapshots worlds settings";
    const details = [
      `transactions/${pending}`,
      `disputes/${infractionId}`,
      "wallets/1001",
      `webhooks/${webhook?.webhook_id}`,
      `requests/${items[1]?.request_id}`,
      "timeline/40",
    ];
    places = ["", ...views.split(" "), ...rest.split(" "), ...details];
  });

  /** Goes through all places of the page. */
  async function visit(page: Page, look: (place: string) => Promise<void>): Promise<void> {
    for (const place of places) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/${place}`);
      const root = place.includes("/") ? ".detail .part" : "main :is(.rows .row, tbody tr, .card, .lines, .empty)";
      await page.locator(root).first().waitFor();
      await look(place);
    }
  }

  async function findings(page: Page, rules?: readonly string[], impacts = ["serious", "critical"]): Promise<string[]> {
    return page.evaluate(
      async ([only, grave]) => {
        // biome-ignore lint/suspicious/noExplicitAny: axe puts itself on the window.
        const { violations } = await (window as any).axe.run(document, {
          resultTypes: ["violations"],
          ...(only ? { runOnly: only } : {}),
        });
        return violations
          .filter(({ impact }: { impact: string }) => grave.includes(impact))
          .map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`);
      },
      [rules, impacts] as const,
    );
  }

  test("axe has nothing serious to say of any view, in light and in the dark", async () => {
    const page = await open(`${world.baseUrl}/`, { colorScheme: "light", reducedMotion: "reduce" });
    await page.evaluate(axe);
    /** What is said, and where it was said first. */
    const said: Record<string, string> = {};
    const look = async (place: string) => {
      for (const finding of await findings(page)) said[finding] ??= place;
      // What does not hang on colours is the same in the dark.
      await page.emulateMedia({ colorScheme: "dark" });
      for (const finding of await findings(page, ["color-contrast"])) said[`dark: ${finding}`] ??= place;
      await page.emulateMedia({ colorScheme: "light" });
    };
    await visit(page, look);
    await page.keyboard.press("a");
    await page.getByRole("dialog").waitFor();
    await look("dialog");
    expect(said).toEqual({});
  });

  test.each([400, 820])("%i px wide, no view is wider than the page", async (width) => {
    const page = await open(`${world.baseUrl}/`, { viewport: { width, height: 800 } });
    const wide: string[] = [];
    await visit(page, async (place) => {
      const isWide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll(".view, .detail-body")].some(
          (box) => box.scrollWidth > box.clientWidth + 1,
        ),
      );
      if (isWide) wide.push(place);
    });
    expect(wide).toEqual([]);
  });

  test.each([820, 1000])(
    "%i px wide, a credential is a line each, and the view goes on beside the ways",
    async (width) => {
      const page = await open(`${world.baseUrl}/#/accounts`, { viewport: { width, height: 800 } });
      const texts = page.locator(".credential .copyable code, .credential .text-button");
      await texts.first().waitFor();
      const heights = await texts.evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThan(30);
      await page.getByRole("link", { name: "Webhooks", exact: true }).click();
      await page.getByRole("heading", { name: "Webhooks" }).waitFor();
    },
  );

  test("400 px wide, no cell of a list lies over another", async () => {
    const own = await file.world({ postback_url: "sandbox://inbox" });
    for (const event of [
      "conversion.confirmed",
      "transfer.confirmed",
      "chargeback.opened",
      "wallet.created",
    ] as const) {
      await own.trigger(event);
    }
    const page = await open(`${own.baseUrl}/`, { viewport: { width: 400, height: 800 } });
    for (const list of "conversions transfers disputes transactions webhooks requests ledger wallets".split(" ")) {
      await page.goto(`${own.baseUrl}/#/${list}`);
      await page.locator(`.${list} .rows .cell`).first().waitFor();
      const over = await page.locator(".rows .row").evaluateAll((rows) => {
        const meet = (one: DOMRect, other: DOMRect) =>
          one.left < other.right - 1 &&
          other.left < one.right - 1 &&
          one.top < other.bottom - 1 &&
          other.top < one.bottom - 1;
        return rows
          .flatMap((row) => {
            const cells = [...row.querySelectorAll(".cell")].filter((cell) => cell.getClientRects().length > 0);
            const boxes = cells.map((cell) => cell.getBoundingClientRect());
            return cells.filter((_, at) => boxes.some((box, other) => other < at && meet(box, boxes[at] as DOMRect)));
          })
          .map((cell) => cell.textContent);
      });
      expect(over, list).toEqual([]);
    }
  });

  test.each([360, 390])("%i px wide, the ledger says of large amounts too what they are of", async (width) => {
    const own = await file.world();
    for (const [currency, amount] of Object.entries({ BRL: "99999999999999.99", BTC: "12345678.12345678" })) {
      await own.call("POST", "/accounts/acme/fund", { currency, amount });
    }
    const page = await open(`${own.baseUrl}/#/ledger`, { viewport: { width, height: 800 } });
    const amounts = page.locator(".ledger .rows .cell.number");
    await amounts.filter({ hasText: "12345678 BTC" }).waitFor();
    const isCut = (cells: Element[]) => cells.map((cell) => cell.scrollWidth > cell.clientWidth);
    expect(new Set(await amounts.evaluateAll(isCut))).toEqual(new Set([false]));
  });

  test.each([800, 1024, 1280])(
    "%i px wide, every column of a list can be come to, beside what is open too",
    async (width) => {
      const page = await open(`${world.baseUrl}/`, { viewport: { width, height: 800 } });
      const hidden: string[] = [];
      const look = async (place: string) => {
        const { beyond, isScrolled } = await page.locator(".grid").evaluate((grid) => {
          grid.scrollLeft = grid.scrollWidth;
          const isBeyond = (cell: Element) => cell.getBoundingClientRect().right > grid.getBoundingClientRect().right;
          const cells = [...grid.querySelectorAll(".headings > *, .rows .cell")];
          return { beyond: cells.filter(isBeyond).length, isScrolled: grid.scrollLeft > 0 };
        });
        if (beyond > 0 || isScrolled) hidden.push(place);
      };
      for (const list of "transactions disputes wallets transfers conversions webhooks requests inbox ledger".split(
        " ",
      )) {
        await page.goto(`${world.baseUrl}/#/${list}`);
        await page.locator(`.${list} .rows .cell`).first().waitFor();
        await look(list);
        if (list === "ledger") continue;
        await page.locator(`.${list} .rows .row`).first().click();
        await page.locator(".detail").waitFor();
        await look(`${list}, opened`);
      }
      expect(hidden).toEqual([]);
    },
  );

  test("a long note in the time line gives way to what it is a note of", async () => {
    const own = await file.world();
    const id = await makeCharge(own);
    await own.act(id, "pay", { payer: { name: "N".repeat(90) } });
    const page = await open(`${own.baseUrl}/#/timeline/1`);
    await page.getByText("charge is paid").waitFor();
    const cut = page
      .locator(".timeline .entry .text")
      .evaluateAll((texts) =>
        texts.filter((text) => text.scrollWidth > text.clientWidth).map((text) => text.textContent),
      );
    expect(await cut).toEqual([]);
    expect(await page.locator(".timeline .note").filter({ hasText: "NNN" }).isVisible()).toBe(true);
  });

  test("360 px wide, Tab goes from “More” into the menu of views, and Esc back to “More”", async () => {
    const page = await open(`${world.baseUrl}/#/timeline`, { viewport: { width: 360, height: 800 } });
    const more = page.getByRole("button", { name: "More" });
    const isFocused = (element: Element) => element === document.activeElement;
    await more.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.locator("#menu a").first().evaluate(isFocused)).toBe(true);
    await page.keyboard.press("Escape");
    expect(await more.evaluate(isFocused)).toBe(true);
  });

  test("400 px wide, the menu of views goes away by Esc, by a tap beside it, and on the way back", async () => {
    const page = await open(`${world.baseUrl}/#/timeline`, { viewport: { width: 400, height: 800 } });
    const more = page.getByRole("button", { name: "More" });
    const menu = page.locator("#menu");
    await more.click();
    await menu.getByRole("link", { name: "Disputes" }).click();
    await page.getByRole("heading", { name: "Disputes", level: 1 }).waitFor();
    const ways = [
      () => page.keyboard.press("Escape"),
      () => page.locator(".now").click(),
      async () => {
        await page.goBack();
        await page.getByRole("heading", { name: "Time line", level: 1 }).waitFor();
      },
    ];
    for (const leave of ways) {
      await more.click();
      await menu.waitFor();
      await leave();
      await menu.waitFor({ state: "detached" });
    }
  });

  test.each([1180, 1200, 1261])("%i px wide, the clock ends before the tools, with milliseconds too", async (width) => {
    const own = await file.world({ clock: { start: "2026-01-01T22:58:48.888Z" } });
    const page = await open(`${own.baseUrl}/#/faults`, { viewport: { width, height: 400 } });
    const pending = await page.getByText("nothing pending").boundingBox();
    const tools = await page.locator(".tools").boundingBox();
    expect(pending && pending.x + pending.width).toBeLessThanOrEqual(tools?.x ?? 0);
  });

  test("1280 px wide, the head of a view is one line, of a long time line too", async () => {
    const page = await open(`${world.baseUrl}/`);
    const tall: string[] = [];
    await visit(page, async (place) => {
      if (place.includes("/")) return;
      // As many digits as a long run has.
      await page.locator(".view-head .count").evaluateAll((counts) => {
        for (const count of counts) count.textContent = `100000 ${count.textContent?.replace(/\d+ /, "")}`;
      });
      const height = (await page.locator(".view-head").first().boundingBox())?.height ?? 0;
      if (height > 60) tall.push(place);
    });
    expect(tall).toEqual([]);
  });

  test.each([360, 400])("%i px wide, all of the clock bar is in sight, and works", async (width) => {
    const own = await file.world({ scenarios: ["happy-path"] });
    await makeCharge(own);
    const page = await open(`${own.baseUrl}/`, { viewport: { width, height: 800 } });
    const bar = page.getByRole("region", { name: "Clock of the world" });
    await bar.getByText("2 timers").waitFor();
    const hidden = await bar.locator("button, select, a").evaluateAll((parts) => {
      const isSeen = (part: Element, x: number, y: number) => part.contains(document.elementFromPoint(x, y));
      return parts.flatMap((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        const middle = (top + bottom) / 2;
        return isSeen(part, left + 2, middle) && isSeen(part, right - 2, middle) ? [] : [part.textContent];
      });
    });
    expect(hidden).toEqual([]);
    await bar.getByRole("combobox", { name: "Speed of time" }).selectOption("60");
    await expect.poll(async () => (await own.clock()).speed).toBe(60);
  });

  test.each([820, 1280])("%i px wide, the longest name of a world leaves the clock bar in sight", async (width) => {
    const own = await file.world({ id: `${"w".repeat(59)}${width}`.slice(0, 63) });
    const page = await open(`${own.baseUrl}/`, { viewport: { width, height: 800 } });
    await page.getByRole("button", { name: "Advance by 1d" }).click();
    await page.getByText("1d on, to").waitFor();
    await page.getByRole("button", { name: "Keys" }).click();
    await page.getByRole("dialog").waitFor();
  });

  test("400 px wide, the head of a detail closes in its first line, however long the rest of it is", async () => {
    const page = await open(`${world.baseUrl}/`, { viewport: { width: 400, height: 800 } });
    const below: string[] = [];
    await visit(page, async (place) => {
      if (!place.includes("/")) return;
      const [head, id] = [page.locator(".detail header h2"), page.locator(".detail-id")];
      const close = await page.getByRole("button", { name: "Close details" }).boundingBox();
      const [top, bottom] = [(await head.boundingBox())?.y ?? 0, (await id.boundingBox())?.y ?? 0];
      if (!close || close.y > top + 12 || close.y + close.height > bottom) below.push(place);
    });
    expect(below).toEqual([]);
  });

  test.each([800, 1280])("%i px wide, a notice leaves the open detail in sight", async (width) => {
    const own = await file.world();
    const id = await makeCharge(own);
    const page = await open(`${own.baseUrl}/#/transactions/${id}`, { viewport: { width, height: 800 } });
    const detail = await page.getByRole("complementary", { name: "Details" }).boundingBox();
    await page.getByRole("button", { name: "Advance by 1m", exact: true }).click();
    const notice = await page.locator(".notice").boundingBox();
    expect(notice?.x).toBeGreaterThanOrEqual(0);
    expect((notice?.x ?? 0) + (notice?.width ?? 0)).toBeLessThanOrEqual(detail?.x ?? 0);
  });

  test("columns have names beside what is open, and every page has a heading of the first level", async () => {
    const page = await open(`${world.baseUrl}/`);
    await page.evaluate(axe);
    const said: string[] = [];
    for (const [width, place] of [
      [1280, places.find((place) => place.startsWith("transactions/"))],
      [400, places.find((place) => place.startsWith("transactions/"))],
      [400, "no-such-view"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${world.baseUrl}/#/${place}`);
      await page
        .locator(place === "no-such-view" ? "main .empty" : ".detail .part")
        .first()
        .waitFor();
      said.push(...(await findings(page, ["empty-table-header", "page-has-heading-one"], ["minor", "moderate"])));
    }
    expect(said).toEqual([]);
  });

  test("a page as low as one enlarged four times scrolls its head away, so that the view has its whole height", async () => {
    const [width, height] = [320, 256];
    const page = await open(`${world.baseUrl}/#/transactions`, { viewport: { width, height } });
    await page.locator("main .row:not(.headings)").first().waitFor();
    await page.locator("nav.bar").evaluate((bar) => bar.scrollIntoView({ block: "end" }));
    const [main, bar] = [await page.locator("main").boundingBox(), await page.locator("nav.bar").boundingBox()];
    expect(Math.floor(main?.y ?? -1)).toBe(0);
    expect((main?.height ?? 0) + (bar?.height ?? 0)).toBe(height);
  });

  test("a long path is broken where its detail ends", async () => {
    const own = await file.world();
    await (await Merchant.of(own)).call("GET", `/v2/${"x".repeat(300)}`);
    const [call] = (await own.journal()).filter(({ kind, data }) => kind === "request" && data.status === 404);
    const page = await open(`${own.baseUrl}/#/requests/${call?.subject}`);
    await page.locator(".summary").waitFor();
    const beyond = await page.locator(".detail-body").evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(beyond).toBe(0);
  });

  test.each([400, 1280])("%i px wide, a path of three thousand letters leaves its detail in sight", async (width) => {
    const own = await file.world();
    await (await Merchant.of(own)).call("GET", `/v2/${"x".repeat(3_000)}`);
    const [call] = (await own.journal()).filter(({ kind, data }) => kind === "request" && data.status === 404);
    const page = await open(`${own.baseUrl}/#/requests/${call?.subject}`, { viewport: { width, height: 800 } });
    await page.locator(".summary").waitFor();
    const [view, close, body] = await Promise.all(
      ["main", ".detail .close", ".detail-body"].map((part) => page.locator(part).boundingBox()),
    );
    expect(close?.y).toBeLessThan((view?.y ?? 0) + 20);
    expect(body?.height).toBeGreaterThan((view?.height ?? 0) / 3);
    expect((body?.y ?? 0) + (body?.height ?? 0)).toBeLessThanOrEqual((view?.y ?? 0) + (view?.height ?? 0));
  });

  test("the longest name of an account leaves the balances of the ledger in sight", async () => {
    const own = await file.world({ accounts: [{ username: "a".repeat(63), balances: { BRL: "1.00" } }] });
    const page = await open(`${own.baseUrl}/#/ledger`);
    const side = page.getByRole("complementary", { name: "Balances of the ledger" });
    await side.getByText("aaa").waitFor();
    expect(await side.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  });

  test("the links of a story are large enough to be hit", async () => {
    const page = await open(`${world.baseUrl}/`);
    await page.evaluate(axe);
    await page.goto(`${world.baseUrl}/#/${places.find((place) => place.startsWith("transactions/"))}`);
    await page.getByRole("link", { name: "the call" }).first().waitFor();
    expect(await findings(page, ["target-size"])).toEqual([]);
  });

  test("it asks no other address for anything, and keeps to its policy", async () => {
    const page = await open("about:blank");
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(new URL(request.url()).origin));
    const answer = await page.goto(`${world.baseUrl}/`);
    await page.getByText("vault-12").waitFor();
    expect([...asked].filter((origin) => origin !== "null")).toEqual([new URL(world.baseUrl).origin]);
    expect(answer?.headers()["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
  });

  test("keys alone: find a charge, open it, pay it, close it, advance, fold, switch the keys off", async () => {
    const own = await file.world({ scenarios: ["happy-path"] });
    const id = await makeCharge(own, { external_id: "by-keys" });
    await makeCharge(own, { external_id: "other" });
    const page = await open(`${own.baseUrl}/#/transactions`);
    await page.getByText("by-keys").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("by-keys");
    await page.getByText("1 match in").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Charge of 150.00 BRL" }).waitFor();
    for (let stops = 0; stops < 6 && !(await isFocused(page, "pay")); stops++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await transactionOf(own, id)).status).toBe("confirmed");
    await page.keyboard.press("Escape");
    await page.getByRole("complementary", { name: "Details" }).waitFor({ state: "detached" });
    await page.keyboard.press("n");
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("12:00:05");
    await page.keyboard.press("t");
    await page.getByRole("grid", { name: "Time line" }).getByText("is paid").first().waitFor();
    const folded = page.getByRole("button", { name: "Unfold this thread", exact: true });
    const before = await folded.count();
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => folded.count()).toBe(before + 1);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Space");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // Single keys have been switched off: this one moves nothing, so that the minute after it is the only one.
    await page.keyboard.press("n");
    await page.getByRole("button", { name: "Advance by 1m", exact: true }).click();
    await expect.poll(() => page.locator(".now .time").innerText()).toContain("12:01:05");
  });
});

async function isFocused(page: Page, text: string): Promise<boolean> {
  return (await page.evaluate(() => document.activeElement?.textContent)) === text;
}

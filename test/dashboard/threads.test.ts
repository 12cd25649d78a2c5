/** The journal as threads: what belongs together, in which order, and below which cause. */
import { describe, expect, test } from "vitest";
import { Threads } from "../../src/dashboard/timeline/threads.ts";
import type { JournalEntry } from "../../src/dashboard/wire/answers.ts";
import { chargeOf } from "../support/charges.ts";
import { openedDispute } from "../support/disputes.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

/** Threads as texts: the kinds of their entries, set in by their depths. */
function shown(threads: Threads): string[][] {
  return threads
    .newestFirst()
    .map(({ entries }) => entries.map(({ entry, depth }) => " ".repeat(depth) + textOf(entry)));
}

function textOf({ kind, data }: JournalEntry): string {
  return kind === "transition" ? `${data.resource} ${data.trigger}` : kind;
}

/** All that has happened since the world was made. */
async function journalOf(world: Awaited<ReturnType<typeof file.world>>): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = await world.journal();
  const made = entries.findLastIndex(({ kind }) => /^(world|account|credential|scenario)\./.test(kind));
  return entries.slice(made + 1);
}

describe("a thread", () => {
  test("holds a charge from its call to its webhook, each below what caused it", async () => {
    const world = await file.world({ scenarios: ["happy-path"], postback_url: "sandbox://inbox" });
    const merchant = await SigningMerchant.ofAccount(world);
    await chargeOf(merchant);
    await world.advance("5s");
    const threads = new Threads();
    threads.add(await journalOf(world));
    expect(shown(threads)[0]).toEqual([
      "request",
      " cashin create",
      "  rule.fired",
      "   step",
      "    cashin pay",
      "     webhook.created",
      "      webhook.delivered",
    ]);
    expect(shown(threads).slice(1)).toEqual([["control"], ["request"]]);
  });

  test("takes in the dispute of its charge, whatever call it comes by, and is the newest then", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const { infractionId } = await openedDispute(world, merchant);
    await chargeOf(merchant, { external_id: "later" });
    await world.call("POST", `/disputes/${infractionId}/win`, {});
    const threads = new Threads();
    threads.add(await journalOf(world));
    const [disputed] = shown(threads);
    expect(disputed?.[0]).toBe("request");
    expect(disputed).toContain(" cashin dispute");
    expect(disputed?.slice(-3)).toEqual(["control", " dispute win", "  webhook.created"]);
  });

  test("is the same however the entries were cut on their way", async () => {
    const world = await file.world({ scenarios: ["happy-path"], postback_url: "sandbox://inbox" });
    const merchant = await SigningMerchant.ofAccount(world);
    await chargeOf(merchant, { split: [{ username: "globex", percentage: 10 }] });
    await merchant.transfer({ username: "globex", currency: "BRL", amount: "20" });
    await world.advance("10s");
    const entries = await journalOf(world);
    const whole = new Threads();
    whole.add(entries);
    for (const size of [1, 2, 3, 5]) {
      const cut = new Threads();
      for (let from = 0; from < entries.length; from += size) cut.add(entries.slice(from, from + size));
      expect(shown(cut)).toEqual(shown(whole));
    }
  });

  test("of a transaction whose beginning has not been read yet is known by its id", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    const id = await chargeOf(await SigningMerchant.ofAccount(world));
    await world.act(id, "pay");
    const threads = new Threads();
    threads.add((await journalOf(world)).slice(-1));
    expect(threads.newestFirst()).toMatchObject([{ key: id, subject: id, resource: "cashin", beginsEarlier: true }]);
    const paid = new Threads();
    const journal = await journalOf(world);
    paid.add(journal.slice(journal.findIndex(({ kind }) => kind === "control")));
    expect(paid.newestFirst()).toMatchObject([{ key: id, resource: "cashin", beginsEarlier: true }]);
    const whole = new Threads();
    whole.add(await journalOf(world));
    expect(whole.newestFirst().map(({ beginsEarlier }) => beginsEarlier)).not.toContain(true);
  });

  test("of a dispute of which only a legacy webhook has been read is known as a dispute's", async () => {
    const world = await file.world({ settings: { legacy_refund_events: true }, postback_url: "sandbox://inbox" });
    const merchant = await SigningMerchant.ofAccount(world);
    const { infractionId } = await openedDispute(world, merchant);
    await world.call("POST", `/disputes/${infractionId}/lose`, {});
    const journal = await journalOf(world);
    const threads = new Threads();
    threads.add(journal.slice(journal.findIndex(({ data }) => data.event === "refund_confirmed")));
    const found = threads.newestFirst().find(({ subject }) => subject === infractionId);
    expect(found).toMatchObject({ resource: "dispute", beginsEarlier: true });
  });

  test.each([{ disconnect: "after" }, { malformed: true }])(
    "begins with its call where a fault struck that, and it was carried out all the same: %j",
    async (inject) => {
      const world = await file.world();
      const merchant = await SigningMerchant.ofAccount(world);
      await world.call("PUT", "/faults", { rules: [{ request: "POST /v2/transactions/cashin", inject }] });
      await chargeOf(merchant).catch(() => {});
      const threads = new Threads();
      threads.add(await journalOf(world));
      expect(shown(threads)[0]).toEqual(["request", " fault.injected", " cashin create"]);
      const journal = await journalOf(world);
      for (let cut = 1; cut < journal.length; cut++) {
        const parts = new Threads();
        parts.add(journal.slice(0, cut));
        parts.add(journal.slice(cut));
        expect(shown(parts)).toEqual(shown(threads));
      }
      expect(threads.newestFirst()[0]).toMatchObject({ resource: "cashin", beginsEarlier: false });
    },
  );

  test("of a probe about a payment that there is not is of no payment", async () => {
    await using receiver = await startReceiver();
    const world = await file.world({ postback_url: receiver.url });
    await world.call("POST", "/report/probe");
    const threads = new Threads();
    threads.add(await journalOf(world));
    const [probed] = threads.newestFirst();
    expect(probed).toMatchObject({ resource: "probe" });
    expect(probed?.entries.map(({ entry }) => entry.kind)).toContain("webhook.probe");
    expect(threads.newestFirst().map(({ resource }) => resource)).not.toContain("cashin");
  });

  test("of a call that a fault struck and that came to nothing is of both alone", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const inject = { error: "PROVIDER_ERROR" };
    await world.call("PUT", "/faults", { rules: [{ request: "GET /v2/account/balance", inject }] });
    await merchant.call("GET", "/v2/account/balance");
    const threads = new Threads();
    threads.add(await journalOf(world));
    expect(shown(threads)[0]).toEqual(["request", " fault.injected"]);
  });
});

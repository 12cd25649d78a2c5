/** A day of business: three rushes, and what is done once a week. */
import type { SandboxClient, WorldClient } from "../../../src/index.ts";
import { pdf } from "../../support/disputes.ts";
import { pick, type RandomNumbers } from "../load/random.ts";
import { usualConversions } from "../orders.ts";
import type { FailingReceiver } from "./receiver.ts";
import type { Shop } from "./shop.ts";
import { cashouts, charges, failing, faults, unusual } from "./tables.ts";

interface Business {
  readonly sandbox: SandboxClient;
  readonly world: WorldClient;
  /** A small world, to take snapshots and forks of. */
  readonly side: WorldClient;
  readonly shop: Shop;
  readonly receiver: FailingReceiver;
  readonly random: RandomNumbers;
  readonly chargesPerDay: number;
}

const RUSHES = 3;
/** Calls at a time. */
const TOGETHER = 16;
/** How many charges do not end as they should, and cash-outs of a rush. */
const UNUSUAL = 0.05;
const CASHOUTS = 3;

/** From midnight to midnight. */
export async function live(business: Business, day: number): Promise<void> {
  const { world, receiver } = business;
  await setFaults(business, day);
  for (let rush = 0; rush < RUSHES; rush++) {
    // Once a week nobody takes the webhooks of an afternoon.
    receiver.isDown = day % 7 === 3 && rush === 1;
    await trade(business, `${day}-${rush}`);
    await world.advance("2h");
    receiver.isDown = false;
  }
  if (day % 7 === 6) await endWeek(business, day);
  await world.advance("18h");
}

/** Two kinds a day, and none every third day. */
async function setFaults({ world }: Business, day: number): Promise<void> {
  if (day % 3 === 2) return void (await world.call("DELETE", "/faults"));
  const rules = [faults[day % faults.length], faults[(day * 5 + 1) % faults.length]];
  await world.call("PUT", "/faults", { rules });
}

async function trade({ shop, random, chargesPerDay }: Business, name: string): Promise<void> {
  await shop.authenticate();
  const count = Math.ceil(chargesPerDay / RUSHES);
  const orders = Array.from({ length: count }, (_, index) => {
    const kind = random() < UNUSUAL ? pick(random, unusual) : "order";
    return { ...pick(random, charges), external_id: `${kind}-${name}-${index}` };
  });
  for (let at = 0; at < count; at += TOGETHER) {
    const rush = orders.slice(at, at + TOGETHER);
    await Promise.all(rush.map((body) => shop.call("POST", "/v2/transactions/cashin", body)));
  }
  for (let index = 0; index < CASHOUTS; index++) {
    const kind = random() < 0.3 ? pick(random, failing) : "payout";
    await shop.signed("/v2/transactions/cashout", {
      ...pick(random, cashouts),
      external_id: `${kind}-${name}-${index}`,
    });
  }
  const kind = random() < 0.1 ? "magic-refund" : "conversion";
  await shop.call("POST", "/v2/conversions/simulate", usualConversions[0]);
  await shop.signed("/v2/conversions/new", { ...pick(random, usualConversions), external_id: `${kind}-${name}` });
  const transfer = { username: "globex", currency: "BRL", amount: "5.00", external_id: `transfer-${name}` };
  await shop.call("POST", "/v2/internal_transfers/payment", transfer);
  await shop.call("GET", "/v2/account/balance");
  await shop.call("GET", "/v2/account/limits");
  await shop.call("POST", "/v2/account/transactions/list", { page: 1, status: "confirmed" });
  await shop.call("POST", "/v2/transactions/cashin", { currency: "XXX", amount: "1" });
}

/** Disputes are replied to; a snapshot and a fork are made, worked with and deleted. */
async function endWeek({ sandbox, shop, side }: Business, day: number): Promise<void> {
  await shop.authenticate();
  const open = await shop.call("GET", "/v2/account/infractions?status=open");
  for (const { infraction_id } of open?.items?.slice(0, 2) ?? []) {
    const form = new FormData();
    form.append("infraction_id", infraction_id);
    form.append("text", "It was delivered.");
    form.append("files", new Blob([new Uint8Array(pdf)], { type: "application/pdf" }), "receipt.pdf");
    await shop.call("POST", "/v2/account/infractions/reply", form);
  }
  await side.takeSnapshot("weekly");
  const fork = await sandbox.createWorld({ id: `fork-${day}`, from: "side" });
  await fork.advance("1h");
  await fork.restore("none").catch(() => {});
  await fork.reset();
  await fork.delete();
  await side.restore("weekly");
  await side.deleteSnapshot("weekly");
}

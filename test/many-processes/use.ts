/** What a company does with its worlds: a merchant's work in each, and calls to many of them without a pause. */
import type { SandboxClient } from "../../src/index.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";

/** A world in use. */
export interface Shop {
  readonly id: string;
  readonly baseUrl: string;
  readonly merchant: Merchant;
  /** External ids of the charges that were answered. */
  readonly charges: string[];
}

/** Does something with each, a few at a time; results are in the order of the items. */
export async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}

/** Makes a world at its own address, with a charge that is paid and told of, and one that waits. */
export async function openShop(sandbox: SandboxClient, id: string, receiverUrl: string): Promise<Shop> {
  const world = await sandbox.openWorld(id, { postback_url: receiverUrl });
  const merchant = await Merchant.of(world);
  const shop: Shop = { id, baseUrl: world.baseUrl, merchant, charges: [] };
  await charge(shop);
  const { webhooks } = await world.advance("5s");
  if (webhooks.delivered !== 1) throw new Error(`${id} was not told of its charge: ${JSON.stringify(webhooks)}`);
  await charge(shop);
  return shop;
}

/** A charge that `happy-path` pays after five seconds. @throws where it is refused. */
export async function charge({ id, merchant, charges }: Shop): Promise<void> {
  const external_id = `${id}-${charges.length + 1}`;
  const { status, text } = await merchant.cashin({ currency: "BRL", amount: 10, external_id });
  if (status !== 200) throw new Error(`The charge ${external_id} was answered ${status}: ${text}`);
  charges.push(external_id);
}

/** All that a world tells of itself, as text. */
export async function stateOf(shop: Pick<Shop, "baseUrl">): Promise<string> {
  const paths = ["", "/timers", "/snapshots", "/transactions", "/journal?limit=1000"];
  const answers = await Promise.all(paths.map((path) => control(shop, "GET", path)));
  return answers.map(({ status, text }) => `${status} ${text}`).join("\n");
}

/** Lets the charges that wait be paid. @returns external ids of what is confirmed then. */
export async function confirmedAfterAdvance(shop: Shop): Promise<string[]> {
  await control(shop, "POST", "/clock/advance", { by: "5s" });
  const { body } = await control(shop, "GET", "/transactions?limit=1000");
  const rows = body.items as { external_id: string; status: string }[];
  return rows.filter(({ status }) => status === "confirmed").map(({ external_id }) => external_id);
}

/** Charges and balances in worlds one after the other, without a pause, until it is stopped. */
export class Traffic {
  readonly failures: string[] = [];
  calls = 0;
  #stopped = false;
  readonly #ended: Promise<unknown>;

  constructor(shops: readonly Shop[]) {
    const halves = [0, 1].map((half) => shops.filter((_shop, index) => index % 2 === half));
    this.#ended = Promise.all(halves.map((half) => this.#work(half)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ended;
  }

  async #work(shops: readonly Shop[]): Promise<void> {
    for (let turn = 0; !this.#stopped; turn++) {
      const shop = shops[turn % shops.length];
      if (!shop) return;
      try {
        await charge(shop);
        await shop.merchant.balance("BRL");
        this.calls += 2;
      } catch (error) {
        this.failures.push(`${shop.id}: ${error}`);
      }
    }
  }
}

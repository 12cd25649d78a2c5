/**
 * A small shop that keeps its orders in memory: webhooks come to `/hook`, `GET /books` answers 409 where an order was
 * not credited what its payments and refunds come to, `POST /reset` forgets everything. It is careful unless told to
 * make one of the mistakes that merchants make.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";

/** What a merchant gets wrong. */
interface Mistakes {
  /** Every `cashin.confirmed` credits the order, though it is the same one again. */
  readonly creditsTwice?: boolean;
  /** A refund of an order that has not been paid is taken for nothing. */
  readonly trustsOrder?: boolean;
  /** Instead of what has come, the order's status is remembered: what is not paid is credited. */
  readonly trustsStatus?: boolean;
  /** A refund of an order that has not been paid is answered 409. */
  readonly refusesEarlyRefunds?: boolean;
}

export interface SampleMerchant extends AsyncDisposable {
  readonly hookUrl: string;
  readonly booksUrl: string;
  readonly resetUrl: string;
  /** What is wrong in the books, in one sentence; null where they are right. */
  books(): string | null;
  reset(): void;
  /** Orders that it was ever told of, whatever it has forgotten since. */
  readonly toldOf: ReadonlySet<string>;
}

interface Order {
  status: "open" | "paid" | "refunded";
  cents: number;
  /** Ids of the webhooks that were acted on. */
  readonly done: Set<string>;
  /** What it should come to: the cents of each webhook, by id. */
  readonly due: Map<string, number>;
}

/** Starts a merchant on a free port. */
export async function startSampleMerchant(mistakes: Mistakes = {}): Promise<SampleMerchant> {
  const orders = new Map<string, Order>();
  const toldOf = new Set<string>();
  const orderOf = (name: string): Order => {
    const order = orders.get(name) ?? { status: "open", cents: 0, done: new Set(), due: new Map() };
    orders.set(name, order);
    toldOf.add(name);
    return order;
  };
  const books = () => {
    for (const [name, { cents, due }] of orders) {
      const right = [...due.values()].reduce((sum, one) => sum + one, 0);
      if (cents !== right) return `${name} was credited ${cents} instead of ${right} cents`;
    }
    return null;
  };
  const server = createServer(async (incoming, response) => {
    const text = await textOf(incoming);
    if (incoming.url === "/reset") orders.clear();
    const fault = incoming.url === "/books" ? books() : null;
    const refused = incoming.url === "/hook" && !take(JSON.parse(text), String(incoming.headers["x-webhook-id"]));
    response.writeHead(fault !== null || refused ? 409 : 200).end(fault ?? "ok");
  });
  const take = ({ event, data }: { event: string; data: Record<string, string> }, id: string): boolean => {
    const order = orderOf(data.external_id ?? "");
    if (event === "cashin.confirmed") confirm(order, id, cents(data.amount), mistakes);
    else if (event === "cashin.refunded") return refund(order, id, cents(data.amount_refunded), mistakes);
    return true;
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    hookUrl: `${base}/hook`,
    booksUrl: `${base}/books`,
    resetUrl: `${base}/reset`,
    books,
    reset: () => orders.clear(),
    toldOf,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function confirm(order: Order, id: string, amount: number, { creditsTwice, trustsStatus }: Mistakes): void {
  order.due.set(id, amount);
  const known = trustsStatus ? order.status === "paid" : order.done.has(id);
  if (known && !creditsTwice) return;
  order.done.add(id);
  order.cents += amount;
  order.status = "paid";
}

function refund(order: Order, id: string, amount: number, mistakes: Mistakes): boolean {
  if (order.status === "open" && mistakes.refusesEarlyRefunds) return false;
  order.due.set(id, -amount);
  if (order.done.has(id) || (order.status === "open" && mistakes.trustsOrder)) return true;
  order.done.add(id);
  order.cents -= amount;
  order.status = "refunded";
  return true;
}

function cents(amount: string | undefined): number {
  return Math.round(Number(amount) * 100);
}

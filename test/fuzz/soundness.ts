/** Whether a world is still sound after all that it was sent, and whether it still serves. */
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";

interface Posting {
  readonly source: string;
  readonly destination: string;
  readonly currency: string;
  readonly amount: string;
}

const builtIn = Object.getOwnPropertyNames(Object.prototype).sort().join();

/** @throws {Error} where something was put on the prototype of all objects. */
export function expectCleanPrototype(): void {
  const names = Object.getOwnPropertyNames(Object.prototype).sort().join();
  if (names !== builtIn) throw new Error(`Object.prototype has ${names}.`);
}

/**
 * Its clock stands from then on: what is paid while it runs would come between the postings and the balances.
 * @throws {Error} where the balances of a world are not what its postings come to, or the world says so itself.
 */
export async function expectSound(world: { baseUrl: string }): Promise<void> {
  if ((await control(world, "POST", "/clock", { mode: "frozen" })).status === 404) return;
  const check = await control(world, "GET", "/ledger/check");
  if (check.body.ok !== true) throw new Error(`The ledger does not hold: ${check.text}`);
  const { sums, balances } = await ledgerOf(world);
  const { body } = await control(world, "GET", "/");
  for (const [key, sum] of sums) {
    if (!sameNumber(sum, balances.get(key) ?? "0"))
      throw new Error(`${key} shows ${balances.get(key)}, its postings come to ${sum}.`);
  }
  for (const { username, balances: shown } of body.accounts) {
    for (const { currency, balance } of shown) {
      const own = sums.get(`merchant:${username}:available ${currency}`) ?? 0n;
      if (!sameNumber(own, balance))
        throw new Error(`${username} shows ${balance} ${currency}, its postings come to ${own}.`);
    }
  }
}

/** What postings come to, in units of 1e-18, and what is shown. */
async function ledgerOf(world: { baseUrl: string }) {
  const sums = new Map<string, bigint>();
  const add = (account: string, currency: string, amount: bigint) => {
    const key = `${account} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  };
  let balances = new Map<string, string>();
  for (let cursor: string | null = "0"; cursor !== null; ) {
    const { body } = await control(world, "GET", `/ledger?limit=1000&cursor=${cursor}`);
    for (const { source, destination, currency, amount } of body.items as Posting[]) {
      add(source, currency, -fine(amount));
      add(destination, currency, fine(amount));
    }
    balances = new Map(
      body.balances.map((row: { account: string; currency: string; balance: string }) => [
        `${row.account} ${row.currency}`,
        row.balance,
      ]),
    );
    cursor = body.next_cursor;
  }
  return { sums, balances };
}

/** A decimal in units of 1e-18. */
function fine(decimal: string): bigint {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(decimal) ?? [];
  if (whole === "") throw new Error(`${decimal} is no decimal.`);
  return BigInt(`${sign}${whole}${fraction.padEnd(18, "0")}`);
}

const sameNumber = (sum: bigint, decimal: string) => sum === fine(decimal);

/** @throws {Error} where a world, what was done to its rules taken back, does not take a usual charge. */
export async function expectServing(world: { baseUrl: string }): Promise<void> {
  const steer = (method: string, path: string, body?: unknown) => control(world, method, path, body);
  if ((await steer("DELETE", "/faults")).status === 404) return;
  for (const { name } of (await steer("GET", "/scenarios")).body.items) await steer("DELETE", `/scenarios/${name}`);
  await steer("PUT", "/blocked-ips", { ips: [] });
  await steer("PATCH", "/accounts/acme", { status: "active" });
  // Blocks end with time; what is due on the way is none of this.
  await steer("POST", "/clock/advance", { by: "25h", max_timers: 50 });
  const info = (await steer("GET", "/")).body;
  const credential = info.accounts.find((one: { username: string }) => one.username === "acme")?.credentials[0];
  if (!credential) throw new Error("The account acme has gone.");
  await steer("PATCH", `/credentials/${credential.client_id}`, { limits: [] });
  const merchant = new Merchant(world, { clientId: credential.client_id, clientSecret: credential.client_secret });
  await merchant.authenticate();
  const answer = await merchant.cashin({ currency: "BRL", amount: "150.00" });
  if (answer.status !== 200) throw new Error(`A usual charge was answered ${answer.status}: ${answer.text}`);
}

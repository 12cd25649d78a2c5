/** A sandbox that is fuzzed: worlds with all kinds of resources in them, to be forked for every run. */
import { startBareServer } from "../support/bare-server.ts";
import { control } from "../support/control.ts";
import { jpeg, pdf, reply } from "../support/disputes.ts";
import { Merchant } from "../support/merchant.ts";
import { signed } from "../support/signing.ts";
import { controlOperations } from "./control-operations.ts";
import { type Operation, operationsOf } from "./operations.ts";

/** Ids that are there, by kind. */
export type Pools = Record<string, string[]>;

/** TABLE: how a world treats those who misbehave; what is behind its blocks is reached where there are none. */
export const protections = ["off", "report", "enforce"] as const;
export type Protection = (typeof protections)[number];

/** A world that runs begin from. */
interface Template {
  readonly id: string;
  readonly pools: Pools;
  readonly token: string;
  readonly signingKey: string;
}

/** Where runs are played. */
export interface Stage extends AsyncDisposable {
  readonly baseUrl: string;
  readonly operations: readonly Operation[];
  readonly templates: Readonly<Record<Protection, Template>>;
  /** Faults that the sandbox told of. */
  readonly faults: unknown[];
}

/** Starts a sandbox to be fuzzed. @param dataFolder where its worlds are files; null for memory. */
export async function setStage(dataFolder: string | null = null): Promise<Stage> {
  const faults: unknown[] = [];
  const server = await startBareServer({
    dataFolder,
    webhookTimeoutMs: 300,
    webhookConcurrency: 4,
    onFault: (error) => faults.push(error),
  });
  try {
    return { ...(await furnish(server.baseUrl)), faults, [Symbol.asyncDispose]: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Makes the templates at a sandbox, and reads what can be called there. */
export async function furnish(baseUrl: string): Promise<Pick<Stage, "baseUrl" | "operations" | "templates">> {
  const made = [];
  for (const protection of protections) made.push([protection, await templateOf(baseUrl, protection)] as const);
  const templates = Object.fromEntries(made) as Stage["templates"];
  const document = await (await fetch(`${baseUrl}/openapi.json`)).json();
  const world = { baseUrl: `${baseUrl}/worlds/${templates.off.id}` };
  const [ofRoot, ofWorld, bundle] = await Promise.all([
    control({ baseUrl }, "GET", "/openapi.json"),
    control(world, "GET", "/openapi.json"),
    control(world, "GET", "/export"),
  ]);
  const steering = controlOperations(ofRoot.body, ofWorld.body, bundle.body);
  return { baseUrl, templates, operations: [...operationsOf(document, "service"), ...steering] };
}

async function templateOf(root: string, protection: Protection): Promise<Template> {
  const id = `template-${protection}`;
  const world = { baseUrl: `${root}/worlds/${id}` };
  const settings = { protections: protection };
  const steer = (method: string, path: string, body?: unknown) => control(world, method, path, body);
  // Nobody listens at port 1: what goes there is tried again and again.
  const postback_url = protection === "off" ? "http://127.0.0.1:1/hook" : "sandbox://inbox";
  const made = await steer("PUT", "", { settings, scenarios: [], postback_url });
  const { client_id, client_secret, signing_key } = made.body.accounts[0].credentials[0];
  const merchant = new Merchant(world, { clientId: client_id, clientSecret: client_secret });
  await merchant.authenticate();
  const pay = (path: string, body: object) => signed(merchant, signing_key, path, body);
  const charge = async (body: object) =>
    (await merchant.cashin({ currency: "BRL", amount: "150.00", ...body })).body.data.transaction_id;

  // One of them has a scenario, whose payers pay as the clock goes on.
  if (protection === "report") await steer("POST", "/scenarios", { name: "happy-path" });
  await charge({ external_id: "order-0" });
  await charge({ currency: "USDT", chain: "tron", amount: "20" });
  const [paid, disputed, decided] = [await charge({}), await charge({}), await charge({})];
  for (const each of [paid, disputed, decided]) await steer("POST", `/transactions/${each}/pay`, {});
  for (const each of [disputed, decided]) await steer("POST", `/transactions/${each}/dispute`, {});
  const [open, answered] = (await steer("GET", "/disputes")).body.items;
  await reply(merchant, {
    infraction_id: answered.infraction_id,
    text: "It was delivered.",
    files: [
      { name: "ä b.pdf", content: pdf },
      { name: "x.jpg", content: jpeg },
    ],
  });
  await pay("/v2/transactions/cashout", {
    currency: "BRL",
    amount: "25.00",
    key: "52998224725",
    external_id: "payout-0",
  });
  await pay("/v2/transactions/cashout", {
    currency: "USDT",
    amount: "25",
    key: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    chain: "tron",
  });
  await merchant.call("POST", "/v2/conversions/simulate", {
    amount: 100,
    base_currency: "BRL",
    destination_currency: "USDT",
  });
  await pay("/v2/conversions/new", {
    amount: 100,
    base_currency: "BRL",
    destination_currency: "USDT",
    external_id: "swap-0",
  });
  await merchant.call("POST", "/v2/internal_transfers/payment", {
    username: "globex",
    currency: "BRL",
    amount: "10.00",
  });
  const wallet = await merchant.call("POST", "/v2/transactions/wallet", { currency: "USDT", chain: "tron" });
  await steer("POST", `/wallets/${wallet.body.data.wallet_id}/deposit`, { amount: "30", instant: true });
  await steer("POST", "/snapshots", { name: "before" });

  const pools: Pools = {
    dispute: [open.infraction_id],
    world: ["fuzzed"],
    snapshot: ["before"],
    scenario: ["happy-path"],
  };
  for (const path of [
    "",
    "/transactions",
    "/disputes",
    "/conversions",
    "/transfers",
    "/wallets",
    "/webhooks",
    "/requests",
  ]) {
    gather(JSON.stringify((await steer("GET", path)).body), pools);
  }
  return { id, pools, token: merchant.token, signingKey: signing_key };
}

/** TABLE: where ids stand in bodies. */
const places: Readonly<Record<string, RegExp>> = {
  transaction: /"transaction_id":"([0-9a-f]{32})"/g,
  dispute: /"infraction_id":"(inf_[0-9a-z]+)"/g,
  conversion: /"conversion_id":"([0-9a-f]{32})"/g,
  transfer: /"transaction_id":"([0-9a-f]{32})"[^{}]*"sender"/g,
  wallet: /"wallet_id":(\d+)/g,
  webhook: /"webhook_id":"(evt_[0-9a-z]+)"/g,
  request: /"request_id":"(req_[0-9a-z]+)"/g,
  client: /"client_id":"([^"\\]+)"/g,
  secret: /"client_secret":"([^"\\]+)"/g,
  username: /"username":"([^"\\]+)"/g,
};

/** So many ids of a kind are enough. */
const MOST = 40;

/** Adds the ids that stand in a text to those that are known. */
export function gather(text: string, pools: Pools): void {
  for (const [kind, pattern] of Object.entries(places)) {
    pools[kind] ??= [];
    const pool = pools[kind];
    for (const [, id = ""] of text.matchAll(pattern)) {
      if (pool.length < MOST && !pool.includes(id)) pool.push(id);
    }
  }
}

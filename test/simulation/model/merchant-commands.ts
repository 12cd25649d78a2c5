/** Commands of merchants: every endpoint of the service, rightly and wrongly used. */
import fc from "fast-check";
import { jpeg, pdf, png, reply as sendReply } from "../../support/disputes.ts";
import { agree } from "./agreement.ts";
import { authenticate, perform } from "./calls.ts";
import { addressOn, keys } from "./cashout-call.ts";
import { appOf, command, picked, type Scene, SKIPPED, strays, suiting, which } from "./commands.ts";
import { conversionCommands } from "./conversion-commands.ts";
import { reply } from "./disputes.ts";
import { isCurrency, isFiat, MAX_WALLETS } from "./facts.ts";
import { type Body, sendMoney } from "./money-calls.ts";
import {
  amount,
  chainOf,
  currency,
  externalId,
  NOBODY,
  ONESELF,
  otherAccount,
  ownPostback,
  postbackUrl,
  seldom,
  shares,
  written,
} from "./requests.ts";
import type { MerchantApp } from "./stage.ts";
import { instantText } from "./state.ts";
import { confirmationsOf, provision } from "./wallets.ts";

/** The username of another account; now and then of one's own, or of nobody. */
function otherThan({ branch }: Scene, own: string, index: number): string {
  if (index === NOBODY) return "nobody";
  const others = branch.state.accounts.filter(({ username }) => username !== own);
  return index === ONESELF ? own : (picked(others, index)?.username ?? "");
}

const charge = command(
  32,
  fc.record({
    by: which,
    currency,
    chain: which,
    amount,
    external_id: externalId,
    postback: ownPostback,
    split: shares,
  }),
  (scene, { by, chain, postback, split, ...input }) => {
    const app = appOf(scene, by);
    const items = split?.map(({ to, percentage, fixed }) => {
      const share = fixed === undefined ? { percentage } : { type: "fixed", amount: fixed };
      return { username: otherThan(scene, app.username, to), ...share };
    });
    return sendMoney(scene, "cashin", app, {
      ...bodyOf(input),
      ...chainOf(input.currency, chain),
      ...postbackUrl(postback, scene.stage.rig.receiver.url),
      ...(items ? { split: items } : {}),
    });
  },
);

const cashout = command(
  10,
  fc.record({ by: which, currency, chain: which, amount, external_id: externalId, postback: ownPostback, key: which }),
  (scene, { by, chain, postback, key, ...input }) => {
    const on = chainOf(input.currency, chain);
    const address =
      key < 3
        ? "nowhere"
        : addressOn(on.chain ?? (input.currency === "BTC" ? "bitcoin" : input.currency === "SOL" ? "solana" : "evm"));
    const fitting = Object.keys(keys).filter((each) => (keys[each] === "clabe") === (input.currency === "MXN"));
    const account = key < 2 ? "11144477736" : (picked(fitting, key) ?? "");
    return sendMoney(scene, "cashout", appOf(scene, by), {
      ...bodyOf(input),
      ...on,
      ...postbackUrl(postback, scene.stage.rig.receiver.url),
      key: isFiat(input.currency) ? account : address,
    });
  },
);

const transfer = command(
  7,
  fc.record({
    by: which,
    to: otherAccount,
    currency,
    amount,
    external_id: externalId,
    description: fc.constantFrom(undefined, "rent"),
  }),
  (scene, { by, to, description, ...input }) => {
    const app = appOf(scene, by);
    const username = otherThan(scene, app.username, to);
    const body = { username, ...bodyOf(input), ...(description === undefined ? {} : { description }) };
    return sendMoney(scene, "transfer", app, body);
  },
);

const wallet = command(5, fc.record({ by: which, currency, chain: which }), (scene, { by, currency: code, chain }) =>
  provisionFor(scene, appOf(scene, by), { currency: code, ...chainOf(code, chain) }),
);

type WalletBody = { readonly currency: string; readonly chain?: string };

async function provisionFor({ branch }: Scene, app: MerchantApp, body: WalletBody): Promise<string> {
  const { state, world } = branch;
  const { clientId: client } = app.merchant;
  const path = "/v2/transactions/wallet";
  const outcome = await perform(branch, app, {
    method: "POST",
    path,
    send: ({ merchant }) => merchant.call("POST", path, body),
    refusals: () => walletRefusals(body, state.wallets.filter((each) => each.client === client).length),
  });
  if (outcome.kind === "not done") return outcome.label;
  const made = outcome.data ?? { ...(await world.wallets.list()).at(-1) };
  const chain = isFiat(body.currency) ? null : String(body.chain);
  const [id, address] = [Number(made.wallet_id), String(made.address)];
  provision(state, { id, username: app.username, client, currency: body.currency, chain, address });
  const min_confirmations = confirmationsOf(body.currency, chain);
  agree(path, { currency: body.currency, min_confirmations, created_at: instantText(state.now) }, made);
  return outcome.label;
}

function walletRefusals(body: WalletBody, count: number): string[] {
  if (!isCurrency(body.currency)) return [body.currency === "POL" ? "UNSUPPORTED_CURRENCY" : "INVALID_CURRENCY"];
  const isMissing = !isFiat(body.currency) && body.chain === undefined;
  const codes = isMissing ? ["INVALID_REQUEST"] : body.chain === "solarium" ? ["UNSUPPORTED_CHAIN"] : [];
  return count >= MAX_WALLETS ? [...codes, "WALLET_LIMIT_REACHED"] : codes;
}

/** The same request once more, by the same credential or by another one, with its keys the other way round. */
const again = command(6, fc.record({ request: which, by: seldom(which) }), (scene, { request, by }) => {
  const sent = picked(scene.branch.sent, request);
  const own = scene.branch.apps.find(({ merchant }) => merchant.clientId === sent?.client);
  if (!sent || !own) return Promise.resolve(SKIPPED);
  const body = Object.fromEntries(Object.entries(sent.body).reverse());
  return sendMoney(scene, sent.kind, by === undefined ? own : appOf(scene, by), body);
});

const answer = command(
  5,
  fc.record({ by: which, dispute: which, strays, files: fc.subarray(["pdf", "png", "jpeg"] as const) }),
  async (scene, { by, dispute: index, strays: any, files }) => {
    const { branch } = scene;
    const { state } = branch;
    const dispute = picked(
      suiting(state.disputes, ({ status }) => status === "open", any),
      index,
    );
    if (!dispute && !any) return SKIPPED;
    const owner = branch.apps.find(({ merchant }) => merchant.clientId === dispute?.client);
    const app = any || !owner ? appOf(scene, by) : owner;
    const own = dispute?.username === app.username;
    const infraction_id = dispute?.id ?? "inf_none";
    const contents = { pdf, png, jpeg };
    const outcome = await perform(branch, app, {
      method: "POST",
      path: "/v2/account/infractions/reply",
      send: ({ merchant }) =>
        sendReply(merchant, {
          infraction_id,
          text: "Delivered.",
          files: files.map((name) => ({ name, content: contents[name] })),
        }),
      refusals: () => {
        if (!own) return ["NOT_FOUND"];
        return dispute.status === "open" && state.now < dispute.deadlineAt ? [] : ["INFRACTION_NOT_OPEN"];
      },
    });
    if (outcome.kind === "not done" || !dispute || !outcome.data) return outcome.label;
    const responded_at = instantText(state.now);
    agree("the reply", { infraction_id, status: "responded", responded_at }, outcome.data);
    reply(state, dispute, Number(outcome.data.reply_id));
    return outcome.label;
  },
);

const token = command(2, fc.record({ by: which, right: fc.boolean() }), async (scene, { by, right }) => {
  const app = appOf(scene, by);
  const { branch } = scene;
  return right ? authenticate(branch, app) : authenticate(branch, app, "wrong");
});

/** TABLE: what is refused before anybody looks at what it says. */
const mistakes = {
  "no signature": { code: "MISSING_SIGNATURE", overrides: { headers: { "X-Signature": undefined } } },
  "a wrong signature": { code: "INVALID_SIGNATURE", overrides: { sign: () => "0".repeat(64) } },
  "a nonce that is none": { code: "INVALID_SIGNATURE", overrides: { nonce: "1" } },
  "a stale timestamp": { code: "INVALID_SIGNATURE", overrides: { timestamp: 1_000_000_000 } },
} as const;

const unsigned = command(
  3,
  fc.record({ by: which, mistake: fc.constantFrom(...(Object.keys(mistakes) as (keyof typeof mistakes)[])) }),
  async (scene, { by, mistake }) => {
    const { code, overrides } = mistakes[mistake];
    const outcome = await perform(scene.branch, appOf(scene, by), {
      method: "POST",
      path: "/v2/transactions/cashout",
      send: ({ merchant }) => merchant.cashout({ currency: "BRL", amount: "5.00", key: "ana@example.com" }, overrides),
      unsigned: { code, isFailure: mistake === "a wrong signature" },
    });
    return outcome.label;
  },
);

/** The same thing over and over, until something is blocked. */
const insist = command(
  3,
  fc.record({
    by: which,
    what: fc.constantFrom("transfer", "wallet", "wrong secret"),
    times: fc.integer({ min: 4, max: 16 }),
  }),
  async (scene, { by, what, times }) => {
    const { branch } = scene;
    if (!branch.state.settings.protected) return SKIPPED;
    const app = appOf(scene, by);
    const calls: Record<string, () => Promise<string>> = {
      transfer: () => sendMoney(scene, "transfer", app, { username: "nobody", currency: "BRL", amount: "1.00" }),
      wallet: () => provisionFor(scene, app, { currency: "XXX" }),
      "wrong secret": () => authenticate(branch, app, "wrong"),
    };
    let outcome = "";
    for (let done = 0; done < times; done++) outcome = (await calls[what]?.()) ?? "";
    return outcome;
  },
);

function bodyOf(input: {
  currency: string;
  amount: Parameters<typeof written>[0];
  external_id?: string | undefined;
}): Body {
  const { currency: code, amount: units, external_id } = input;
  return { currency: code, amount: written(units, code), ...(external_id === undefined ? {} : { external_id }) };
}

export const merchantCommands = {
  charge,
  cashout,
  transfer,
  ...conversionCommands,
  wallet,
  again,
  answer,
  token,
  unsigned,
  insist,
};

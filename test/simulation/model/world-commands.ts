/** Commands of QA: settings of accounts, faults, the receiver, snapshots, forks, resets, restarts. */
import fc from "fast-check";
import { agree } from "./agreement.ts";
import { command, picked, type Scene, SKIPPED, which } from "./commands.ts";
import { compare } from "./comparison.ts";
import { decimalText, minor } from "./decimals.ts";
import { defaultDestination, redeliver as redeliverWebhook } from "./deliveries.ts";
import { SECOND, scaleOf } from "./facts.ts";
import { control } from "./outside-commands.ts";
import { seldom } from "./requests.ts";
import type { Moment, Stage } from "./stage.ts";
import type { Credential, FaultRule, State } from "./state.ts";

const setRates = command(
  2,
  fc.constantFrom<Record<string, string>>(
    { BRL: "0.19" },
    { BTC: "98765.43", ETH: "3333.3" },
    { BRL: "0.2", BTC: "100000" },
  ),
  async ({ branch }, rates) => {
    await branch.world.call("PUT", "/rates", { rates });
    branch.state.rates = { ...branch.state.rates, ...rates };
    return "done";
  },
);

const setLimits = command(
  2,
  fc.record({
    of: which,
    operation: fc.constantFrom("cashin", "cashout", "internal_transfer", "conversion"),
    currency: fc.constantFrom("BRL", "USDT"),
    daily: fc.constantFrom(undefined, 100, 1_000),
    most: fc.constantFrom(undefined, 50, 400),
  }),
  async ({ branch }, { of, operation, currency, daily, most }) => {
    const credential = picked(branch.state.credentials, of) as Credential;
    const text = (whole: number) => decimalText(minor(String(whole), scaleOf(currency)), scaleOf(currency));
    const own = {
      currency,
      operation,
      ...(daily === undefined ? {} : { daily_limit: text(daily) }),
      ...(most === undefined ? {} : { per_operation_max: text(most) }),
    };
    const limits = daily === undefined && most === undefined ? [] : [own];
    await branch.world.call("PATCH", `/credentials/${credential.id}`, { limits });
    credential.limits = limits;
    return "done";
  },
);

/** TABLE: destinations of an account or a credential. */
const destinations = { receiver: "", inbox: "sandbox://inbox", none: null } as const;

const setPostback = command(
  3,
  fc.record({
    of: which,
    whose: fc.constantFrom("account", "credential"),
    to: fc.constantFrom("receiver", "receiver", "inbox", "none"),
  }),
  async ({ stage, branch }, { of, whose, to }) => {
    const url = to === "receiver" ? stage.rig.receiver.url : destinations[to];
    const { state, world } = branch;
    const account = picked(state.accounts, of);
    const credential = picked(state.credentials, of);
    if (!account || !credential) return SKIPPED;
    const path = whose === "account" ? `/accounts/${account.username}` : `/credentials/${credential.id}`;
    await world.call("PATCH", path, { postback_url: url });
    (whose === "account" ? account : credential).postback = url;
    return `${whose} ${to}`;
  },
);

const issueCredential = command(1, which, async ({ stage, branch }, of) => {
  const account = picked(branch.state.accounts, of);
  if (!account || branch.state.credentials.length > 3) return SKIPPED;
  const made = await branch.world.call<{ client_id: string }>("POST", `/accounts/${account.username}/credentials`, {});
  branch.state.credentials.push({ id: made.client_id, username: account.username, postback: null, limits: [] });
  await stage.equip(branch);
  return "done";
});

const review = command(
  2,
  fc.record({ of: which, on: fc.constantFrom(true, false, false) }),
  async ({ branch }, { of, on }) => {
    const account = picked(branch.state.accounts, of);
    if (!account) return SKIPPED;
    const status = on ? "under_review" : "active";
    agree("the account", { status }, await branch.world.call("PATCH", `/accounts/${account.username}`, { status }));
    account.underReview = on;
    return status;
  },
);

const blockAddress = command(1, fc.constantFrom(true, false, false), async ({ branch }, on) => {
  await branch.world.call("PUT", "/blocked-ips", { ips: on ? ["127.0.0.1"] : [] });
  branch.state.isBlocked = on;
  return on ? "blocked" : "free";
});

const receiver = command(3, fc.constantFrom("takes", "refuses", "hangs up"), async ({ stage }, mode) => {
  stage.rig.mode = mode;
  return mode;
});

const requestFault = fc.record(
  {
    request: fc.constantFrom("POST /v2/transactions/cashin", "POST /v2/transactions/*", "POST /v2/conversions/new"),
    inject: fc.constantFrom<FaultRule["inject"]>(
      { error: "PROVIDER_ERROR" },
      { status: 503 },
      { disconnect: "before" },
      { disconnect: "after" },
      { malformed: true },
    ),
    times: fc.integer({ min: 1, max: 3 }),
    skip: fc.nat(1),
  },
  { requiredKeys: ["request", "inject", "times"] },
);

const deliveryFault = fc.record(
  {
    delivery: fc.constantFrom("*", "cashin.*", "cashin.confirmed", "chargeback.*", "cashout.*"),
    inject: fc.constantFrom<FaultRule["inject"]>(
      { drop: true },
      { duplicate: 2 },
      { delay: "40s" },
      { source: "127.0.0.66" },
      { shuffle: 3 },
      { shuffle: 2 },
    ),
    times: fc.integer({ min: 1, max: 3 }),
    skip: fc.nat(1),
    for: fc.constantFrom("20s", "300s"),
  },
  { requiredKeys: ["delivery", "inject"] },
);

const setFaults = command(
  5,
  fc.array(fc.oneof(requestFault, deliveryFault), { maxLength: 3 }),
  async ({ branch: { state, world } }, drawn) => {
    // Which of those that are shuffled is put back for the rate is drawn by the sandbox.
    const isUnknown = (rule: (typeof drawn)[number]) => "shuffle" in rule.inject && state.settings.webhook_rate < 100;
    const rules = drawn.filter((rule) => !isUnknown(rule));
    await world.call("PUT", "/faults", { rules });
    state.faults = rules.map((rule) => {
      const lasts = "for" in rule && rule.for !== undefined ? Number(rule.for.slice(0, -1)) * SECOND : null;
      state.order++;
      const own = { group: state.order, matched: 0, fired: 0 };
      return { ...rule, ...own, endsAt: lasts === null ? null : state.now + lasts };
    });
    return [...new Set(rules.flatMap(({ inject }) => Object.keys(inject)))].sort().join() || "none";
  },
);

const redeliver = command(4, fc.nat(40), async (scene, index) => {
  const { state } = scene.branch;
  const waiting = state.webhooks.filter(({ nextAt }) => nextAt !== null);
  const webhook = picked(index % 2 === 0 && waiting.length > 0 ? waiting : state.webhooks, index);
  if (!webhook) return SKIPPED;
  const destination = webhook.destination ?? defaultDestination(state, webhook.client);
  const { answer, label } = await control(
    scene,
    `/webhooks/${webhook.id}/redeliver`,
    {},
    destination ? [] : ["UNDELIVERABLE"],
  );
  if (answer) redeliverWebhook(state, state.webhooks.indexOf(webhook));
  return label;
});

/** Two, so that one is there when the other is taken. */
const snapshotName = fc.constantFrom("one", "one", "one", "two");

const snapshot = command(3, snapshotName, async (scene, name) => {
  const { branch } = scene;
  if (branch.snapshots.has(name)) await branch.world.deleteSnapshot(name);
  await branch.world.takeSnapshot(name);
  branch.snapshots.set(name, await momentOf(scene));
  return "done";
});

const restore = command(3, snapshotName, async (scene, name) => {
  const moment = scene.branch.snapshots.get(name);
  if (!moment) return SKIPPED;
  await scene.branch.world.restore(name);
  await goBack(scene, moment);
  return "done";
});

const reset = command(1, fc.constant(null), async (scene) => {
  await scene.branch.world.reset();
  await goBack(scene, scene.branch.origin);
  return "done";
});

const MOST_BRANCHES = 3;

/** A fork goes on beside what it came from, now or from a snapshot. */
const fork = command(2, fc.record({ snapshot: seldom(snapshotName) }), async (scene, input) => {
  const { stage, branch } = scene;
  const moment = input.snapshot === undefined ? await momentOf(scene) : branch.snapshots.get(input.snapshot);
  if (!moment || stage.branches.length >= MOST_BRANCHES) return SKIPPED;
  const { id } = branch.world;
  const from = input.snapshot === undefined ? id : { world: id, snapshot: input.snapshot };
  const world = await stage.sandbox.createWorld({ id: stage.rig.freshId(), from });
  await stage.add(world, structuredClone(moment.state), branch.sent);
  return input.snapshot === undefined ? "of now" : "of a snapshot";
});

/** The sandbox ends and another one starts on its folder: nothing is otherwise. */
const restart = command(3, fc.constant(null), async ({ stage }) => {
  if (!stage.isKept) return SKIPPED;
  await startAgain(stage);
  return "done";
});

/** @param meanwhile what is done while it is down. */
export async function startAgain(stage: Stage, meanwhile?: () => void): Promise<void> {
  await stage.rig.restart(stage.setup, meanwhile);
  for (const branch of stage.branches) {
    const tokens = new Map(
      branch.apps.map(({ merchant, tokenEndsAt }) => [merchant.clientId, { token: merchant.token, tokenEndsAt }]),
    );
    branch.world = await stage.sandbox.world(branch.world.id);
    await stage.equip(branch);
    // A token outlives the process that gave it.
    for (const app of branch.apps) {
      const { token = "", tokenEndsAt = 0 } = tokens.get(app.merchant.clientId) ?? {};
      app.merchant.token = token;
      app.tokenEndsAt = tokenEndsAt;
    }
  }
}

/** The history is played again elsewhere: it comes to the same, and to what the model has. */
const replay = command(2, fc.constant(null), async ({ stage, branch }) => {
  const { world, ...outcome } = await stage.sandbox.replay(await branch.world.export(), { id: stage.rig.freshId() });
  agree("the replay", { identical: true, difference: null }, outcome);
  await compare(world, withoutReceiver(branch.state));
  await world.delete();
  return "done";
});

/** A bundle knows no addresses of the machine that it comes from: all that had one has the inbox. */
function withoutReceiver(state: State): State {
  const replayed = structuredClone(state);
  const inboxFor = (url: string | null) => (url === null ? null : "sandbox://inbox");
  for (const each of [...replayed.accounts, ...replayed.credentials]) each.postback = inboxFor(each.postback);
  for (const webhook of replayed.webhooks) webhook.destination = inboxFor(webhook.destination);
  const transactions = replayed.transactions.map((row) => ({ ...row, postback: inboxFor(row.postback) }));
  return { ...replayed, transactions };
}

async function momentOf({ branch }: Scene): Promise<Moment> {
  const entries = (await branch.world.journal(branch.entries)).length + branch.entries;
  return { state: structuredClone(branch.state), entries };
}

/** Tokens of a time to come are none of the merchants' any more. */
async function goBack({ stage, branch }: Scene, { state, entries }: Moment): Promise<void> {
  branch.state = structuredClone(state);
  branch.entries = entries;
  await stage.equip(branch);
}

export const worldCommands = {
  setRates,
  setLimits,
  setPostback,
  issueCredential,
  review,
  blockAddress,
  receiver,
  setFaults,
  redeliver,
  snapshot,
  restore,
  reset,
  fork,
  restart,
  replay,
};

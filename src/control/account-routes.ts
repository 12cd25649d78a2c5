/** Accounts, credentials and money from nowhere. */
import { z } from "zod";
import { destinationFault } from "../domain/destinations.ts";
import { AmountError } from "../domain/money.ts";
import { fundAccount, issueCredential, openAccount } from "../service/accounts.ts";
import { amountField } from "../service/input.ts";
import type { Account } from "../store/accounts.ts";
import { command, type ControlCall, type ControlRoute, inputOf, Reply } from "./call.ts";
import { ControlError, notFound } from "./errors.ts";
import { accountView, credentialView } from "./views.ts";

const text = (length: number) => z.string().min(1).max(length);

const accountInput = z.strictObject({
  username: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, { error: "must match [a-z0-9][a-z0-9._-]{0,62}" }),
  name: text(200).optional(),
  document: text(32).optional(),
  email: text(200).optional(),
  postback_url: z.string().nullable().optional(),
});

const accountChanges = z.strictObject({
  postback_url: z.string().nullable().optional(),
  status: z.enum(["active", "under_review"]).optional(),
  name: text(200).optional(),
  document: text(32).optional(),
  email: text(200).optional(),
});

const credentialChanges = z.strictObject({ postback_url: z.string().nullable() });
const fundInput = z.strictObject({ currency: z.string(), amount: amountField });

export const accountRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/accounts",
    handle: ({ live: { world } }) => ({
      items: world.accounts.all().map((account) => accountView(world, account)),
      next_cursor: null,
    }),
  },
  { method: "POST", path: "/accounts", handle: (call) => addAccount(call, inputOf(call, accountInput)) },
  {
    method: "GET",
    path: "/accounts/:username",
    handle: (call) => accountView(call.live.world, accountOf(call)),
  },
  {
    method: "PATCH",
    path: "/accounts/:username",
    handle: (call) => changeAccount(call, inputOf(call, accountChanges)),
  },
  { method: "POST", path: "/accounts/:username/credentials", handle: addCredential },
  { method: "POST", path: "/accounts/:username/fund", handle: (call) => fund(call, inputOf(call, fundInput)) },
  {
    method: "PATCH",
    path: "/credentials/:client",
    handle: (call) => changeCredential(call, inputOf(call, credentialChanges)),
  },
];

function addAccount(call: ControlCall, input: z.infer<typeof accountInput>): Reply {
  const { world } = call.live;
  checkDestination(call, input.postback_url);
  const { username } = input;
  if (world.accounts.get(username))
    throw new ControlError(409, "ACCOUNT_EXISTS", `There is an account ${username} already.`);
  const account = command(call, username, (operation) =>
    openAccount(operation, {
      username,
      name: input.name ?? username,
      document: input.document ?? "11222333000181",
      email: input.email ?? `${username}@merchant.example`,
      postback_url: input.postback_url ?? null,
      balances: {},
    }),
  );
  return new Reply(201, accountView(world, account));
}

function changeAccount(call: ControlCall, input: z.infer<typeof accountChanges>) {
  const { username } = accountOf(call);
  checkDestination(call, input.postback_url);
  const changes = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  command(call, username, ({ world }) => world.accounts.update(username, changes as Partial<Account>));
  return accountView(call.live.world, accountOf(call));
}

function addCredential(call: ControlCall): Reply {
  const { username } = accountOf(call);
  inputOf(call, z.strictObject({}));
  return new Reply(201, credentialView(command(call, username, (operation) => issueCredential(operation, username))));
}

function changeCredential(call: ControlCall, input: z.infer<typeof credentialChanges>) {
  const clientId = call.params.client ?? "";
  const { accounts } = call.live.world;
  const credential = accounts.credential(clientId);
  if (!credential) throw notFound("credential", clientId);
  checkDestination(call, input.postback_url);
  command(call, clientId, ({ world }) => world.accounts.setCredentialPostback(clientId, input.postback_url));
  return credentialView(accounts.credential(clientId) ?? credential);
}

function fund(call: ControlCall, input: z.infer<typeof fundInput>) {
  const { world } = call.live;
  const { username } = accountOf(call);
  if (!world.currencies.currencies.has(input.currency)) {
    const known = [...world.currencies.currencies.keys()].join(", ");
    throw new ControlError(422, "INVALID_REQUEST", `currency must be one of ${known}.`);
  }
  try {
    command(call, username, (operation) => fundAccount(operation, username, input.currency, input.amount));
  } catch (error) {
    if (error instanceof AmountError) throw new ControlError(422, "INVALID_REQUEST", `amount ${error.message}.`);
    throw error;
  }
  return accountView(world, accountOf(call));
}

function accountOf({ live, params }: ControlCall): Account {
  const account = live.world.accounts.get(params.username ?? "");
  if (!account) throw notFound("account", params.username ?? "");
  return account;
}

function checkDestination({ live }: ControlCall, postbackUrl: string | null | undefined): void {
  const fault = postbackUrl ? destinationFault(postbackUrl, live.world.settings.webhook_targets) : null;
  if (fault) throw new ControlError(422, "INVALID_REQUEST", `postback_url ${fault}.`);
}

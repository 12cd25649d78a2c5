/** Accounts, credentials, funding, the black list and exchange rates. */
import { z } from "zod";
import { accountDetails } from "../domain/account-fields.ts";
import { accountStatuses } from "../domain/account-statuses.ts";
import { canonicalAddress } from "../domain/caller-addresses.ts";
import { AmountError } from "../domain/money.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { sentence } from "../domain/words/near-name.ts";
import { accountField } from "../scenarios/world-keys.ts";
import { balancesFault, changeStatus, fundAccount, issueCredential, openAccount } from "../service/accounts.ts";
import { postbackFault } from "../service/destinations.ts";
import { addressField, amountField, rateField } from "../service/input.ts";
import { changeRates, ratesFault, ratesOf } from "../service/rates.ts";
import type { Account } from "../store/accounts.ts";
import {
  type ControlCall,
  type ControlRoute,
  command,
  inputOf,
  nothing,
  pageOf,
  pageQuery,
  Reply,
  taking,
} from "./call.ts";
import { ControlError, notFound } from "./errors.ts";
import { checkLimits, limitChange } from "./limit-changes.ts";
import { noAccount } from "./missing-name.ts";
import { accountView, credentialView } from "./views.ts";

/** The body of `POST /accounts`. */
export const accountInput = () => accountField;

/** The body of `PATCH /accounts/{username}`; a field left out stays as it is, null for `postback_url` removes it. */
export const accountChanges = onFirstUse(() =>
  z.strictObject({ ...accountDetails, status: z.enum(accountStatuses).optional() }),
);

/** The body of `PATCH /credentials/{client_id}`; a credential without a `postback_url` has its account's (`D46`). */
export const credentialChanges = onFirstUse(() =>
  z.strictObject({
    postback_url: z.string().nullable().optional(),
    limits: z.array(limitChange).optional(),
  }),
);

/** The body of `PUT /blocked-ips`: the whole black list, at most 10 000 addresses (`D17`). */
export const blockedInput = onFirstUse(() =>
  z.strictObject({
    ips: z.array(addressField.transform(canonicalAddress)).max(10_000),
  }),
);

/** The body of `PUT /rates`: US dollars per unit, for the currencies that change. */
export const ratesInput = onFirstUse(() =>
  z.strictObject({
    rates: z.record(z.string(), rateField),
  }),
);

/** The body of `POST /accounts/{username}/fund`. */
export const fundInput = onFirstUse(() => z.strictObject({ currency: z.string(), amount: amountField }));

/** TABLE: calls of accounts, credentials, rates and the black list (interface, section 4). */
export const accountRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/blocked-ips",
    operationId: "listBlockedIps",
    answer: "BlockedIps",
    handle: ({ live }) => ({ ips: live.world.protections.blacklist() }),
  },
  {
    method: "PUT",
    path: "/blocked-ips",
    operationId: "replaceBlockedIps",
    answer: "BlockedIps",
    ...taking(blockedInput, (call, { ips }) => setBlacklist(call, ips)),
  },
  {
    method: "GET",
    path: "/rates",
    operationId: "getRates",
    answer: "Rates",
    handle: ({ live }) => ({ rates: ratesOf(live.world) }),
  },
  {
    method: "PUT",
    path: "/rates",
    operationId: "changeRates",
    answer: "Rates",
    ...taking(ratesInput, (call, { rates }) => putRates(call, rates)),
  },
  {
    method: "GET",
    path: "/accounts",
    operationId: "listAccounts",
    query: pageQuery,
    answer: "AccountPage",
    handle: (call) => {
      const { world } = call.live;
      return pageOf(call, world.accounts.all(), (account) => accountView(world, account));
    },
  },
  {
    method: "POST",
    path: "/accounts",
    operationId: "openAccount",
    answer: "Account",
    statuses: [201],
    ...taking(accountInput, addAccount),
  },
  {
    method: "GET",
    path: "/accounts/:username",
    operationId: "getAccount",
    answer: "Account",
    handle: (call) => accountView(call.live.world, accountOf(call)),
  },
  {
    method: "PATCH",
    path: "/accounts/:username",
    operationId: "changeAccount",
    answer: "Account",
    ...taking(accountChanges, changeAccount),
  },
  {
    method: "POST",
    path: "/accounts/:username/credentials",
    operationId: "issueCredential",
    answer: "Credential",
    statuses: [201],
    handle: addCredential,
  },
  {
    method: "POST",
    path: "/accounts/:username/fund",
    operationId: "fundAccount",
    answer: "Account",
    ...taking(fundInput, fund),
  },
  {
    method: "PATCH",
    path: "/credentials/:client",
    operationId: "changeCredential",
    answer: "ChangedCredential",
    ...taking(credentialChanges, changeCredential),
  },
];

function addAccount(call: ControlCall, input: z.infer<ReturnType<typeof accountInput>>): Reply {
  const { world } = call.live;
  checkDestination(call, input.postback_url);
  const { username } = input;
  if (world.accounts.get(username))
    throw new ControlError(409, "ACCOUNT_EXISTS", `There is an account ${username} already.`);
  const fault = balancesFault(world, input);
  if (fault) throw new ControlError(422, "INVALID_REQUEST", `balances.${fault}.`);
  const account = command(call, username, (operation) => openAccount(operation, input));
  return new Reply(201, accountView(world, account));
}

function changeAccount(call: ControlCall, input: z.infer<ReturnType<typeof accountChanges>>) {
  const { username } = accountOf(call);
  checkDestination(call, input.postback_url);
  const { status, ...details } = input;
  const changes = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  command(call, username, (operation) => {
    operation.world.accounts.update(username, changes as Partial<Account>);
    if (status !== undefined) changeStatus(operation, username, status);
  });
  return accountView(call.live.world, accountOf(call));
}

function addCredential(call: ControlCall): Reply {
  const { username } = accountOf(call);
  inputOf(call, nothing);
  return new Reply(201, credentialView(command(call, username, (operation) => issueCredential(operation, username))));
}

function changeCredential(call: ControlCall, input: z.infer<ReturnType<typeof credentialChanges>>) {
  const clientId = call.params.client ?? "";
  const { accounts } = call.live.world;
  const credential = accounts.credential(clientId);
  if (!credential) throw notFound("credential", clientId);
  checkDestination(call, input.postback_url);
  const { postback_url, limits } = input;
  checkLimits(call.live.world, limits ?? []);
  command(call, clientId, ({ world }) => {
    if (postback_url !== undefined) world.accounts.setCredentialPostback(clientId, postback_url);
    if (limits !== undefined) world.accounts.setLimits(clientId, limits);
  });
  return { ...credentialView(accounts.credential(clientId) ?? credential), limits: accounts.limitsOf(clientId) };
}

function fund(call: ControlCall, input: z.infer<ReturnType<typeof fundInput>>) {
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
  if (!account) throw noAccount(live.world, params.username ?? "");
  return account;
}

function checkDestination({ live }: ControlCall, postbackUrl: string | null | undefined): void {
  const fault = postbackFault(live.world, postbackUrl);
  if (fault) throw new ControlError(422, "INVALID_REQUEST", sentence(`postback_url ${fault}`));
}

function setBlacklist(call: ControlCall, ips: readonly string[]) {
  const { protections } = call.live.world;
  command(call, null, () => protections.setBlacklist(ips));
  return { ips: protections.blacklist() };
}

function putRates(call: ControlCall, rates: Readonly<Record<string, string>>) {
  const { world } = call.live;
  const fault = ratesFault(world, rates);
  if (fault) throw new ControlError(422, "INVALID_REQUEST", `rates: ${fault}`);
  command(call, null, (operation) => changeRates(operation, rates));
  return { rates: ratesOf(world) };
}

/** What steps can do beside the actions of a resource, and how they name whom they act on. */

import { z } from "zod";
import { accountStatuses } from "../domain/account-statuses.ts";
import { canonicalAddress } from "../domain/caller-addresses.ts";
import { DomainError } from "../domain/errors.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { ExactNumber } from "../domain/money.ts";
import { changeStatus } from "../service/accounts.ts";
import { resourceActions } from "../service/actions.ts";
import { addressField, rateField } from "../service/input.ts";
import { changeRates, ratesFault } from "../service/rates.ts";
import type { Account } from "../store/accounts.ts";
import type { Transaction } from "../store/transactions.ts";
import type { Operation } from "../world/operation.ts";
import { resourceBy } from "../world/resources.ts";
import type { World } from "../world/world.ts";
import { addFault, faultRule } from "./faults.ts";
import { issueWords } from "./file-words.ts";
import { withLeaves } from "./leaves.ts";
import { hasUnknownKeys } from "./schema-words.ts";

/** What a step acts on; rules on the clock have no subject of their own. */
export interface StepSubject {
  readonly type: LifecycleName | "world";
  readonly id: string;
  /** The account that the rule is about, where the resource has several. */
  readonly username?: string;
}

interface WorldAction {
  readonly input: z.ZodType;
  /** @param at `file:line` of the step. */
  readonly perform: (operation: Operation, subject: StepSubject, input: never, at: string | null) => void;
}

const rate = rateField.meta({ examples: ["0.19"] });

/** What `set_rate` must be: one that names no currency would change nothing. */
const RATES = 'must be an object such as {BRL: "0.19"}';

/** TABLE: actions on the world as a whole. */
export const worldActions = {
  set_rate: {
    input: z
      .record(z.string(), rate, { error: RATES })
      .refine((rates) => Object.keys(rates).length > 0, { error: RATES })
      .meta({ description: "Changes exchange rates: US dollars for one unit of each currency." }),
    perform: (operation: Operation, _subject: StepSubject, rates: Record<string, string>) => {
      const fault = ratesFault(operation.world, rates);
      if (fault) throw new DomainError("INVALID_CURRENCY", `set_rate: ${fault}`);
      changeRates(operation, rates);
    },
  },
  set_account: {
    input: z
      .strictObject({
        status: z.enum(accountStatuses),
        username: z.string().optional().meta({
          description:
            "The account; if left out, the one that the rule is about: of a transfer, the account that the event went to.",
        }),
      })
      .meta({ description: "Puts an account under review, or takes it out." }),
    perform: (operation: Operation, subject: StepSubject, input: { status: Account["status"]; username?: string }) => {
      const username = input.username ?? ownerOf(operation.world, subject);
      if (!username || !operation.world.accounts.get(username)) {
        throw new DomainError("NOT_FOUND", `There is no account ${username ?? "that this is about"}.`);
      }
      changeStatus(operation, username, input.status);
    },
  },
  block_ip: {
    input: addressField.meta({ description: "Puts an address on the world's black list." }),
    perform: ({ world: { protections } }: Operation, _subject: StepSubject, ip: string) =>
      protections.setBlacklist([...protections.blacklist(), canonicalAddress(ip)]),
  },
  unblock_ip: {
    input: addressField.meta({ description: "Takes an address off the world's black list." }),
    perform: ({ world: { protections } }: Operation, _subject: StepSubject, ip: string) =>
      protections.setBlacklist(protections.blacklist().filter((blocked) => blocked !== canonicalAddress(ip))),
  },
  fault: {
    input: faultRule.meta({
      description:
        "Sets a fault rule. If it is set again while it is active, it goes on, its `for` starts anew, and `times` add up.",
    }),
    perform: (operation: Operation, _subject: StepSubject, rule: z.infer<typeof faultRule>, at: string | null) =>
      addFault(operation, rule, at),
  },
  note: {
    input: z.string({ error: "must be a text" }).meta({ description: "Writes a remark into the journal." }),
    perform: () => {},
  },
} as const satisfies Record<string, WorldAction>;

type WorldActionName = keyof typeof worldActions;

/** TABLE: how a step names the resource that it acts on, where that is not the rule's own. */
const resourceNames: Readonly<Partial<Record<LifecycleName, string>>> = {
  cashin: "transaction",
  cashout: "transaction",
  conversion: "conversion",
  dispute: "dispute",
  wallet: "wallet",
};

/** Names of what a step can do. */
export const stepActions: readonly string[] = [
  ...new Set(Object.values(resourceActions).flatMap((actions) => Object.keys(actions))),
  ...Object.keys(worldActions),
];

/** The action that a step names. */
export function actionOf(step: Readonly<Record<string, unknown>>): string {
  return stepActions.find((action) => Object.hasOwn(step, action)) ?? "";
}

/** Whether a step's action is the world's own and not that of a resource. */
export function isWorldAction(name: string): name is WorldActionName {
  return Object.hasOwn(worldActions, name);
}

/** Kinds of resources that know an action; `subject` alone where the rule has one. */
export function kindsWith(name: string, subject: LifecycleName | null): LifecycleName[] {
  const kinds = subject ? [subject] : (Object.keys(resourceActions) as LifecycleName[]);
  return kinds.filter((kind) => Object.hasOwn(resourceActions[kind] ?? {}, name));
}

/** The input of an action on a kind of resource that knows it. */
export function inputOf(kind: LifecycleName, name: string): z.ZodObject {
  const action = resourceActions[kind]?.[name];
  if (!action) throw new Error(`A ${kind} knows no action "${name}".`);
  return action.input;
}

/**
 * The input of an action in a rule whose steps name their subject.
 * @returns the schemas that may be meant, with the key that names the subject: `fail` is an action of cash-ins and of
 * cash-outs.
 */
export function namedInputs(name: string): { readonly key: string; readonly schema: z.ZodObject }[] {
  return kindsWith(name, null).map((kind) => {
    const key = resourceNames[kind] ?? kind;
    return { key, schema: inputOf(kind, name).extend({ [key]: subjectName(key) }) };
  });
}

const SUBJECTS: Readonly<Record<string, string>> = {
  transaction: "The transaction: its id or its external_id.",
  wallet: "The wallet: its id, its address, or USDT/tron for the newest such wallet.",
  conversion: "The conversion: its id.",
  dispute: "The dispute: its id.",
};

function subjectName(key: string) {
  const error = `must be the id of a ${key}`;
  return z.union([z.string(), z.instanceof(ExactNumber)], { error }).meta({ description: SUBJECTS[key] });
}

/**
 * Carries out what a step says.
 * @param at its `file:line`.
 * @throws {DomainError} @throws {InvalidTransition} where the resource is not there or does not allow it.
 */
export function act(operation: Operation, subject: StepSubject, name: string, given: unknown, at: string | null): void {
  if (isWorldAction(name)) {
    const { input, perform } = worldActions[name] as WorldAction;
    perform(operation, subject, input.parse(exact(given)) as never, at);
    return;
  }
  const { target, input } = targetOf(operation.world, subject, name, (given ?? {}) as Record<string, unknown>);
  const action = resourceActions[target.type as LifecycleName]?.[name];
  if (!action) throw new DomainError("INVALID_REQUEST", `A ${target.type} knows no action "${name}".`);
  action.perform(operation, target.id, readFor(target, name, action.input, input));
}

/** What the file's checks could not know: which kind of resource a name stands for. @throws {DomainError} */
function readFor({ type }: StepSubject, name: string, schema: z.ZodObject, given: Readonly<Record<string, unknown>>) {
  const { data, error } = schema.safeParse(exact(given), { reportInput: true });
  const [issue] = error?.issues ?? [];
  if (!issue) return data ?? {};
  const what = hasUnknownKeys(issue)
    ? `does not take ${issue.keys.join(", ")}`
    : `cannot be done: ${[issue.path.join("."), issueWords(issue)].filter(Boolean).join(" ")}`;
  throw new DomainError("INVALID_REQUEST", `The action "${name}" of a ${type} ${what}.`);
}

/** The resource that an input names, or the rule's own. @throws {DomainError} NOT_FOUND. */
function targetOf(world: World, subject: StepSubject, name: string, given: Readonly<Record<string, unknown>>) {
  for (const kind of kindsWith(name, null)) {
    const key = resourceNames[kind] ?? kind;
    if (!(key in given)) continue;
    const { [key]: named, ...input } = given;
    const target = found(world, kind, String(named), ownerOf(world, subject));
    if (!target) throw new DomainError("NOT_FOUND", `There is no ${key} "${named}" here.`);
    return { target, input };
  }
  return { target: subject, input: given };
}

/**
 * A resource by its id; a transaction by its external id too, a wallet by its address or as `USDT/tron`.
 * @param owner whose transaction is meant where several accounts have used the external id.
 * @throws {DomainError} NOT_FOUND where that does not tell which.
 */
function found(world: World, kind: LifecycleName, name: string, owner: string | undefined): StepSubject | null {
  if (kind === "wallet") {
    const wallet = world.wallets.written(name) ?? world.wallets.named(name);
    return wallet ? { type: "wallet", id: String(wallet.wallet_id) } : null;
  }
  if (kind !== "cashin" && kind !== "cashout") return resourceBy[kind](world, name) ? { type: kind, id: name } : null;
  const transaction = resourceBy[kind](world, name) ?? byExternalId(world, name, owner);
  return transaction ? { type: transaction.type, id: transaction.transaction_id } : null;
}

/** External ids are an account's own (`TX-04`), and may be those of a transfer or conversion too. */
function byExternalId(world: World, name: string, owner: string | undefined): Transaction | undefined {
  const used = world.externalIds.resourcesOf(name);
  const all = used.flatMap(({ resource_id }) => resourceBy.cashin(world, resource_id) ?? []);
  const own = all.length > 1 ? all.filter(({ username }) => username === owner) : all;
  if (own.length > 0 || all.length === 0) return own[0];
  const owners = all.map(({ username }) => username).join(", ");
  throw new DomainError(
    "NOT_FOUND",
    `The external_id "${name}" is that of a transaction of each of ${owners}: name it by its id.`,
  );
}

function ownerOf(world: World, { type, id, username }: StepSubject): string | undefined {
  if (username !== undefined) return username;
  return type === "world" ? undefined : resourceBy[type](world, id)?.username;
}

/** What waited on the clock as JSON, with its numbers as they are written again. */
function exact(value: unknown): unknown {
  return withLeaves(value, (leaf) => (typeof leaf === "number" ? new ExactNumber(String(leaf)) : leaf));
}

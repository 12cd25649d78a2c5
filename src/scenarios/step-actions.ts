/** The actions of steps: those on the world, those on resources, and how a step names its resource. */

import { z } from "zod";
import { accountStatuses } from "../domain/account-statuses.ts";
import { canonicalAddress } from "../domain/caller-addresses.ts";
import { DomainError } from "../domain/errors.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { ExactNumber } from "../domain/money.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { changeStatus } from "../service/accounts.ts";
import { resourceActions } from "../service/actions.ts";
import { addressField, rateField } from "../service/input.ts";
import { changeRates, ratesFault } from "../service/rates.ts";
import type { Account } from "../store/accounts.ts";
import type { Transaction } from "../store/transactions.ts";
import type { Operation } from "../world/operation.ts";
import { resourceBy } from "../world/resources.ts";
import type { World } from "../world/world.ts";
import { faultRule } from "./fault-rule-schema.ts";
import { addFault } from "./faults-by-hand.ts";
import { issueWords } from "./file-words.ts";
import { withLeaves } from "./leaves.ts";
import { hasUnknownKeys } from "./schema-words.ts";

/** What a step acts on; `world` for rules on the clock, which have no resource of their own. */
export interface StepSubject {
  readonly type: LifecycleName | "world";
  readonly id: string;
  /** The account that the rule is about, if the resource has several. */
  readonly username?: string;
}

interface WorldAction {
  readonly input: z.ZodType;
  /** @param at `file:line` of the step. */
  readonly perform: (operation: Operation, subject: StepSubject, input: never, at: string | null) => void;
}

const rate = rateField.meta({ examples: ["0.19"] });

/** The message for a wrong `set_rate`, such as an empty one, which would change nothing. */
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
        "Sets a fault rule. If the same step sets it again while it is active, it goes on, its `for` starts anew, and `times` add up.",
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

/** TABLE: the key by which a step names a resource other than the rule's own. */
const resourceNames: Readonly<Partial<Record<LifecycleName, string>>> = {
  cashin: "transaction",
  cashout: "transaction",
  conversion: "conversion",
  dispute: "dispute",
  wallet: "wallet",
};

/** Names of all actions of steps. */
export const stepActions: readonly string[] = [
  ...new Set(Object.values(resourceActions).flatMap((actions) => Object.keys(actions))),
  ...Object.keys(worldActions),
];

/** The action that a step names. */
export function actionOf(step: Readonly<Record<string, unknown>>): string {
  return stepActions.find((action) => Object.hasOwn(step, action)) ?? "";
}

/** Whether an action is one on the world rather than on a resource. */
export function isWorldAction(name: string): name is WorldActionName {
  return Object.hasOwn(worldActions, name);
}

/** Kinds of resources that have an action; only `subject` is considered if it is not null. */
export function kindsWith(name: string, subject: LifecycleName | null): LifecycleName[] {
  const kinds = subject ? [subject] : (Object.keys(resourceActions) as LifecycleName[]);
  return kinds.filter((kind) => Object.hasOwn(resourceActions[kind], name));
}

/** The input schema of an action of a kind of resource. @throws {Error} if the kind does not have the action. */
export function inputOf(kind: LifecycleName, name: string): z.ZodObject {
  const action = resourceActions[kind][name];
  if (!action) throw new Error(`A ${kind} knows no action "${name}".`);
  return action.input;
}

/**
 * The input schemas of an action in a step that names its resource.
 * @returns one for each kind of resource with the action, with the key that names the resource: both cash-ins and
 * cash-outs have `fail`, for example.
 */
export function namedInputs(name: string): { readonly key: string; readonly schema: z.ZodObject }[] {
  return kindsWith(name, null).map((kind) => {
    const key = resourceNames[kind] ?? kind;
    return { key, schema: inputOf(kind, name).extend({ [key]: subjectName(key) }) };
  });
}

/**
 * The input schema of an action on the rule's own resource, with the keys that would name another one: who misspells
 * such a key is told the right one.
 */
export function unnamedInput(kind: LifecycleName, name: string): z.ZodObject {
  const keys = kindsWith(name, null).map((other) => resourceNames[other] ?? other);
  return inputOf(kind, name).extend(Object.fromEntries(keys.map((key) => [key, subjectName(key).optional()])));
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

/** An action that a step names. */
interface NamedAction {
  readonly name: string;
  /** Its input, as the file gives it. */
  readonly given: unknown;
  /** `file:line` of the step. */
  readonly at: string | null;
}

/**
 * Carries out the action of a step.
 * @throws {DomainError} @throws {InvalidTransition} if the resource does not exist or does not allow the action.
 */
export function act(operation: Operation, subject: StepSubject, { name, given, at }: NamedAction): void {
  if (isWorldAction(name)) {
    const { input, perform } = worldActions[name] as WorldAction;
    perform(operation, subject, input.parse(exact(given)) as never, at);
    return;
  }
  const { target, input } = targetOf(operation.world, subject, name, (given ?? NO_INPUT) as Input);
  const action = resourceActions[target.type as LifecycleName]?.[name];
  if (!action) throw new DomainError("INVALID_REQUEST", `A ${target.type} knows no action "${name}".`);
  action.perform(operation, target.id, readFor(target, name, action.input, input));
}

type Input = Readonly<Record<string, unknown>>;

const NO_INPUT: Input = Object.freeze({});

/** Inputs that were parsed before, by what was given: steps of one rule share it. */
const parsed = new WeakMap<Input, { readonly schema: z.ZodObject; readonly input: Input }>();

/** Parses an input, now that the kind of the named resource is known. @throws {DomainError} if it does not fit. */
function readFor({ type }: StepSubject, name: string, schema: z.ZodObject, given: Input): Input {
  const before = parsed.get(given);
  if (before?.schema === schema) return before.input;
  const { data: input, error } = schema.safeParse(exact(given), TO_BE_TOLD);
  if (input) {
    parsed.set(given, { schema, input });
    return input;
  }
  const [issue] = error.issues as [z.core.$ZodIssue];
  const what = hasUnknownKeys(issue)
    ? `does not take ${issue.keys.join(", ")}`
    : `cannot be done: ${[issue.path.join("."), issueWords(issue)].filter(Boolean).join(" ")}`;
  throw new DomainError("INVALID_REQUEST", `The action "${name}" of a ${type} ${what}.`);
}

/** The resource that an input names, or the rule's own. @throws {DomainError} NOT_FOUND if the named one is missing. */
function targetOf(world: World, subject: StepSubject, name: string, given: Input) {
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
 * A resource by its id; also a transaction by its external id, and a wallet by its address or as `USDT/tron`.
 * @param owner the account whose transaction is meant if several accounts have used the external id.
 * @throws {DomainError} NOT_FOUND if several have, and the owner is none of them.
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

/** Finds a transaction by external id: unique per account only (`TX-04`), shared with transfers and conversions. */
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

/** An input that was stored as JSON on the clock, with its numbers as ExactNumbers again. */
function exact(value: unknown): unknown {
  return withLeaves(value, (leaf) => (typeof leaf === "number" ? new ExactNumber(String(leaf)) : leaf));
}

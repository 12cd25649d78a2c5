/** The actions on resources: one table for control calls and scenario steps. */
import { z } from "zod";
import type { ActionOf, LifecycleName } from "../domain/lifecycles.ts";
import { allowedActions, InvalidTransition } from "../domain/machine.ts";
import { required } from "../domain/required.ts";
import type { Transaction } from "../store/transactions.ts";
import type { Operation } from "../world/operation.ts";
import { type Finder, resourceBy } from "../world/resources.ts";
import type { World } from "../world/world.ts";
import { reasonField } from "./action-fields.ts";
import { leftToRefund } from "./amounts.ts";
import { type CashinAction, cashinActions, performCashin } from "./cashin-actions.ts";
import { cashoutActions, performCashout } from "./cashout-actions.ts";
import { refundConversion } from "./conversions.ts";
import { depositInput, payDeposit, sendDeposit } from "./deposits.ts";
import { decideDispute, disputeActions, isDisputable, isDisputed } from "./disputes.ts";
import { isDeposit } from "./transactions.ts";

/** The input of an action, as parsed by its schema. */
type ReadInput = Readonly<Record<string, unknown>>;

/** An action: the schema of its input, and the function that carries it out on the resource with an id. */
interface Action {
  readonly input: z.ZodObject;
  /**
   * @returns the id of the transaction that the action created (a deposit), else a value to ignore.
   * @throws {InvalidTransition} @throws {DomainError}
   */
  readonly perform: (operation: Operation, id: string, input: ReadInput) => unknown;
}

type Actions<Name extends string = string> = Readonly<Record<Name, Action>>;

/** The refusal with the actions that are possible, if something besides the state rules some out. */
function withActions(world: World, id: string, refusal: InvalidTransition): InvalidTransition {
  const { lifecycle, state, trigger, allowed } = refusal;
  if (state === null || allowed.length === 0) return refusal;
  return new InvalidTransition(lifecycle, state, trigger, { allowed: actionsAllowed(world, lifecycle, id, state) });
}

/** Actions that work on a resource found by its id. */
function actionsOn<Name extends string, Resource>(
  inputs: Readonly<Record<Name, z.ZodObject>>,
  find: Finder<Resource>,
  perform: (name: Name) => (operation: Operation, resource: Resource, input: never) => unknown,
): Actions<Name> {
  const named = Object.entries(inputs) as [Name, z.ZodObject][];
  const entries = named.map(([name, input]) => {
    const onId = (operation: Operation, id: string, given: ReadInput) => {
      const resource = required(find(operation.world, id), `The resource ${id} of the action "${name}"`);
      try {
        return perform(name)(operation, resource, given as never);
      } catch (error) {
        throw error instanceof InvalidTransition ? withActions(operation.world, id, error) : error;
      }
    };
    return [name, { input, perform: onId }] as const;
  });
  return Object.fromEntries(entries) as Record<Name, Action>;
}

type TransactionAction = (operation: Operation, transaction: Transaction, input: never) => unknown;

/** The action `pay` on a deposit into a fixed wallet announces it like any other deposit (`D44`). */
function cashinAction(name: CashinAction): TransactionAction {
  const perform: TransactionAction = performCashin[name];
  if (name !== "pay") return perform;
  return (operation, row, input) => (isDeposit(row) ? payDeposit : perform)(operation, row, input);
}

/** TABLE: the actions of each kind of resource, by name: those that its lifecycle lists, and no other. */
export const resourceActions: Readonly<Record<LifecycleName, Actions>> = {
  cashin: actionsOn(cashinActions, resourceBy.cashin, cashinAction),
  cashout: actionsOn(cashoutActions, resourceBy.cashout, (name) => performCashout[name]),
  conversion: actionsOn(
    {
      refund: z.strictObject({ reason: reasonField }).meta({ description: "Support reverses the conversion." }),
    },
    resourceBy.conversion,
    () => refundConversion,
  ),
  transfer: {},
  wallet: actionsOn({ deposit: depositInput }, resourceBy.wallet, () => sendDeposit),
  dispute: actionsOn(
    disputeActions,
    resourceBy.dispute,
    (name) => (operation, dispute) => decideDispute(operation, dispute, name),
  ),
} satisfies { readonly [Name in LifecycleName]: Actions<ActionOf<Name>> };

/**
 * The actions that a resource allows now. A cash-in with an undecided dispute allows none (`D54a`), a transaction that
 * is refunded in full no refund, and only a PIX cash-in a dispute.
 */
export function actionsAllowed(world: World, lifecycle: LifecycleName, id: string, status: string): string[] {
  const allowed = allowedActions(lifecycle, status);
  const row = lifecycle === "cashin" || lifecycle === "cashout" ? world.transactions.get(id) : undefined;
  if (!row) return allowed;
  if (isDisputed(world, id)) return [];
  const isBarred = { refund: leftToRefund(row) <= 0n, dispute: !isDisputable(row) };
  return allowed.filter((action) => isBarred[action as keyof typeof isBarred] !== true);
}

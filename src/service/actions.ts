/** What can be done to a resource from outside: one table for control calls and scenario steps. */
import type { z } from "zod";
import { type LifecycleName, lifecycles } from "../domain/lifecycles.ts";
import type { Operation } from "../world/operation.ts";
import { cashinActions, performCashin } from "./cashin-actions.ts";
import type { Transaction } from "../store/transactions.ts";

/** An action: the schema of its input, and what carries it out on the resource of an id. */
export interface Action {
  readonly input: z.ZodObject;
  readonly perform: (operation: Operation, id: string, input: never) => void;
}

const cashin = Object.fromEntries(
  Object.entries(cashinActions).map(([name, input]) => {
    const perform = performCashin[name as keyof typeof performCashin] as (
      operation: Operation,
      charge: Transaction,
      input: never,
    ) => Transaction;
    const onId = (operation: Operation, id: string, given: never) => {
      const charge = operation.world.transactions.get(id);
      if (!charge) throw new Error(`The transaction ${id} is not there.`);
      perform(operation, charge, given);
    };
    return [name, { input, perform: onId } satisfies Action];
  }),
);

/** The actions of each kind of resource, by name. */
export const resourceActions: Readonly<Partial<Record<LifecycleName, Readonly<Record<string, Action>>>>> = { cashin };

/** Every name of an action, for the nearest right word. */
export const actionNames: readonly string[] = [
  ...new Set(Object.values(resourceActions).flatMap((actions) => Object.keys(actions))),
];

/** Kinds of resources. */
export const resourceTypes = Object.keys(lifecycles) as LifecycleName[];

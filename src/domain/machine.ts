/** The only interpreter of the lifecycle tables: no other code decides the next status. */
import {
  type Lifecycle,
  type LifecycleName,
  lifecycles,
  type StateOf,
  type Transition,
  type TriggerOf,
} from "./lifecycles.ts";

/** What rules actions out besides the state of a resource. */
interface Besides {
  /** The actions that are possible nevertheless. */
  readonly allowed?: readonly string[];
  /** Why, in words that follow "A … that is pending and". */
  readonly also?: string;
}

/** Thrown for a trigger that the current state does not allow; `allowed` are the actions that it does allow. */
export class InvalidTransition extends Error {
  override readonly name = "InvalidTransition";
  readonly lifecycle: LifecycleName;
  readonly state: string | null;
  readonly trigger: string;
  readonly allowed: readonly string[];

  /** @param besides what rules actions out besides the state. */
  constructor(
    lifecycle: LifecycleName,
    state: string | null,
    trigger: string,
    { allowed = allowedActions(lifecycle, state), also }: Besides = {},
  ) {
    const instead = allowed.length > 0 ? `it allows ${allowed.join(", ")}` : "it allows no action";
    const is = [state ?? "not there yet", also].filter((word) => word !== undefined).join(" and ");
    super(`A ${lifecycle} that is ${is} does not allow "${trigger}"; ${instead}.`);
    this.lifecycle = lifecycle;
    this.state = state;
    this.trigger = trigger;
    this.allowed = allowed;
  }
}

/**
 * The row of the table for a trigger in a state.
 * @throws {InvalidTransition} when the table has none.
 */
export function resolveTransition<Name extends LifecycleName>(
  lifecycle: Name,
  state: StateOf<Name> | null,
  trigger: TriggerOf<Name>,
): Transition & { readonly to: StateOf<Name> } {
  const table: Lifecycle = lifecycles[lifecycle];
  const row = table.transitions.find((candidate) => candidate.from === state && candidate.trigger === trigger);
  if (!row) throw new InvalidTransition(lifecycle, state, trigger);
  return row as Transition & { readonly to: StateOf<Name> };
}

/** The control actions that a state allows, in the order of the table. */
export function allowedActions(lifecycle: LifecycleName, state: string | null): string[] {
  const table: Lifecycle = lifecycles[lifecycle];
  return table.actions.filter((action) =>
    table.transitions.some((row) => row.from === state && row.trigger === action),
  );
}

/** Every state of a lifecycle, in the order of its first mention in the table. */
export function statesOf<Name extends LifecycleName>(lifecycle: Name): StateOf<Name>[] {
  const table: Lifecycle = lifecycles[lifecycle];
  const states = table.transitions.flatMap((row) => (row.from ? [row.from, row.to] : [row.to]));
  return [...new Set(states)] as StateOf<Name>[];
}

/** Carries out a timer's work in an operation that takes the timer off the clock. */
import { isStorageFault } from "../store/storage-fault.ts";
import type { Timer, TimerPlace } from "../store/timers.ts";
import type { Instant } from "./instants.ts";
import type { Operation } from "./operation.ts";
import type { World } from "./world.ts";

/** The work of one kind of timer, done within the transaction that takes the timer off the clock. */
export type TimerWork = (operation: Operation, timer: Timer) => void;

/** How the work of a timer is carried out. */
interface Manner {
  readonly work: TimerWork | undefined;
  /** Whether it runs before its turn, which is stored as an input for replays. */
  readonly isEarly: boolean;
  /** Called with an error of ours. */
  readonly onFault: (error: unknown, timer: Timer) => void;
}

/**
 * Carries out the work of a timer; it is committed later, together with others of the same stretch. If the work throws
 * an error of ours, the timer is removed, or it would come up for ever, and the journal records the error.
 * @throws the store's error if the store is full; the timer then waits as before.
 */
export function carryOut(world: World, timer: Timer, { work, isEarly, onFault }: Manner): void {
  const { due, sequence } = timer;
  // The timer is removed last: while nothing was written yet, work that may be refused needs no savepoint of its own.
  const removing = (inner: (operation: Operation) => void) => (operation: Operation) => {
    inner(operation);
    if (isEarly) operation.keepInput("timer", { due, sequence });
    world.timers.remove(due, sequence);
  };
  const perform = (operation: Operation) => {
    if (!work) throw new Error(`There is no work for timers of the kind "${timer.kind}".`);
    work(operation, timer);
  };
  try {
    world.operateTogether(removing(perform), timer.due, timer.cause, timer.rule);
  } catch (error) {
    if (isStorageFault(error)) throw error;
    const recordFault = (operation: Operation) => {
      operation.record("fault", timer.subject, { timer: timer.kind, message: String(error) });
    };
    world.operate(removing(recordFault), timer.due, timer.cause, timer.rule);
    onFault(error, timer);
  }
}

/**
 * Timers due by an instant that are no deliveries, in order. Each is looked up only when it is asked for, as running one
 * may change what comes next; what it adds comes behind it.
 * @param deliveries the kind of timer that is a delivery.
 * @param except subjects whose timers are left out. @param most how many to give at most.
 * @param from the timer to begin with, if all before it are known to be deliveries.
 */
export function* timersBut(
  world: World,
  deliveries: string,
  { by, most, except = [], from }: { by: Instant; most: number; except?: readonly string[]; from?: Timer },
): Generator<Timer> {
  let last: TimerPlace | undefined = from && { due: from.due, sequence: from.sequence - 1 };
  for (let left = most; left > 0; left--) {
    const timer = world.timers.firstBut(deliveries, { except, after: last });
    if (!timer || timer.due > by) return;
    yield timer;
    last = timer;
  }
}

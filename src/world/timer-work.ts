/** One timer's work, carried out in an operation that takes the timer off the clock. */
import { isStorageFault } from "../store/storage-fault.ts";
import type { Timer } from "../store/timers.ts";
import type { Instant } from "./instants.ts";
import type { Operation } from "./operation.ts";
import type { World } from "./world.ts";

/** Work of a timer kind that is done within one transaction, which takes the timer off the clock when it is done. */
export type TimerWork = (operation: Operation, timer: Timer) => void;

/** How the work of a timer is carried out. */
interface Manner {
  readonly work: TimerWork | undefined;
  /** Whether it comes before its turn, which a replay has to be told. */
  readonly isEarly: boolean;
  /** Told of a fault of ours. */
  readonly onFault: (error: unknown, timer: Timer) => void;
}

/**
 * Carries out the work of a timer; with others of the same stretch it is committed later.
 * A fault of ours takes the timer out, or it would come up for ever; the journal keeps what happened.
 * @throws what the store says where it is full; then the timer waits as before.
 */
export function carryOut(world: World, timer: Timer, { work, isEarly, onFault }: Manner): void {
  const { due, sequence } = timer;
  // Last: as long as nothing was written, work that may be refused needs no savepoint of its own.
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
    const tell = (operation: Operation) => {
      operation.record("fault", timer.subject, { timer: timer.kind, message: String(error) });
    };
    world.operate(removing(tell), timer.due, timer.cause, timer.rule);
    onFault(error, timer);
  }
}

/**
 * Timers that a delivery in the air holds up where the clock stands still, in order, each when it is asked for: all but
 * those about what that delivery tells of.
 * @param deliveries the kind of timers that are deliveries.
 * @param most as many at most.
 */
export function* timersBehind(world: World, deliveries: string, by: Instant, most: number): Generator<Timer> {
  const told = world.attempts.openSubjects();
  for (let left = most; left > 0; left--) {
    const timer = world.timers.firstBut(deliveries, told);
    if (!timer || timer.due > by) return;
    yield timer;
  }
}

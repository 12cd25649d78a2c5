/** Which calls had been answered before a call was sent, as the connections tell that calls come over. */
import type { Socket } from "node:net";
import { monotonicNow } from "../runtime.ts";
import type { World } from "../world/world.ts";

/**
 * A connection may have waited to be taken while a call was answered: so long after an answer, in milliseconds, it is
 * not taken for one that was opened after it.
 */
const TAKEN_LATE_MS = 2;

/** A connection that has carried a call of a world, and how far the world had come when that was answered. */
interface Carried {
  readonly world: World;
  readonly operations: number;
}

/**
 * A connection carries one call after another: a caller that uses one again has had the answer before, and one that
 * opens a new one can have had all answers until then. What was already under way is told apart so from what was sent
 * in spite of an answer.
 */
export class Succession {
  /** When connections were opened, by {@link monotonicNow}. */
  readonly #opened = new WeakMap<Socket, number>();
  readonly #carried = new WeakMap<Socket, Carried>();
  /** When worlds last answered a call. */
  readonly #answered = new WeakMap<World, number>();

  /** Tells of a connection that was opened. */
  open(socket: Socket): void {
    this.#opened.set(socket, monotonicNow());
  }

  /** Tells that a call of a world that came over a connection has been answered. */
  answer(socket: Socket, world: World): void {
    this.#carried.set(socket, { world, operations: world.operations });
    this.#answered.set(world, monotonicNow());
  }

  /**
   * The ordinal of an operation of the world: calls up to it had been answered when the call that now comes over this
   * connection was sent. Null where the connection does not tell.
   */
  before(socket: Socket, world: World): number | null {
    const carried = this.#carried.get(socket);
    if (carried) return carried.world === world ? carried.operations : null;
    const opened = this.#opened.get(socket);
    const isFresh = opened !== undefined && opened > (this.#answered.get(world) ?? 0) + TAKEN_LATE_MS;
    return isFresh ? world.operations : null;
  }
}

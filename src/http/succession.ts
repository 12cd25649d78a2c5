/** Which calls had been answered before a call was sent: told by the connections, and by the turns of the event loop. */
import type { Socket } from "node:net";
import { nextTurn } from "../runtime.ts";
import type { World } from "../world/world.ts";

/**
 * Whoever answers to an answer on this machine is heard two turns of the event loop later: in the first one the caller
 * hears, in the second it is heard. What was under way is heard before.
 */
const TURNS = 2;

/** An answer, and how many turns of the event loop have passed since, up to {@link TURNS}. */
interface Answer {
  readonly number: number;
  turns: number;
}

/** A connection that has carried a call of a world, and how far the world had come when that was answered. */
interface Carried {
  readonly world: World;
  readonly operations: number;
}

/** How things stood when a connection was opened: it was opened for a call that was under way then. */
interface Opening {
  /** The number of the last answer. */
  readonly answers: number;
  readonly wasQuiet: boolean;
}

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** What is known of the order in which callers sent their calls; where it is not certain, it is not told. */
export class Succession {
  readonly #openings = new WeakMap<Socket, Opening>();
  readonly #carried = new WeakMap<Socket, Carried>();
  /** The last answers, of all worlds and of each. */
  #last: Answer = { number: 0, turns: TURNS };
  readonly #lastOf = new WeakMap<World, Answer>();

  /** Tells of a connection that was opened. */
  open(socket: Socket): void {
    this.#openings.set(socket, { answers: this.#last.number, wasQuiet: this.#last.turns >= TURNS });
  }

  /** Tells that a call of a world that came over a connection is being answered. */
  answer(socket: Socket, world: World): void {
    const answer: Answer = { number: this.#last.number + 1, turns: 0 };
    this.#last = answer;
    this.#lastOf.set(world, answer);
    this.#carried.set(socket, { world, operations: world.operations });
    count(answer);
  }

  /**
   * To be asked when a call begins to come. @returns the ordinal of an operation of the world: calls up to it had been
   * answered when this one was sent. Null where that cannot be told.
   */
  before(socket: Socket, world: World): number | null {
    const carried = this.#carried.get(socket);
    const isHere = LOOPBACK.test(socket.remoteAddress ?? "");
    const isFirst = carried === undefined && socket.bytesWritten === 0;
    const allHeard = isFirst ? this.#wasQuiet(socket, world) : this.#isQuiet(world);
    if (isHere && allHeard) return world.operations;
    // A connection carries one call after another.
    return carried?.world === world ? carried.operations : null;
  }

  /** Whether the callers of a world on this machine have heard its last answer. */
  #isQuiet(world: World): boolean {
    return (this.#lastOf.get(world)?.turns ?? TURNS) >= TURNS;
  }

  /** Whether they had when this connection was opened, and none has been given since. */
  #wasQuiet(socket: Socket, world: World): boolean {
    const opening = this.#openings.get(socket);
    if (!opening?.wasQuiet) return false;
    return (this.#lastOf.get(world)?.number ?? 0) <= opening.answers;
  }
}

function count(answer: Answer): void {
  nextTurn(() => {
    answer.turns++;
    if (answer.turns < TURNS) count(answer);
  });
}

/** Whether a call was sent after the answer to another one, as far as connections and quiet times tell. */
import type { Socket } from "node:net";
import { delay, laterTurn, nextTurn } from "../runtime.ts";
import type { World } from "../world/world.ts";

/** What is known of the order of a call when it begins to arrive. */
export interface Precedence {
  /**
   * The ordinal of an operation of the world: calls up to it had been answered when the call was sent; null if unknown.
   */
  readonly sentAfter: number | null;
  /** Whether another call of the world was under way. */
  readonly inCompany: boolean;
}

/** A call that is arriving. */
interface Coming extends Precedence {
  /** Tells that the call has been carried out or refused. */
  serve(): void;
  /** To be awaited before a refusal is given: by then, calls that were already on their way have arrived. */
  hold(): Promise<void>;
  /** Tells that the answer is being given. */
  end(): void;
}

/**
 * Calls that a program sends at one moment arrive within this time, even if others use its processor in their midst.
 * Turns of our own event loop would not do: a program that was put aside between two of them sends nothing.
 */
const QUIET_MS = 20;

/** A refusal is held back for at most this many such times, even if calls keep arriving. */
const MOST_TIMES = 4;

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** The last answer on a connection: its world, and how many operations that world had carried out. */
interface Carried {
  readonly world: World;
  readonly operations: number;
}

/**
 * The last answer that was held back: every caller on this machine that sends something later has had the time to hear
 * it.
 */
interface Heard {
  readonly operations: number;
  /** How many connections and calls had come when it was given. */
  readonly arrivals: number;
}

/** What is known of the order in which callers send their calls; it is told only where it is certain. */
export class Succession {
  /** Counts connections opened and calls begun. */
  #arrivals = 0;
  readonly #openings = new WeakMap<Socket, number>();
  readonly #carried = new WeakMap<Socket, Carried>();
  readonly #heard = new WeakMap<World, Heard>();
  readonly #underWay = new WeakMap<World, number>();
  /** Counts turns of the event loop in which calls came. */
  #turn = 0;
  #inTurn = false;
  /**
   * The world that was answered last, and the turn in which its call was carried out: other calls of that turn were
   * under way.
   */
  #answered: { readonly world: World; readonly turn: number } | null = null;
  readonly #passTime: () => Promise<void>;

  /** @param passTime lets a moment of real time go by, for as long as calls that were sent together may be apart. */
  constructor(passTime: () => Promise<void> = () => delay(QUIET_MS)) {
    this.#passTime = passTime;
  }

  /** Registers a connection that was opened. */
  open(socket: Socket): void {
    this.#openings.set(socket, ++this.#arrivals);
  }

  /** Registers a call of a world that begins to arrive. */
  begin(socket: Socket, world: World): Coming {
    this.#arrivals++;
    const others = this.#underWay.get(world) ?? 0;
    this.#underWay.set(world, others + 1);
    const sentAfter = this.#sentAfter(socket, world);
    let turn = this.#currentTurn();
    const inCompany = others > 0 || (this.#answered?.world === world && this.#answered.turn === turn);
    let operations = 0;
    let wasHeld = false;
    const serve = () => {
      operations = world.operations;
      turn = this.#currentTurn();
    };
    const hold = async () => {
      wasHeld = await this.#hold(world, operations);
    };
    const end = () => {
      if (operations > 0) this.#carried.set(socket, { world, operations });
      this.#underWay.set(world, (this.#underWay.get(world) ?? 1) - 1);
      if (!wasHeld) this.#answered = { world, turn };
    };
    return { sentAfter, inCompany, serve, hold, end };
  }

  /**
   * The ordinal for {@link Precedence}; null if unknown. A caller has had the answers that its connection carried
   * before. On this machine it has also had the last held one; on a fresh connection only if that was opened later,
   * since its call has been under way from then on.
   */
  #sentAfter(socket: Socket, world: World): number | null {
    const carried = this.#carried.get(socket);
    const onIt = carried?.world === world ? carried.operations : null;
    const heard = this.#heard.get(world);
    if (!heard || !LOOPBACK.test(socket.remoteAddress ?? "")) return onIt;
    const isFresh = socket.bytesWritten === 0;
    if (isFresh) return heard.arrivals < (this.#openings.get(socket) ?? 0) ? heard.operations : null;
    return Math.max(heard.operations, onIt ?? 0);
  }

  /**
   * Waits for a time in which nothing arrives: what arrives after it was sent after it.
   * @returns whether there was such a time.
   */
  async #hold(world: World, operations: number): Promise<boolean> {
    for (let times = 0; times < MOST_TIMES; times++) {
      const before = this.#arrivals;
      await this.#passTime();
      // What came while this process was put aside is taken in first.
      await laterTurn(2);
      if (this.#arrivals !== before) continue;
      const { operations: heard = 0 } = this.#heard.get(world) ?? {};
      this.#heard.set(world, { operations: Math.max(heard, operations), arrivals: before });
      return true;
    }
    return false;
  }

  /** The number of this turn of the event loop; only turns in which calls come are counted. */
  #currentTurn(): number {
    if (!this.#inTurn) {
      this.#inTurn = true;
      nextTurn(() => {
        this.#inTurn = false;
        this.#turn++;
      });
    }
    return this.#turn;
  }
}

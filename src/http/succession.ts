/** Whether a call was sent after the answer to another one: told by the connections, and by the turns of the event loop. */
import type { Socket } from "node:net";
import { laterTurn, nextTurn } from "../runtime.ts";
import type { World } from "../world/world.ts";

/** What was known when a call began to come. */
export interface Precedence {
  /** The ordinal of an operation of the world: calls up to it had been answered when the call was sent; null: unknown. */
  readonly sentAfter: number | null;
  /** Whether another call of the world was under way. */
  readonly inCompany: boolean;
}

/** A call that comes. */
export interface Coming extends Precedence {
  /** Tells that the call has been carried out or refused. */
  serve(): void;
  /** To be awaited before a refusal is given: then what is under way has come. */
  hold(): Promise<void>;
  /** Tells that the answer is being given. */
  end(): void;
}

/** A refusal is held back for at most so many turns of the event loop, in which more and more may come. */
const MOST_TURNS = 20;

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** An answer that a connection carried, by how far its world had come. */
interface Carried {
  readonly world: World;
  readonly operations: number;
}

/** What every caller on this machine has heard that sends something now. */
interface Heard {
  readonly operations: number;
  /** When it was given, among all that happened. */
  readonly event: number;
}

/** What is known of the order in which callers send their calls; where it is not certain, it is not told. */
export class Succession {
  /** Connections that were opened and calls that began, and answers that were held back. */
  #events = 0;
  readonly #openings = new WeakMap<Socket, number>();
  readonly #carried = new WeakMap<Socket, Carried>();
  readonly #heard = new WeakMap<World, Heard>();
  readonly #underWay = new WeakMap<World, number>();
  /** Turns of the event loop in which calls came. */
  #turn = 0;
  #inTurn = false;
  /** The world that was answered last, and the turn its call was carried out in: what else came in it was under way. */
  #answered: { readonly world: World; readonly turn: number } | null = null;

  /** Tells of a connection that was opened. */
  open(socket: Socket): void {
    this.#openings.set(socket, ++this.#events);
  }

  /** Tells of a call of a world that begins to come. */
  begin(socket: Socket, world: World): Coming {
    this.#events++;
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

  /** A connection carries one call after another; a fresh one was opened for a call that was under way then. */
  #sentAfter(socket: Socket, world: World): number | null {
    const carried = this.#carried.get(socket);
    const onIt = carried?.world === world ? carried.operations : null;
    const heard = this.#heard.get(world);
    if (!heard || !LOOPBACK.test(socket.remoteAddress ?? "")) return onIt;
    const isFresh = socket.bytesWritten === 0;
    if (isFresh) return heard.event < (this.#openings.get(socket) ?? 0) ? heard.operations : null;
    return Math.max(heard.operations, onIt ?? 0);
  }

  /**
   * Waits for a turn of the event loop in which nothing comes: what comes afterwards was sent afterwards.
   * @returns whether there was one.
   */
  async #hold(world: World, operations: number): Promise<boolean> {
    await laterTurn();
    for (let turns = 1; turns < MOST_TURNS; turns++) {
      const before = this.#events;
      await laterTurn();
      if (this.#events !== before) continue;
      this.#heard.set(world, { operations, event: ++this.#events });
      return true;
    }
    return false;
  }

  /** The number of this turn of the event loop, as far as calls come in it. */
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

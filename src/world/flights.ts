/** Deliveries that were begun: those in the air, and those that are down and not written yet. */
import type { Landing } from "./courier.ts";
import { Landings } from "./landings.ts";
import { Lanes } from "./lanes.ts";

export class Flights {
  readonly lanes = new Lanes();
  readonly landings: Landings;
  /** Begun, and not written yet; how many of them are down. */
  #unwritten = 0;
  #down = 0;
  /** Those that have come down while the next of their lanes has not been looked for yet. */
  #arrived: { readonly landing: Landing; readonly lane: string }[] = [];
  #onEnd: () => void = () => {};

  constructor(onFault: (error: unknown) => void) {
    this.landings = new Landings(onFault);
  }

  /** How many are in the air. */
  get inTheAir(): number {
    return this.#unwritten - this.#down;
  }

  /** Whether there are any in the air, or down and not written: nobody may take that pause for the end. */
  get areUnderWay(): boolean {
    return this.#unwritten > 0;
  }

  begin(): void {
    this.#unwritten++;
  }

  /** One that was begun will never come down. */
  giveUp(lane: string): void {
    this.lanes.free(lane);
    this.#end();
  }

  /** One has come down; in a lane it is to be written when {@link goOn} has been called. */
  comeDown(landing: Landing, lane: string | undefined): void {
    this.#down++;
    if (lane === undefined) this.#toBeWritten(landing);
    else this.#arrived.push({ landing, lane });
  }

  /**
   * The lanes of those that have come down go on, so that they can be written while the next ones are in the air.
   * @param carryNextOf begins the next one of a lane; false where there is none.
   */
  goOn(carryNextOf: (lane: string) => boolean): void {
    for (const { landing, lane } of this.#arrived.splice(0)) {
      this.#toBeWritten(landing);
      if (!carryNextOf(lane)) this.lanes.free(lane);
    }
  }

  /** Answers when all have been written that were begun. */
  async end(): Promise<void> {
    while (this.areUnderWay) {
      await new Promise<void>((resolve) => {
        this.#onEnd = resolve;
      });
    }
  }

  #toBeWritten(landing: Landing): void {
    this.landings.add(landing, () => {
      this.#down--;
      this.#end();
    });
  }

  #end(): void {
    this.#unwritten--;
    this.#onEnd();
  }
}

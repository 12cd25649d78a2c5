/** The variations of an exploration: plans drawn by seed and number of the variation, each of them once. */
import { createHash } from "node:crypto";
import { type Change, keyOf, type Plan } from "./changes.ts";

/** After this many draws of known plans, there are few new ones: they are taken in order. */
const MAX_DRAWS = 200;

/** Draws the plans of variations: half of them change one webhook, a quarter two, and so on, while there are enough. */
export class Plans {
  readonly #seed: number;
  readonly #choices: readonly (readonly Change[])[];
  readonly #drawn = new Set<string>();
  /** The place of the next plan to look at once they are taken in order; at 0 is the one without changes. */
  #place = 1;

  /** @param choices the possible changes of each webhook, in the order of the webhooks. */
  constructor(seed: number, choices: readonly (readonly Change[])[]) {
    this.#seed = seed;
    this.#choices = choices;
  }

  /** The plan of a variation; null if all plans have been drawn. */
  draw(variation: number): Plan | null {
    const random = drawsOf(`${this.#seed}/exploration/${variation}`);
    for (let draws = 0; draws < MAX_DRAWS; draws++) {
      const plan = this.#planFrom(random);
      if (this.#isNew(plan)) return plan;
    }
    for (let plan = this.#planAt(this.#place++); plan; plan = this.#planAt(this.#place++)) {
      if (this.#isNew(plan)) return plan;
    }
    return null;
  }

  #isNew(plan: Plan): boolean {
    const key = plan.map(keyOf).join();
    const isKnown = this.#drawn.has(key);
    this.#drawn.add(key);
    return !isKnown;
  }

  /** The plan at a place in the order of all plans, which are numbered like combinations; null beyond the last one. */
  #planAt(place: number): Plan | null {
    let rest = place;
    const plan = this.#choices.flatMap((changes) => {
      const index = (rest % (changes.length + 1)) - 1;
      rest = Math.floor(rest / (changes.length + 1));
      return changes[index] ?? [];
    });
    return rest > 0 ? null : plan;
  }

  #planFrom(random: Draw): Plan {
    let size = 1;
    while (size < this.#choices.length && random(2) === 0) size++;
    const webhooks = [...this.#choices.keys()];
    const chosen = Array.from({ length: size }, () => webhooks.splice(random(webhooks.length), 1)[0] ?? 0);
    return chosen.sort((left, right) => left - right).map((index) => changeFrom(this.#choices[index] ?? [], random));
  }
}

/** Draws a whole number below a limit. */
type Draw = (limit: number) => number;

/** Draws a kind of change first, so that kinds with many changes do not crowd out the others. */
function changeFrom(changes: readonly Change[], random: Draw): Change {
  const byKind = [...Map.groupBy(changes, ({ kind }) => kind).values()];
  const same = byKind[random(byKind.length)] ?? [];
  const change = same[random(same.length)];
  if (!change) throw new Error("A webhook without changes was to be changed.");
  return change;
}

function drawsOf(purpose: string): Draw {
  let count = 0;
  return (limit) => {
    const bytes = createHash("sha256").update(`${purpose}/${count++}`).digest();
    return bytes.readUIntBE(0, 6) % limit;
  };
}

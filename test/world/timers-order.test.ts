/** Property: whatever is on the clock, it runs in the order of (instant, sequence), however time is advanced. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AdvanceTarget } from "../../src/world/advance.ts";
import type { Operation } from "../../src/world/operation.ts";
import { Runner } from "../../src/world/runner.ts";
import { bareWorld, START } from "../support/bare-world.ts";

/** A timer, and those that it puts on the clock when it runs. */
interface Plan {
  readonly delay: number;
  /** The service's own default: after the steps of scenarios at its instant. */
  readonly isDefault: boolean;
  /** Goes over the network. */
  readonly carried: boolean;
  readonly followers: readonly Plan[];
}

/** A plan with its name: the path through the forest. */
interface Named {
  readonly name: string;
  readonly plan: Plan;
}

const LATEST = START + 1000;

const { forest } = fc.letrec<{ plan: Plan; forest: Plan[] }>((tie) => ({
  plan: fc.record({
    // Few instants, so that many timers share one.
    delay: fc.nat({ max: 5 }),
    isDefault: fc.boolean(),
    carried: fc.boolean(),
    followers: fc.oneof({ depthSize: "small" }, fc.constant([]), tie("forest")),
  }),
  forest: fc.array(tie("plan"), { maxLength: 4 }),
}));

/** Ways to come to the latest instant, some of them in steps. */
const way = fc.array(
  fc.oneof(
    fc.nat({ max: 4 }).map((durationMs) => ({ target: { kind: "by", durationMs } as const, maxTimers: undefined })),
    fc.constant({ target: { kind: "next" } as const, maxTimers: undefined }),
    fc.nat({ max: 3 }).map((count) => ({ target: { kind: "idle" } as const, maxTimers: count + 1 })),
  ),
  { maxLength: 6 },
);

describe("the order of timers", () => {
  test("is (instant, sequence) in one advance", async () => {
    await fc.assert(
      fc.asyncProperty(forest, async (plans) => {
        expect(await play(plans, [])).toEqual(expected(plans));
      }),
      { numRuns: 60 },
    );
  });

  test("is the same however the advance is cut into steps", async () => {
    await fc.assert(
      fc.asyncProperty(forest, way, async (plans, steps) => {
        expect(await play(plans, steps)).toEqual(expected(plans));
      }),
      { numRuns: 60 },
    );
  });
});

/** Lets a world run a forest. @returns each timer's name and instant, in the order they ran. */
async function play(
  plans: readonly Plan[],
  steps: readonly { target: AdvanceTarget; maxTimers: number | undefined }[],
): Promise<string[]> {
  const world = bareWorld("order");
  const ran: string[] = [];
  const run = (operation: Operation, named: Named) => {
    ran.push(`${named.name} at ${operation.now - START}`);
    for (const child of children(named)) schedule(operation, child);
  };
  const courier = {
    kind: "carried",
    lane: () => "one",
    takesTime: () => true,
    carry: (timer: { due: number; sequence: number; payload: unknown }) => {
      world.operate((operation) => {
        world.timers.remove(timer.due, timer.sequence);
        run(operation, timer.payload as Named);
      }, timer.due);
      return Promise.resolve(() => {});
    },
  };
  const faults: unknown[] = [];
  const work = { plain: (operation: Operation, timer: { payload: unknown }) => run(operation, timer.payload as Named) };
  const runner = new Runner(world, work, courier, { concurrency: 1, onFault: (error) => faults.push(error) });
  world.operate((operation) => {
    for (const named of roots(plans)) schedule(operation, named);
  }, START);
  for (const { target, maxTimers } of steps) await runner.advance(target, { maxTimers });
  await runner.advance({ kind: "to", instant: LATEST });
  await runner.close();
  world.database.close();
  expect(faults).toEqual([]);
  return ran;
}

function schedule(operation: Operation, named: Named): void {
  const { delay, isDefault, carried } = named.plan;
  const kind = carried ? "carried" : "plain";
  operation.schedule({
    due: operation.now + delay,
    kind,
    subject: named.name,
    isDefault,
    payload: { ...named },
  });
}

/** The model: a list that is looked through for the least (instant, default or not, order of scheduling). */
function expected(plans: readonly Plan[]): string[] {
  const waiting: { due: number; rank: number; order: number; named: Named }[] = [];
  const ran: string[] = [];
  let order = 0;
  const put = (named: Named, now: number) => {
    waiting.push({ due: now + named.plan.delay, rank: Number(named.plan.isDefault), order: order++, named });
  };
  for (const named of roots(plans)) put(named, 0);
  while (waiting.length > 0) {
    waiting.sort((left, right) => left.due - right.due || left.rank - right.rank || left.order - right.order);
    const next = waiting.shift();
    if (!next) break;
    ran.push(`${next.named.name} at ${next.due}`);
    for (const child of children(next.named)) put(child, next.due);
  }
  return ran;
}

function roots(plans: readonly Plan[]): Named[] {
  return plans.map((plan, index) => ({ name: String(index), plan }));
}

function children({ name, plan }: Named): Named[] {
  return plan.followers.map((child, index) => ({ name: `${name}.${index}`, plan: child }));
}

/** Plays programs: each step is done to a world and to its model, and then all is compared. */
import fc from "fast-check";
import type { WorldClient } from "../../../src/index.ts";
import { agree } from "./agreement.ts";
import { settle } from "./clock.ts";
import { clockCommands } from "./clock-commands.ts";
import { type Command, type Scene, SKIPPED } from "./commands.ts";
import { compare, compareReceived, type View } from "./comparison.ts";
import { checkJournal } from "./journal-checks.ts";
import { lookCommands, readAll } from "./look-commands.ts";
import { merchantCommands } from "./merchant-commands.ts";
import { outsideCommands } from "./outside-commands.ts";
import { type Branch, type Rig, type Setup, Stage } from "./stage.ts";
import { worldCommands } from "./world-commands.ts";

/** TABLE: everything that a program can do. */
export const commands = {
  ...merchantCommands,
  ...lookCommands,
  ...outsideCommands,
  ...worldCommands,
  ...clockCommands,
};
type CommandName = keyof typeof commands;
const names = Object.keys(commands) as CommandName[];

/** One step: on which of the worlds, what, and with what. Plain data, as it stands in a regression test. */
export interface Step {
  readonly on: number;
  readonly do: CommandName;
  readonly with: unknown;
}

export interface Program {
  readonly setup: Setup;
  readonly steps: readonly Step[];
}

/** How a step went: `skipped` where there was nothing to do it to. */
export interface Played {
  readonly step: Step;
  readonly outcome: string;
}

/** What of a program could not be done as the model has it. */
export class StepFailed extends Error {
  override readonly name = "StepFailed";
  readonly played: readonly Played[];

  /** @param at the step, as it is told. */
  constructor(at: string, played: readonly Played[], cause: unknown) {
    super(`${at}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.played = played;
  }
}

/** Ways to plant a mistake, so that it is seen that it is found. */
export interface PlayOptions {
  /** What looks at a world in place of its client. */
  readonly viewOf?: (world: WorldClient) => View;
  /** Data of the sandbox that differ from those of the model. */
  readonly fixtures?: Readonly<Record<string, unknown>>;
  /** What is done before a step behind the model's back. */
  readonly meddle?: (world: WorldClient, step: number) => Promise<unknown>;
}

/** Plays a program from its first step to its last. @throws {StepFailed} */
export async function play(rig: Rig, { setup, steps }: Program, options: PlayOptions = {}): Promise<Played[]> {
  const { viewOf = (world) => world, fixtures, meddle } = options;
  await using stage = await Stage.set(rig, setup, fixtures);
  const played: Played[] = [];
  for (const [index, step] of steps.entries()) {
    const branch = stage.branches[step.on % stage.branches.length] as Branch;
    await meddle?.(branch.world, index + 1);
    try {
      const outcome = await take({ stage, branch }, step, viewOf);
      played.push({ step, outcome });
    } catch (error) {
      throw new StepFailed(`step ${index + 1}, ${step.do}`, played, error);
    }
  }
  await lookAround(stage, viewOf).catch((error: unknown) => {
    throw new StepFailed("at the end", played, error);
  });
  return played;
}

/** Once more at every world, those too that nothing was done to lately, and at what their merchants can read. */
async function lookAround({ branches }: Stage, viewOf: (world: WorldClient) => View): Promise<void> {
  for (const branch of branches) {
    await readAll(branch);
    const view = viewOf(branch.world);
    await compare(view, branch.state);
    branch.entries = await checkJournal(view, branch.state, branch.entries);
  }
}

async function take(scene: Scene, step: Step, viewOf: (world: WorldClient) => View): Promise<string> {
  const { stage, branch } = scene;
  const before = branch.state;
  const made = before.attempts.length;
  before.receiver = stage.rig.mode;
  const { perform } = commands[step.do] as Command<unknown>;
  const outcome = await perform(scene, step.with);
  if (outcome === SKIPPED) return outcome;
  branch.state.receiver = stage.rig.mode;
  await branch.world.settle();
  settle(branch.state);
  const view = viewOf(branch.world);
  await compare(view, branch.state);
  // A world that was taken back has attempts of its own, none of them new.
  const attempts = branch.state === before ? branch.state.attempts.slice(made) : [];
  compareReceived(branch, attempts, stage.rig.receiver.received.splice(0));
  agree("the webhooks that are at the receiver together and may not be", [], stage.rig.crowds.splice(0));
  branch.entries = await checkJournal(view, branch.state, branch.entries);
  return outcome;
}

const settings = fc.record(
  {
    cashout_fee: fc.constant("added" as const),
    deposit_events: fc.constantFrom("cashin" as const, "wallet_deposit" as const),
    duplicate_status: fc.constant(422 as const),
    expired_event: fc.constant("all" as const),
    legacy_refund_events: fc.constant(true),
    lost_dispute_status: fc.constant("confirmed" as const),
    quotes: fc.constant("ignore" as const),
    retry_base: fc.constant("first" as const),
    status_words: fc.constant("glossary" as const),
    transfer_sent_direction: fc.constant("out" as const),
    unanswered_dispute: fc.constant("open" as const),
    webhook_rate: fc.constantFrom(2, 5),
    protected: fc.constant(true),
  },
  { requiredKeys: [] },
);

const often = (share: number) => fc.nat(99).map((number) => number >= 100 - share);

const setup: fc.Arbitrary<Setup> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000 }),
  // More often than not a world is as it comes.
  settings: fc.oneof(fc.constant({}), settings),
  happy: often(20),
  sandbox: fc.constantFrom("memory", "memory", "folder", "several", "several"),
});

function stepOf(from: readonly CommandName[]): fc.Arbitrary<Step> {
  const choices = from.map((name) => {
    const { weight, input } = commands[name] as Command<unknown>;
    return { weight, arbitrary: fc.record({ on: fc.nat(5), do: fc.constant(name), with: input }) };
  });
  return fc.oneof(...choices);
}

/** Most programs begin with what others can happen to. */
const beginnings = fc.array(stepOf(["charge", "cashout", "wallet", "pay", "deposit", "dispute"]), {
  maxLength: 12,
  size: "max",
});

/** Programs of up to so many steps, and a few more at the beginning. */
export function programs(steps: number): fc.Arbitrary<Program> {
  const middle = fc.array(stepOf(names), { maxLength: steps, size: "max" });
  return fc.record({ setup, beginning: beginnings, middle }).map(({ setup: own, beginning, middle: others }) => {
    return { setup: own, steps: [...beginning, ...others] };
  });
}

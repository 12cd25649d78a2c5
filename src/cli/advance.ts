/** `payments-sandbox advance WHAT`: moves the clock of a running sandbox. */
import { Command } from "commander";
import type { AdvanceInfo, ClockInfo } from "../client/control-client.ts";
import type { WorldClient } from "../client/world-client.ts";
import { delay } from "../runtime.ts";
import { addRemoteOptions, type RemoteOptions, withWorld } from "./remote.ts";

interface RawAdvanceOptions extends RemoteOptions {
  readonly json?: boolean;
}

/** How often a long advance is looked at, in real time. */
const LOOK_EVERY_MS = 200;

export function advanceCommand(): Command {
  const command = new Command("advance")
    .description("move the clock, and answer when all that was due is done, deliveries included")
    .argument("<what>", "a duration (5s, 1h30m), next, idle, an event kind, or an instant")
    .option("--json", "print the answer as JSON")
    .action(advance);
  return addRemoteOptions(command);
}

async function advance(what: string, options: RawAdvanceOptions): Promise<void> {
  const result = await withWorld(options, async (world) => {
    const done = world.advance(what);
    if (process.stderr.isTTY) await showProgress(world, done);
    return done;
  });
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : pretty(result));
  if (!result.reached) process.exitCode = 1;
}

function pretty({ from, to, reached, timers, webhooks }: AdvanceInfo): string {
  const { delivered, failed, pending } = webhooks;
  const counts = `${timers} timers; webhooks: ${delivered} delivered, ${failed} given up, ${pending} pending`;
  return `${from} → ${to} (${counts})\n${reached ? "" : "It did not come to what was asked for.\n"}`;
}

/** Shows where the clock is while an advance runs. */
async function showProgress(world: WorldClient, done: Promise<unknown>): Promise<void> {
  let running = true;
  const stop = () => {
    running = false;
  };
  done.then(stop, stop);
  await delay(LOOK_EVERY_MS);
  while (running) {
    const { now, pending_timers } = await world.call<ClockInfo>("GET", "/clock");
    process.stderr.write(`\r${now}, ${pending_timers} timers pending\x1b[K`);
    await delay(LOOK_EVERY_MS);
  }
  process.stderr.write("\r\x1b[K");
}

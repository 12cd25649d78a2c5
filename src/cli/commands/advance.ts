import { Command } from "commander";
import type { AdvanceInfo, TimerInfo } from "../../client/control-types.ts";
import type { WorldClient } from "../../client/world-client.ts";
import { DURATION_EXAMPLES } from "../../domain/durations.ts";
import { eventNames } from "../../domain/events.ts";
import { counted } from "../../domain/words/counted.ts";
import { nearName } from "../../domain/words/near-name.ts";
import { durationMeant, tooLongWords } from "../../scenarios/time-fields.ts";
import type { AdvanceTarget } from "../../world/advance.ts";
import { advanceWords, targetOf } from "../../world/advance-words.ts";
import { parseInstant } from "../../world/instants.ts";
import { showAdvance, type Way } from "../advance-progress.ts";
import { refuseUnknownEvent } from "../event-names.ts";
import { addRemoteOptions, type RemoteOptions, withWorld } from "../remote.ts";
import { beforeInterrupt } from "../signals.ts";
import { endProgress, print, showsProgress, tell } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/**
 * `payments-sandbox advance WHAT`: moves the clock of a running sandbox. Exit 1 if the target was not reached
 * (interface, section 2).
 */
export function advanceCommand(): Command {
  const command = new Command("advance")
    .description("move the clock, and answer when everything that was due is done, deliveries included")
    .argument("<what>", "a duration (5s, 1h30m), next, idle, an event kind, or an instant")
    .option("--json", "print the answer as JSON")
    .action(advance);
  return addRemoteOptions(command);
}

async function advance(what: string, options: RemoteOptions): Promise<void> {
  const target = targetOf(what, eventNames);
  if (target === null) throw refusal(what);
  const { result, left } = await withWorld(options, async (world) => {
    const way = showsProgress() ? await wayOf(world, target) : null;
    const done = world.advance(what);
    beforeInterrupt(() => tellGoingOn(world));
    if (showsProgress()) await showAdvance(world, way, done);
    const result = await done;
    return { result, left: result.reached ? [] : await world.timers() };
  });
  const missed = result.reached ? "" : `${missedWords(target, what, result, left)}\n`;
  print(result, pretty(result) + missed, options);
  if (!result.reached) process.exitCode = 1;
}

/** Ctrl-C ends the command alone: an advance is the world's, and goes on without its call (interface, section 4). */
function tellGoingOn({ baseUrl }: WorldClient): void {
  const words = `The world goes on advancing; DELETE ${baseUrl}/_sandbox/clock/advance calls that off.`;
  endProgress();
  tell(words);
}

/** From where to where the clock goes; null if the end is not known beforehand. */
async function wayOf(world: WorldClient, target: AdvanceTarget): Promise<Way | null> {
  if (target.kind !== "by" && target.kind !== "to") return null;
  const from = Date.parse((await world.clock()).now);
  return { from, to: target.kind === "by" ? from + target.durationMs : target.instant };
}

const FORMS = `a duration (${DURATION_EXAMPLES}), an instant (2026-01-01T12:00:00Z), next, idle or an event kind`;

/** For what is no target, with what was probably meant. */
function refusal(what: string): UsageError {
  if (/^\d{4,}-\d/.test(what)) {
    const completed = [`${what}Z`, `${what}T00:00:00Z`].find((text) => parseInstant(text) !== null);
    const such = completed ?? "2026-01-01T12:00:00Z";
    return new UsageError(
      `"${what}" is no instant: give one from 1970 to the year 9999, in ISO 8601 with time and zone, such as ${such}.`,
    );
  }
  if (/^[a-z]+[._]/i.test(what)) refuseUnknownEvent(what);
  const tooLong = tooLongWords(what);
  if (tooLong !== null) return new UsageError(`${what} ${tooLong}.`);
  const near = nearName(what, advanceWords([])) ?? durationMeant(what);
  const instead = near === null ? `it takes ${FORMS}.` : `did you mean "${near}"?`;
  return new UsageError(`There is no "${what}" to advance to; ${instead}`);
}

/**
 * What was not reached, and why, as far as that is certain: what is left on the clock now may have come to it only after
 * the advance.
 */
function missedWords(target: AdvanceTarget, what: string, { to }: AdvanceInfo, left: readonly TimerInfo[]): string {
  const { kind } = target;
  if (kind !== "event" && kind !== "next") return `It was called off at ${to}, before it came to ${what}.`;
  const mayBeLater = left.some(({ recurring }) => kind === "next" || !recurring);
  if (mayBeLater)
    return `It ended at ${to}, before it came to ${what}: it was called off, or the world was idle at that moment.`;
  if (kind === "next") return "Nothing waits on the clock: there is no next timer.";
  const rest =
    left.length > 0
      ? "the rules that are left on its clock brought none about"
      : "nothing is left on its clock that brings one about";
  return `No ${what} came: the world is idle, ${rest}.`;
}

function pretty({ from, to, timers, webhooks }: AdvanceInfo): string {
  const { delivered, failed, pending } = webhooks;
  const counts = `${counted(timers, "timer")}; webhooks: ${delivered} delivered, ${failed} given up, ${pending} pending`;
  return `${from} → ${to} (${counts})\n`;
}

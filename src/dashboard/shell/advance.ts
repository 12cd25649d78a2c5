/** Moves the clock, one move at a time from this page, and reports the outcome. */

import { counted } from "../../domain/words/counted.ts";
import type { Session } from "../live/session.ts";
import { Signal } from "../live/signal.ts";
import type { AdvanceResult, Clock } from "../wire/answers.ts";
import { instantText, spanText } from "../words/instants.ts";

/** The target of this page's advance under way, in words; null if there is none. */
export const advancing = new Signal<string | null>(null);

/** Advances the clock, and reports the outcome. @param words the target in words: "5s", "the next timer". */
export async function advance(session: Session, body: Readonly<Record<string, unknown>>, words: string): Promise<void> {
  await session.notices.report(moveClock(session, body, words), null);
}

/** Advances through the next timer, or says that none waits. */
export async function advanceToNext(session: Session): Promise<void> {
  const { value } = session.clock;
  if (value?.clock.pending_timers) await advance(session, { until: "next" }, "the next timer");
  else if (value) session.notices.say("Nothing is pending, so that there is nothing to advance to.", "wait");
}

/** Like {@link advance}, for callers that show a refusal themselves. @throws {ControlError} */
export async function moveClock(
  session: Session,
  body: Readonly<Record<string, unknown>>,
  words: string,
): Promise<void> {
  const { notices, others } = session;
  if (advancing.value !== null) return notices.say("The clock is on its way already.", "wait");
  // It would wait for its turn, and stopping the other advance would start it.
  if (others.value !== "none") return notices.say("Another has the clock on its way already.", "wait");
  advancing.set(words);
  others.expect(body);
  try {
    const result = await session.control.post<AdvanceResult>("/clock/advance", body);
    notices.say(resultText(result), isWell(result) ? "good" : "wait");
  } catch (error) {
    // A refused advance leaves no journal entry.
    others.expect(null);
    throw error;
  } finally {
    advancing.set(null);
    await session.clock.touch();
  }
}

/** Cancels the advance under way, between two timers, or one that waits for its turn, whoever requested it. */
export async function cancelAdvance({ control, notices, others }: Session): Promise<void> {
  const isOther = others.value !== "none";
  const words = isOther ? "The advance that was under way is called off." : "The advance is called off.";
  if (await notices.report(control.call("DELETE", "/clock/advance"), words)) others.forget();
}

/** Starts or stops the clock. */
export async function changeClock(session: Session, body: Readonly<Record<string, unknown>>): Promise<void> {
  const clock = await session.notices.report(session.control.post<Clock>("/clock", body), null);
  if (clock) session.clock.show(clock);
}

/** Freezes the clock, or lets it flow again. */
export async function toggleClock(session: Session): Promise<void> {
  const isFrozen = session.clock.value?.clock.mode === "frozen";
  await changeClock(session, { mode: isFrozen ? "running" : "frozen" });
}

/** Whether it reached its target, and no webhook on the way was given up. */
function isWell({ reached, webhooks }: AdvanceResult): boolean {
  return reached && webhooks.failed === 0;
}

function resultText({ from, to, reached, timers, webhooks }: AdvanceResult): string {
  const spanMs = Date.parse(to) - Date.parse(from);
  const parts = [
    spanMs > 0 ? `${spanText(spanMs)} on, to ${instantText(to)}` : "No time has passed",
    counted(timers, "timer"),
    webhooks.delivered > 0 ? `${webhooks.delivered} delivered` : "",
    webhooks.failed > 0 ? `${counted(webhooks.failed, "webhook")} exhausted` : "",
    reached ? "" : "it did not get there",
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

/** Moves of the clock: one at a time from here, and what it came to is said. */
import type { Session } from "../live/session.ts";
import { Signal } from "../live/signal.ts";
import type { AdvanceResult, Clock } from "../wire/answers.ts";
import { counted } from "../words/amounts.ts";
import { instantText, spanText } from "../words/instants.ts";

/** What the clock is being moved to by this page, in words; null for nothing. */
export const advancing = new Signal<string | null>(null);

/** Advances the clock, and says what came of it. @param words what is waited for: "5s", "the next timer". */
export async function advance(session: Session, body: Readonly<Record<string, unknown>>, words: string): Promise<void> {
  await session.notices.report(moveClock(session, body, words), null);
}

/** As {@link advance}, for who tells of a refusal by itself. @throws {ControlError} */
export async function moveClock(
  session: Session,
  body: Readonly<Record<string, unknown>>,
  words: string,
): Promise<void> {
  const { notices, others } = session;
  if (advancing.value !== null) return notices.say("The clock is on its way already.", "wait");
  // It would wait for its turn, and what stops the other one would let it run.
  if (others.value !== "none") return notices.say("Another has the clock on its way already.", "wait");
  advancing.set(words);
  others.expect(body);
  try {
    const result = await session.control.post<AdvanceResult>("/clock/advance", body);
    notices.say(resultText(result), isWell(result) ? "good" : "wait");
  } catch (error) {
    // One that was refused has left no entry.
    others.expect(null);
    throw error;
  } finally {
    advancing.set(null);
    await session.clock.touch();
  }
}

/** Calls the advance under way off between two timers, whoever asked for it. */
export async function cancelAdvance({ control, notices, others }: Session): Promise<void> {
  const isOther = others.value !== "none";
  const words = isOther ? "The advance that was under way is called off." : "The advance is called off.";
  if (await notices.report(control.call("DELETE", "/clock/advance"), words)) others.forget();
}

/** Lets time flow, or stops it. */
export async function changeClock(session: Session, body: Readonly<Record<string, unknown>>): Promise<void> {
  const clock = await session.notices.report(session.control.post<Clock>("/clock", body), null);
  if (clock) session.clock.show(clock);
}

/** Whether it got there, and every webhook on the way could be delivered or still can. */
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

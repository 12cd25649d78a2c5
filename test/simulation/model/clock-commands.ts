/** Commands that move the clock, and what an advance answers. */
import fc from "fast-check";
import { type AdvanceTarget, ControlCallError } from "../../../src/index.ts";
import { StoppedWall } from "../../support/stopped-wall.ts";
import { agree } from "./agreement.ts";
import { advance } from "./clock.ts";
import { command, picked, type Scene, SKIPPED, strays, suiting, which } from "./commands.ts";
import { isUndecided } from "./disputes.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./facts.ts";
import { move } from "./moving.ts";
import { instantText } from "./state.ts";
import { firstTimer } from "./timers.ts";
import { startAgain } from "./world-commands.ts";

/** TABLE: spans of time, as they are written. */
const spans: Readonly<Record<string, number>> = {
  "0s": 0,
  "400ms": 400,
  "1s": SECOND,
  "7s": 7 * SECOND,
  "59s": 59 * SECOND,
  "61s": 61 * SECOND,
  "11m": 11 * MINUTE,
  "31m": 31 * MINUTE,
  "61m": 61 * MINUTE,
  "2h30m": 2 * HOUR + 30 * MINUTE,
  "25h": 25 * HOUR,
  "8d": 8 * DAY,
};

const by = command(16, fc.constantFrom(...Object.keys(spans)), (scene, span) =>
  move(scene, { by: span }, { kind: "to", at: scene.branch.state.now + (spans[span] ?? 0) }),
);

const next = command(6, fc.constant(null), (scene) => move(scene, { until: "next" }, { kind: "next" }));

const idle = command(2, fc.constant(null), (scene) => move(scene, { until: "idle" }, { kind: "idle" }));

const untilEvent = command(
  3,
  fc.constantFrom("cashin.confirmed", "cashin.expired", "cashout.failed", "chargeback.lost", "cashin.refunded"),
  (scene, event) => move(scene, { until: event }, { kind: "event", event }),
);

const offset = fc.constantFrom<keyof typeof offsets>("-1s", "0s", "1ms");
const offsets = { "-1s": -SECOND, "0s": 0, "1ms": 1 } as const;

/** To the expiry of a charge, the deadline of a dispute or the end of a quote, or close to it. */
const untilMoment = command(
  6,
  fc.record({ of: which, strays, what: fc.constantFrom("expiry", "deadline", "quote_expiry"), offset }),
  async (scene, input) => {
    const moment = momentOf(scene, input);
    if (!moment) return SKIPPED;
    const at = moment.at + offsets[input.offset];
    const given = { until: { ...moment.until, offset: input.offset } } as AdvanceTarget;
    if (at >= scene.branch.state.now) return `${input.what} ${await move(scene, given, { kind: "to", at })}`;
    return refused(scene, given);
  },
);

function momentOf(
  { branch: { state } }: Scene,
  { of, strays: any, what }: { of: number; strays: boolean; what: string },
) {
  if (what === "expiry") {
    const expiring = state.transactions.filter(({ expiresAt }) => expiresAt !== null);
    const charge = picked(
      suiting(expiring, ({ status }) => status === "pending", any),
      of,
    );
    return charge && { at: charge.expiresAt ?? 0, until: { expiry: charge.id } };
  }
  if (what === "deadline") {
    const dispute = picked(suiting(state.disputes, isUndecided, any), of);
    return dispute && { at: dispute.deadlineAt, until: { deadline: dispute.id } };
  }
  const quote = state.quotes.at(-1);
  const latest = state.quotes.filter(({ from, to }) => from === quote?.from && to === quote.to).at(-1);
  return latest && { at: latest.expiresAt, until: { quote_expiry: `${latest.from}/${latest.to}` } };
}

/** Time does not go back. */
async function refused({ branch }: Scene, given: AdvanceTarget): Promise<string> {
  const error = await branch.world.advance(given).catch((reason: unknown) => reason);
  const code = error instanceof ControlCallError ? error.code : "none";
  agree("an advance into the past", "CLOCK_BACKWARDS", code);
  return code;
}

/** `POST /clock` with `now` is the same as an advance. */
const setNow = command(2, fc.constantFrom("7s", "31m"), async ({ branch }, span) => {
  const at = branch.state.now + (spans[span] ?? 0);
  const clock = await branch.world.setClock({ now: instantText(at) });
  advance(branch.state, { kind: "to", at });
  agree("the clock", { now: instantText(at), mode: "frozen" }, clock);
  return "done";
});

/** The clock runs by itself: what is due comes at its instant, as in an advance, a sandbox that was down meanwhile or not. */
const run = command(
  4,
  fc.record({
    span: fc.constantFrom("400ms", "7s", "61s", "31m", "8d"),
    speed: fc.constantFrom(1, 0.5),
    restarts: fc.boolean(),
  }),
  async ({ stage, branch }, { span, speed, restarts }) => {
    const { state } = branch;
    // On a clock that runs, webhooks to several destinations are in the air together.
    if (stage.sendsOneAtATime) return SKIPPED;
    const end = state.now + (spans[span] ?? 0);
    using wall = new StoppedWall();
    const most = stage.rig.most;
    stage.rig.most = Number.POSITIVE_INFINITY;
    await branch.world.setClock({ mode: "running", speed });
    let goesDown = restarts;
    while (state.now < end) {
      const at = Math.min(firstTimer(state)?.at ?? end, end);
      const pass = () => wall.pass((at - state.now) / speed);
      if (goesDown) await startAgain(stage, pass);
      else pass();
      goesDown = false;
      await branch.world.settle();
      advance(state, { kind: "to", at });
    }
    const clock = await branch.world.setClock({ mode: "frozen" });
    stage.rig.most = most;
    agree("the clock that ran", { now: instantText(end), mode: "frozen" }, clock);
    return restarts ? "and was down" : "done";
  },
);

export const clockCommands = { by, next, idle, untilEvent, untilMoment, setNow, run };

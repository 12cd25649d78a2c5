import { useState } from "preact/hooks";
import { delay } from "../browser.ts";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { FieldInput } from "../parts/form.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import type { InputField } from "../parts/input-fields.ts";
import { eventsOfWorld } from "../words/events.ts";
import { instantOf } from "../words/instants.ts";
import { moveClock } from "./advance.ts";

/** A refusal comes within this time; a longer advance is shown in the clock bar, where it can be stopped. */
const REFUSED_WITHIN_MS = 500;

/** A kind of target; `body` makes the body of `POST /clock/advance`. */
interface Target {
  readonly name: string;
  readonly field: (now: string, events: readonly string[]) => InputField | null;
  readonly body: (text: string) => Readonly<Record<string, unknown>>;
}

const targets: readonly Target[] = [
  {
    name: "by a span of time",
    field: () => ({ path: "target", label: "Span", hint: "5s, 31m, 1h30m, 2d, 1w or PT5S", required: true }),
    body: (by) => ({ by }),
  },
  {
    name: "to an instant",
    field: (now) => ({ path: "target", label: "Instant, with its zone", value: now, required: true }),
    body: (to) => ({ to }),
  },
  { name: "until nothing is left to happen", field: () => null, body: () => ({ until: "idle" }) },
  {
    name: "until an event",
    field: (_now, events) => ({ path: "target", label: "Event", options: events, required: true }),
    body: (until) => ({ until }),
  },
  {
    name: "until something expires",
    field: () => ({ path: "target", label: "Id of the charge", required: true }),
    body: (expiry) => ({ until: { expiry } }),
  },
  {
    name: "until the deadline of a dispute",
    field: () => ({ path: "target", label: "Id of the dispute", required: true }),
    body: (deadline) => ({ until: { deadline } }),
  },
  {
    name: "until a quote expires",
    field: () => ({ path: "target", label: "Pair", hint: "BRL/USDT", required: true }),
    body: (quote_expiry) => ({ until: { quote_expiry } }),
  },
];

/** The dialog for any target of an advance: a duration, an instant, idle, or an event. */
export function AdvanceDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const [chosen, setChosen] = useState(0);
  const target = targets[chosen];
  const [now] = useState(() => instantOf(session.clock.now()));
  const events = eventsOfWorld(useSignal(session.info)?.settings.legacy_refund_events === true);
  const field = target?.field(now, events) ?? null;
  const send = async (form: HTMLFormElement) => {
    if (!target) return;
    const text = String(new FormData(form).get("target") ?? "").trim();
    const moved = moveClock(session, target.body(text), text || "nothing left");
    await Promise.race([moved, delay(REFUSED_WITHIN_MS)]);
    void session.notices.report(moved, null);
  };
  return (
    <FormDialog title="Advance the clock" action="advance" send={send} onClose={onClose}>
      <div class="field">
        <label for="advance-how">How far</label>
        <select
          id="advance-how"
          value={String(chosen)}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
        >
          {targets.map(({ name }, index) => (
            <option key={name} value={String(index)}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {field && <FieldInput key={chosen} field={field} />}
      <p class="muted">
        Everything that is due on the way runs at its own instant, deliveries and their retries included. It can be
        stopped between two timers.
      </p>
    </FormDialog>
  );
}

import { counted } from "../../domain/words/counted.ts";
import { useAnswer } from "../live/answer.ts";
import { CLOCK } from "../live/topics.ts";
import { Icon } from "../parts/icon.tsx";
import { PlainView } from "../parts/plain-view.tsx";
import { Subject } from "../parts/subject.tsx";
import { TableHead } from "../parts/table-head.tsx";
import { FromNow } from "../parts/times.tsx";
import { AdvanceTo } from "../shell/advance-to.tsx";
import type { Page, Timer } from "../wire/answers.ts";
import { instantText } from "../words/instants.ts";
import { timerText } from "../words/timers.ts";

const LIMIT = 200;

/** The timers that wait on the clock, in the order in which they come due. */
export function Pending() {
  const { value, error } = useAnswer<Page<Timer>>(`/timers?limit=${LIMIT}`, [CLOCK]);
  return (
    <PlainView
      title="Pending"
      beside={
        value && (
          <span class="muted">
            {value.next_cursor && "the next "}
            {counted(value.items.length, "timer")}
          </span>
        )
      }
      error={error}
    >
      {value?.items.length === 0 && (
        <div class="empty">
          <h2>Nothing waits on the clock</h2>
          <p>Payments, expiries, deadlines and retries that are still to come are listed here, the next one first.</p>
        </div>
      )}
      {value && value.items.length > 0 && <Timers timers={value.items} />}
    </PlainView>
  );
}

function Timers({ timers }: { timers: readonly Timer[] }) {
  return (
    <table class="wide-table">
      <TableHead columns={["when", ["at", "only-wide"], "what", "of", ["by", "only-wide"], ["advance", "unseen"]]} />
      <tbody>
        {timers.map((timer) => (
          <TimerRow key={timer.id} timer={timer} />
        ))}
      </tbody>
    </table>
  );
}

function TimerRow({ timer: { at, kind, recurring, subject, rule } }: { timer: Timer }) {
  return (
    <tr>
      <td class="nowrap">
        <FromNow at={at} />
      </td>
      <td class="only-wide nowrap">
        <time dateTime={at}>{instantText(at)}</time>
      </td>
      <td>
        <span class="line">
          <Icon name={recurring ? "refresh" : "clock"} /> {timerText(kind)}
        </span>
      </td>
      <td>
        <Subject id={subject} />
      </td>
      <td class="only-wide">
        <code class="muted">{rule}</code>
      </td>
      <td>
        <AdvanceTo at={at} />
      </td>
    </tr>
  );
}

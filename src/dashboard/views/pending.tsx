import { useAnswer } from "../live/answer.ts";
import { CLOCK } from "../live/topics.ts";
import { Icon } from "../parts/icon.tsx";
import { PlainView } from "../parts/plain-view.tsx";
import { Subject } from "../parts/subject.tsx";
import { FromNow } from "../parts/times.tsx";
import { AdvanceTo } from "../shell/advance-to.tsx";
import type { Page, Timer } from "../wire/answers.ts";
import { counted } from "../words/amounts.ts";
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
      {value && value.items.length > 0 && (
        <table class="wide-table">
          <thead>
            <tr>
              <th scope="col">when</th>
              <th scope="col" class="only-wide">
                at
              </th>
              <th scope="col">what</th>
              <th scope="col">of</th>
              <th scope="col" class="only-wide">
                by
              </th>
              <th scope="col">
                <span class="unseen">advance</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.items.map((timer) => (
              <tr key={timer.id}>
                <td class="nowrap">
                  <FromNow at={timer.at} />
                </td>
                <td class="only-wide nowrap">
                  <time dateTime={timer.at}>{instantText(timer.at)}</time>
                </td>
                <td>
                  <span class="line">
                    <Icon name={timer.recurring ? "refresh" : "clock"} /> {timerText(timer.kind)}
                  </span>
                </td>
                <td>
                  <Subject id={timer.subject} />
                </td>
                <td class="only-wide">
                  <code class="muted">{timer.rule}</code>
                </td>
                <td>
                  <AdvanceTo at={timer.at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PlainView>
  );
}

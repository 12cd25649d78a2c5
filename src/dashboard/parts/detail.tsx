/** The detail beside a list: a frame, and the parts that most details share. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { goTo, hashOf, useRoute } from "../router.ts";
import type { Posting, Timer } from "../wire/answers.ts";
import type { ControlError } from "../wire/control.ts";
import { moneyText } from "../words/amounts.ts";
import { timerText } from "../words/timers.ts";
import { visible } from "../words/visible.ts";
import { CopyButton } from "./copy.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { State } from "./state.tsx";
import { TableHead } from "./table-head.tsx";
import { FromNow, Instant } from "./times.tsx";
import { Trouble } from "./trouble.tsx";

interface FrameProps {
  readonly icon: IconName;
  readonly title: string;
  readonly id: string;
  readonly state?: ComponentChildren;
  readonly error?: ControlError | null;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The frame: title, state, id to copy, actions. Escape and the button close it. */
export function Detail({ icon, title, id, state, error = null, actions, children }: FrameProps) {
  const { view } = useRoute();
  const heading = useRef<HTMLHeadingElement>(null);
  // When another thing is opened, move the focus to it.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [id]);
  return (
    <aside class="detail" aria-label="Details">
      <header>
        <Icon name={icon} />
        <h2 ref={heading} tabIndex={-1}>
          {visible(title)}
        </h2>
        {typeof state === "string" ? <State state={state} /> : state}
        <button type="button" class="icon-button close" aria-label="Close details" onClick={() => goTo(view)}>
          <Icon name="close" />
        </button>
        <div class="detail-id">
          <code>{id}</code>
          <CopyButton text={id} what="id" />
        </div>
        {actions}
      </header>
      <div class="detail-body">
        <Trouble error={error} />
        {children}
      </div>
    </aside>
  );
}

/** A part of a detail with a heading, and the number of its items if given. */
export function Section({ title, children, count }: { title: string; children: ComponentChildren; count?: number }) {
  return (
    <section class="part">
      <h3>
        {title}
        {count !== undefined && <span class="muted"> {count}</span>}
      </h3>
      {children}
    </section>
  );
}

/** A part that is seldom looked at: it is drawn only when unfolded. */
export function Folded({ title, children }: { title: string; children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="part" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && children}
    </details>
  );
}

/** One line of {@link Fields}. */
export type Field = readonly [label: string, value: ComponentChildren];

/** Labelled values; those without a value are left out, and texts are shown with their invisible characters. */
export function Fields({ fields }: { fields: readonly Field[] }) {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false);
  return (
    <dl class="fields">
      {shown.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{typeof value === "string" ? visible(value) : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A link to something that is shown elsewhere on the page. */
export function Reference({ view, id, text }: { view: string; id: string | number; text?: string }) {
  return <a href={hashOf(view, id)}>{text ?? <code>{id}</code>}</a>;
}

/** Movements of money. */
export function Postings({
  postings,
}: {
  postings: readonly Pick<Posting, "source" | "destination" | "currency" | "amount">[];
}) {
  if (postings.length === 0) return null;
  return (
    <Section title="Postings" count={postings.length}>
      <table class="postings">
        <TableHead columns={["from", "to", ["amount", "number"]]} />
        <tbody>
          {postings.map(({ source, destination, currency, amount }, index) => (
            <tr key={index}>
              <td>
                <code>{source}</code>
              </td>
              <td>
                <code>{destination}</code>
              </td>
              <td class="number">{moneyText(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** The timers of a resource. */
export function Waiting({ timers, tools }: { timers: readonly Timer[]; tools: (timer: Timer) => ComponentChildren }) {
  if (timers.length === 0) return null;
  return (
    <Section title="Waiting" count={timers.length}>
      <ul class="plain">
        {timers.map((timer) => (
          <li key={timer.id} class="line">
            <Icon name="clock" />
            <span class="grow">
              {timerText(timer.kind)} {timer.rule && <code class="muted">{timer.rule}</code>}
            </span>
            <FromNow at={timer.at} />
            {tools(timer)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A field with an instant. */
export function when(label: string, at: string | null): Field {
  return [label, at && <Instant at={at} />];
}

import type { ComponentChildren } from "preact";
import type { ControlError } from "../wire/control.ts";
import { Trouble } from "./trouble.tsx";

interface PlainViewProps {
  readonly title: string;
  /** Shown beside the heading: counts, states and buttons. */
  readonly beside?: ComponentChildren;
  readonly error?: ControlError | null;
  readonly children?: ComponentChildren;
}

/** A view that is not a list: a heading, what belongs beside it, and a scrolling part below. */
export function PlainView({ title, beside, error = null, children }: PlainViewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <section class="view page" aria-label={title} tabIndex={0}>
      <header class="view-head">
        <h1>{title}</h1>
        {beside}
      </header>
      <Trouble error={error} />
      {children}
    </section>
  );
}

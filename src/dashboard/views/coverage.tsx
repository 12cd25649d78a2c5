import { useAnswer } from "../live/answer.ts";
import { Icon } from "../parts/icon.tsx";
import { PlainView } from "../parts/plain-view.tsx";
import type { Coverage, CoverageSection } from "../wire/answers.ts";

/** Coverage: which endpoints, error codes, events and states this world's traffic has exercised, out of all. */
export function CoverageView() {
  const { value, error } = useAnswer<Coverage>("/coverage", ["coverage"]);
  return (
    <PlainView
      title="Coverage"
      beside={value && <span class="muted">{`${value.covered} of ${value.total}, ${value.percent} %`}</span>}
      error={error}
    >
      <div class="columns">
        {value?.sections.map((section) => (
          <SectionCard key={section.id} section={section} />
        ))}
      </div>
    </PlainView>
  );
}

function SectionCard({ section: { title, covered, total, items } }: { section: CoverageSection }) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="muted">
          {covered} of {total}
        </span>
      </header>
      <progress value={covered} max={total} aria-label={`${title} exercised`} />
      <ul class="plain checks">
        {items.map(({ name, count }) => (
          <li key={name} class={count > 0 ? "good" : "muted"}>
            <Icon name={count > 0 ? "check" : "more"} />
            <code class="grow">{name}</code>
            {count > 0 && <span class="muted">{count}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

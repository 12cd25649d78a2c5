import { useAnswer } from "../live/answer.ts";
import { CLOCK } from "../live/topics.ts";
import { hashOf, useRoute } from "../router.ts";
import type { ExplainedEntry, Explanation } from "../wire/answers.ts";
import { wordsOf } from "../words/entries.ts";
import { visible } from "../words/visible.ts";
import { Section } from "./detail.tsx";
import { Icon } from "./icon.tsx";
import { Instant } from "./times.tsx";
import { Trouble } from "./trouble.tsx";

/** How something came to be as it is, and what it led to. @param id one that `/explain` knows. */
export function Story({ id }: { id: string }) {
  // What it leads to may be an entry about anything.
  const { value, error } = useAnswer<Explanation>(`/explain/${encodeURIComponent(id)}`, [CLOCK]);
  if (!value) return <Trouble error={error} />;
  const { summary, chain, history, led_to = [], chain_truncated: leftOut } = value;
  const later = history.filter(({ sequence }) => !chain.some((link) => link.sequence === sequence));
  return (
    <>
      <Section title="How it came about" count={chain.length}>
        <p class="summary">{visible(summary)}</p>
        <Chain entries={chain} leftOut={leftOut} />
      </Section>
      {led_to.length > 0 && (
        <Section title="What it led to" count={led_to.length}>
          <Chain entries={led_to} />
          {value.led_to_truncated && <p class="muted">There may be more.</p>}
        </Section>
      )}
      {later.length > 0 && (
        <Section title="What else happened" count={later.length}>
          {value.history_truncated && <p class="muted">The oldest are left out.</p>}
          <Chain entries={later} />
        </Section>
      )}
    </>
  );
}

/** Entries in order, each indented by one step below its cause. @param leftOut how many are left out, and after which. */
function Chain({ entries, leftOut }: { entries: readonly ExplainedEntry[]; leftOut?: Explanation["chain_truncated"] }) {
  const { view, id } = useRoute();
  const depths = new Map<number, number>();
  return (
    <ol class="chain">
      {entries.map((entry) => {
        const depth = entry.cause == null ? 0 : Math.min((depths.get(entry.cause) ?? -1) + 1, 6);
        depths.set(entry.sequence, depth);
        const isHere = view === "timeline" && id === String(entry.sequence);
        return (
          <li key={entry.sequence} style={{ "--depth": depth }} aria-current={isHere ? "true" : undefined}>
            <Icon name={iconOf(entry)} />
            <div>
              <a href={hashOf("timeline", entry.sequence)}>{visible(entry.text)}</a>
              <small>
                <Instant at={entry.at} short />
                {entry.rule && <code>{visible(entry.rule)}</code>}
                {entry.request_id && <a href={hashOf("requests", entry.request_id)}>the call</a>}
              </small>
              {entry.sequence === leftOut?.after && <p class="muted">… {leftOut.links} more …</p>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function iconOf({ kind }: ExplainedEntry) {
  return wordsOf({ kind, sequence: 0, at: "", subject: null, cause: null, rule: null, data: {} }).icon;
}

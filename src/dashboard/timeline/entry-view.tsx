import { useAnswer } from "../live/answer.ts";
import { Body, Json } from "../parts/code.tsx";
import { Detail, Fields, Folded, Postings, Reference, Section, when } from "../parts/detail.tsx";
import { State } from "../parts/state.tsx";
import { Story } from "../parts/story.tsx";
import { Subject } from "../parts/subject.tsx";
import type { JournalEntry, Page, Posting, ServiceRequest, Webhook } from "../wire/answers.ts";
import { wordsOf } from "../words/entries.ts";
import { aboutOf } from "../words/places.ts";

/** One journal entry: its causes, its postings, and the bodies of its call or webhook. */
export function EntryView({ id }: { id: string }) {
  const sequence = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
  const path = sequence === null ? null : `/journal?cursor=${sequence - 1}&limit=1`;
  const { value, error } = useAnswer<Page<JournalEntry>>(path, []);
  const entry = value?.items[0];
  if (!entry) {
    return (
      <Detail icon="clock" title={`Entry ${id}`} id={id} error={error}>
        {(value || path === null) && (
          <p class="trouble" role="alert">
            There is no entry {id}.
          </p>
        )}
      </Detail>
    );
  }
  const { icon, tone, text, mark } = wordsOf(entry);
  const { subject, rule, data, kind } = entry;
  return (
    <Detail icon={icon} title={text} id={id} state={mark && <State state={mark} tone={tone} />} error={error}>
      <Fields
        fields={[
          when("At", entry.at),
          ["Kind", kind],
          ["About", subject && <Subject id={subject} of={aboutOf(entry)} />],
          ["Webhook", typeof data.webhook_id === "string" && <Reference view="webhooks" id={data.webhook_id} />],
          ["Rule", rule && <code>{rule}</code>],
        ]}
      />
      <Story id={`entry_${id}`} />
      {Array.isArray(data.postings) && <Postings postings={data.postings as Posting[]} />}
      {kind === "request" && subject && <RequestBodies id={subject} />}
      {typeof data.webhook_id === "string" && <WebhookBody id={data.webhook_id} />}
      <Folded title="The entry as it stands in the journal">
        <Json value={entry} what="entry" />
      </Folded>
    </Detail>
  );
}

function RequestBodies({ id }: { id: string }) {
  const { value } = useAnswer<ServiceRequest>(`/requests/${encodeURIComponent(id)}`, []);
  if (!value) return null;
  return (
    <>
      <Section title="Body">
        <Body text={value.body} what="body" />
      </Section>
      <Section title="Answer">
        <Body text={value.response.body} what="answer" />
      </Section>
    </>
  );
}

function WebhookBody({ id }: { id: string }) {
  const { value } = useAnswer<Webhook>(`/webhooks/${encodeURIComponent(id)}`, []);
  if (!value) return null;
  return (
    <Section title="Body">
      <Json value={value.body} what="body" />
    </Section>
  );
}

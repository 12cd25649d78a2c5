import { useAnswer } from "../live/answer.ts";
import { Section } from "../parts/detail.tsx";
import { Icon } from "../parts/icon.tsx";
import { State } from "../parts/state.tsx";
import { Instant } from "../parts/times.tsx";
import { hashOf } from "../router.ts";
import type { Page, Webhook } from "../wire/answers.ts";

/** The webhooks that tell of one thing; if there are many, the first ones, and where all of them are. */
export function WebhooksOf({ id }: { id: string }) {
  const path = `/webhooks?transaction_id=${encodeURIComponent(id)}&limit=100`;
  const { value } = useAnswer<Page<Webhook>>(path, ["webhooks"]);
  if (!value || value.items.length === 0) return null;
  return (
    <Section title={value.next_cursor ? "Webhooks, the first" : "Webhooks"} count={value.items.length}>
      <ul class="plain">
        {value.items.map(({ webhook_id, event, status, created_at }) => (
          <li key={webhook_id} class="line">
            <Icon name="webhook" />
            <a class="grow" href={hashOf("webhooks", webhook_id)}>
              {event}
            </a>
            <State state={status} />
            <Instant at={created_at} short />
          </li>
        ))}
      </ul>
      {value.next_cursor && (
        <a href={`${hashOf("webhooks")}?search=${encodeURIComponent(id)}`}>all of them, in their list</a>
      )}
    </Section>
  );
}

import { Cell } from "../parts/cells.tsx";
import { Icon } from "../parts/icon.tsx";
import { UseInbox } from "../parts/lessons.tsx";
import { ListView } from "../parts/list-view.tsx";
import { Instant } from "../parts/times.tsx";
import type { InboxItem } from "../wire/answers.ts";
import { visible } from "../words/visible.ts";

/** The inbox for users without a receiver: the webhooks that `sandbox://inbox` received. */
export function Inbox() {
  return (
    <ListView<InboxItem>
      title="Inbox"
      noun="message"
      path="/inbox"
      topics={["inbox"]}
      idOf={({ headers }) => headerOf(headers, "x-webhook-id")}
      headings={["event", "id", "body", "at"]}
      className="inbox"
      empty={
        <UseInbox
          title="The inbox is empty"
          text="A destination of sandbox://inbox keeps what it gets and answers 200. Send an account’s webhooks here:"
        />
      }
      cells={({ headers, body, at }) => (
        <>
          <Cell kind="kind">
            <Icon name="inbox" /> {headerOf(headers, "x-webhook-event")}
          </Cell>
          <Cell only="wide">
            <code>{headerOf(headers, "x-webhook-id")}</code>
          </Cell>
          <Cell kind="main">
            <code class="muted">{visible(JSON.stringify(body.data ?? body))}</code>
          </Cell>
          <Cell kind="time">
            <Instant at={at} short />
          </Cell>
        </>
      )}
    />
  );
}

function headerOf(headers: Readonly<Record<string, string>>, name: string): string | null {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
}

/** Webhooks: what was sent, how often, and what the receiver said; and once more by hand. */
import { useState } from "preact/hooks";
import { endedByHand } from "../../domain/attempts-by-hand.ts";
import { useAnswer } from "../live/answer.ts";
import { usePolling } from "../live/polling.ts";
import { useSession } from "../live/session.ts";
import { CLOCK, topicOf } from "../live/topics.ts";
import { ActButton } from "../parts/act-button.tsx";
import { Cell, ShortId } from "../parts/cells.tsx";
import { Body, Headers, Json } from "../parts/code.tsx";
import { Detail, Fields, Section, when } from "../parts/detail.tsx";
import { Icon } from "../parts/icon.tsx";
import { UseInbox } from "../parts/lessons.tsx";
import { ListView } from "../parts/list-view.tsx";
import { HttpStatus, State } from "../parts/state.tsx";
import { Story } from "../parts/story.tsx";
import { Subject } from "../parts/subject.tsx";
import { Instant } from "../parts/times.tsx";
import { AdvanceTo } from "../shell/advance-to.tsx";
import type { Account, Attempt, Webhook, WebhookDetail } from "../wire/answers.ts";

const isOnItsWay = ({ status }: Webhook) => status === "pending" || status === "throttled";

const chips = [
  { label: "on their way", test: isOnItsWay },
  { label: "exhausted", test: ({ status }: Webhook) => status === "exhausted" },
  { label: "undeliverable", test: ({ status }: Webhook) => status === "undeliverable" },
];

/** `#/webhooks`, the list of them. */
export function Webhooks() {
  return (
    <ListView<Webhook>
      title="Webhooks"
      noun="webhook"
      path="/webhooks"
      topics={["webhooks"]}
      idOf={({ webhook_id }) => webhook_id}
      headings={["event", "status", "about", "destination", "account", "created"]}
      className="webhooks"
      chips={chips}
      empty={
        <UseInbox
          title="No event has happened yet"
          text="Webhooks go to the postback URL of the account. Without a receiver of your own, use the sandbox’s inbox:"
        />
      }
      cells={({ event, status, transaction_id, destination, username, created_at }) => (
        <>
          <Cell kind="kind main">
            <Icon name="webhook" /> {event}
          </Cell>
          <Cell kind="state-cell">
            <State state={status} />
          </Cell>
          <Cell>
            <ShortId id={transaction_id} />
          </Cell>
          <Cell only="wide">{destination ?? <span class="muted">none</span>}</Cell>
          <Cell only="wide">{username}</Cell>
          <Cell kind="time">
            <Instant at={created_at} short />
          </Cell>
        </>
      )}
    />
  );
}

/** `#/webhooks/ID`: every attempt with what came of it. */
export function WebhookView({ id }: { id: string }) {
  const answer = useAnswer<WebhookDetail>(`/webhooks/${encodeURIComponent(id)}`, [topicOf(id), CLOCK]);
  // The journal tells of an attempt once it has ended, and while it is in the air the clock stands still.
  usePolling(answer);
  const webhook = answer.value;
  const fallback = useDestinationNow(webhook);
  if (!webhook) return <Detail icon="webhook" title="Webhook" id={id} error={answer.error} />;
  const { event, status, subject, destination, attempts, body } = webhook;
  return (
    <Detail
      icon="webhook"
      title={event}
      id={id}
      state={status}
      error={answer.error}
      actions={(destination ?? fallback) !== null && <Redeliver webhook={webhook} />}
    >
      <Fields
        fields={[
          ["About", <Subject key="about" id={subject} of={event} />],
          ["Destination", destination ? <code>{destination}</code> : <NoDestination fallback={fallback} />],
          ["Account", webhook.username],
          when("Created", webhook.created_at),
          ["Next attempt", nextAttempt(webhook)],
        ]}
      />
      <Section title="Attempts" count={attempts.length}>
        {attempts.length === 0 && <p class="muted">{isOnItsWay(webhook) ? "None yet." : "None."}</p>}
        {attempts.toReversed().map((attempt, index) => (
          // Counted from the oldest, so that each stays what it is when another comes.
          <AttemptPart key={attempts.length - index} attempt={attempt} isOpenAtFirst={index === 0} />
        ))}
      </Section>
      <Section title="Body">
        {attempts[0] ? <Body text={attempts[0].request.body} what="body" /> : <Json value={body} what="body" />}
      </Section>
      <Story id={id} />
    </Detail>
  );
}

/** When the next attempt is, and the way there; null if there is none. */
function nextAttempt({ attempts, next_attempt_at: at }: WebhookDetail) {
  // An attempt that is in the air is the one that it names.
  const isInTheAir = attempts.some(({ outcome, manual, duplicate }) => !outcome && !manual && !duplicate);
  if (!at || isInTheAir) return null;
  return (
    <>
      <Instant at={at} /> <AdvanceTo at={at} />
    </>
  );
}

/** Where a webhook that was made without a destination goes now, by hand: where its credential or account says. */
function useDestinationNow(webhook: WebhookDetail | undefined): string | null {
  const path = webhook?.destination === null ? `/accounts/${encodeURIComponent(webhook.username)}` : null;
  const { value } = useAnswer<Account>(path, ["accounts"]);
  const credential = value?.credentials.find(({ client_id }) => client_id === webhook?.client_id);
  return (credential && (credential.postback_url ?? value?.postback_url)) ?? null;
}

function NoDestination({ fallback }: { fallback: string | null }) {
  if (fallback === null) return <>none: give the account a postback URL</>;
  return (
    <>
      none when it was made; by hand it goes to <code>{fallback}</code>
    </>
  );
}

/** Makes an attempt by hand. */
function Redeliver({ webhook: { webhook_id: id, attempts: before } }: { webhook: WebhookDetail }) {
  const { control, notices } = useSession();
  const redeliver = async () => {
    const webhook = await notices.report(control.post<WebhookDetail>(`/webhooks/${id}/redeliver`), null);
    const attempts = webhook?.attempts ?? [];
    const own = endedByHand(attempts);
    if (!own) return;
    const earlier = attempts.slice(0, attempts.indexOf(own));
    const again = earlier.some(({ outcome }) => outcome === "delivered") ? " again" : "";
    const { outcome, response, error } = own;
    const came = error?.message ?? (response ? `the receiver answered ${response.status}.` : `${outcome}.`);
    if (outcome === "delivered") notices.say(`Delivered${again}: ${came}`);
    else notices.say(`Not delivered: ${came}`, "bad");
  };
  return (
    <div class="actions">
      <ActButton class="button primary" act={redeliver}>
        <Icon name="refresh" /> {before.length === 0 ? "deliver" : "re-deliver"}
      </ActButton>
    </div>
  );
}

function AttemptPart({ attempt, isOpenAtFirst }: { attempt: Attempt; isOpenAtFirst: boolean }) {
  // One that is being read stays open when the next one comes.
  const [open] = useState(isOpenAtFirst);
  const { number, manual, duplicate, source, at, outcome, request, response, error, duration_ms } = attempt;
  return (
    <details class="attempt" open={open}>
      <summary>
        <span class="grow">
          Attempt {number}
          {manual && " by hand"}
          {duplicate && ", a further copy"}
        </span>
        {response && <HttpStatus status={response.status} />}
        {outcome ? <State state={outcome} /> : <State state="in the air" tone="wait" />}
        <Instant at={at} short />
      </summary>
      {source !== null && <p class="trouble">It came from the wrong address {source}: the receiver must answer 403.</p>}
      {error && (
        <p class="trouble">
          {error.kind}: {error.message}
        </p>
      )}
      {duration_ms !== null && <p class="muted">It took {Math.round(duration_ms)} ms of real time.</p>}
      <h4>Request headers</h4>
      <Headers headers={request.headers} />
      {response && (
        <>
          <h4>Answer</h4>
          <Headers headers={response.headers} />
          <Body text={response.body} what="answer of the receiver" />
          {response.truncated && (
            <p class="muted">{error ? "It was broken off there." : "Only its first 64 KiB are kept."}</p>
          )}
        </>
      )}
    </details>
  );
}

/** Disputes: the payer's reason, the merchant's reply with its files, the authority's decision. */
import { useAnswer } from "../live/answer.ts";
import { useSession } from "../live/session.ts";
import { CLOCK, topicOf } from "../live/topics.ts";
import { Actions } from "../parts/action-form.tsx";
import { Amount, Cell, ShortId } from "../parts/cells.tsx";
import { Detail, Fields, Reference, Section, Waiting, when } from "../parts/detail.tsx";
import { Icon } from "../parts/icon.tsx";
import { Lesson } from "../parts/lessons.tsx";
import { ListView } from "../parts/list-view.tsx";
import { State } from "../parts/state.tsx";
import { FromNow, useNow } from "../parts/times.tsx";
import { saveFile } from "../save-file.ts";
import { AdvanceTo } from "../shell/advance-to.tsx";
import type { Dispute, Known, ReplyFile } from "../wire/answers.ts";
import { moneyText, sizeText } from "../words/amounts.ts";
import { toneOf } from "../words/tones.ts";
import { visible } from "../words/visible.ts";
import { Behind } from "./behind.tsx";

const UNDECIDED = ["open", "responded"];

const chips = [{ label: "undecided", test: ({ status }: Dispute) => UNDECIDED.includes(status) }];

/** `#/disputes`: the list, which can be filtered to undecided ones. */
export function Disputes() {
  return (
    <ListView<Dispute>
      title="Disputes"
      noun="dispute"
      path="/disputes"
      topics={["disputes"]}
      idOf={({ infraction_id }) => infraction_id}
      headings={["status", "amount", "reason", "charge", "account", "deadline"]}
      className="disputes"
      chips={chips}
      empty={
        <Lesson
          title="Nobody has disputed a charge"
          text="Open a paid PIX charge and choose “dispute…”: the payer contests it, and the merchant has seven days to reply."
        />
      }
      cells={({ status, amount, currency, reason, transaction_id, username, deadline_at }) => (
        <>
          <Cell kind="state-cell">
            <State state={status} tone={toneOf(status, "dispute")} />
          </Cell>
          <Cell kind="number">
            <Amount of={amount} currency={currency} />
          </Cell>
          <Cell kind="main">{reason}</Cell>
          <Cell only="wide">
            <ShortId id={transaction_id} />
          </Cell>
          <Cell only="wide">{username}</Cell>
          <Cell kind="time">{UNDECIDED.includes(status) ? <FromNow at={deadline_at} /> : "decided"}</Cell>
        </>
      )}
    />
  );
}

/** `#/disputes/ID`, with buttons for the authority's decision. */
export function DisputeView({ id }: { id: string }) {
  const { value, error } = useAnswer<Dispute & Known>(`/disputes/${encodeURIComponent(id)}`, [topicOf(id), CLOCK]);
  if (!value) return <Detail icon="dispute" title="Dispute" id={id} error={error} />;
  const { amount, currency, status, actions, reason, transaction_id, deadline_at, reply } = value;
  return (
    <Detail
      icon="dispute"
      title={`Dispute over ${moneyText(amount, currency)}`}
      id={id}
      state={<State state={status} tone={toneOf(status, "dispute")} />}
      error={error}
      actions={<Actions kind="dispute" path={`/disputes/${id}`} actions={actions} />}
    >
      <Fields
        fields={[
          ["Charge", <Reference key="charge" view="transactions" id={transaction_id} />],
          ["Reason", reason],
          ["Account", value.username],
          when("Opened", value.created_at),
          when("Deadline", deadline_at),
          when("Answered", value.responded_at),
          when("Decided", value.resolved_at),
        ]}
      />
      <Section title="The merchant’s reply">
        {reply ? (
          <>
            <blockquote>{visible(reply.text ?? "")}</blockquote>
            <Files id={id} files={reply.files} />
          </>
        ) : (
          <NoReply dispute={value} />
        )}
      </Section>
      <Waiting timers={value.timers} tools={(timer) => <AdvanceTo at={timer.at} />} />
      <Behind id={id} what="dispute" known={value} />
    </Detail>
  );
}

/** A dispute may stay open beyond its deadline, by a setting of its world. */
function NoReply({ dispute: { status, deadline_at } }: { dispute: Dispute }) {
  const now = useNow();
  const isAwaited = status === "open" && now < Date.parse(deadline_at);
  return (
    <p class="muted">
      {isAwaited
        ? "None yet. It comes by POST /v2/account/infractions/reply, with up to five files."
        : "None came, and none is taken any more."}
    </p>
  );
}

function Files({ id, files }: { id: string; files: readonly ReplyFile[] }) {
  const { control, notices } = useSession();
  const save = async ({ number, name }: ReplyFile) => {
    const file = await notices.report(control.file(`/disputes/${id}/files/${number}`), `${visible(name)} is saved.`);
    if (file) saveFile(file, name);
  };
  return (
    <ul class="plain">
      {files.map((file) => (
        <li key={file.number} class="line">
          <Icon name="scenario" />
          <span class="grow">{visible(file.name)}</span>
          <span class="muted">
            {file.type}, {sizeText(file.size)}
          </span>
          <button
            type="button"
            class="icon-button"
            aria-label={`Save ${visible(file.name)}`}
            onClick={() => void save(file)}
          >
            <Icon name="download" />
          </button>
        </li>
      ))}
    </ul>
  );
}

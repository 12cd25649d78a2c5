/** Transfers between accounts of the service, those of splits among them. */
import { useAnswer } from "../live/answer.ts";
import { topicOf } from "../live/topics.ts";
import { Amount, Cell, ShortId } from "../parts/cells.tsx";
import { Detail, Fields, Reference, when } from "../parts/detail.tsx";
import { Lesson } from "../parts/lessons.tsx";
import { ListView } from "../parts/list-view.tsx";
import { State } from "../parts/state.tsx";
import { Instant } from "../parts/times.tsx";
import type { Known, Transfer } from "../wire/answers.ts";
import { moneyText } from "../words/amounts.ts";
import { Behind } from "./behind.tsx";

/** `#/transfers`, the list of them. */
export function Transfers() {
  return (
    <ListView<Transfer>
      title="Transfers"
      noun="transfer"
      path="/transfers"
      topics={["transfers"]}
      idOf={({ transaction_id }) => transaction_id}
      headings={["status", "amount", "from", "to", "external id", "id", "at"]}
      className="transfers"
      empty={
        <Lesson
          title="No internal transfers yet"
          text="An account pays another by POST /v2/internal_transfers/payment; a charge with a split does so when it is paid."
        />
      }
      cells={({ status, amount, currency, sender, recipient, external_id, transaction_id, created_at, split_of }) => (
        <>
          <Cell kind="state-cell">
            <State state={status} />
          </Cell>
          <Cell kind="number">
            <Amount of={amount} currency={currency} />
          </Cell>
          <Cell>{sender}</Cell>
          <Cell kind="main">
            {recipient} {split_of && <span class="muted">split</span>}
          </Cell>
          <Cell only="wide">{external_id}</Cell>
          <Cell only="wide">
            <ShortId id={transaction_id} />
          </Cell>
          <Cell kind="time">
            <Instant at={created_at} short />
          </Cell>
        </>
      )}
    />
  );
}

/** `#/transfers/ID`; nothing can be done to one. */
export function TransferView({ id }: { id: string }) {
  const { value, error } = useAnswer<Transfer & Known>(`/transfers/${encodeURIComponent(id)}`, [topicOf(id)]);
  if (!value) return <Detail icon="transfer" title="Transfer" id={id} error={error} />;
  const { amount, currency, status, sender, recipient, description, split_of, created_at } = value;
  return (
    <Detail icon="transfer" title={`Transfer of ${moneyText(amount, currency)}`} id={id} state={status} error={error}>
      <Fields
        fields={[
          ["From", sender],
          ["To", recipient],
          ["External id", value.external_id],
          ["Description", description],
          ["Split of", split_of && <Reference view="transactions" id={split_of} />],
          when("At", created_at),
        ]}
      />
      <Behind id={id} what="transfer" known={value} />
    </Detail>
  );
}

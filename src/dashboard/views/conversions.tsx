/** Conversions: what was sold and bought, at which rate, fee and spread. */
import { useAnswer } from "../live/answer.ts";
import { useScaled } from "../live/scales.ts";
import { topicOf } from "../live/topics.ts";
import { Actions } from "../parts/action-form.tsx";
import { Amount, Cell } from "../parts/cells.tsx";
import { Detail, Fields, when } from "../parts/detail.tsx";
import { Lesson } from "../parts/lessons.tsx";
import { ListView } from "../parts/list-view.tsx";
import { State } from "../parts/state.tsx";
import { Instant } from "../parts/times.tsx";
import type { Conversion, Known } from "../wire/answers.ts";
import { amountText, moneyText } from "../words/amounts.ts";
import { Behind } from "./behind.tsx";

/** `#/conversions`, the list of them. */
export function Conversions() {
  const scaled = useScaled();
  return (
    <ListView<Conversion>
      title="Conversions"
      noun="conversion"
      path="/conversions"
      topics={["conversions"]}
      idOf={({ conversion_id }) => conversion_id}
      headings={["status", "sold", "bought", "rate", "external id", "account", "at"]}
      className="conversions"
      empty={
        <Lesson
          title="No conversions yet"
          text="POST /v2/conversions/simulate gives a quote of 60 seconds, POST /v2/conversions/new executes it; the latter is signed."
        />
      }
      cells={(conversion) => <ConversionCells conversion={conversion} scaled={scaled} />}
    />
  );
}

interface ConversionCellsProps {
  readonly conversion: Conversion;
  readonly scaled: ReturnType<typeof useScaled>;
}

function ConversionCells({ conversion, scaled }: ConversionCellsProps) {
  const { amount_from, currency_from, amount_to, currency_to, status, rate } = conversion;
  return (
    <>
      <Cell kind="state-cell">
        <State state={status} />
      </Cell>
      <Cell kind="number first">
        <Amount of={scaled(amount_from, currency_from)} currency={currency_from} />
      </Cell>
      <Cell kind="number second">
        <Amount of={scaled(amount_to, currency_to)} currency={currency_to} />
      </Cell>
      <Cell only="wide" kind="number">
        {amountText(rate)}
      </Cell>
      <Cell kind="main">{conversion.external_id}</Cell>
      <Cell only="wide">{conversion.username}</Cell>
      <Cell kind="time">
        <Instant at={conversion.completed_at} short />
      </Cell>
    </>
  );
}

/** `#/conversions/ID`: its figures, the reversal by support, and its background. */
export function ConversionView({ id }: { id: string }) {
  const { value, error } = useAnswer<Conversion & Known>(`/conversions/${encodeURIComponent(id)}`, [topicOf(id)]);
  const scaled = useScaled();
  if (!value) return <Detail icon="conversion" title="Conversion" id={id} error={error} />;
  const { amount_from, currency_from, amount_to, currency_to, status, actions } = value;
  const money = (amount: unknown, currency: string) => moneyText(scaled(amount, currency), currency);
  return (
    <Detail
      icon="conversion"
      title={`${money(amount_from, currency_from)} to ${money(amount_to, currency_to)}`}
      id={id}
      state={status}
      error={error}
      actions={<Actions kind="conversion" path={`/conversions/${id}`} actions={actions} />}
    >
      <Fields
        fields={[
          ["Account", value.username],
          ["Rate", amountText(value.rate)],
          ["Fee", money(value.fee, currency_to)],
          ["Spread", money(value.spread, currency_to)],
          ["External id", value.external_id],
          when("At", value.completed_at),
        ]}
      />
      <Behind id={id} what="conversion" known={value} />
    </Detail>
  );
}

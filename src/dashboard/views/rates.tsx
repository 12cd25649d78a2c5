import { useAnswer } from "../live/answer.ts";
import { useSession } from "../live/session.ts";
import { FollowingInput, noteSaved } from "../parts/following-input.tsx";
import { FormFoot } from "../parts/form.tsx";
import { PlainView } from "../parts/plain-view.tsx";
import { changedRates, plainAmount } from "../words/amounts.ts";

/** Rates: US dollars per unit, from which every pair follows. */
export function Rates() {
  const { control, notices } = useSession();
  const { value, error } = useAnswer<{ rates: Readonly<Record<string, string>> }>("/rates", ["rates"]);
  const save = async (form: HTMLFormElement) => {
    const rates = changedIn(form);
    if (Object.keys(rates).length === 0) return notices.say("No rate has been changed.");
    const call = control.call("PUT", "/rates", { rates });
    if (!(await notices.report(call, `Changed: ${Object.keys(rates).join(", ")}.`))) return;
    for (const [currency, rate] of Object.entries(rates)) noteSaved(form, currency, rate);
  };
  return (
    <PlainView title="Rates" error={error}>
      <p class="lead">US dollars per unit; no pair can contradict another. Quotes that are out already keep theirs.</p>
      {value && (
        <form
          class="narrow-form"
          onSubmit={(event) => {
            event.preventDefault();
            void save(event.currentTarget);
          }}
        >
          <table>
            <tbody>
              {Object.entries(value.rates).map(([currency, rate]) => (
                <RateRow key={currency} currency={currency} rate={rate} />
              ))}
            </tbody>
          </table>
          <FormFoot action="change" />
        </form>
      )}
    </PlainView>
  );
}

/** The rates that were typed and differ from those shown. */
function changedIn(form: HTMLFormElement): Record<string, string> {
  const fields = [...form.querySelectorAll("input")];
  // Compared with what each field shows unless typed into: others may have changed the rate of one that has the focus.
  const shown = Object.fromEntries(fields.map(({ name, defaultValue }) => [name, defaultValue]));
  // An emptied field is no rate: what it showed stays.
  for (const field of fields) if (plainAmount(field.value) === "") field.value = field.defaultValue;
  const given = new FormData(form);
  return changedRates(shown, (currency) => String(given.get(currency) ?? ""));
}

function RateRow({ currency, rate }: { currency: string; rate: string }) {
  return (
    <tr>
      <th scope="row">
        <label for={`rate-${currency}`}>{currency}</label>
      </th>
      <td>
        <FollowingInput
          id={`rate-${currency}`}
          name={currency}
          value={rate}
          read={plainAmount}
          class="number"
          inputMode="decimal"
        />
      </td>
    </tr>
  );
}

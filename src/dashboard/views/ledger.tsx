import { useAnswer } from "../live/answer.ts";
import { Amount, Cell, ShortId } from "../parts/cells.tsx";
import { Icon } from "../parts/icon.tsx";
import { ListView } from "../parts/list-view.tsx";
import { Instant } from "../parts/times.tsx";
import type { Ledger, LedgerCheck, Posting } from "../wire/answers.ts";

/** The ledger: every movement of money, what each account comes to, and whether all of it adds up. */
export function LedgerView() {
  return (
    <div class="split">
      <ListView<Posting>
        title="Ledger"
        noun="posting"
        path="/ledger"
        topics={["ledger"]}
        idOf={() => null}
        headings={["amount", "from", "to", "subject", "at"]}
        className="ledger"
        empty={<p>No money has moved yet.</p>}
        cells={({ amount, currency, source, destination, subject, at }) => (
          <>
            <Cell kind="number">
              <Amount of={amount} currency={currency} />
            </Cell>
            <Cell kind="main">
              <code title={source}>{source}</code>
            </Cell>
            <Cell>
              <code title={destination}>{destination}</code>
            </Cell>
            <Cell only="wide">
              <ShortId id={subject} />
            </Cell>
            <Cell kind="time">
              <Instant at={at} short />
            </Cell>
          </>
        )}
      />
      <LedgerSide />
    </div>
  );
}

function LedgerSide() {
  const check = useAnswer<LedgerCheck>("/ledger/check", ["ledger"]).value;
  const ledger = useAnswer<Ledger>("/ledger?limit=1", ["ledger"]).value;
  const accounts = Map.groupBy(
    ledger?.balances.filter(({ balance }) => /[1-9]/.test(balance)) ?? [],
    (row) => row.account,
  );
  return (
    <aside class="side" aria-label="Balances of the ledger">
      <h2>Does it add up?</h2>
      <ul class="plain checks">
        {check?.checks.map(({ id, ok, detail }) => (
          <li key={id} class={ok ? "good" : "bad"}>
            <Icon name={ok ? "check" : "close"} />
            {detail}
          </li>
        ))}
      </ul>
      <h2>Balances</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <div class="scroll" tabIndex={0} role="region" aria-label="Balances">
        {[...accounts].map(([account, rows]) => (
          <dl key={account} class="holdings">
            <dt>
              <code>{account}</code>
            </dt>
            {rows.map(({ currency, balance }) => (
              <dd key={currency}>
                <Amount of={balance} currency={currency} />
              </dd>
            ))}
          </dl>
        ))}
      </div>
    </aside>
  );
}

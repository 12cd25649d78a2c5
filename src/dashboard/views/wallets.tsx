/** Fixed wallets: their addresses, and deposits sent to them. */
import { useAnswer } from "../live/answer.ts";
import { topicOf } from "../live/topics.ts";
import { Actions } from "../parts/action-form.tsx";
import { Belonging } from "../parts/belonging.tsx";
import { Cell } from "../parts/cells.tsx";
import { Copyable } from "../parts/copy.tsx";
import { Detail, Fields, when } from "../parts/detail.tsx";
import { Lesson } from "../parts/lessons.tsx";
import { ListView } from "../parts/list-view.tsx";
import { Qr } from "../parts/qr.tsx";
import { Story } from "../parts/story.tsx";
import { Instant } from "../parts/times.tsx";
import { hashOf } from "../router.ts";
import type { Known, Transaction, Wallet } from "../wire/answers.ts";
import { moneyText } from "../words/amounts.ts";
import { WebhooksOf } from "./webhooks-of.tsx";

/** The ids of wallets begin behind this one; they are the positions of their list. */
const BEFORE_FIRST_WALLET = 1000;

/** `#/wallets`, the list of them. */
export function Wallets() {
  return (
    <ListView<Wallet>
      title="Wallets"
      noun="wallet"
      path="/wallets"
      topics={["wallets"]}
      base={BEFORE_FIRST_WALLET}
      idOf={({ wallet_id }) => wallet_id}
      headings={["id", "currency", "method", "address", "account", "created"]}
      className="wallets"
      empty={
        <Lesson
          title="No fixed wallets yet"
          text="POST /v2/transactions/wallet gives an address that any number of deposits can be sent to. Then send one from here."
        />
      }
      cells={({ wallet_id, currency, chain, network, address, username, created_at }) => (
        <>
          <Cell>{wallet_id}</Cell>
          <Cell>{currency}</Cell>
          <Cell>{chain ?? network}</Cell>
          <Cell kind="main">
            <code>{address}</code>
          </Cell>
          <Cell only="wide">{username}</Cell>
          <Cell kind="time">
            <Instant at={created_at} short />
          </Cell>
        </>
      )}
    />
  );
}

/** `#/wallets/ID`, from where deposits are sent. */
export function WalletView({ id }: { id: string }) {
  const { value, error } = useAnswer<Wallet & Known>(`/wallets/${encodeURIComponent(id)}`, [topicOf(id)]);
  if (!value) return <Detail icon="wallet" title="Wallet" id={id} error={error} />;
  const { address, currency, chain, network, qr_code, username, min_confirmations, actions } = value;
  return (
    <Detail
      icon="wallet"
      title={`${currency} wallet`}
      id={id}
      state={value.status}
      error={error}
      actions={<Actions kind="wallet" path={`/wallets/${id}`} actions={actions} crypto={chain !== undefined} />}
    >
      <div class="paying-in">
        <Qr text={qr_code ?? address} label="QR picture of the wallet" />
        <div>
          <p class="muted">An address of the sandbox: never pay to it.</p>
          <Copyable text={address} what="address" />
        </div>
      </div>
      <Fields
        fields={[
          ["Account", username],
          ["Method", chain ? `${network} on ${chain}` : network],
          ["Confirmations", min_confirmations || null],
          when("Created", value.created_at),
        ]}
      />
      <Deposits id={id} />
      <Story id={`wallet_${id}`} />
      <WebhooksOf id={id} />
    </Detail>
  );
}

/** What was sent to it, credited or still on its way. */
function Deposits({ id }: { id: string }) {
  return (
    <Belonging<Transaction>
      title="Deposits"
      noun="transaction"
      path="/transactions"
      topics={["transactions"]}
      id={id}
      ownerOf={({ wallet_id }) => wallet_id}
      lineOf={({ transaction_id, amount, currency, status, created_at }) => {
        const href = hashOf("transactions", transaction_id);
        return { icon: "charge", href, text: moneyText(amount, currency), state: status, at: created_at };
      }}
    />
  );
}

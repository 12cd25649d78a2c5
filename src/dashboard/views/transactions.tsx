/** Charges and cash-outs: the QR picture of each, and what can be done to it. */
import { useAnswer } from "../live/answer.ts";
import { useSession } from "../live/session.ts";
import { topicOf } from "../live/topics.ts";
import { ActButton } from "../parts/act-button.tsx";
import { Actions } from "../parts/action-form.tsx";
import { Belonging } from "../parts/belonging.tsx";
import { Amount, Cell, ShortId } from "../parts/cells.tsx";
import { Copyable } from "../parts/copy.tsx";
import { Detail, type Field, Fields, Reference, Waiting, when } from "../parts/detail.tsx";
import { Icon } from "../parts/icon.tsx";
import { FirstCharge } from "../parts/lessons.tsx";
import { ListView } from "../parts/list-view.tsx";
import { Qr } from "../parts/qr.tsx";
import { State } from "../parts/state.tsx";
import { Instant } from "../parts/times.tsx";
import { hashOf } from "../router.ts";
import { AdvanceTo } from "../shell/advance-to.tsx";
import type { Dispute, Transaction, TransactionDetail, Transfer } from "../wire/answers.ts";
import { moneyText } from "../words/amounts.ts";
import { visible } from "../words/visible.ts";
import { Behind } from "./behind.tsx";

const chips = [
  { label: "charges", test: ({ type }: Transaction) => type === "cashin" },
  { label: "cash-outs", test: ({ type }: Transaction) => type === "cashout" },
  { label: "pending", test: ({ status }: Transaction) => status === "pending" },
];

/** `#/transactions`, the list of them; transfers and conversions have lists of their own. */
export function Transactions() {
  return (
    <ListView<Transaction>
      title="Charges and cash-outs"
      noun="transaction"
      path="/transactions"
      topics={["transactions"]}
      idOf={({ transaction_id }) => transaction_id}
      headings={["kind", "status", "amount", "external id", "id", "method", "account", "created", ""]}
      className="transactions"
      chips={chips}
      empty={<FirstCharge />}
      cells={(transaction) => <TransactionCells transaction={transaction} />}
    />
  );
}

function TransactionCells({ transaction }: { transaction: Transaction }) {
  const { type, status, amount, currency, external_id, transaction_id, network, chain, username, created_at } =
    transaction;
  return (
    <>
      <Cell kind="kind">
        <Icon name={type === "cashin" ? "charge" : "cashout"} />
        <span class="only-wide">{nameOf(type)}</span>
      </Cell>
      <Cell kind="state-cell">
        <State state={status} />
      </Cell>
      <Cell kind="number">
        <Amount of={amount} currency={currency} />
      </Cell>
      <Cell kind="main">{external_id ?? <span class="muted">–</span>}</Cell>
      <Cell only="wide">
        <ShortId id={transaction_id} />
      </Cell>
      <Cell only="wide">{chain ?? network}</Cell>
      <Cell only="wide">{username}</Cell>
      <Cell kind="time">
        <Instant at={created_at} short />
      </Cell>
      <Cell kind="act">
        <QuickAction transaction={transaction} />
      </Cell>
    </>
  );
}

/** A button that pays or confirms a pending transaction without opening it. */
function QuickAction({ transaction: { transaction_id, actions, external_id } }: { transaction: Transaction }) {
  const { control, notices } = useSession();
  const action = ["pay", "confirm"].find((name) => actions.includes(name));
  if (!action) return null;
  const act = () => notices.report(control.post(`/transactions/${transaction_id}/${action}`), `${action}: done.`);
  return (
    <ActButton tabIndex={-1} class="button small" act={act} aria-label={`${action} ${external_id ?? transaction_id}`}>
      {action}
    </ActButton>
  );
}

/** `#/transactions/ID`: what a payer scans, and what the outside world can do to it. */
export function TransactionView({ id }: { id: string }) {
  const answer = useAnswer<TransactionDetail>(`/transactions/${encodeURIComponent(id)}`, [topicOf(id), "disputes"]);
  const transaction = answer.value;
  if (!transaction) return <Detail icon="charge" title="Transaction" id={id} error={answer.error} />;
  const { type, amount, currency, currency_type, status, actions, timers } = transaction;
  const isCrypto = currency_type === "crypto";
  return (
    <Detail
      icon={type === "cashin" ? "charge" : "cashout"}
      title={`${nameOf(type)} of ${moneyText(amount, currency)}`}
      id={id}
      state={status}
      error={answer.error}
      actions={<Actions kind={type} path={`/transactions/${id}`} actions={actions} crypto={isCrypto} />}
    >
      <PayingIn transaction={transaction} />
      <Fields fields={fieldsOf(transaction)} />
      <DisputeOf transaction={transaction} />
      <SharesOf transaction={transaction} />
      <Waiting timers={timers} tools={(timer) => <AdvanceTo at={timer.at} />} />
      <Behind id={id} what="transaction" known={transaction} />
    </Detail>
  );
}

/** The dispute of a charge; the list of disputes is searched only if the journal shows that there is one. */
function DisputeOf({ transaction: { transaction_id, journal } }: { transaction: TransactionDetail }) {
  if (!journal.some(({ kind, data }) => kind === "transition" && data.trigger === "dispute")) return null;
  return (
    <Belonging<Dispute>
      title="Dispute"
      noun="dispute"
      path="/disputes"
      topics={["disputes"]}
      id={transaction_id}
      ownerOf={(dispute) => dispute.transaction_id}
      lineOf={({ infraction_id, status, reason }) => {
        const href = hashOf("disputes", infraction_id);
        return { icon: "dispute", href, text: reason ?? infraction_id, state: status };
      }}
    />
  );
}

/** The shares of other accounts. */
function SharesOf({ transaction: { transaction_id, split } }: { transaction: TransactionDetail }) {
  if (!split?.length) return null;
  return (
    <Belonging<Transfer>
      title="Transfers of its split"
      noun="transfer"
      path="/transfers"
      topics={["transfers"]}
      id={transaction_id}
      ownerOf={({ split_of }) => split_of}
      lineOf={({ transaction_id: id, amount, currency, recipient, status }) => {
        const text = `${moneyText(amount, currency)} to ${recipient}`;
        return { icon: "transfer", href: hashOf("transfers", id), text, state: status };
      }}
    />
  );
}

/** What the payer scans or types. */
function PayingIn({ transaction: { type, qr_code, address, clabe } }: { transaction: Transaction }) {
  const text = qr_code ?? address;
  if (type !== "cashin" || (text === undefined && clabe === undefined)) return null;
  const what = qr_code ? "PIX code" : address ? "address" : "CLABE";
  return (
    <div class="paying-in">
      {text !== undefined && <Qr text={text} label={`QR picture of the ${what}`} />}
      <div>
        <p class="muted">{what}, of the sandbox: never pay to it.</p>
        <Copyable text={text ?? clabe ?? ""} what={what} />
      </div>
    </div>
  );
}

function fieldsOf(transaction: TransactionDetail): Field[] {
  const { currency, fee, amount_net, amount_refunded, external_id, network, chain, username, e2e_id } = transaction;
  // A charge has it as `tx_hash`, a cash-out as `hash`.
  const hash = transaction.hash ?? transaction.tx_hash;
  // Once its payment is on a chain, a charge that is pending expires no more.
  const expires = transaction.timers.some(({ kind }) => kind === "charge.expiry");
  return [
    ["External id", external_id && <Copyable text={external_id} what="external id" />],
    ["Account", username],
    ["Method", chain ? `${network} on ${chain}` : network],
    ["Fee", moneyText(fee, currency)],
    ["Net", moneyText(amount_net, currency)],
    ["Refunded", /[1-9]/.test(amount_refunded) && moneyText(amount_refunded, currency)],
    ["Payer", personParts(transaction.payer)],
    ["Depositor", personParts(transaction.depositor ?? null)],
    ["Receiver", personParts(transaction.receiver)],
    ["Wallet", transaction.wallet_id && <Reference view="wallets" id={transaction.wallet_id} />],
    ["To", transaction.wallet && <Copyable text={transaction.wallet} what="destination" />],
    ["End-to-end id", e2e_id && <Copyable text={e2e_id} what="end-to-end id" />],
    ["Hash", hash && <Copyable text={hash} what="hash" />],
    ["Reason", transaction.reason],
    ["Error", transaction.error_code],
    when("Created", transaction.created_at),
    when("Expires", expires ? transaction.expires_at : null),
    when("Confirmed", transaction.confirmed_at),
  ];
}

/** @param person a payer, or a receiver, who has a bank. */
function personParts(person: { name?: string | null; document?: string | null; bank?: string | null } | null) {
  const parts = [person?.name, person?.document, person?.bank].flatMap((part) => part || []);
  return parts.length > 0 && parts.map((part, index) => [index > 0 && ", ", <bdi key={index}>{visible(part)}</bdi>]);
}

function nameOf(type: string): string {
  return type === "cashin" ? "Charge" : "Cash-out";
}

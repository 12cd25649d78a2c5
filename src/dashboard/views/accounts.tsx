import { useId } from "preact/hooks";
import { useAnswer } from "../live/answer.ts";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { ActButton } from "../parts/act-button.tsx";
import { Copyable, CopyButton, Secret } from "../parts/copy.tsx";
import { FirstOnes } from "../parts/first-ones.tsx";
import { FollowingInput, noteSaved } from "../parts/following-input.tsx";
import { FormButton } from "../parts/form-dialog.tsx";
import { type InputField, readFields, trimmed } from "../parts/input-fields.ts";
import { PlainView } from "../parts/plain-view.tsx";
import { State } from "../parts/state.tsx";
import { TableHead } from "../parts/table-head.tsx";
import { useQueryWord } from "../router.ts";
import type { Account, Credential, Page } from "../wire/answers.ts";
import { amountText } from "../words/amounts.ts";
import { stateText } from "../words/tones.ts";
import { visible } from "../words/visible.ts";

/** How many accounts are shown at a time: each has a card of its own. */
const LIMIT = 200;

/** Accounts: balances, where webhooks go, and the credentials to copy. */
export function Accounts() {
  const [after, setAfter] = useQueryWord("after");
  const place = after === "" ? "" : `&cursor=${encodeURIComponent(after)}`;
  const { value, error } = useAnswer<Page<Account>>(`/accounts?limit=${LIMIT}${place}`, ["accounts"]);
  const beside = (
    <>
      {after === "" && <FirstOnes page={value} noun="account" />}
      {after !== "" && (
        <button type="button" class="text-button" onClick={() => setAfter("")}>
          the first ones
        </button>
      )}
      {value?.next_cursor && (
        <button type="button" class="text-button" onClick={() => setAfter(value.next_cursor ?? "")}>
          further ones
        </button>
      )}
      <NewAccount />
    </>
  );
  return (
    <PlainView title="Accounts" beside={beside} error={error}>
      <div class="cards">
        {value?.items.map((account) => (
          <AccountCard key={account.username} account={account} />
        ))}
      </div>
    </PlainView>
  );
}

function AccountCard({ account }: { account: Account }) {
  const { control, notices } = useSession();
  const { username, name, document, email, status, balances, credentials } = account;
  const path = `/accounts/${username}`;
  const other = status === "active" ? "under_review" : "active";
  const done = `${username} is ${stateText(other)} now.`;
  const review = () => notices.report(control.call("PATCH", path, { status: other }), done);
  const issue = () => notices.report(control.post(`${path}/credentials`), "Another credential is issued.");
  return (
    <article class="card" aria-label={`Account ${username}`}>
      <header>
        <h2>{username}</h2>
        <State state={status} />
        <span class="muted grow">
          <bdi>{visible(name)}</bdi>, <bdi>{visible(document)}</bdi>, <bdi>{visible(email)}</bdi>
        </span>
        <ActButton class="button small" act={review}>
          {status === "active" ? "put under review" : "make active"}
        </ActButton>
      </header>
      <Postback path={path} url={account.postback_url} of={username} />
      <div class="account-parts">
        <div>
          {credentials.map((credential) => (
            <CredentialPart key={credential.client_id} credential={credential} />
          ))}
          <ActButton class="button small" act={issue}>
            issue another credential
          </ActButton>
        </div>
        <div>
          <Balances balances={balances} path={path} />
        </div>
      </div>
    </article>
  );
}

function Postback({ path, url, of }: { path: string; url: string | null; of: string }) {
  const { control, notices } = useSession();
  const id = useId();
  const save = async (form: HTMLFormElement) => {
    const text = trimmed(String(new FormData(form).get("url") ?? ""));
    const call = control.call("PATCH", path, { postback_url: text || null });
    const words = text ? `Webhooks of ${of} go to ${text}.` : `Webhooks of ${of} go nowhere.`;
    if (await notices.report(call, words)) noteSaved(form, "url", text);
  };
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget);
      }}
    >
      <label for={id}>
        Webhooks go to
        <FollowingInput
          id={id}
          name="url"
          value={url ?? ""}
          read={trimmed}
          placeholder="nowhere; http://localhost:3000/webhooks or sandbox://inbox"
        />
      </label>
      <button type="submit" class="button small">
        save
      </button>
    </form>
  );
}

const fundFields = (currencies: readonly string[]): InputField[] => [
  { path: "currency", label: "Currency", required: true, options: currencies },
  { path: "amount", label: "Amount", kind: "amount", required: true },
];

function Balances({ balances, path }: { balances: Account["balances"]; path: string }) {
  const { control, notices } = useSession();
  const fields = fundFields(balances.map(({ currency }) => currency));
  const fund = async (form: HTMLFormElement) => {
    await control.post(`${path}/fund`, readFields(form, fields));
    notices.say("The account is funded.");
  };
  return (
    <>
      <BalanceTable balances={balances} />
      <FormButton
        label="fund…"
        class="button small"
        title="Money from nowhere"
        action="fund"
        fields={fields}
        send={fund}
      />
    </>
  );
}

function BalanceTable({ balances }: Pick<Account, "balances">) {
  return (
    <table>
      <caption class="unseen">Balances</caption>
      <TableHead columns={["currency", ["available", "number"], ["blocked", "number"]]} />
      <tbody>
        {balances.map(({ currency, balance, balance_locked }) => (
          <tr key={currency}>
            <th scope="row">{currency}</th>
            <td class="number">{amountText(balance)}</td>
            <td class={`number ${/[1-9]/.test(balance_locked) ? "" : "muted"}`}>{amountText(balance_locked)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CredentialPart({ credential }: { credential: Credential }) {
  const { client_id, client_secret, signing_key, postback_url } = credential;
  const info = useSignal(useSession().info);
  return (
    <section class="credential" aria-label={`Credential ${client_id}`}>
      <dl class="fields">
        <div>
          <dt>client id</dt>
          <dd>
            <Copyable text={client_id} what="client id" />
          </dd>
        </div>
        <div>
          <dt>client secret</dt>
          <dd>
            <Secret text={client_secret} what="client secret" />
          </dd>
        </div>
        <div>
          <dt>signing key</dt>
          <dd>
            <Secret text={signing_key} what="signing key" />
          </dd>
        </div>
        {postback_url && (
          <div>
            <dt>its own postback URL</dt>
            <dd>{postback_url}</dd>
          </div>
        )}
      </dl>
      <p class="muted line">
        As environment variables
        <CopyButton text={environmentOf(credential, info?.base_url ?? "")} what="environment variables" />
      </p>
    </section>
  );
}

/** The environment variables that the files of `init --ci` use. */
function environmentOf({ client_id, client_secret, signing_key }: Credential, baseUrl: string): string {
  const variables = { BASE_URL: baseUrl, CLIENT_ID: client_id, CLIENT_SECRET: client_secret, SIGNING_KEY: signing_key };
  return Object.entries(variables)
    .map(([name, value]) => `PAYMENTS_${name}=${value}\n`)
    .join("");
}

const accountFields: readonly InputField[] = [
  { path: "username", label: "Username", required: true, hint: "lower-case letters, digits, . _ -" },
  { path: "name", label: "Name" },
  { path: "postback_url", label: "Postback URL" },
];

function NewAccount() {
  const { control, notices } = useSession();
  const open = async (form: HTMLFormElement) => {
    const body = readFields(form, accountFields);
    await control.post("/accounts", body);
    notices.say(`Account ${body.username} is open.`);
  };
  return (
    <FormButton label="open an account…" title="Open an account" action="open" fields={accountFields} send={open} />
  );
}

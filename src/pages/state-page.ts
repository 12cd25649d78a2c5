/** `docs/states.md`: the lifecycle tables, word for word, and what their postings move. */
import {
  type LedgerRole,
  ledgerAccount,
  ledgerRoles,
  type PostingTemplate,
  postingTemplates,
} from "../domain/ledger.ts";
import { type Lifecycle, type LifecycleName, lifecycles, type Transition } from "../domain/lifecycles.ts";
import { allowedActions, statesOf } from "../domain/machine.ts";
import { code, codes, page, points, table } from "./markdown.ts";

/** TABLE: the heading of each kind of resource. */
export const lifecycleTitles: Readonly<Record<LifecycleName, string>> = {
  cashin: "Cash-in",
  cashout: "Cash-out",
  conversion: "Conversion",
  transfer: "Internal transfer",
  wallet: "Fixed wallet",
  dispute: "Dispute (infraction)",
};

const INTRODUCTION = `Every state of every resource, what leads from one to the next, and which postings (movements of money) and events
follow, in their order; [what postings move money between](#postings) is said last. "Source" names the specification's
"States and transitions", or a row of [the decisions](settings.md#what-the-specification-leaves-open) (D…). What is not
in a table cannot happen: an action that a state does not allow answers 409 \`INVALID_TRANSITION\` and changes nothing.`;

/** The page, in Markdown. */
export function statePage(): string {
  const names = Object.keys(lifecycles) as LifecycleName[];
  const source = "src/domain/lifecycles.ts and src/domain/ledger.ts";
  return page("States and transitions", source, [INTRODUCTION, ...names.map(section), movements()]);
}

function section(name: LifecycleName): string {
  const { transitions }: Lifecycle = lifecycles[name];
  const heads = ["From", "Trigger", "To", "Postings", "Events", "Source"];
  const actions = statesOf(name).map((state) => {
    const allowed = allowedActions(name, state);
    return `${code(state)}: ${allowed.length > 0 ? codes(allowed) : "none"}`;
  });
  return `## ${lifecycleTitles[name]}

${table(heads, transitions.map(cells))}

Actions of the control interface and of scenarios, by state:

${points(actions)}`;
}

function cells({ from, trigger, to, postings, events, source }: Transition): string[] {
  return [from ?? "(none)", code(trigger), to, codes(postings), codes(events), source];
}

/** The parties of the ledger accounts that are shown as examples. */
const PARTIES = { username: "acme", network: "PIX", counterparty: "globex" };

function movements(): string {
  const templates = Object.entries<PostingTemplate>(postingTemplates);
  const roles = Object.entries(ledgerRoles) as [LedgerRole, string][];
  return `## Postings

${table(
  ["Posting", "From", "To"],
  templates.map(([name, { from, to }]) => [code(name), from, to]),
)}

The ledger accounts that money moves between, as \`GET /_sandbox/ledger\` names them for a transaction of
\`${PARTIES.username}\` by ${PARTIES.network}, or for a transfer to \`${PARTIES.counterparty}\`:

${table(
  ["Role", "Ledger account", "What is on it"],
  roles.map(([role, meaning]) => [role, code(ledgerAccount(role, PARTIES)), meaning]),
)}`;
}

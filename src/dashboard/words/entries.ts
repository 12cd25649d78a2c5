/** TABLE: what each kind of journal entry says in the time line. */
import type { JournalEntry } from "../wire/answers.ts";
import { moneyText } from "./amounts.ts";
import { statusText, type Tone, toneOf, toneOfStatus } from "./tones.ts";

/** What an entry is about, by which the time line can be narrowed, too. */
export type EntryIcon =
  | "request"
  | "transition"
  | "webhook"
  | "rule"
  | "step"
  | "control"
  | "world"
  | "money"
  | "fault";

/** A line of the time line; `mark` is a state or status, in its colour. */
interface EntryWords {
  readonly icon: EntryIcon;
  readonly tone: Tone;
  readonly text: string;
  readonly mark?: string;
  readonly note?: string;
}

type Data = Readonly<Record<string, unknown>>;

const ruleName = ({ scenario, name }: Data) => `${name === undefined ? "a rule" : `the rule "${name}"`} of ${scenario}`;

/** TABLE: what transitions are called, by their triggers. */
const verbs: Readonly<Record<string, string>> = {
  create: "is made",
  deposit: "is sent",
  pay: "is paid",
  expire: "expires",
  cancel: "is canceled",
  fail: "fails",
  refund: "is refunded",
  dispute: "is disputed",
  charge_back: "is charged back",
  confirm: "settles",
  execute: "is carried out",
  provision: "is provided",
  open: "is opened",
  reply: "is answered",
  win: "is won",
  lose: "is lost",
  finalize: "is closed",
  finalize_as_confirmed: "is closed",
};

/** `cashin` is a charge to its reader. */
export function resourceName(resource: string): string {
  return resource === "cashin" ? "charge" : resource === "cashout" ? "cash-out" : resource;
}

const writers: Readonly<Record<string, (data: Data, entry: JournalEntry) => EntryWords>> = {
  request: ({ method, path, status, error, lost, malformed }) => ({
    icon: "request",
    tone: toneOfStatus(Number(status)),
    text: `${method} ${path}`,
    mark: statusText(Number(status)),
    ...noteOf(error, lost && status !== 0 && "its answer never arrived", malformed && "half its body was sent"),
  }),
  transition: ({ resource, trigger, to, postings }) => ({
    icon: "transition",
    tone: toneOf(String(to), String(resource)),
    text: `${resourceName(String(resource))} ${verbs[String(trigger)] ?? trigger}`,
    mark: String(to),
    ...postingsNote(postings),
  }),
  "rule.fired": ({ on, ...rule }, { rule: place }) => ({
    icon: "rule",
    tone: "info",
    text: `${ruleName(rule)} fires${on ? ` upon ${on}` : ""}`,
    ...noteOf(place),
  }),
  "rule.stopped": ({ chain, ...rule }) => ({
    icon: "rule",
    tone: "bad",
    text: `${ruleName(rule)} is stopped`,
    note: `it sets itself off without time passing, by way of ${listed(chain)}`,
  }),
  step: ({ scenario, action, note }, { rule }) => ({
    icon: "step",
    tone: "info",
    text: note ? `note: ${note}` : `${scenario}: ${action}`,
    ...noteOf(rule),
  }),
  "step.skipped": ({ scenario, action, reason }) => ({
    icon: "step",
    tone: "wait",
    text: `${scenario}: ${action}`,
    mark: "skipped",
    note: String(reason),
  }),
  control: ({ call, input }) => ({
    icon: "control",
    tone: "special",
    text: shortened(String(call)),
    ...inputNote(input),
  }),
  "world.created": ({ seed, scenarios }) => ({
    icon: "world",
    tone: "info",
    text: "The world is made",
    note: `seed ${seed}, ${listed(scenarios) || "no scenarios"}`,
  }),
  "account.opened": ({ username }) => ({ icon: "world", tone: "off", text: `account ${username} opened` }),
  "account.changed": ({ status }, { subject }) =>
    status === "under_review"
      ? { icon: "world", tone: "bad", text: `account ${subject} comes under review` }
      : { icon: "world", tone: "info", text: `the review of ${subject} ends` },
  "account.funded": ({ currency, amount }, { subject }) => ({
    icon: "money",
    tone: "off",
    text: `${subject} is funded with ${moneyText(amount, String(currency))}`,
  }),
  "credential.issued": ({ client_id }) => ({ icon: "world", tone: "off", text: `credential ${client_id} issued` }),
  "credential.blocked": ({ refusals, until, enforced }, { subject }) => ({
    icon: "fault",
    tone: "bad",
    text: `credential ${subject} ${enforced ? "is" : "would be"} blocked`,
    note: `until ${until}, after ${refusals} refusals in a minute`,
  }),
  "address.blocked": ({ failures, until, enforced }) => ({
    icon: "fault",
    tone: "bad",
    text: `the caller's address ${enforced ? "is" : "would be"} blocked`,
    note: `until ${until}, after ${failures} authentication failures`,
  }),
  "rates.changed": ({ rates }) => ({ icon: "money", tone: "info", text: "rates changed", ...inputNote(rates) }),
  "payment.broadcast": ({ chain, network }) => ({
    icon: "money",
    tone: "wait",
    text: chain === undefined ? `payment sent by ${network}` : `payment broadcast on ${chain}`,
  }),
  "scenario.loaded": ({ scenario, file }) => ({
    icon: "rule",
    tone: "info",
    text: `scenario ${scenario} loaded`,
    note: String(file),
  }),
  "scenario.removed": ({ scenario }) => ({ icon: "rule", tone: "off", text: `scenario ${scenario} removed` }),
  "fault.injected": ({ request, event, inject }) => ({
    icon: "fault",
    tone: "bad",
    text: `fault injected into ${request ?? event}`,
    ...inputNote(inject),
  }),
  fault: ({ timer, message }) => ({ icon: "fault", tone: "bad", text: `fault in ${timer}`, note: String(message) }),
};

/** What a webhook's entries say, by the word behind the dot. */
function webhookWords(word: string, data: Data): EntryWords {
  const { event, attempt, status, error, manual, duplicate, source, deliverable } = data;
  const isQueued = word === "created" && deliverable !== false;
  const mark = word !== "created" ? word : isQueued ? "queued" : "undeliverable";
  return {
    icon: "webhook",
    tone: isQueued ? "wait" : toneOf(mark),
    text: String(event ?? "webhook"),
    mark,
    ...noteOf(
      duplicate ? "a further copy" : attempt !== undefined && `attempt ${attempt}`,
      source && `from the wrong address ${source}`,
      status,
      error,
      manual && "by hand",
    ),
  };
}

/** The words for an entry; one of an unknown kind is shown as it is. */
export function wordsOf(entry: JournalEntry): EntryWords {
  const [family = "", word = ""] = entry.kind.split(".");
  if (family === "webhook") return webhookWords(word, entry.data);
  const writer = writers[entry.kind];
  return writer
    ? writer(entry.data, entry)
    : { icon: "world", tone: "off", text: entry.kind, ...inputNote(entry.data) };
}

function postingsNote(postings: unknown): { note?: string } {
  if (!Array.isArray(postings) || postings.length === 0) return {};
  const amounts = (postings as { amount: string; currency: string }[]).map(({ amount, currency }) =>
    moneyText(amount, currency),
  );
  return { note: `moves ${amounts.join(", ")}` };
}

/** A call with its long ids cut to their ends. */
function shortened(call: string): string {
  return call.replace(/[0-9a-f]{26}(?=[0-9a-f]{6}\b)|(?<=inf_|evt_)[0-9a-z]{18}(?=[0-9a-z]{6}\b)/g, "…");
}

function inputNote(input: unknown): { note?: string } {
  if (input === null || typeof input !== "object" || Object.keys(input).length === 0) return {};
  return { note: JSON.stringify(input) };
}

/** A note of what there is to say. */
function noteOf(...parts: readonly unknown[]): { note?: string } {
  const said = parts.filter(Boolean);
  return said.length > 0 ? { note: said.join(", ") } : {};
}

function listed(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(", ") : "";
}

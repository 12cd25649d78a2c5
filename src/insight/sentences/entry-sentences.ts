/** TABLE: what each kind of journal entry tells, as one plain sentence. */
import { attemptErrorWords } from "../../domain/attempt-error-kinds.ts";
import type { JournalEntry } from "../../store/journal.ts";
import { isWithoutFile } from "./rule-places.ts";
import { tellTransition } from "./transition-sentences.ts";

/** The data of an entry of any kind; entries of other versions may lack members. */
// biome-ignore lint/suspicious/noExplicitAny: the journal's data is as manifold as its kinds, and only shown here.
type Data = Readonly<Record<string, any>>;

type Sentence = (data: Data, entry: JournalEntry, cause: JournalEntry | undefined) => string;

/** This many characters of a control call's input are shown. */
const SHOWN_CHARACTERS = 120;

/** TABLE: by kind. */
export const entrySentences: Readonly<Record<string, Sentence>> = {
  "world.created": ({ seed, scenarios }) => `The world was made with seed ${seed} and ${scenariosOf(scenarios)}.`,
  "account.opened": ({ username }) => `The account ${username} was opened.`,
  "account.changed": ({ status }, { subject }) =>
    status === "under_review"
      ? `The account ${subject} came under review.`
      : `The review of the account ${subject} ended.`,
  "account.funded": ({ amount, currency }, { subject }) => `${amount} ${currency} came onto the account ${subject}.`,
  "credential.issued": ({ client_id }, { subject }) => `The account ${subject} was given the credential ${client_id}.`,
  "credential.blocked": ({ refusals, ...block }, { subject }) =>
    `The credential ${subject} had ${refusals} refusals in a minute and ${blocked(block)}.`,
  "address.blocked": ({ failures, ...block }) =>
    `The caller's address had ${failures} authentication failures and ${blocked(block)}.`,
  "rates.changed": ({ rates }) => `The rates changed: ${listed(rates)}.`,
  "scenario.loaded": ({ scenario, file }) => `The scenario ${scenario} was loaded from ${file}.`,
  "scenario.removed": ({ scenario }) => `The scenario ${scenario} was taken out.`,
  request: tellRequest,
  control: ({ call, input }) => `Control call ${call}${shown(input)}.`,
  "fault.injected": ({ request, event, inject, name, fault = "", scenario }, { rule }) => {
    const [own, set] = [name === undefined ? "" : `"${name}"`, rule === null ? "set by hand" : placeOf(rule, scenario)];
    const which = [fault, own, set].filter(Boolean).join(" ");
    return `Fault rule ${which} struck ${request ?? event}: ${listed(inject)}.`;
  },
  fault: ({ timer, message }) => `A fault of the sandbox stopped the timer ${timer}: ${ended(message)}`,
  transition: (_data, entry, cause) => tellTransition(entry, cause),
  "payment.broadcast": ({ chain, network }) =>
    chain === undefined
      ? `The payer sent the money by ${network}; the charge waits for it.`
      : `The payer sent the money on ${chain}; the charge waits for its confirmations.`,
  "rule.fired": ({ on, scenario, name }, { rule, subject }) =>
    `Rule ${namedPlaceOf(rule, scenario, name)} fired ${subject === null ? "at its time," : "on"} ${on}.`,
  "rule.stopped": ({ chain, scenario, name }, { rule }) =>
    `Rule ${namedPlaceOf(rule, scenario, name)} was stopped: it sets itself off without time passing, by way of ${chain.join(", ")}.`,
  step: ({ action, note, input }, { rule }) =>
    `Step ${rule} was carried out: ${note === undefined ? `${action}${shown(input)}.` : ended(note)}`,
  "step.skipped": ({ action, reason }, { rule }) => `Step ${rule} (${action}) was skipped: ${ended(reason)}`,
  "webhook.created": ({ webhook_id, event, deliverable }) =>
    `The event ${event} became the webhook ${webhook_id}${deliverable ? "" : ", which has nowhere to go: there is no postback_url"}.`,
  "webhook.probe": ({ webhook_id, event }) =>
    `The webhook ${webhook_id} was made up to see how the receiver takes a ${event} about an unknown transaction.`,
  "webhook.throttled": ({ webhook_id, behind }) =>
    `The webhook ${webhook_id} was put back${behind ? ` behind ${behind}, which had been put back before it` : ": there were too many in a minute"}.`,
  "webhook.released": ({ webhooks }) =>
    webhooks.length === 1
      ? "The webhook that was held was let go."
      : `${webhooks.length} webhooks that were held were let go in an order drawn by chance.`,
  "webhook.delivered": (data) => `${attemptOf(data)} was answered ${data.status}.`,
  "webhook.failed": (data) => `${attemptOf(data)} ${failedWith(data)}.`,
  "webhook.exhausted": ({ event, attempt }) => `The delivery of ${event} was given up after attempt ${attempt}.`,
};

/** The place of a rule; if that is in no file, the scenario is named too. */
function placeOf(rule: string | null, scenario: unknown): string {
  return scenario !== undefined && isWithoutFile(rule) ? `${rule} of the scenario ${scenario}` : String(rule);
}

/** The place of a rule, with its name if it has one. */
function namedPlaceOf(rule: string | null, scenario: unknown, name: unknown): string {
  const place = placeOf(rule, scenario);
  return name === undefined ? place : `"${name}" at ${place}`;
}

/** A setting may have blocks counted and shown only (`D19`). */
const blocked = ({ until, enforced }: Data) =>
  enforced ? `is blocked until ${until}` : `would be blocked until ${until} if protections were enforced`;

/** In words; entries of other versions may have other kinds. */
const failures: Readonly<Record<string, string>> = attemptErrorWords;

/** Why an attempt got no whole answer, in words. */
export function whyUnanswered(kind: string): string {
  return failures[kind] ?? kind;
}

/** To a webhook from a wrong address, 403 is the only right answer (`AUTH-06`). */
function failedWith(data: Data): string {
  const { status, source, error } = data;
  if (error) return `failed: ${status === null ? "" : `an answer of ${status} began, but `}${failureOf(data)}`;
  const isTaken = source && status >= 200 && status < 300;
  return isTaken
    ? `was answered ${status}, where 403 is right: it counts as failed`
    : `failed: it was answered ${status}`;
}

function failureOf({ error }: JournalEntry["data"]): string {
  const words = failures[String(error)];
  return words === undefined ? String(error) : `${words} (${error})`;
}

/** Every kind of entry. */
export const entryKinds: readonly string[] = Object.keys(entrySentences);

/** An entry as a sentence. @param cause the entry that led to it. */
export function tellEntry(entry: JournalEntry, cause: JournalEntry | undefined): string {
  const sentence = entrySentences[entry.kind];
  if (sentence) return sentence(entry.data, entry, cause);
  return `${entry.kind}${entry.subject === null ? "" : ` of ${entry.subject}`}${shown(entry.data)}.`;
}

/** The call that an entry records, such as `POST /v2/transactions/cashin`; null if it records none. */
export function callOf({ kind, data }: JournalEntry): string | null {
  if (kind === "request") return `${data.method} ${data.path}`;
  return kind === "control" ? String(data.call) : null;
}

function tellRequest({ method, path, client_id, status, error, lost, malformed }: Data): string {
  const caller = client_id ? ` by ${client_id}` : "";
  if (status === 0) return `${method} ${path}${caller} was not carried out and got no answer.`;
  return `${method} ${path}${caller} was answered ${status}${error ? ` ${error}` : ""}${lost ? ", which never arrived" : ""}${malformed ? " with half a body" : ""}.`;
}

function attemptOf({ event, attempt, manual, duplicate, source }: Data): string {
  const from = source ? ` from the wrong address ${source}` : "";
  if (duplicate) return `A further copy of ${event}${from}`;
  return `Attempt ${attempt} to deliver ${event}${from}${manual ? ", made by hand," : ""}`;
}

function scenariosOf(names: readonly string[]): string {
  if (names.length === 0) return "no scenario";
  return `the ${names.length === 1 ? "scenario" : "scenarios"} ${names.join(", ")}`;
}

function listed(values: Data): string {
  return Object.entries(values)
    .map(([name, value]) => (value === true ? name : `${name} ${JSON.stringify(value).replace(/^"(.*)"$/, "$1")}`))
    .join(", ");
}

function shown(input: unknown): string {
  const text = JSON.stringify(input ?? {});
  if (text === "{}") return "";
  return ` with ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}`;
}

/** A text from elsewhere as a sentence, with a full stop unless it has an end of its own. */
export function ended(text: unknown): string {
  return /[.?!]$/.test(String(text)) ? String(text) : `${text}.`;
}

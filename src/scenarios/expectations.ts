/** Holds what a scenario expects against what a world has come to. */
import { parseDuration } from "../domain/durations.ts";
import { ExactNumber, formatAmount } from "../domain/money.ts";
import { balanceEntries } from "../service/accounts.ts";
import { disputeFields } from "../service/disputes.ts";
import { transactionFields } from "../service/transactions.ts";
import { everyRow } from "../store/pages.ts";
import { PROBE, type Webhook } from "../store/webhooks.ts";
import { formatInstant, type Instant } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { fieldAt, globOf, matches } from "./conditions.ts";
import { accountsIn } from "./known-world.ts";
import { nearest } from "./schema-words.ts";
import { type Expectation, kindOf } from "./script-schema.ts";
import { filledConditions, filledName, UnknownVariable, type Variables, withReferences } from "./variables.ts";
import { type Outlook, type Verdict, verdictOn } from "./verdicts.ts";

export type { Verdict };

/** What came of an expectation, in one sentence. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly detail: string;
}

/** What an expectation is held against. */
export interface Circumstances {
  readonly world: World;
  /** What the merchant saved. */
  readonly variables: Variables;
  /** When `within` counts from. */
  readonly since: Instant;
  /** The journal's last entry before the events that count. */
  readonly afterEntry: number;
  /** Whether nothing more will come: then nothing is pending. */
  readonly final: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** A transaction or dispute with what `where` can look at. */
interface Resource {
  readonly id: string;
  readonly fields: Fields;
}

/** Judges one expectation. */
export function judge(expected: Expectation, circumstances: Circumstances): Judgement {
  const open: Verdict = circumstances.final ? "fail" : "pending";
  const { variables } = circumstances;
  try {
    const filled = filledExpectation(expected, variables);
    const stranger = strangerIn(expected, circumstances.world);
    const judged = (circumstances.final && stranger) || judgeFilled(filled, circumstances, open);
    if (judged.verdict !== "fail") return stranger ? besides(judged, stranger) : judged;
    return { ...judged, detail: withReferences(judged.detail, expected, variables) };
  } catch (error) {
    if (error instanceof UnknownVariable) return { verdict: open, detail: error.message };
    throw error;
  }
}

/** Of an account that a run does not have nothing ever comes: what is not to come would hold for a slip of the hand. */
function strangerIn(expected: Expectation, world: World): Judgement | null {
  for (const [username] of accountsIn(expected, [])) {
    const usernames = usernamesIn(world);
    if (!usernames.includes(username)) return { verdict: "fail", detail: noAccount(username, usernames) };
  }
  return null;
}

/** While a world goes on an account may still come: the verdict stands, and a slip of the hand is told beside it. */
function besides({ verdict, detail }: Judgement, stranger: Judgement): Judgement {
  return { verdict, detail: `${detail}; ${stranger.detail}` };
}

function usernamesIn({ accounts }: World): string[] {
  return accounts.all().map(({ username }) => username);
}

function noAccount(username: string, usernames: readonly string[]): string {
  return `there is no account "${username}"${nearest(username, usernames)}`;
}

/** Beside conditions there are names alone, such as an id. */
function filledExpectation(expected: Expectation, variables: Variables): Expectation {
  const parts = Object.entries(expected).map(([key, part]) => {
    const isName = typeof part === "string";
    return [key, isName ? filledName(part, variables) : filledConditions(part, variables)];
  });
  return Object.fromEntries(parts);
}

function judgeFilled(given: Expectation, circumstances: Circumstances, open: Verdict): Judgement {
  const kind = kindOf(given);
  if (kind === "no_event") return judgeAbsence(given, circumstances);
  if (kind === "balance") return judgeBalance(given, circumstances, open);
  return judgeCount(given, circumstances);
}

function judgeAbsence(expected: Expectation, circumstances: Circumstances): Judgement {
  const found = eventsOf(expected.no_event ?? "", expected, circumstances);
  const outlook = outlookOf(expected, circumstances);
  const verdict = verdictOn(absence(expected.count), found.length, outlook);
  const [first] = found;
  if (first) return { verdict, detail: `it came at ${formatInstant(first.created_at)}: ${first.webhook_id}` };
  return { verdict, detail: outlook === "settled" ? "it did not come" : "it has not come so far" };
}

function judgeBalance(expected: Expectation, { world }: Circumstances, open: Verdict): Judgement {
  const usernames = usernamesIn(world);
  const username = expected.of ?? usernames[0] ?? "";
  if (!usernames.includes(username)) return { verdict: open, detail: noAccount(username, usernames) };
  const balances = Object.fromEntries(
    balanceEntries(world, username).map(({ currency, balance }) => [currency, balance]),
  );
  const wanted = expected.balance ?? {};
  const shown = Object.keys(wanted).map((currency) => `${currency} ${balances[currency] ?? "none"}`);
  const detail = `${username} has ${shown.join(", ")}`;
  const isSo = Object.entries(wanted).every(
    ([currency, condition]) =>
      balances[currency] !== undefined && matches({ balance: condition }, { balance: balances[currency] }),
  );
  return { verdict: isSo ? "pass" : open, detail };
}

function judgeCount(expected: Expectation, circumstances: Circumstances): Judgement {
  const found = findingsOf(expected, circumstances);
  const many = `${found.length} ${found.length === 1 ? "is" : "are"} there`;
  const detail = found.length === 0 ? nothing(expected, circumstances) : `${many}: ${found.slice(0, 3).join(", ")}`;
  const verdict = verdictOn(expected.count ?? SOME, found.length, outlookOf(expected, circumstances));
  return { verdict, detail };
}

/** How often an event may come that was not to come so often; never where that is not said, or said to be never. */
function absence(count: unknown): unknown {
  return count === undefined || (count instanceof ExactNumber && Number(count) === 0) ? NONE : { not: count };
}

const NONE = new ExactNumber("0");
const SOME = { gte: new ExactNumber("1") };

/** What may become of what was found. Events and webhooks stay; how resources are, and whether a webhook got there, changes. */
function outlookOf(expected: Expectation, { world, since, final }: Circumstances): Outlook {
  if (final) return "settled";
  const kind = kindOf(expected);
  const isOfResources = kind === "transaction" || kind === "dispute";
  const isOfDelivery = expected.status !== undefined || DELIVERY_FIELDS.some((name) => name in (expected.where ?? {}));
  if (isOfResources || isOfDelivery) return "changing";
  const end = endOf(expected, since);
  if (end === null) return "endless";
  return world.clock.now() > end ? "settled" : "closing";
}

/** TABLE: fields of webhooks that their delivery changes. */
const DELIVERY_FIELDS = ["webhook_status", "attempts", "first_attempt_at", "last_attempt_at"];

/** The last instant that is in time; null where any is. */
function endOf({ within }: Expectation, since: Instant): Instant | null {
  return within === undefined ? null : since + (parseDuration(within) ?? 0);
}

/** The ids of what an expectation finds. */
function findingsOf(expected: Expectation, circumstances: Circumstances): string[] {
  const { world } = circumstances;
  const kind = kindOf(expected);
  if (kind === "event") return eventsOf(expected.event ?? "", expected, circumstances).map((row) => row.webhook_id);
  if (kind === "webhook") return webhooksOf(expected, circumstances).map((row) => row.webhook_id);
  const { rows, where } = resourcesOf(world, expected);
  return rows.filter((row) => matches(where, row.fields)).map((row) => row.id);
}

/** The resources that an expectation may be about, and what is expected of them. */
function resourcesOf(world: World, expected: Expectation): { rows: Resource[]; where: Fields } {
  const isTransaction = kindOf(expected) === "transaction";
  const { id, where } = namedBy(expected[isTransaction ? "transaction" : "dispute"], expected.where);
  const all = [...(isTransaction ? transactionsIn(world) : disputesIn(world))];
  return { rows: all.filter((row) => id === null || row.id === id), where };
}

/** A resource is named by its id, or described. */
function namedBy(named: unknown, where: Fields = {}): { id: string | null; where: Fields } {
  if (typeof named === "string") return { id: named, where };
  return { id: null, where: { ...(named as Fields | null), ...where } };
}

function eventsOf(kind: string, expected: Expectation, circumstances: Circumstances): Webhook[] {
  const until = endOf(expected, circumstances.since);
  return webhooksIn(circumstances).filter((row) => {
    const inTime = until === null || row.created_at <= until;
    return inTime && row.event === kind && matches(expected.where ?? {}, fieldsOf(row));
  });
}

function webhooksOf(expected: Expectation, circumstances: Circumstances): Webhook[] {
  const { world } = circumstances;
  const pattern = globOf(expected.webhook ?? "*");
  return webhooksIn(circumstances).filter((row) => {
    if (!pattern.test(row.event)) return false;
    if (expected.status !== undefined && row.status !== expected.status) return false;
    return matches(expected.where ?? {}, { ...fieldsOf(row), ...attemptFields(world, row) });
  });
}

/** How often a webhook was sent, and when: at first, and at last. */
function attemptFields(world: World, { webhook_id }: Webhook): Fields {
  const attempts = world.webhooks.attemptsOf(webhook_id);
  const instantOf = (attempt: { at: number } | undefined) => (attempt ? formatInstant(attempt.at) : null);
  return {
    attempts: attempts.length,
    first_attempt_at: instantOf(attempts[0]),
    last_attempt_at: instantOf(attempts.at(-1)),
  };
}

function fieldsOf({ body, username, webhook_id, event, status, client_id }: Webhook): Fields {
  const content = JSON.parse(body.toString()) as { data?: Fields };
  return { webhook_id, event, client_id, ...(content.data ?? content), username, webhook_status: status };
}

/** What is there instead of what was expected. */
function nothing(expected: Expectation, circumstances: Circumstances): string {
  const { world } = circumstances;
  const kind = kindOf(expected);
  if (kind === "transaction" || kind === "dispute") return noSuchResource(world, expected, kind);
  const came = webhooksIn(circumstances);
  if (kind === "webhook") return noSuchWebhook(world, came, expected);
  const same = came.filter(({ event }) => event === expected.event);
  if (same.length > 0) return `it did not come; ${nearestOf(same, expected.where ?? {})}`;
  const kinds = [...new Set(came.map(({ event }) => event))];
  return `it did not come; there came ${kinds.length > 0 ? kinds.join(", ") : "nothing"}`;
}

/** Of the resources that it may be, the one that comes nearest. */
function noSuchResource(world: World, expected: Expectation, kind: string): string {
  const { rows, where } = resourcesOf(world, expected);
  const candidates = rows.map(({ id, fields }) => ({ id, ...unlikeIn(where, fields) }));
  return noSuch(kind, candidates);
}

/** Of the webhooks of the kinds that it may be, the one that comes nearest. */
function noSuchWebhook(world: World, rows: readonly Webhook[], expected: Expectation): string {
  const pattern = globOf(expected.webhook ?? "*");
  const { status, where = {} } = expected;
  const candidates = rows
    .filter(({ event }) => pattern.test(event))
    .map((row) => {
      const fields = { ...fieldsOf(row), ...attemptFields(world, row) };
      const unlike = unlikeIn(where, fields);
      const states = status === undefined || status === row.status ? [] : [`status ${JSON.stringify(row.status)}`];
      return { id: row.webhook_id, words: [...states, ...unlike.words], distance: unlike.distance + states.length };
    });
  return noSuch("webhook", candidates);
}

function noSuch(kind: string, candidates: readonly ({ id: string } & Unlike)[]): string {
  if (candidates.length === 0) return `there is no such ${kind}`;
  const nearest = nearestIn(candidates);
  return `there is no such ${kind}; the nearest, ${nearest.id}, has ${nearest.words.join(", ")}`;
}

/** Of the events of a kind, the one that comes nearest to what was expected: when it came, and how it differs. */
function nearestOf(rows: readonly Webhook[], where: Fields): string {
  const candidates = rows.map((row) => ({ at: row.created_at, ...unlikeIn(where, fieldsOf(row)) }));
  const nearest = nearestIn(candidates);
  const which = rows.length === 1 ? "the one of its kind" : `the nearest of ${rows.length} of its kind`;
  const differs = nearest.words.length === 0 ? "" : ` with ${nearest.words.join(", ")}`;
  return `${which} came at ${formatInstant(nearest.at)}${differs}`;
}

/** What is not as wanted, and how far off that is. */
interface Unlike {
  readonly words: readonly string[];
  readonly distance: number;
}

/** Of another id it is another thing, however much alike. */
const OTHER_ID = 1000;

/** The fields that are not as wanted, with what they are. */
function unlikeIn(where: Fields, fields: Fields): Unlike {
  const names = Object.keys(where).filter((name) => !matches({ [name]: where[name] }, fields));
  const distances = names.map((name) => (name.endsWith("_id") ? OTHER_ID : 1));
  return {
    words: names.map((name) => `${name} ${JSON.stringify(fieldAt(fields, name))}`),
    distance: distances.reduce((sum, distance) => sum + distance, 0),
  };
}

/** The first of those that are nearest. */
function nearestIn<Candidate extends Unlike>(candidates: readonly Candidate[]): Candidate {
  return candidates.reduce((best, other) => (other.distance < best.distance ? other : best));
}

/** Those that count. Probes of the readiness report are no events of the world. */
function webhooksIn({ world: { webhooks }, afterEntry }: Circumstances): Webhook[] {
  const rows = [...everyRow("position", (after, limit) => webhooks.after(after, limit))];
  return rows.filter((row) => row.entry > afterEntry && row.subject_type !== PROBE);
}

function* transactionsIn(world: World): Generator<Resource> {
  const rows = everyRow("position", (after, limit) => world.transactions.after(after, limit));
  for (const { transaction } of rows) {
    const refunded = formatAmount(transaction.refunded, world.currencies.scale(transaction.currency));
    const fields = { ...transactionFields(world, transaction), amount_refunded: refunded };
    yield { id: transaction.transaction_id, fields };
  }
}

function* disputesIn(world: World): Generator<Resource> {
  const rows = everyRow("position", (after, limit) => world.disputes.after(after, limit));
  for (const row of rows) {
    yield { id: row.infraction_id, fields: { ...disputeFields(world, row), username: row.username } };
  }
}

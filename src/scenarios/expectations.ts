/** Judges the expectations of a scenario by the state and history of a world. */
import { durationOf } from "../domain/durations.ts";
import { eventNames } from "../domain/events.ts";
import { ExactNumber } from "../domain/money.ts";
import { balanceEntries } from "../service/accounts.ts";
import { formatInstant, type Instant } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { fieldAt, globOf, matches } from "./conditions.ts";
import {
  type Candidate,
  countEvents,
  countTransactions,
  deliveryFields,
  eventsIn,
  eventsLike,
  type Fields,
  resourcesIn,
  type Sought,
} from "./expected.ts";
import { accountsIn } from "./field-values.ts";
import { filledField } from "./references.ts";
import { nearest } from "./schema-words.ts";
import { type Expectation, kindOf, referableInExpectations } from "./script-schema.ts";
import {
  filledConditions,
  filledCount,
  filledName,
  UnknownVariable,
  type Variables,
  withReferences,
} from "./variables.ts";
import { type Outlook, type Verdict, verdictOn } from "./verdicts.ts";

/** The verdict on an expectation, with a sentence that explains it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly detail: string;
}

/** What an expectation is judged by. */
interface Circumstances {
  readonly world: World;
  /** The answers that the merchant saved. */
  readonly variables: Variables;
  /** The instant from which `within` counts. */
  readonly since: Instant;
  /** The journal's last entry before the events that count. */
  readonly afterEntry: number;
  /** Whether nothing more will happen, so that no verdict is pending. */
  readonly final: boolean;
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

/** A failure if the expectation names an unknown account: otherwise, a typo would let any `no_event` pass. */
function strangerIn(expected: Expectation, world: World): Judgement | null {
  for (const [username] of accountsIn(expected, [])) {
    const usernames = usernamesIn(world);
    if (!usernames.includes(username)) return { verdict: "fail", detail: noAccount(username, usernames) };
  }
  return null;
}

/** Adds the unknown account to the detail only: while a world goes on, the account may still be opened. */
function besides({ verdict, detail }: Judgement, stranger: Judgement): Judgement {
  return { verdict, detail: `${detail}; ${stranger.detail}` };
}

function usernamesIn({ accounts }: World): string[] {
  return accounts.all().map(({ username }) => username);
}

function noAccount(username: string, usernames: readonly string[]): string {
  return `there is no account "${username}"${nearest(username, usernames)}`;
}

/** An expectation with its variables filled in: fields, counts, names such as ids, and conditions. */
function filledExpectation(expected: Expectation, variables: Variables): Expectation {
  const parts = Object.entries(expected).map(([key, part]) => {
    if (key === "count") return [key, filledCount(part, variables)];
    const field = referableInExpectations[key as keyof typeof referableInExpectations];
    if (field) return [key, filledField<unknown>(part, field, variables)];
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
  const { count, first: firsts } = findingsOf(expected, circumstances);
  const outlook = outlookOf(expected, circumstances);
  const verdict = verdictOn(absence(expected.count), count, outlook);
  const [first] = firsts;
  if (first) return { verdict, detail: `it came at ${formatInstant(first.at)}: ${first.id}` };
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
  const { count, first } = findingsOf(expected, circumstances);
  const many = `${count} ${count === 1 ? "is" : "are"} there`;
  const shown = first.map(({ id }) => id).join(", ");
  const detail = count === 0 ? nothing(expected, circumstances) : `${many}: ${shown}`;
  const verdict = verdictOn(expected.count ?? SOME, count, outlookOf(expected, circumstances));
  return { verdict, detail };
}

/** The counts that satisfy `no_event`: zero if it has no `count` or `count: 0`, else any count but that one. */
function absence(count: unknown): unknown {
  return count === undefined || (count instanceof ExactNumber && Number(count) === 0) ? NONE : { not: count };
}

const NONE = new ExactNumber("0");
const SOME = { gte: new ExactNumber("1") };

/** How the number of findings can still change: events only accumulate, but resources and deliveries change. */
function outlookOf(expected: Expectation, { world, since, final }: Circumstances): Outlook {
  if (final) return "settled";
  const kind = kindOf(expected);
  const isOfResources = kind === "transaction" || kind === "dispute";
  const isOfDelivery = expected.status !== undefined || deliveryFields.some((name) => name in (expected.where ?? {}));
  if (isOfResources || isOfDelivery) return "changing";
  const end = endOf(expected, since);
  if (end === null) return "endless";
  return world.clock.now() > end ? "settled" : "closing";
}

/** The last instant within `within`; null if the expectation has none. */
function endOf({ within }: Expectation, since: Instant): Instant | null {
  return within === undefined ? null : since + durationOf(within);
}

/** How many candidates meet an expectation, and the first few of them, to be shown. */
interface Findings {
  readonly count: number;
  readonly first: readonly Candidate[];
}

/** How many findings a detail shows by their ids. */
const MOST_TOLD = 3;

function findingsOf(expected: Expectation, circumstances: Circumstances): Findings {
  const { world } = circumstances;
  if (isOfResource(expected)) {
    const { kind, id, where } = meantBy(expected);
    const counted = kind === "transaction" && id === null ? countTransactions(world, where, MOST_TOLD) : null;
    return counted ?? thoseThatMeet(where, resourcesIn(world, kind, id, where));
  }
  const sought = soughtBy(expected, circumstances);
  if (Object.keys(sought.where).length === 0) return countEvents(world, sought, MOST_TOLD);
  return thoseThatMeet(sought.where, eventsIn(world, sought));
}

function thoseThatMeet(where: Fields, candidates: Iterable<Candidate>): Findings {
  const first: Candidate[] = [];
  let count = 0;
  for (const candidate of candidates) {
    if (!matches(where, candidate.fields)) continue;
    if (first.length < MOST_TOLD) first.push(candidate);
    count++;
  }
  return { count, first };
}

function isOfResource(expected: Expectation): boolean {
  return ["transaction", "dispute"].includes(kindOf(expected));
}

/** The resources that an expectation means: one by its id, or those that conditions describe. */
function meantBy(expected: Expectation): { kind: string; id: string | null; where: Fields } {
  const kind = kindOf(expected);
  const named: unknown = kind === "dispute" ? expected.dispute : expected.transaction;
  const { where = {} } = expected;
  if (typeof named === "string") return { kind, id: named, where };
  return { kind, id: null, where: { ...(named as Fields | null), ...where } };
}

/** The events that an expectation may be about, or webhooks with their delivery status. */
function soughtBy(expected: Expectation, { since, afterEntry }: Circumstances): Sought {
  const { where = {} } = expected;
  if (kindOf(expected) !== "webhook") {
    const kinds = [expected.event ?? expected.no_event ?? ""];
    return { afterEntry, kinds, until: endOf(expected, since), status: null, where };
  }
  const pattern = globOf(expected.webhook ?? "*");
  const kinds = eventNames.filter((name) => pattern.test(name));
  return { afterEntry, kinds, until: null, status: expected.status ?? null, where };
}

/** Says that nothing was found, and what comes nearest to what was expected. */
function nothing(expected: Expectation, circumstances: Circumstances): string {
  const { world, afterEntry } = circumstances;
  if (isOfResource(expected)) {
    const { kind, id, where } = meantBy(expected);
    return noSuch(kind, nearestIn(unlike(where, resourcesIn(world, kind, id, {})), leastOf(where)));
  }
  const { until, ...meant } = soughtBy(expected, circumstances);
  const sought = { ...meant, until: null, status: null };
  if (kindOf(expected) === "webhook") return noSuchWebhook(world, sought, expected.status);
  // An event that came too late may differ in nothing else.
  const nearest = nearestOf(world, sought, until === null ? leastOf(sought.where) : 0);
  if (nearest !== null) return `it did not come; ${nearest}`;
  const kinds = world.events.kinds(afterEntry);
  return `it did not come; there came ${kinds.length > 0 ? kinds.join(", ") : "nothing"}`;
}

function* unlike(where: Fields, candidates: Iterable<Candidate>): Generator<Told> {
  for (const { id, at, fields } of candidates) yield { id, at, ...unlikeIn(where, fields) };
}

/** Says that there is no such webhook, and which one of the kinds sought comes nearest. */
function noSuchWebhook(world: World, sought: Sought, status: string | undefined): string {
  function* candidates(): Generator<Told> {
    for (const { id, at, fields } of eventsLike(world, sought)) {
      const { words, distance } = unlikeIn(sought.where, fields);
      const { webhook_status: own } = fields;
      const states = status === undefined || status === own ? [] : [`status ${JSON.stringify(own)}`];
      yield { id, at, words: [...states, ...words], distance: distance + states.length };
    }
  }
  const least = status === undefined ? leastOf(sought.where) : 1;
  return noSuch("webhook", nearestIn(candidates(), least));
}

function noSuch(kind: string, nearest: Told | null): string {
  if (!nearest) return `there is no such ${kind}`;
  return `there is no such ${kind}; the nearest, ${nearest.id}, has ${nearest.words.join(", ")}`;
}

/** Which event of the kind comes nearest to what was expected: when it came, and how it differs; null for none. */
function nearestOf(world: World, sought: Sought, least: number): string | null {
  const nearest = nearestIn(unlike(sought.where, eventsLike(world, sought)), least);
  if (!nearest) return null;
  const { count } = countEvents(world, sought, 1);
  const which = count === 1 ? "the one of its kind" : `the nearest of ${count} of its kind`;
  const differs = nearest.words.length === 0 ? "" : ` with ${nearest.words.join(", ")}`;
  return `${which} came at ${formatInstant(nearest.at)}${differs}`;
}

/** How a candidate differs from what was expected, in words, and how much. */
interface Unlike {
  readonly words: readonly string[];
  readonly distance: number;
}

/** The distance of a differing id: it outweighs all other fields, as the candidate is another thing then. */
const OTHER_ID = 1000;

/** The fields of a candidate that do not match, with their values. */
function unlikeIn(where: Fields, fields: Fields): Unlike {
  const names = Object.keys(where).filter((name) => !matches({ [name]: where[name] }, fields));
  const distances = names.map(distanceOf);
  return {
    words: names.map((name) => `${name} ${JSON.stringify(fieldAt(fields, name))}`),
    distance: distances.reduce((sum, distance) => sum + distance, 0),
  };
}

function distanceOf(name: string): number {
  return name.endsWith("_id") ? OTHER_ID : 1;
}

/** The least distance of a candidate that does not match all conditions. */
function leastOf(where: Fields): number {
  return Math.min(...Object.keys(where).map(distanceOf));
}

/** A candidate with its differences. */
interface Told extends Unlike {
  readonly id: string;
  readonly at: Instant;
}

/** The first of the nearest candidates, or null. @param least the least distance possible, which ends the search. */
function nearestIn(candidates: Iterable<Told>, least: number): Told | null {
  let nearest: Told | null = null;
  for (const candidate of candidates) {
    if (nearest && candidate.distance >= nearest.distance) continue;
    nearest = candidate;
    if (nearest.distance <= least) break;
  }
  return nearest;
}

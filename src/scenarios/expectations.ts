/** Judges the expectations of a scenario by the state and history of a world. */
import { ExactNumber } from "../domain/money.ts";
import { balanceEntries } from "../service/accounts.ts";
import { formatInstant } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { matches } from "./conditions.ts";
import { type Candidate, deliveryFields } from "./expected.ts";
import { accountsIn } from "./field-values.ts";
import { nothingFound } from "./near-misses.ts";
import { filledField } from "./references.ts";
import { nearest } from "./schema-words.ts";
import { type Expectation, kindOf, referableInExpectations, withoutName } from "./script-schema.ts";
import { type Circumstances, endOf, findingsOf, isOfResource } from "./sought.ts";
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

/** Judges one expectation. */
export function judge(given: Expectation, circumstances: Circumstances): Judgement {
  const expected = withoutName(given);
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
  const wanted = absence(expected.count);
  const verdict = verdictOn(wanted, count, outlook);
  const [first] = firsts;
  if (first) {
    const detail = wanted === NONE ? `it came at ${formatInstant(first.at)}: ${first.id}` : foundWords(count, firsts);
    return { verdict, detail };
  }
  return { verdict, detail: outlook === "settled" ? "it did not come" : "it has not come so far" };
}

function judgeBalance(expected: Expectation, { world }: Circumstances, open: Verdict): Judgement {
  const usernames = usernamesIn(world);
  const username = expected.of ?? usernames[0] ?? "";
  if (!usernames.includes(username)) return { verdict: open, detail: noAccount(username, usernames) };
  const balances = new Map(balanceEntries(world, username).map(({ currency, balance }) => [currency, balance]));
  const wanted = expected.balance ?? {};
  const shown = Object.keys(wanted).map((currency) => `${currency} ${balances.get(currency) ?? "none"}`);
  const detail = `${username} has ${shown.join(", ")}`;
  const isSo = Object.entries(wanted).every(
    ([currency, condition]) =>
      balances.has(currency) && matches({ balance: condition }, { balance: balances.get(currency) }),
  );
  return { verdict: isSo ? "pass" : open, detail };
}

function judgeCount(expected: Expectation, circumstances: Circumstances): Judgement {
  const { count, first } = findingsOf(expected, circumstances);
  const detail = count === 0 ? nothingFound(expected, circumstances) : foundWords(count, first);
  const verdict = verdictOn(expected.count ?? SOME, count, outlookOf(expected, circumstances));
  return { verdict, detail };
}

function foundWords(count: number, first: readonly Candidate[]): string {
  return `${count} ${count === 1 ? "is" : "are"} there: ${first.map(({ id }) => id).join(", ")}`;
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
  const isOfDelivery = expected.status !== undefined || deliveryFields.some((name) => name in (expected.where ?? {}));
  if (isOfResource(expected) || isOfDelivery) return "changing";
  const end = endOf(expected, since);
  if (end === null) return "endless";
  return world.clock.now() > end ? "settled" : "closing";
}

/** The chapters of the scenario language on rules: their order, triggers, conditions, filters, steps and the clock. */
import { type EventKind, eventDefinitions } from "../domain/events.ts";
import { comparisons } from "../scenarios/conditions.ts";
import { transactionFieldNames, triggerFields, triggerNames, triggerSubject } from "../scenarios/triggers.ts";
import { anchorOf, code, codes, points, table } from "./markdown.ts";
import { chapter, example } from "./scenario-language-chapters.ts";
import { actionTables, momentTable, namingPoints, nouns } from "./scenario-language-steps.ts";
import { definition, keyTable, propertiesOf, type Told } from "./scenario-language-tables.ts";

/** TABLE: for each key of a rule, what holds if it is left out, and where it is explained. */
const ruleKeys = {
  name: ["none"],
  on: ["–", "See [triggers](#triggers)."],
  every: ["–", "See [the clock](#rules-on-the-clock)."],
  timezone: ["UTC"],
  at: ["–", "See [the clock](#rules-on-the-clock)."],
  request: ["–", "See [calls](#calls-that-go-wrong)."],
  delivery: ["–", "See [webhooks](#webhooks-that-go-wrong)."],
  where: ["all of them", "See [conditions](#conditions)."],
  skip: ["0", "See [filters](#filters)."],
  times: ["no end"],
  chance: ["100%"],
  from: ["always"],
  until: ["always"],
  also: ["`false`"],
  // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
  then: ["required, except with `inject`", "", "list of [steps](#steps)"],
  inject: ["required in `request` and `delivery` rules", "", "[a fault](#calls-that-go-wrong)"],
} as const satisfies Record<string, Told>;

const PRECEDENCE = `A rule has one of \`on\`, \`every\`, \`at\`, \`request\` and \`delivery\`. Whatever happens is offered to the rules in
this order: the scenario loaded last comes first, then those that it names under \`with\`; within a file, rules go from
top to bottom. The first rule that matches **steers**: it decides what happens, and rules after it do not act. What the
filters of a rule (\`skip\`, \`times\`, \`chance\`, \`from\`, \`until\`) keep from it goes on to the next rule. A rule with
\`also: true\` acts in addition to the one that steers, whether it is above or below it; only rules with \`on\` can have it.
Of rules with \`request\` or \`delivery\`, only the first strikes, and those set by hand (\`PUT /_sandbox/faults\`, the step
\`fault\`) come before those of files. Rules that trigger each other while no time passes are stopped (\`rule.stopped\`)
after a hundred turns, a rule with \`times\` after that many, at most five hundred; \`run\` says so beside its verdict.`;

/** The chapter on rules and their precedence. */
export function rules(): string {
  return chapter("Rules", PRECEDENCE, example("precedence"), keyTable(propertiesOf(definition("rule")), ruleKeys));
}

/** TABLE: when the triggers that are not events occur. */
const occasions: Readonly<Record<string, string>> = {
  "cashin.created": "A charge was made, not a deposit into a fixed wallet.",
  "cashout.created": "A cash-out was accepted.",
  "webhook.delivered":
    "An attempt to deliver a webhook was answered 2xx; `status` is that of the answer. One from a wrong `source` never counts as delivered.",
  "webhook.failed":
    "An attempt was answered otherwise, not to the end or not at all; `error` is null if the answer is whole.",
  "webhook.exhausted": "The last attempt has failed; no more will come.",
};

/** The chapter on what sets rules off. */
export function triggers(): string {
  const rows = triggerNames.map((name) => {
    const when = occasions[name] ?? eventDefinitions[name as EventKind].description;
    const subject = triggerSubject(name);
    return [code(name), when, subject ? nouns[subject] : "what the webhook is about", fieldsOf(name)];
  });
  const attempt = triggerFields("webhook.delivered") ?? [];
  const shared = `The fields of a transaction are ${codes(transactionFieldNames)}; those of an attempt are
${codes(attempt)}; those of an event are its own and \`username\`.

At the moment of an event its webhook has not been sent: rules act on what happened, whether or not the delivery succeeds.`;
  return chapter("Triggers", table(["`on:`", "when", "steps act on a", "fields of `where`"], rows), shared);
}

/** Where the fields of a trigger are explained: those of an event have a table on the page of events. */
function fieldsOf(name: string): string {
  if (name.startsWith("webhook.")) return "those of an attempt";
  if (triggerFields(name) === transactionFieldNames) return "those of a transaction";
  return `[its own](events.md#${anchorOf(name)})`;
}

/** TABLE: comparisons with their form and meaning. */
const operators: Readonly<Record<(typeof comparisons)[number], readonly [form: string, meaning: string]>> = {
  gte: ["{ gte: 100 }", "at least: decimals by value, instants by time, other texts in their order"],
  gt: ["{ gt: 0 }", "more"],
  lte: ["{ lte: 100 }", "at most"],
  lt: ['{ lt: "2026-02-01T00:00:00Z" }', "less, earlier"],
  in: ["{ in: [USDT, USDC] }", "any of these values; `*` works here too"],
  not: [
    '{ not: "house-*" }',
    "anything except this value, or except what these comparisons take; also a field that is not there",
  ],
};

const VALUES: readonly (readonly string[])[] = [
  ["`BRL`", "exactly this text, in the same case"],
  [
    '`150`, `"150.00"`',
    "in amounts, fees, rates, balances and limits the same value: 150, 150.0 and 150.00 are equal; in other texts, such as an `external_id`, the same digits",
  ],
  ['`"2026-01-01T12:00:00Z"`', "the same instant, in whatever zone and precision it is written"],
  ['`"order-*"`', "a text in which each `*` stands for any characters or none; there is no other wildcard"],
  ["`true`, `false`", "the same"],
  ["`null`", "not there or null"],
];

/** The chapter on `where`. */
export function conditions(): string {
  const rows = comparisons.map((name) => [code(operators[name][0]), operators[name][1]]);
  const intro = `\`where\` names fields of what happened, with a dot for a field within another (\`payer.name\`), and what each must
be; all must hold. The same conditions are used in \`data\` of a call, and in \`where\`, \`balance\`, \`transaction\`,
\`dispute\` and \`count\` of an expectation.`;
  const outro = "Several comparisons of one field must all hold: `{ gte: 100, lt: 1000, not: 500 }`.";
  return chapter("Conditions", intro, table(["condition", "holds for"], [...VALUES, ...rows]), outro, example("where"));
}

const FILTERS = `Filters choose among what a rule matches. Each rule counts for itself: \`skip\` counts its matches and \`times\` how
often it acted; what a rule above has taken does not count. \`chance\` follows the seed of the world, so a run goes the
same every time. A rule matches at \`from\` and after it, and before \`until\`, not at it; \`+10m\` counts from when the
scenario was loaded, which in a run is its start.`;

/** The chapter on which of its matches a rule acts on. */
export function filters(): string {
  return chapter("Filters", FILTERS, example("filters"));
}

const STEPS = `A step has one action and says when: \`after\` a duration since the previous step (the first step: since the
trigger), \`at\` a moment or an instant, or at once if it has neither. A moment that has passed means now. Steps are
carried out one after the other, each put on the clock when the previous one is done; replacing or removing the scenario
does not change steps that are under way. A step that the state no longer allows is skipped, with the reason in the
journal, and the next steps go on. If both are due at the same instant, a step comes before what the service does by
itself.`;

const OFFSETS = `Moments have no offset. To act after one, wait for it with a \`note\` and go on with \`after\`; to act before one,
count from the trigger, as in \`after: 29m59s\` for the last second of a charge.`;

const NAMING = `An action acts on what the rule is about, unless it names another resource by one of the keys below. It must name
one in a rule on the clock, and where the resource of the rule does not have the action:`;

/** The chapter on what rules do. */
export function steps(): string {
  return chapter(
    "Steps",
    STEPS,
    momentTable(),
    OFFSETS,
    example("moments"),
    `### Actions\n\n${actionTables()}`,
    "What each action does to states and money is in [states.md](states.md).",
    NAMING,
    points(namingPoints()),
    example("actions"),
  );
}

const CLOCK = `\`every\` acts by a cron pattern, in \`timezone\`: minute, hour, day of the month, month, day of the week, with an
optional field for seconds before them, and then one for the year behind them; \`L\` is the last day of the month, and
\`@hourly\`, \`@daily\` and their like stand for a whole pattern. \`at\` acts once, at an instant or a duration after the
loading; an instant that has already passed never comes. Neither takes \`where\`; both take \`times\`, \`skip\`,
\`chance\`, \`from\` and \`until\`. A run without \`for\` ends when only recurring timers are left, so \`every\` needs a
\`for\` or an \`advance\`.`;

/** The chapter on rules that time sets off. */
export function onTheClock(): string {
  return chapter("Rules on the clock", CLOCK, example("clock"));
}

/** `docs/scenario-language.md`: the language of scenario files. */
import { type EventKind, eventDefinitions } from "../domain/events.ts";
import { comparisons } from "../scenarios/conditions.ts";
import { ofAttempts, ofWebhooks } from "../scenarios/expected.ts";
import { type ExpectationKind, expectationKeys } from "../scenarios/script-schema.ts";
import {
  disputeFieldNames,
  struckFieldNames,
  transactionFieldNames,
  triggerFields,
  triggerNames,
  triggerSubject,
} from "../scenarios/triggers.ts";
import { anchorOf, code, codes, page, points, table } from "./markdown.ts";
import { languageExamples } from "./scenario-language-examples.ts";
import { RUNNING } from "./scenario-language-running.ts";
import { actionTables, momentTable, namingPoints, nouns } from "./scenario-language-steps.ts";
import { definition, fileKeys, keyTable, propertiesOf, type Told, valuesOf } from "./scenario-language-tables.ts";

const INTRODUCTION = `A scenario is a file, in YAML or JSON, that tells a story: what payers, banks and the network do
(\`rules\`), what a merchant does meanwhile (\`merchant\`), and what must come of it (\`expect\`). Each of the three may be
left out. The shipped stories are in [scenarios.md](scenarios.md). The tests play every example of this page.`;

const WRITING = `Durations are \`500ms\`, \`5s\`, \`31m\`, \`1h30m\`, \`2d\`, \`1w\` or ISO 8601 (\`PT5S\`); instants are ISO 8601 with a
zone, such as \`"2026-01-01T12:00:00Z"\`. Amounts are numbers or texts; those of \`fixtures\` are
texts, as in \`"100.00"\`. Put a text in quotes if it begins with \`*\`, or if it contains \`\${…}\` within \`{ }\`. An unknown key, trigger, field, action, currency, account or variable is
refused with file, line, column and the nearest right name; so is a rule that can never act because a rule above it takes
all that it matches. Each thing is written out where it stands: YAML's anchors, aliases, merges (\`<<\`) and tags (\`!!str\`)
are refused, and amounts are decimals (\`0x10\` and \`.5e1\` are not).`;

/** The page, in Markdown. */
export function scenarioLanguagePage(): string {
  const chapters = [
    file(),
    rules(),
    triggers(),
    conditions(),
    filters(),
    steps(),
    onTheClock(),
    requests(),
    deliveries(),
    merchant(),
    expectations(),
    RUNNING,
  ];
  const titles = chapters.map((text) => /^## (.+)$/m.exec(text)?.[1] ?? "");
  const contents = points(titles.map((title) => `[${title}](#${anchorOf(title)})`));
  return page("The scenario language", "src/scenarios", [
    INTRODUCTION,
    example("file"),
    WRITING,
    contents,
    ...chapters,
  ]);
}

function chapter(title: string, ...paragraphs: readonly string[]): string {
  return [`## ${title}`, ...paragraphs].join("\n\n");
}

function example(name: keyof typeof languageExamples): string {
  return `\`\`\`yaml\n${languageExamples[name]}\n\`\`\``;
}

function file(): string {
  const keys = keyTable(fileKeys, {
    scenario: ["required", "At most 63 lower-case letters, digits and hyphens."],
    description: ["none"],
    $schema: ["none", "In YAML, a first line `# yaml-language-server: $schema=…` does the same."],
    with: [
      "none",
      "The last one named lies on top. Their rules get what this file's rules leave, and this file's `settings` win over theirs. Their `merchant`, `expect` and `for` are not played. Their `seed`, `clock` and `accounts` count in a served world, not in a run.",
      "list of names and paths",
    ],
    settings: ["the defaults", "", "[settings](settings.md)"],
    seed: ["1"],
    clock: [
      "frozen at `2026-01-01T12:00:00Z`, in a server [as it starts](control.md#what-a-world-starts-with)",
      "A run is always frozen, and takes only `start`.",
    ],
    accounts: [
      "acme and globex",
      "Balances by currency, zero if not named; `postback_url: sandbox://inbox` keeps webhooks in the world.",
    ],
    rules: ["none", "", "list of [rules](#rules)"],
    merchant: ["nobody calls", "", "list of [calls and waits](#the-merchants-script)"],
    expect: ["nothing", "", "list of [expectations](#expectations)"],
    for: [
      "until nothing but recurring timers is left",
      "Without it, a run that still goes on after 250000 timers fails.",
    ],
  });
  const world = `\`settings\`, \`seed\`, \`clock\` and \`accounts\` apply when a world is made with the scenario: by \`run\`, by a server
that starts with it, or by \`POST /_sandbox/worlds\`. What is given to the run, the server or the call wins over them, such
as \`--seed\`, \`--postback-url\` or \`settings\`. An existing world keeps its own.`;
  return chapter("A file", keys, world, example("world"));
}

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

function rules(): string {
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

function triggers(): string {
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

function conditions(): string {
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

function filters(): string {
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

function steps(): string {
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
optional field for seconds before them. \`at\` acts once, at an instant or a duration after the loading; an instant that
has already passed never comes. Neither takes \`where\`; both take \`times\`, \`skip\`, \`chance\`, \`from\` and \`until\`. A
run without \`for\` ends when only recurring timers are left, so \`every\` needs a \`for\` or an \`advance\`.`;

function onTheClock(): string {
  return chapter("Rules on the clock", CLOCK, example("clock"));
}

function injections(struck: "request" | "delivery"): string {
  const kinds = Object.entries(propertiesOf(definition(`inject-${struck}`)));
  const rows = kinds.map(([name, schema]) => [code(name), valuesOf(schema), String(schema.description ?? "")]);
  return table(["`inject:`", "value", "what it does"], rows);
}

function requests(): string {
  const intro = `\`request\` names calls of \`/v2\` by method and path, with \`*\` for anything (\`"* /v2/*"\` is all of them), and
\`inject\` names one thing that goes wrong. \`where\` knows ${codes(struckFieldNames("request", "*"))}, but not the body; the
call for a token has no \`client_id\` and no \`username\`. The fault strikes after token, rate limit and signature are
checked and before the body is: the call needs a token, uses up its nonce and counts.`;
  const { request, delivery, ...others } = propertiesOf(definition("do-fault"));
  const told: Record<keyof typeof others, Told> = {
    name: ["none", "For reports."],
    inject: ["required", "The fault that strikes.", "as above"],
    where: ["all of them", "Acts only on calls or webhooks with these fields."],
    skip: ["0"],
    times: ["no end"],
    chance: ["100%"],
    from: ["always", "Counted from when the step is done."],
    until: ["always", "Counted likewise."],
    for: ["for good"],
  };
  const further =
    "The step `fault` sets such a rule from then on, and ends it after `for`. It comes before the rules that stand already, those that were set by hand included. Beside `request` or `delivery` it takes:";
  return chapter(
    "Calls that go wrong",
    intro,
    injections("request"),
    example("requests"),
    further,
    keyTable(others, told),
  );
}

function deliveries(): string {
  const intro = `\`delivery\` names webhooks by the kind of their event, with \`*\` for anything, and \`inject\` names what goes wrong.
\`where\` knows the fields of the named events, and ${codes(ownOfDeliveries())}. A rule acts on a webhook once, before its
first attempt; later attempts go as usual.`;
  return chapter("Webhooks that go wrong", intro, injections("delivery"), example("deliveries"));
}

/** The fields that every webhook has, whatever its event. */
function ownOfDeliveries(): string[] {
  const all = struckFieldNames("delivery", "*");
  return all.slice(0, all.indexOf("client_id") + 1);
}

const MERCHANT = `\`merchant\` is what the merchant does in a run, one step after the other; in a served world your program is the
merchant, and the script is ignored. The script's merchant fetches tokens, signs and makes nonces by itself. A call is
answered, and everything due at that instant is done, before the next step begins. After an answer that is not as
expected the run fails, and the script goes on all the same. \`\${name.path}\` stands for what was saved before, in every
value of a step and of an expectation but \`save\`, \`name\`, \`note\` and the size of a made-up file; as a whole where the
value is a number, a duration, or one of some words, such as a status or an event; \`\${list.items[0].id}\` reaches into
lists. A value that is only a reference keeps its type. In conditions, a \`*\` in what is filled in is no wildcard.`;

function merchant(): string {
  const step = propertiesOf(definition("merchant-step"));
  const keys = keyTable(step, {
    call: ["–", "A query may follow the path; values filled in there are encoded."],
    body: ["no body", "", "any JSON"],
    form: [
      "no form",
      "A made-up file begins as its type does.",
      "by name: text, or list of paths and `{ name, type, size }`",
    ],
    as: ["the first account"],
    repeat: ["1", "It stops at the first answer that is not as expected."],
    expect: ["success"],
    save: ["nothing is kept", "Of a repeated call, the last answer."],
    advance: [
      "–",
      "`next`: through the next timer; `idle`: until nothing is left to happen; an event kind: until such an event comes. If it never comes, the run fails.",
    ],
    note: ["–"],
    name: ["the call"],
  });
  const expected = keyTable(propertiesOf(step.expect ?? {}), {
    status: ["any success; with `error`, any refusal"],
    error: ["none"],
    data: [
      "anything",
      "`{ amount: 150 }` looks at `data.amount` of the answer, `{ items.0.status: open }` into a list. A refusal has no data.",
    ],
  });
  return chapter("The merchant's script", MERCHANT, keys, "Within `expect` of a call:", expected, example("merchant"));
}

/** TABLE: the fields that an expectation of each kind looks at. */
const expectedFields: Readonly<Record<ExpectationKind, string>> = {
  event: `those of the [event](events.md), \`username\`, ${codes(ofWebhooks)}`,
  no_event: "the same",
  balance: "currencies",
  webhook: `the same as of an event, and ${codes(ofAttempts)}`,
  transaction: `those of a [transaction](#triggers), and \`amount_refunded\``,
  dispute: codes(disputeFieldNames),
};

const EXPECTATIONS = `Each expectation is about one thing, and is judged when the run has ended. \`event\` looks for what happened,
\`webhook\` for how its delivery went. Without \`count\`, one is enough; \`count: 0\` and \`no_event\` mean none.
\`no_event\` with a larger \`count\` means any other number.`;

const SERVED = `In a served world, events and webhooks count from when the scenario was loaded, and \`GET /_sandbox/scenarios\` judges
all expectations as things are now. A scenario has \`failed\` when one of them has failed, has \`passed\` while all of them
pass, and is otherwise \`running\`. What is expected of something that \`merchant\` saves stays pending and does not count, as
nobody plays \`merchant\` there.`;

/** TABLE: what the verdicts of a served world mean. */
const VERDICTS: readonly (readonly string[])[] = [
  [
    "`pass`",
    "It is as expected. With `within` this is final: `no_event`, or an upper limit of `count`, passes when that time is over. Without `within` it may change: `no_event`, `count: 0` and `count: 1` pass until one too many comes.",
  ],
  [
    "`fail`",
    "It is not as expected and can no longer be: something came too often, too late, or although it should not. A balance, a transaction, a dispute and the status of a webhook may still change, so they fail only at the end of a run.",
  ],
  ["`pending`", "It is not yet as expected, or the time of its `within` is not over."],
];

function expectations(): string {
  const { name, where, count, within, of, status, ...kinds } = propertiesOf(definition("expectation"));
  const rows = Object.entries(kinds).map(([kind, schema]) => {
    const keys = expectationKeys[kind as ExpectationKind];
    return [
      code(kind),
      valuesOf(schema),
      String(schema.description ?? ""),
      codes(keys),
      expectedFields[kind as ExpectationKind],
    ];
  });
  const further = Object.fromEntries(
    Object.entries({ name, where, count, within, of, status }).map(([key, schema]) => [key, schema ?? {}]),
  );
  const keys = keyTable(further, {
    name: ["made of the rest"],
    where: ["all of them"],
    count: ["`{ gte: 1 }`", "", "whole number, or [comparisons](#conditions)"],
    within: ["at any time", "An event at that very instant is in time."],
    of: ["the first account"],
    status: ["any"],
  });
  const served = [SERVED, table(["verdict", "when"], VERDICTS)];
  const kindTable = table(["about", "value", "what it is", "beside it", "fields"], rows);
  return chapter("Expectations", EXPECTATIONS, kindTable, keys, ...served, example("expectations"));
}

/** The language of scenario files as a page to read: what `docs/scenario-language.md` holds. */
import { type EventKind, eventDefinitions } from "../domain/events.ts";
import { comparisons } from "../scenarios/conditions.ts";
import { attemptFieldNames, ofWebhooks } from "../scenarios/script-checks.ts";
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
left out. The stories that are shipped are in [scenarios.md](scenarios.md); this is what they are written in. The tests
play every example of this page.`;

const WRITING = `Durations are \`500ms\`, \`5s\`, \`31m\`, \`1h30m\`, \`2d\`, \`1w\` or ISO 8601 (\`PT5S\`); instants are ISO 8601 with a
zone, such as \`"2026-01-01T12:00:00Z"\`. Amounts are numbers or texts. A text that begins with \`*\`, or that holds
\`\${…}\` within \`{ }\`, is put in quotes. A key, trigger, field, action, currency, account or variable that there is not is
refused with file, line and column and the nearest that there is; so is a rule that can never act, since one above it
takes all that it matches.`;

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
    scenario: ["must be there", "At most 63 lower-case letters, digits and hyphens."],
    description: ["none"],
    $schema: ["none", "In YAML a first line `# yaml-language-server: $schema=…` does the same."],
    with: [
      "none",
      "They stand beneath this one, of several the last one on top: their rules get what its own leave, and their `settings` count but for those that it says itself. Their `merchant`, `expect` and `for` are not played. Their `seed`, `clock` and `accounts` count where a world is served, and not in a run.",
      "list of names and paths",
    ],
    settings: ["the defaults", "", "[settings](settings.md)"],
    seed: ["1"],
    clock: ["frozen at `2026-01-01T12:00:00Z`", "A run is frozen always, and takes `start` alone."],
    accounts: [
      "acme and globex",
      "Balances by currency, those not named zero; `postback_url: sandbox://inbox` keeps webhooks in the world.",
    ],
    rules: ["none", "", "list of [rules](#rules)"],
    merchant: ["nobody calls", "", "list of [calls and waits](#the-merchants-script)"],
    expect: ["nothing", "", "list of [expectations](#expectations)"],
    for: [
      "until nothing but recurring timers is left",
      "Without it, a run that is not at rest after 250000 timers fails.",
    ],
  });
  const world = `\`settings\`, \`seed\`, \`clock\` and \`accounts\` are what the world is made with: by \`run\`, where a server
starts with the scenario, or where a world is made with it. A world that is there already keeps its own.`;
  return chapter("A file", keys, world, example("world"));
}

/** TABLE: which of a rule's keys are told where. */
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
  then: ["must be there, but beside `inject`", "", "list of [steps](#steps)"],
  inject: ["must be there in `request` and `delivery` rules", "", "[a fault](#calls-that-go-wrong)"],
} as const satisfies Record<string, Told>;

const PRECEDENCE = `A rule has one of \`on\`, \`every\`, \`at\`, \`request\` and \`delivery\`. Whatever happens is offered to the rules in
one order: the scenario that was loaded last comes first, those that it names under \`with\` after it, and within a file
the rules from the top. The first that matches **steers**, and those after it do not act. A rule lets go what its filters
(\`skip\`, \`times\`, \`chance\`, \`from\`, \`until\`) do not let it act on: that goes on to the next rule. A rule with
\`also: true\` acts beside the one that steers, whether it stands above or below; it is for rules with \`on\`. Of rules with
\`request\` or \`delivery\` the first alone strikes, and those set by hand (\`PUT /_sandbox/faults\`, the step \`fault\`) come
before those of files. Rules that set each other off without time passing are stopped (\`rule.stopped\`) after a hundred
turns, one with \`times\` after so many, five hundred at most; \`run\` tells it beside its verdict.`;

function rules(): string {
  return chapter("Rules", PRECEDENCE, example("precedence"), keyTable(propertiesOf(definition("rule")), ruleKeys));
}

/** TABLE: the triggers that are no events. */
const occasions: Readonly<Record<string, string>> = {
  "cashin.created": "A charge was made; a deposit into a fixed wallet is none.",
  "cashout.created": "A cash-out was accepted.",
  "webhook.delivered": "An attempt to deliver a webhook was answered 2xx; `status` is that of the answer.",
  "webhook.failed": "An attempt was answered otherwise, or not at all.",
  "webhook.exhausted": "The last attempt has failed; no more will come.",
};

function triggers(): string {
  const rows = triggerNames.map((name) => {
    const when = occasions[name] ?? eventDefinitions[name as EventKind].description;
    const subject = triggerSubject(name);
    const fields = triggerFields.get(name) ?? [];
    const told = fields === transactionFieldNames ? "those of a transaction" : codes(fields);
    return [code(name), when, subject ? nouns[subject] : "what the webhook is about", told];
  });
  const shared = `The fields of a transaction are ${codes(transactionFieldNames)}. At the moment of an event its webhook has not
been sent: rules act on what happened, whatever becomes of the delivery.`;
  return chapter("Triggers", table(["`on:`", "when", "steps act on a", "fields of `where`"], rows), shared);
}

/** TABLE: what comparisons mean. */
const operators: Readonly<Record<(typeof comparisons)[number], readonly [form: string, meaning: string]>> = {
  gte: ["{ gte: 100 }", "at least: decimals by value, instants by time, other texts in their order"],
  gt: ["{ gt: 0 }", "more"],
  lte: ["{ lte: 100 }", "at most"],
  lt: ['{ lt: "2026-02-01T00:00:00Z" }', "less, earlier"],
  in: ["{ in: [USDT, USDC] }", "any of these values; `*` works here too"],
  not: ['{ not: "house-*" }', "anything but this value, or but what these comparisons take; also what is not there"],
};

const VALUES: readonly (readonly string[])[] = [
  ["`BRL`", "this text, in the same case, from its beginning to its end"],
  [
    '`150`, `"150.00"`',
    "in amounts, fees, rates, balances and limits a decimal of the same value: 150, 150.0 and 150.00 are one; in other texts, such as an `external_id`, the same digits",
  ],
  ['`"2026-01-01T12:00:00Z"`', "an instant of the same time, in whatever zone and precision it is written"],
  ['`"order-*"`', "a text in which each `*` stands for anything, nothing included; there is no other wildcard"],
  ["`true`, `false`", "the same"],
  ["`null`", "not there, or null"],
];

function conditions(): string {
  const rows = comparisons.map((name) => [code(operators[name][0]), operators[name][1]]);
  const intro = `\`where\` names fields of what happened, those within others with a dot (\`payer.name\`), and what each must be;
all of it must hold. The same conditions stand in \`data\` of a call, and in \`where\`, \`balance\`, \`transaction\`,
\`dispute\` and \`count\` of an expectation.`;
  const outro = "Several comparisons of one field must hold together: `{ gte: 100, lt: 1000, not: 500 }`.";
  return chapter("Conditions", intro, table(["condition", "holds for"], [...VALUES, ...rows]), outro, example("where"));
}

const FILTERS = `Filters choose among what a rule matches, and are counted for each rule by itself: \`skip\` and \`times\` count
its own matches and deeds, and a match that a rule above has taken is none. \`chance\` draws by the seed of the
world, so that a run goes the same every time. \`from\` is part of the window and \`until\` is not, and
what is outside it is no match; \`+10m\` counts from the loading of the scenario, which in a run is its start.`;

function filters(): string {
  return chapter("Filters", FILTERS, example("filters"));
}

const STEPS = `A step has one action, and says when: \`after\` so long after the step before (the first: after the trigger), \`at\`
a moment or an instant, neither of them at once. A moment that has passed is now. Steps are carried out one after the
other, each put on the clock when the one before is done; a scenario that is replaced or removed meanwhile changes nothing
about those under way. What the state no longer allows is skipped, with the reason in the journal, and the steps after it
go on. At one instant a step comes before what the service would do by itself.`;

const OFFSETS = `Moments have no offset. For an instant after one, wait for it with a \`note\` and go on with \`after\`; for one
before, count from the trigger, as in \`after: 29m59s\` for the last second of a charge.`;

const NAMING = `An action acts on what the rule is about, unless it names another resource by a key within it. One that what
the rule is about does not know, and every one in a rule on the clock, has to:`;

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
optional field for seconds before them. \`at\` acts once, at an instant or so long after the loading; an instant that has
passed by then never comes. Neither has a \`where\`; \`times\`, \`skip\`, \`chance\`, \`from\` and \`until\` work. A run without
\`for\` ends when nothing but recurring timers is left, so \`every\` needs a \`for\` or an \`advance\` to live on.`;

function onTheClock(): string {
  return chapter("Rules on the clock", CLOCK, example("clock"));
}

function injections(struck: "request" | "delivery"): string {
  const kinds = Object.entries(propertiesOf(definition(`inject-${struck}`)));
  const rows = kinds.map(([name, schema]) => [code(name), valuesOf(schema), String(schema.description ?? "")]);
  return table(["`inject:`", "value", "what it does"], rows);
}

function requests(): string {
  const intro = `\`request\` names calls of \`/v2\` by method and path, \`*\` for anything (\`"* /v2/*"\` is all of them), and \`inject\`
one thing that goes wrong. \`where\` knows ${codes(struckFieldNames("request", "*"))}, but not the body. The fault strikes
after token, rate limit and signature and before the body is looked at; a token and a nonce are used up. The
step \`fault\` sets such a rule from then on, and takes it away after \`for\`:`;
  const { request, delivery, ...others } = propertiesOf(definition("do-fault"));
  const told: Record<keyof typeof others, Told> = {
    name: ["none", "For reports."],
    inject: ["must be there", "The fault that strikes.", "as above"],
    where: ["all of them", "Acts on calls or webhooks with these fields alone."],
    skip: ["0"],
    times: ["no end"],
    chance: ["100%"],
    from: ["always", "Counted from when the step is done."],
    until: ["always", "Counted likewise."],
    for: ["for good"],
  };
  const further = "Beside `request` or `delivery` the step `fault` takes:";
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
  const intro = `\`delivery\` names webhooks by the kind of their event, \`*\` for anything, and \`inject\` what goes wrong with
them. \`where\` knows the fields of the events that are named, beside ${codes(ownOfDeliveries())}. Each webhook is looked
at once, before its first attempt; later attempts are as ever.`;
  return chapter("Webhooks that go wrong", intro, injections("delivery"), example("deliveries"));
}

/** The fields of a webhook of which nothing but that it is one is known. */
function ownOfDeliveries(): string[] {
  const all = struckFieldNames("delivery", "*");
  return all.slice(0, all.indexOf("client_id") + 1);
}

const MERCHANT = `What the merchant does in a run, one step after the other; a served world has a merchant of its own and lets the
script be. The merchant fetches tokens, signs and makes nonces by itself. A call answers before the next step begins, and
what is due at that instant is done by then. \`\${name.path}\` stands for what was saved before, in \`call\`, \`body\`,
\`form\`, \`as\`, \`expect\` and \`advance\` here and in all that is expected at the end; \`\${list.items[0].id}\` reaches into
lists. Where nothing but a reference stands, the value keeps its type. In conditions what is filled in stands for itself:
a \`*\` in it is no wildcard.`;

function merchant(): string {
  const step = propertiesOf(definition("merchant-step"));
  const keys = keyTable(step, {
    call: ["–", "A query may follow the path; what is filled in there is encoded."],
    body: ["no body", "", "any JSON"],
    form: [
      "no form",
      "The content of a file that is made up begins as its type does.",
      "by name: text, or list of paths and `{ name, type, size }`",
    ],
    as: ["the first account"],
    repeat: ["1", "It ends with the first answer that is not as expected."],
    expect: ["success"],
    save: ["nothing is kept", "Of a call that is repeated, the last answer."],
    advance: [
      "–",
      "`next` is the next timer, `idle` until nothing is left to happen, an event kind until such an event comes; where it never does, the run fails.",
    ],
    note: ["–"],
    name: ["the call"],
  });
  const expected = keyTable(propertiesOf(step.expect ?? {}), {
    status: ["any success, or any refusal beside `error`"],
    error: ["none"],
    data: [
      "anything",
      "`{ amount: 150 }` looks at `data.amount` of the answer, `{ items.0.status: open }` into a list. What is refused has no data.",
    ],
  });
  return chapter("The merchant's script", MERCHANT, keys, "Within `expect` of a call:", expected, example("merchant"));
}

/** TABLE: the fields that an expectation of each kind looks at. */
const expectedFields: Readonly<Record<ExpectationKind, string>> = {
  event: `those of the [event](events.md), \`username\`, ${codes(ofWebhooks)}`,
  no_event: "the same",
  balance: "currencies",
  webhook: `the same as of an event, and ${codes(attemptFieldNames)}`,
  transaction: `those of a [transaction](#triggers), and \`amount_refunded\``,
  dispute: codes(disputeFieldNames),
};

const EXPECTATIONS = `Each is about one thing, and is judged when the run has ended. \`event\` looks for what happened, \`webhook\` for
what became of telling it. Without \`count\` one is enough; \`count: 0\` and \`no_event\` want none.
With a \`count\` above that, \`no_event\` wants any other number.`;

const SERVED = `In a served world events and webhooks count from the loading of the scenario, and \`GET /_sandbox/scenarios\` judges all
expectations as things stand. A scenario has \`failed\` when one of them has, has \`passed\` while all of them pass, and is \`running\` else.`;

/** TABLE: what the verdicts of a served world mean. */
const VERDICTS: readonly (readonly string[])[] = [
  [
    "`pass`",
    "It is as expected. With `within` for good: what none, or only so many, may come of passes when that time is over. Without it as long as it is so: `no_event`, `count: 0` and `count: 1` pass until one too many comes.",
  ],
  [
    "`fail`",
    "It is not, and can never be: what came too often, too late or though it was not to come. A balance, a transaction, a dispute and what became of a webhook may still change, and fail at the end of a run alone.",
  ],
  ["`pending`", "It is not yet, or the time of its `within` is not over."],
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

/** Broken scenario files, and what their authors are told: the place, what is wrong, the nearest right word. */

/** Who can refuse a file: a reader of YAML, an editor with the JSON Schema, or the checks of the sandbox alone. */
type RefusedBy = "yaml" | "schema" | "check";

/** A broken file. */
interface BrokenFile {
  readonly what: string;
  readonly source: string;
  /** `line:column: message`, or the beginning of one; in the order of the file. */
  readonly told: readonly string[];
  readonly by: RefusedBy;
}

/** A rule from its third line on, with what stands between `on` and `then`, and one step. */
export const withRule = (middle: string, step = "{ pay: {} }") => `scenario: broken
rules:
  - on: cashin.created
${middle === "" ? "" : `    ${middle}\n`}    then:
      - ${step}
`;
export const withStep = (step: string) => withRule("", step);
/** Lines from the second on. */
const withLines = (lines: string) => `scenario: broken\n${lines}\n`;
/** A rule in the third line, whatever it is. */
const withOwnRule = (lines: string) => withLines(`rules:\n  - ${lines}`);
const withScript = (step: string) => withLines(`merchant:\n  - ${step}`);
const withExpectation = (expected: string) => withLines(`expect:\n  - ${expected}`);
const call = "call: POST /v2/transactions/cashin";

type Row = readonly [what: string, source: string, told: string | readonly string[]];

const rows = (by: RefusedBy, table: readonly Row[]): BrokenFile[] =>
  table.map(([what, source, told]) => ({ what, source, told: typeof told === "string" ? [told] : told, by }));

/** TABLE: what cannot be read as YAML that a scenario may be written in. */
const unreadable = rows("yaml", [
  ["a key that comes twice", "scenario: one\nscenario: two\n", '2:1: the key "scenario" is there already, in line 1'],
  [
    "a field that comes twice",
    withRule("where: { currency: BRL, currency: MXN }"),
    '4:29: the key "currency" is there already, in line 4',
  ],
  ["a tab", "scenario: broken\nrules:\n\t- on: x\n", "3:1: a tab cannot indent a line; use spaces"],
  [
    "a key that is indented too little",
    "scenario: broken\nrules:\n  - on: cashin.created\n   then:\n      - { pay: {} }\n",
    "4:1: the indentation of this line fits nothing above it",
  ],
  [
    "a key in line with its dash",
    "scenario: broken\nrules:\n  - on: cashin.created\n  then:\n      - { pay: {} }\n",
    "4:3: the indentation of this line fits nothing above it",
  ],
  [
    "a key that is indented too far",
    "scenario: broken\nrules:\n  - on: cashin.created\n      then:\n        - { pay: {} }\n",
    "4:7: this line is indented too far: it reads as part of the value above it",
  ],
  [
    "a text of several lines that begins in the line of its key",
    withLines("description: >- the payer pays\n  and is refunded"),
    "2:17: the text after > begins in the line below, indented",
  ],
  [
    "a key in the line of a value that has ended",
    withRule("where: { currency: BRL } also: true"),
    "4:30: the value ended before this; a key needs its own line",
  ],
  [
    "a first line that is indented",
    " scenario: broken\nrules:\n  - on: cashin.created\n    then:\n      - { pay: {} }\n",
    "1:2: this line is indented, and keys below it are not; the keys of a file begin in the same column",
  ],
  [
    "several keys of a step in one line",
    withStep("after: 5s, pay: {}"),
    '5:16: a text with ": " in it needs quotes; several keys in one line stand within { }',
  ],
  [
    "a key in the line of the one that it belongs to",
    withRule("where: currency: BRL"),
    '4:12: a text with ": " in it needs quotes; a key goes into the line below, indented, or within { }',
  ],
  ["a dash without a blank", withStep("{ pay: {} }\n      -{ refund: {} }"), '6:7: a blank is missing after the "-"'],
  [
    "a dash without a blank, before keys that are told of by its line",
    withOwnRule("-on: cashin.created\n    where: { currency: BRL }\n    then: [{ pay: {} }]").replace("- -", "-"),
    '3:3: a blank is missing after the "-"',
  ],
  [
    "a dash without a blank, and a key below it",
    withStep("{ pay: {} }\n      -expire: {}\n        after: 5s"),
    '6:7: a blank is missing after the "-"',
  ],
  [
    "a dash of another kind",
    "scenario: broken\nrules:\n  \u2013 on: cashin.created\n    then:\n      - { pay: {} }\n",
    '3:3: an item of a list begins with the hyphen of the keyboard, "-"',
  ],
  [
    "a no-break space after a colon",
    "scenario: broken\nrules:\n  - on:\u00a0cashin.created\n    then:\n      - { pay: {} }\n",
    "3:8: what stands here looks like a blank and is none; type a plain one",
  ],
  [
    "a bracket within a word",
    withScript("call: GET /v2/account/balance\n    expect: { status: 2[02 }"),
    "4:24: a text with [ in it needs quotes",
  ],
  ["a brace within a word", withStep("{ after: 1d, ca}ncel: {} }"), "5:25: what was opened ended at the } before this"],
  [
    "line ends of old Macs",
    "scenario: broken\rrules:\r  - on: cashin.created\r    then: [{ pay: {} }]",
    "1:1: the lines of the file end as on old Macs, with a carriage return alone; save it with line feeds",
  ],
  [
    "a file that lost its line ends",
    "scenario: brokendescription: The payer pays.rules:  - on: cashin.created    then:      - { pay: {} }",
    "1:1: the file is one line, and was several; curl keeps the line ends with --data-binary, not with -d",
  ],
  [
    "a file that lost its line ends, and became its first comment",
    "# a storyscenario: brokenrules:  - on: cashin.created    then:      - { pay: {} }",
    "1:1: the file is one line, and was several; curl keeps the line ends with --data-binary, not with -d",
  ],
  [
    "a first item without its dash",
    withLines("expect:\n  event: cashin.confirmed\n  - event: cashin.expired\n  - event: cashin.refunded"),
    '3:3: a "- " is missing here; each item of a list begins with one',
  ],
  [
    "a first step without its dash, and blank lines",
    withOwnRule("on: cashin.created\n    then: # at once\n      # paid\n        pay: {}\n\n      - { note: paid }"),
    '6:9: a "- " is missing here; each item of a list begins with one',
  ],
  [
    "items that begin in two columns",
    withLines("expect:\n  - event: cashin.confirmed\n - event: cashin.expired"),
    '4:2: this item fits nothing above it; each item of a list begins with "- ", in the same column',
  ],
  [
    "an item within the one above it",
    withLines("expect:\n  - event: cashin.confirmed\n    - event: cashin.expired"),
    '4:5: this item fits nothing above it; each item of a list begins with "- ", in the same column',
  ],
  [
    "an item without a list",
    withLines("- on: cashin.created"),
    '2:1: this item fits nothing above it; each item of a list begins with "- ", in the same column',
  ],
  ["a list in the line of its key", withLines("rules: - on: x"), "2:8: a list begins in the line below its key"],
  [
    "no-break spaces",
    "scenario: broken\nrules:\n\u00a0 - on: cashin.created\n",
    "3:1: this line begins with blanks that are no spaces; use spaces",
  ],
  [
    "no-break spaces before a first item, and a key below it",
    "scenario: broken\nrules:\n\u00a0 - on: cashin.created\n    then: [{ pay: {} }]\n",
    "3:1: this line begins with blanks that are no spaces; use spaces",
  ],
  ["a colon in a text", withLines("description: Pays: later"), '2:14: a text with ": " in it needs quotes'],
  [
    "a colon in a text within brackets",
    withStep("{ note: see: below }"),
    '5:17: a comma is missing before this, or a text with ": " in it needs quotes',
  ],
  [
    "a variable without quotes within braces",
    withScript(`{ ${call}, body: { external_id: order-\${index} }, repeat: 3 }\n  - { note: see: below }`),
    `3:70: within { } and [ ] a text with \${ in it needs quotes, as in "\${index}"`,
  ],
  [
    "a variable without quotes within brackets",
    withScript(`{ ${call}, form: { files: [\${name}] } }`),
    `3:59: within { } and [ ] a text with \${ in it needs quotes, as in "\${name}"`,
  ],
  [
    "a comma that is missing",
    withRule("where: { currency: BRL amount: 5 }"),
    "4:24: a comma is missing before this, or a text",
  ],
  ["no key before a colon", withRule("where: { : 5 }"), "4:13: a key is missing before the colon"],
  ["a key that is a list", withLines("? [a, b]\n: c"), "2:3: a key must be a text"],
  [
    "a pattern that begins with *",
    withOwnRule("every: * * * * *\n    then: [{ note: x }]"),
    "3:12: a text that begins with * needs quotes",
  ],
  [
    "a glob that begins with *",
    withOwnRule("delivery: *.confirmed\n    inject: { drop: true }"),
    "3:15: anchors and aliases are not supported; write it out, in quotes if it is a text that begins with *",
  ],
  ["a text that begins with %", withRule("chance: %10"), "4:13: a text that begins with % needs quotes"],
  ["a text that begins with @", withRule("name: @maria"), "4:11: a text that begins with @ needs quotes"],
  [
    "an apostrophe within apostrophes",
    withRule("name: 'it's late'"),
    "4:15: the text ended at the ' before this; within it, ' is written ''",
  ],
  ["an escape that is none", withRule('name: "a\\qb"'), "4:13: \\q means nothing within double quotes; write \\\\q"],
  [
    "quotes that are not closed",
    withRule('name: "late'),
    '4:11: a double quote (") is opened here and not closed; the closing double quote is missing',
  ],
  [
    "a single quote that is not closed",
    withRule("name: 'late"),
    "4:11: a single quote (') is opened here and not closed; the closing single quote is missing",
  ],
  [
    "a brace that is not closed",
    withRule("where: { currency: BRL"),
    "4:12: { is opened here and not closed; } is missing",
  ],
  ["a bracket that is not closed", withLines("rules: ["), "2:8: [ is opened here and not closed; ] is missing"],
  ["a bracket that is closed twice", withLines("rules: []]"), "2:10: this ] closes nothing"],
  [
    "a brace that is closed twice, and all that is behind it",
    withStep("{ pay: {} }}\n      - { after: 1h, refund: {} }\nmerchant:\n  - call: GET /v2/account/balance"),
    "5:20: this } closes nothing",
  ],
  [
    "a brace that is closed twice within a list",
    withStep("{ pay: {} }").replace("\n      - { pay: {} }", " [{ pay: {} }}]"),
    "4:23: this } closes nothing",
  ],
  [
    "an item of a list that an answer has, without quotes",
    withScript(`${call}\n    expect: { data: { items[0].status: paid } }`),
    "4:28: a text with [ in it needs quotes",
  ],
  [
    "a brace that is closed as a bracket",
    withRule("where: [ currency: BRL }"),
    "4:12: [ is opened here and not closed; ] is missing",
  ],
  [
    "an alias",
    "scenario: &name broken\ndescription: *name\n",
    ["1:11: anchors are not supported; take &name out", "2:14: anchors and aliases are not supported"],
  ],
  [
    "an anchor in a line of its own",
    withOwnRule("&first\n    on: cashin.created\n    then: [{ pay: {} }]"),
    "3:5: anchors are not supported",
  ],
  ["a merge", withLines("<<: { rules: [] }"), "2:1: merges are not supported; write it out"],
  ["a tag", withRule("name: !text late"), "4:11: tags such as !text are not supported; write the value alone"],
  ["a tag of YAML's own", withRule("name: !!binary bGF0ZQ=="), "4:20: tags such as !!binary are not supported"],
  ["YAML 1.1", `%YAML 1.1\n---\n${withRule("")}`, "1:1: files are YAML 1.2; take the line %YAML 1.1 out"],
  ["two documents", "scenario: one\n---\nscenario: two\n", "2:1: a file is one document; what follows --- goes into"],
  [
    "JSON with comments",
    '{\n  // who pays\n  "scenario": "broken", // late\n  "description": "see http://example.com // not this", /* nor */ "rules": []\n}\n',
    [
      "2:3: JSON has no comments; in YAML they begin with #",
      "3:25: JSON has no comments",
      "4:56: JSON has no comments",
    ],
  ],
]);

const unlisted = "known are $schema, scenario, description, with, settings";

/** TABLE: what is YAML, and no scenario; an editor with the JSON Schema marks it too. */
const misshapen = rows("schema", [
  [
    "also in a rule that no other takes anything from",
    withOwnRule('every: "0 9 * * *"\n    also: true\n    then: [{ note: x }]'),
    "4:5: also has no place in a rule with every",
  ],
  [
    "a count that is a word",
    withExpectation("{ event: cashin.confirmed, count: many }"),
    "3:39: count must be a whole number, or comparisons such as { gte: 2 }",
  ],
  [
    "a filter within inject",
    withLines("rules:\n  - request: GET /v2/*\n    inject: { status: 503, times: 2 }"),
    '4:28: unknown key "times"; it stands beside inject, not within it',
  ],
  [
    "a count in quotes within comparisons",
    withExpectation('{ event: cashin.confirmed, count: { gte: 1, lte: "3" } }'),
    "3:54: lte must be a whole number; take the quotes away",
  ],
  [
    "a count in quotes",
    withExpectation('{ event: cashin.confirmed, count: "3" }'),
    "3:39: count must be a whole number, or comparisons such as { gte: 2 }; take the quotes away",
  ],
  [
    "a status in quotes",
    withScript('{ call: GET /v2/account/balance, expect: { status: "200" } }'),
    '3:56: status must be a status from 200 to 599, "lost" where no answer comes, or "malformed" where it is no JSON; take the quotes away',
  ],
  [
    "a status in place of an expectation",
    withScript("{ call: GET /v2/account/balance, expect: 200 }"),
    '3:46: expect must be an object; did you mean "{ status: 200 }"?',
  ],
  [
    "an event in place of an expectation",
    withExpectation("cashin.confirmed"),
    '3:5: this expectation must be an object; did you mean "{ event: cashin.confirmed }"?',
  ],
  [
    "a count that is no list within comparisons",
    withExpectation("{ event: cashin.confirmed, count: { not: { in: 5 } } }"),
    "3:52: in must be a list",
  ],
  [
    "a count below zero",
    withExpectation("{ event: cashin.confirmed, count: -1 }"),
    "3:39: count must be a whole number",
  ],
  [
    "a count compared with a word",
    withExpectation("{ event: cashin.confirmed, count: { gte: many } }"),
    "3:46: gte must be a whole number",
  ],
  [
    "nothing in it",
    "",
    "1:1: the file must be an object that begins with its name, such as scenario: my-scenario; it is",
  ],
  ["comments alone", "# nothing\n", "1:1: the file must be an object that begins with its name"],
  [
    "a list for a file",
    "- scenario: x\n",
    "1:1: the file must be an object that begins with its name, such as scenario: my-scenario; it is a list",
  ],
  ["a text for a file", "hello\n", "1:1: the file must be an object that begins with its name"],
  ["a number for a file", "5\n", "1:1: the file must be an object that begins with its name"],
  [
    "no blank after a colon",
    "scenario:x\n",
    "1:1: the file must be an object that begins with its name, such as scenario: my-scenario; a colon needs a blank after it",
  ],
  ["a key of the file", withLines("rulez: []"), '2:1: unknown key "rulez"; did you mean "rules"?'],
  ["a date for a key", withLines("2026-01-01: late"), `2:1: unknown key "2026-01-01"; ${unlisted}`],
  ["a key that objects have in JavaScript", withLines("__proto__: { rules: [] }"), '2:1: unknown key "__proto__"'],
  ["no name", "rules: []\n", "1:1: scenario is missing"],
  [
    "a name that is a number",
    "scenario: 5\n",
    '1:11: scenario must be a text, the scenario\'s name; put it in quotes: "5"',
  ],
  ["a name that is empty", "scenario:\nrules: []\n", "1:10: scenario is empty; it must be a text"],
  [
    "a name with a blank",
    "scenario: My Test\n",
    '1:11: scenario must be at most 63 lower-case letters, digits and hyphens; did you mean "my-test"?',
  ],
  [
    "a name with accents",
    "scenario: Cobrança não paga\n",
    '1:11: scenario must be at most 63 lower-case letters, digits and hyphens; did you mean "cobranca-nao-paga"?',
  ],
  [
    "a description that is a number",
    withLines("description: 5"),
    '2:14: description must be a text; put it in quotes: "5"',
  ],
  ["others beneath it that are no list", withLines("with: happy-path"), "2:7: with must be a list of names"],
  [
    "a duration of the run without a unit",
    withLines("for: 30"),
    '2:6: for must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S; did you mean "30s"?',
  ],
  [
    "rules that are no list",
    withLines("rules: { on: x }"),
    '2:8: rules must be a list of rules; each of them begins with "- ", or all stand within [ ]',
  ],
  [
    "rules without dashes",
    withLines("rules:\n  on: cashin.created"),
    '3:3: rules must be a list of rules; each of them begins with "- "',
  ],
  [
    "a dash without a blank",
    withLines("rules:\n  -on: cashin.created"),
    "3:3: rules must be a list of rules; a - needs a blank after it",
  ],
  ["no rules", withLines("rules:"), "2:7: rules is empty; it must be a list of rules"],
  ["a rule that is no object", withOwnRule("pay"), "3:5: this rule must be an object"],
  ["an empty rule", withLines("rules:\n  -"), "3:4: this rule is empty; it must be an object"],
  ["a key of a rule", withRule("tims: 3"), '4:5: unknown key "tims"; did you mean "times"?'],
  [
    "how long a fault rule stands",
    withOwnRule("delivery: cashin.*\n    inject: { drop: true }\n    for: 10m"),
    '5:5: unknown key "for"; did you mean "until"?',
  ],
  ["a key of a rule in capitals", withRule("").replace("on:", "On:"), '3:5: unknown key "On"; did you mean "on"?'],
  [
    "a word for then",
    withOwnRule("on: cashin.created\n    steps: [{ pay: {} }]"),
    '4:5: unknown key "steps"; did you mean "then"?',
  ],
  ["a word for where", withRule("when: { currency: BRL }"), '4:5: unknown key "when"; did you mean "where"?'],
  [
    "an action outside the steps",
    withOwnRule("on: cashin.created\n    then: [{ note: x }]\n    pay: {}"),
    '5:5: unknown key "pay"; an action stands in the list under then',
  ],
  [
    "no trigger",
    withOwnRule("then:\n      - { note: x }"),
    "3:5: this rule has no trigger; it needs one of on, every, at, request, delivery",
  ],
  ["two triggers", withRule('every: "0 9 * * *"'), "4:5: every cannot stand beside on: a rule has one trigger"],
  [
    "a trigger with a sign that cannot be seen",
    "scenario: broken\nrules:\n  - on: cashin.created\u200b\n    then:\n      - { pay: {} }\n",
    '3:9: unknown trigger "cashin.created\\u200b"; did you mean "cashin.created"?',
  ],
  [
    "a trigger",
    withRule("").replace("cashin.created", "cashin.creatd"),
    '3:9: unknown trigger "cashin.creatd"; did you mean "cashin.created"?',
  ],
  [
    "triggers that are a list",
    withRule("").replace("cashin.created", "[cashin.created]"),
    "3:9: on must be one value, not a list",
  ],
  [
    "a trigger with a glob",
    withRule("").replace("cashin.created", "cashin.*"),
    '3:9: unknown trigger "cashin.*"; on names one trigger, without *',
  ],
  [
    "an empty trigger",
    withRule("").replace("cashin.created", ""),
    "3:9: on is empty; it must be one of cashin.created",
  ],
  ["a time zone beside an event", withRule("timezone: UTC"), "4:5: timezone stands beside every alone"],
  [
    "a time from the loading without a plus",
    withOwnRule("at: 10m\n    then: [{ note: x }]"),
    "3:9: at must be an instant such as",
  ],
  [
    "a field of where",
    withRule("where: { amont: 5 }"),
    '4:14: "cashin.created" has no field "amont"; did you mean "amount"?',
  ],
  [
    "a field that another trigger has",
    withRule("where: { expired_at: x }"),
    '4:14: "cashin.created" has no field "expired_at"; did you mean "expires_at"?',
  ],
  [
    "a dotted field",
    withRule("where: { payer.nme: x }"),
    '4:14: "cashin.created" has no field "payer.nme"; did you mean "payer.name"?',
  ],
  [
    "a field within a field",
    withRule("where: { payer: { name: Maria } }"),
    '4:23: unknown key "name"; a field within it is written payer.name',
  ],
  [
    "no blank after the colon of a field",
    withRule("where: {currency:BRL}"),
    '4:13: "cashin.created" has no field "currency:BRL"; a colon needs a blank after it',
  ],
  [
    "a thousand with a comma",
    withRule("where: { amount: 1,000 }"),
    '4:24: "cashin.created" has no field "000"; within { } a comma ends a value',
  ],
  ["a comparison", withRule("where: { amount: { gtee: 5 } }"), '4:24: unknown key "gtee"; did you mean "gte"?'],
  [
    "a comparison within not",
    withRule("where: { amount: { not: { lesser: 5 } } }"),
    '4:31: unknown key "lesser"; known are gte, gt, lte, lt, in and not',
  ],
  [
    "no comparison",
    withRule("where: { amount: {} }"),
    "4:22: amount must be a value or one of gte, gt, lte, lt, in, not",
  ],
  [
    "a list for a value",
    withRule("where: { amount: [1, 2] }"),
    "4:22: amount must be a value or one of gte, gt, lte, lt, in, not",
  ],
  ["a name of JavaScript for true", withRule("also: constructor"), "4:11: also must be true or false"],
  ["a name of JavaScript for a moment", withStep("{ at: constructor, pay: {} }"), "5:15: at must be confirmations"],
  [
    "a bound that is empty",
    withRule("where: { amount: { gte: } }"),
    "4:29: gte is empty; it must be a number, an instant or a text",
  ],
  [
    "a bound that is no bound",
    withRule("where: { amount: { lt: true } }"),
    "4:28: lt must be a number, an instant or a text",
  ],
  ["in that is no list", withRule("where: { currency: { in: BRL } }"), "4:30: in must be a list"],
  [
    "an object in the list of in",
    withRule("where: { currency: { in: [BRL, { not: MXN }] } }"),
    "4:36: this item must be a text, a number, true, false or null",
  ],
  [
    "in that is no list, above a rule that it might take",
    withRule(
      "where: { currency: { in: BRL } }",
      "{ pay: {} }\n  - on: cashin.created\n    where: { currency: BRL }\n    then: [{ cancel: {} }]",
    ),
    "4:30: in must be a list",
  ],
  ["where that is a list", withRule("where: [BRL]"), "4:12: where must be an object such as { currency: BRL }"],
  [
    "where that is a text",
    withRule("where: currency = BRL"),
    "4:12: where must be an object such as { currency: BRL }",
  ],
  ["where that is a number", withRule("where: 5"), "4:12: where must be an object"],
  ["where that is empty", withRule("where:"), "4:11: where is empty; it must be an object"],
  [
    "a value that an event never has",
    withRule("where: { status: paid }").replace("created", "confirmed"),
    '4:22: there is no status "paid"; did you mean "confirmed"?',
  ],
  [
    "an error that no attempt ends with",
    withRule("where: { error: timeuot }").replace("cashin.created", "webhook.failed"),
    '4:21: there is no error "timeuot"; did you mean "timeout"?',
  ],
  [
    "conditions on the clock",
    withOwnRule("at: +10m\n    where: { currency: BRL }\n    then: [{ note: x }]"),
    "4:5: where has nothing to look at in a rule with at",
  ],
  [
    "a chance that is a number",
    withRule("chance: 0.1"),
    '4:13: chance must be a percentage such as 10%; did you mean "10%"?',
  ],
  [
    "a chance without a sign",
    withRule("chance: 25"),
    '4:13: chance must be a percentage such as 10%; did you mean "25%"?',
  ],
  ["a chance above all", withRule("chance: 110%"), "4:13: chance must be a percentage such as 10%"],
  ["yes for true", withRule("also: yes"), '4:11: also must be true or false; "yes" is a text: did you mean true?'],
  ["off for false", withRule("also: off"), '4:11: also must be true or false; "off" is a text: did you mean false?'],
  ["times below one", withRule("times: 0"), "4:12: times must be a whole number from 1"],
  [
    "times in quotes",
    withRule('times: "3"'),
    "4:12: times must be a whole number from 1 to 1000000000; take the quotes away",
  ],
  ["skip below zero", withRule("skip: -1"), "4:11: skip must be a whole number from 0"],
  ["half a time", withRule("times: 1.5"), "4:12: times must be a whole number from 1"],
  [
    "a day without a time",
    withRule("from: 2026-01-01"),
    '4:11: from must be an instant such as 2026-01-01T12:00:00Z, or + and a duration (500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S); did you mean "2026-01-01T00:00:00Z"?',
  ],
  ["a time from the loading", withRule("until: 10m"), "4:12: until must be an instant such as"],
  ["no steps", withOwnRule("on: cashin.created"), "3:5: then is missing; a rule has a list of steps"],
  ["empty steps", withOwnRule("on: cashin.created\n    then:"), "4:10: then is empty; it must be a list of steps"],
  ["an empty list of steps", withOwnRule("on: cashin.created\n    then: []"), "4:11: then must have at least one step"],
  ["steps that are no list", withRule("").replace("\n      - ", " "), "4:11: then must be a list of steps"],
  ["a step that is no object", withStep("pay"), "5:9: this step must be an object; did you mean { pay: {} }?"],
  ["an empty step", withStep(""), "5:9: this step is empty; it must be an object"],
  ["a key of a step", withStep("{ afer: 5s, pay: {} }"), '5:11: unknown key "afer"; did you mean "after"?'],
  ["an action", withStep("{ after: 5s, pya: {} }"), '5:22: unknown key "pya"; did you mean "pay"?'],
  ["an action in capitals", withStep("{ Pay: {} }"), '5:11: unknown key "Pay"; did you mean "pay"?'],
  ["two actions", withStep("{ pay: {}, cancel: {} }"), "5:20: cancel cannot stand beside pay: a step has one action"],
  ["no action", withStep("{ after: 5s }"), "5:9: this step has no action; it needs one of pay, expire, cancel"],
  [
    "a duration without a unit",
    withStep("{ after: 5, pay: {} }"),
    '5:18: after must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S; did you mean "5s"?',
  ],
  [
    "a duration in words",
    withStep("{ after: 90 minutes, pay: {} }"),
    '5:18: after must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S; did you mean "90m"?',
  ],
  [
    "a duration with half an hour",
    withStep("{ after: 1.5h, pay: {} }"),
    '5:18: after must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S; did you mean "1h30m"?',
  ],
  [
    "soon",
    withStep("{ after: soon, pay: {} }"),
    "5:18: after must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S",
  ],
  ["a negative duration", withStep("{ after: -5s, pay: {} }"), "5:18: after must be a duration such as"],
  [
    "a moment",
    withStep("{ at: expirey, pay: {} }"),
    '5:15: at must be confirmations, expiry, deadline or an instant such as 2026-01-01T12:00:00Z; did you mean "expiry"?',
  ],
  [
    "a time from the trigger",
    withStep("{ at: +10m, pay: {} }"),
    '5:15: at must be confirmations, expiry, deadline or an instant such as 2026-01-01T12:00:00Z; so long after the step before is "after: 10m"',
  ],
  [
    "an instant without a zone",
    withStep("{ at: 2026-01-01T12:00:00, pay: {} }"),
    '5:15: at must be confirmations, expiry, deadline or an instant such as 2026-01-01T12:00:00Z; did you mean "2026-01-01T12:00:00Z"?',
  ],
  ["both after and at", withStep("{ after: 5s, at: expiry, pay: {} }"), "5:22: at cannot stand beside after"],
  [
    "a moment of another resource",
    withStep("{ at: deadline, note: x }"),
    '5:11: only a dispute has deadline; "cashin.created" is about a cashin',
  ],
  [
    "a moment of nothing",
    withOwnRule("at: +10m\n    then: [{ at: expiry, note: x }]"),
    "4:14: only a cashin has expiry; a rule on the clock is about none",
  ],
  [
    "an action of another resource",
    withOwnRule("on: cashout.created\n    then: [{ win: {} }]"),
    '4:14: a cashout has no action "win"; known are confirm, fail and refund',
  ],
  [
    "an action of a transfer, which has none",
    withOwnRule("on: transfer.confirmed\n    then: [{ refund: {} }]"),
    '4:14: a transfer has no action "refund"',
  ],
  [
    "an action of nothing",
    withOwnRule('every: "0 9 * * *"\n    then: [{ pay: {} }]'),
    "4:14: pay must name its transaction: a rule on the clock is about none of its own",
  ],
  [
    "a deposit into no wallet",
    withOwnRule("at: +10m\n    then: [{ deposit: { amount: 5 } }]"),
    "4:14: deposit must name its wallet: a rule on the clock is about none of its own",
  ],
  [
    "the name of another resource, in the rule's own action",
    withStep("{ pay: { transction: order-1 } }"),
    '5:18: unknown key "transction"; did you mean "transaction"?',
  ],
  [
    "the name of a resource, in an action of others",
    withStep("{ win: { disput: x } }"),
    '5:18: unknown key "disput"; did you mean "dispute"?',
  ],
  [
    "the name of a resource, in an action of several kinds",
    withStep("{ refund: { conversoin: x } }"),
    '5:21: unknown key "conversoin"; did you mean "conversion"?',
  ],
  [
    "the name of a resource, in a rule on the clock",
    withOwnRule("at: +10m\n    then: [{ deposit: { walet: BRL, amount: 5 } }]"),
    '4:25: unknown key "walet"; did you mean "wallet"?',
  ],
  [
    "a key of a fault in capitals, which means another one elsewhere",
    withStep("{ fault: { delivery: cashin.*, inject: { drop: true }, For: 5m } }"),
    '5:64: unknown key "For"; did you mean "for"?',
  ],
  ["a field of an action", withStep("{ pay: { amout: 5 } }"), '5:18: unknown key "amout"; did you mean "amount"?'],
  ["a field of a payer", withStep("{ pay: { payer: { nam: x } } }"), '5:27: unknown key "nam"; did you mean "name"?'],
  ["a field of an action without any", withStep("{ expire: { now: true } }"), '5:21: unknown key "now"'],
  ["a text for an action's input", withStep("{ pay: now }"), "5:16: pay must be an object"],
  ["a number for an action's input", withStep("{ pay: 5 }"), "5:16: pay must be an object"],
  ["a text for a payer", withStep("{ pay: { payer: Maria } }"), "5:25: payer must be an object"],
  [
    "a duration whose last unit is missing",
    withStep("{ after: 1h30, pay: {} }"),
    '5:18: after must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S; did you mean "1h30m"?',
  ],
  ["truth for an amount", withStep("{ pay: { amount: true } }"), "5:26: amount must be a number or a decimal string"],
  [
    "a number for a name",
    withStep("{ pay: { payer: { name: 5 } } }"),
    '5:33: name must be a string; put it in quotes: "5"',
  ],
  [
    "an amount that is missing",
    withOwnRule("on: wallet.created\n    then: [{ deposit: {} }]"),
    "4:23: amount is missing",
  ],
  [
    "an error code",
    withOwnRule("on: cashout.created\n    then: [{ fail: { error_code: PIX_KEY_NOTFOUND } }]"),
    '4:34: error_code cannot be "PIX_KEY_NOTFOUND"; did you mean "PIX_KEY_NOT_FOUND"?',
  ],
  ["a number for a note", withStep("{ note: 5 }"), '5:17: note must be a text; put it in quotes: "5"'],
  [
    "a status of an account",
    withStep("{ set_account: { status: under-review } }"),
    '5:34: status must be one of active, under_review; did you mean "under_review"?',
  ],
  [
    "a fault that injects nothing",
    withStep("{ fault: { request: POST /v2/transactions/cashin } }"),
    "5:18: inject is missing",
  ],
  [
    "a fault rule without a fault",
    withOwnRule("request: POST /v2/transactions/cashin"),
    "3:5: inject is missing; a request rule injects one of error, status, latency, disconnect, malformed",
  ],
  [
    "steps of a fault rule",
    withOwnRule("request: POST /v2/transactions/cashin\n    inject: { status: 503 }\n    then: [{ pay: {} }]"),
    "5:5: then has no place in a request rule, which injects a fault",
  ],
  [
    "a fault beside steps",
    withRule("inject: { drop: true }"),
    "4:5: inject has its place in request and delivery rules alone",
  ],
  [
    "a fault of a delivery in a call",
    withOwnRule("request: POST /v2/transactions/cashin\n    inject: { drop: true }"),
    "4:15: drop has no place in a request rule, which injects one of error, status",
  ],
  [
    "two faults at once",
    withOwnRule("request: POST /v2/transactions/cashin\n    inject: { status: 503, latency: 3s }"),
    "4:28: latency cannot stand beside status: a rule injects one fault",
  ],
  [
    "an endpoint of a fault rule",
    withOwnRule("request: POST /v2/transactions/cashn\n    inject: { status: 503 }"),
    '3:14: request names no endpoint of the service; did you mean "POST /v2/transactions/cashin"?',
  ],
  [
    "a number in place of what is injected",
    withOwnRule("request: POST /v2/transactions/cashin\n    inject: 503"),
    "4:13: inject must be an object",
  ],
  ["a number in place of a fault", withStep("{ fault: 503 }"), "5:18: fault must be an object"],
  [
    "a word in place of what is injected",
    withOwnRule("delivery: cashin.*\n    inject: drop"),
    "4:13: inject must be an object such as { status: 503 } or { drop: true }",
  ],
  [
    "what is injected without its value",
    withOwnRule("delivery: cashin.*\n    inject: { drop }"),
    "4:15: drop is empty; it must be true",
  ],
  [
    "a fault that is to act beside others",
    withOwnRule("delivery: cashin.*\n    also: true\n    inject: { drop: true }"),
    "4:5: also has no place in a delivery rule: the first that matches strikes alone",
  ],
  [
    "a call in small letters",
    withOwnRule("request: post /v2/transactions/cashin\n    inject: { status: 503 }"),
    '3:14: request must be a method and path such as POST /v2/transactions/wallet or GET /v2/*; did you mean "POST /v2/transactions/cashin"?',
  ],
  [
    "an event kind in capitals",
    withOwnRule("delivery: Cashin.Confirmed\n    inject: { drop: true }"),
    '3:15: delivery must be an event kind such as cashin.confirmed, or a glob such as cashin.*; did you mean "cashin.confirmed"?',
  ],
  [
    "an injected error",
    withOwnRule("request: POST /v2/transactions/cashin\n    inject: { error: INVALID_CURENCY }"),
    '4:22: error cannot be "INVALID_CURENCY"; did you mean "INVALID_CURRENCY"?',
  ],
  [
    "an injected success",
    withOwnRule("request: POST /v2/transactions/cashin\n    inject: { status: 200 }"),
    "4:23: status must be a whole number from 400 to 599",
  ],
  [
    "a disconnect at no time",
    withOwnRule("request: POST /v2/transactions/cashin\n    inject: { disconnect: while }"),
    "4:27: disconnect must be before or after",
  ],
  [
    "a latency without a unit",
    withOwnRule("request: POST /v2/transactions/cashin\n    inject: { latency: 3 }"),
    "4:24: latency must be a duration such as",
  ],
  [
    "a shuffle of one",
    withOwnRule("delivery: cashin.*\n    inject: { shuffle: 1 }"),
    "4:24: shuffle must be a whole number from 2 to 1000",
  ],
  [
    "a setting",
    withLines("settings: { retry_bse: first }"),
    '2:13: retry_bse is no setting; did you mean "retry_base"?',
  ],
  [
    "a value of a setting",
    withLines("settings: { retry_base: frist }"),
    '2:25: retry_base must be one of previous, first; did you mean "first"?',
  ],
  [
    "a duration of a setting",
    withLines("settings: { quote_ttl: 60 }"),
    '2:24: quote_ttl must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S; did you mean "60s"?',
  ],
  [
    "a duration of a setting with a blank in it",
    withLines("settings: { signature_tolerance: 60 s }"),
    '2:34: signature_tolerance must be a duration such as 500ms, 5s, 31m, 1h30m, 2d, 1w or PT5S; did you mean "60s"?',
  ],
  [
    "a number of a setting in quotes",
    withLines('settings: { webhook_rate: "100" }'),
    "2:27: webhook_rate must be a number; take the quotes away",
  ],
  [
    "yes for a setting",
    withLines("settings: { legacy_refund_events: yes }"),
    '2:35: legacy_refund_events must be true or false; "yes" is a text: did you mean true?',
  ],
  [
    "a status of a setting",
    withLines("settings: { duplicate_status: 400 }"),
    "2:31: duplicate_status must be one of 409, 422",
  ],
  [
    "a status of a setting in quotes",
    withLines('settings: { duplicate_status: "422" }'),
    "2:31: duplicate_status must be one of 409, 422; take the quotes away",
  ],
  ["settings that are a list", withLines("settings: [retry_base]"), "2:11: settings must be an object"],
  ["a seed that is a text", withLines("seed: abc"), "2:7: seed must be a whole number from 0"],
  ["a clock that is a word", withLines("clock: frozen"), "2:8: clock must be an object"],
  [
    "a mode of the clock",
    withLines("clock: { mode: froze }"),
    '2:16: mode must be one of running, frozen; did you mean "frozen"?',
  ],
  [
    "a start without a time",
    withLines("clock: { start: 2026-01-01 }"),
    '2:17: start must be an ISO 8601 instant with a zone, from 1970 to the year 9999, such as 2026-01-01T12:00:00Z; did you mean "2026-01-01T00:00:00Z"?',
  ],
  [
    "two accounts without a name",
    withLines("accounts: [{ name: Acme }, { name: Globex }]"),
    ["2:12: username is missing", "2:28: username is missing"],
  ],
  ["an account without a name", withLines("accounts: [{ name: Acme }]"), "2:12: username is missing"],
  ["no accounts", withLines("accounts: []"), "2:11: accounts must have at least one account"],
  [
    "a script that is no list",
    withLines(`merchant:\n  ${call}`),
    '3:3: merchant must be a list of what the merchant does; each of them begins with "- "',
  ],
  [
    "a call without its key",
    withScript("POST /v2/transactions/cashin"),
    '3:5: this step must be an object; did you mean "call: POST /v2/transactions/cashin"?',
  ],
  [
    "a step that does nothing",
    withScript("{ name: wait }"),
    "3:5: this step does nothing; it needs one of call, advance, note",
  ],
  [
    "two things in a step",
    withScript("{ advance: 5s, note: x }"),
    "3:20: note cannot stand beside advance: a step does one thing",
  ],
  [
    "an endpoint",
    withScript("{ call: POST /v2/transactions/cashn }"),
    '3:13: call cannot be "POST /v2/transactions/cashn"; did you mean "POST /v2/transactions/cashin"?',
  ],
  [
    "a method",
    withScript("{ call: PUT /v2/transactions/cashin }"),
    '3:13: call cannot be "PUT /v2/transactions/cashin"; did you mean "POST /v2/transactions/cashin"?',
  ],
  [
    "a path without a method",
    withScript("{ call: /v2/transactions/cashin }"),
    "3:13: call must be a method and path such as POST /v2/transactions/cashin; did you mean",
  ],
  [
    "data of what is refused",
    withScript(`{ ${call}, expect: { error: NOT_FOUND, data: { status: open } } }`),
    "3:71: data cannot stand beside error: only a success has data",
  ],
  [
    "data of what does not come",
    withScript(`{ ${call}, expect: { status: lost, data: { status: open } } }`),
    "3:67: data cannot stand beside status lost: only a success has data",
  ],
  [
    "data of a status of refusals",
    withScript(`{ ${call}, expect: { data: { status: open }, status: 404 } }`),
    "3:53: data cannot stand beside status 404: only a success has data",
  ],
  ["a body beside a form", withScript(`{ ${call}, body: {}, form: {} }`), "3:53: form cannot stand beside body"],
  [
    "a name to save under",
    withScript(`{ ${call}, save: my charge }`),
    "3:49: save must be a name of letters, digits and _",
  ],
  ["what only a call saves", withScript("{ advance: 5s, save: charge }"), "3:20: save stands beside call alone"],
  [
    "an error that a call expects",
    withScript(`{ ${call}, expect: { error: INVALID_CURENCY } }`),
    '3:60: error cannot be "INVALID_CURENCY"; did you mean "INVALID_CURRENCY"?',
  ],
  [
    "a status that a call expects",
    withScript(`{ ${call}, expect: { status: 99 } }`),
    '3:61: status must be a status from 200 to 599, "lost" where no answer comes, or "malformed" where it is no JSON',
  ],
  ["what a call expects as a number", withScript(`{ ${call}, expect: 200 }`), "3:51: expect must be an object"],
  [
    "what was saved as a part of a number, of words and of a duration",
    withLines(`merchant:
  - { ${call}, save: charge }
  - { ${call}, repeat: "1\${charge.amount}" }
expect:
  - { event: "cashin.\${charge.status}", within: "\${charge.fee}s", count: { gte: "1\${charge.fee}" } }`),
    [
      `4:51: repeat takes \${…} alone, with nothing before or after it`,
      `6:14: event takes \${…} alone, with nothing before or after it`,
      `6:49: within takes \${…} alone, with nothing before or after it`,
      `6:81: gte takes \${…} alone, with nothing before or after it`,
    ],
  ],
  ["a call no time", withScript(`{ ${call}, repeat: 0 }`), "3:51: repeat must be a whole number from 1 to 10000"],
  [
    "an advance without a unit",
    withScript("{ advance: 5 }"),
    '3:16: advance must be a duration, an instant, next, idle or an event kind; did you mean "5s"?',
  ],
  [
    "an advance to what rules alone are told of",
    withScript("{ advance: cashin.created }"),
    '3:16: advance cannot be "cashin.created": rules alone are told of that, no event of it is sent',
  ],
  [
    "an event that rules alone are told of",
    withLines("expect: [{ no_event: webhook.failed }]"),
    '2:22: no_event cannot be "webhook.failed": rules alone are told of that, no event of it is sent',
  ],
  [
    "an advance to an event",
    withScript("{ advance: cashin.confirmd }"),
    '3:16: advance must be a duration, an instant, next, idle or an event kind; did you mean "cashin.confirmed"?',
  ],
  [
    "an advance to a day",
    withScript("{ advance: 2026-01-05 }"),
    '3:16: advance must be a duration, an instant, next, idle or an event kind; did you mean "2026-01-05T00:00:00Z"?',
  ],
  [
    "a file without a size",
    withScript("{ call: POST /v2/account/infractions/reply, form: { files: [{ name: a, type: b }] } }"),
    "3:65: size must be a whole number from 0 to 67108864",
  ],
  [
    "a file with a key that is misspelt",
    withScript(
      "{ call: POST /v2/account/infractions/reply, form: { files: [{ name: a, type: b, sise: 5, size: 5 }] } }",
    ),
    '3:85: unknown key "sise"; did you mean "size"?',
  ],
  [
    "a file that is neither a path nor made up",
    withScript("{ call: POST /v2/account/infractions/reply, form: { files: [[a]] } }"),
    "3:65: this file must be a path beside the scenario, or { name, type, size }",
  ],
  ["a balance of nothing", withExpectation("balance: {}"), "3:14: balance must name a currency, as in { BRL: "],
  [
    "expectations that are no list",
    withLines("expect:\n  event: cashin.confirmed"),
    '3:3: expect must be a list of expectations; each of them begins with "- "',
  ],
  [
    "an expectation of nothing",
    withExpectation("{ where: { currency: BRL } }"),
    "3:5: this expectation is about nothing; it needs one of event, no_event, balance, webhook, transaction, dispute",
  ],
  [
    "an expectation of two things",
    withExpectation("{ event: cashin.confirmed, webhook: cashin.* }"),
    "3:32: webhook cannot stand beside event: an expectation is about one thing",
  ],
  [
    "an event",
    withExpectation("{ event: cashin.confirmd }"),
    '3:14: event cannot be "cashin.confirmd"; did you mean "cashin.confirmed"?',
  ],
  [
    "a key of an expectation",
    withExpectation("{ evnt: cashin.confirmed }"),
    '3:7: unknown key "evnt"; did you mean "event"?',
  ],
  [
    "a key that belongs elsewhere",
    withExpectation("{ balance: { BRL: 5 }, count: 3 }"),
    "3:28: count has no place beside balance",
  ],
  [
    "a field that an event does not have",
    withExpectation("{ event: cashin.confirmed, where: { amont: 5 } }"),
    '3:41: "cashin.confirmed" has no field "amont"; did you mean "amount"?',
  ],
  [
    "a field that a transaction does not have",
    withExpectation("{ transaction: { amont: 5 } }"),
    '3:22: a transaction has no field "amont"; did you mean "amount"?',
  ],
  [
    "a field that a dispute does not have",
    withExpectation("{ dispute: null, where: { statu: open } }"),
    '3:31: a dispute has no field "statu"; did you mean "status"?',
  ],
  [
    "a direction of a transfer",
    withExpectation("{ no_event: transfer.confirmed, where: { direction: receive } }"),
    '3:57: there is no direction "receive"; did you mean "received"?',
  ],
  [
    "what has become of a webhook",
    withExpectation("{ webhook: cashin.*, count: 0, where: { webhook_status: failed } }"),
    '3:61: there is no webhook_status "failed"; known are pending, delivered, exhausted, throttled',
  ],
  [
    "a method in small letters",
    'scenario: x\nrules:\n  - request: "* /v2/*"\n    where: { method: post }\n    inject: { status: 503 }\n',
    '4:22: there is no method "post"; did you mean "POST"?',
  ],
  [
    "a path that the service does not have",
    'scenario: x\nrules:\n  - request: "* /v2/*"\n    where: { path: /v2/account/fee }\n    inject: { status: 503 }\n',
    '4:20: there is no path "/v2/account/fee"; did you mean "/v2/account/fees"?',
  ],
  [
    "a number where a field has words",
    withExpectation("{ transaction: { status: 409 } }"),
    '3:30: there is no status "409"; known are ',
  ],
  [
    "a status of a transaction",
    withExpectation("{ transaction: { status: paid } }"),
    '3:30: there is no status "paid"; did you mean "confirmed"?',
  ],
  [
    "a status of a webhook",
    withExpectation("{ webhook: cashin.*, status: deliverd }"),
    '3:34: status must be one of pending, delivered, exhausted, throttled, undeliverable, dropped; did you mean "delivered"?',
  ],
  [
    "a balance that is a number",
    withExpectation("{ balance: 5 }"),
    '3:16: balance must be an object such as { BRL: "150.00" }',
  ],
  [
    "a time to come within",
    withExpectation("{ event: cashin.confirmed, within: 5 }"),
    "3:40: within must be a duration such as",
  ],
  [
    "a charge into a fixed wallet",
    withRule("where: { source: static }"),
    '4:22: there is no source "static"; known is dynamic_qr',
  ],
  ["a list of no values", withRule("where: { currency: { in: [] } }"), "4:30: in must have at least one value"],
  [
    "a transaction that is a number",
    withExpectation("{ transaction: 5 }"),
    "3:20: transaction must be an id, or conditions by field",
  ],
]);

const bigOnesFirst = `rules:
  - name: the big ones
    on: cashin.created
    where: { amount: { gte: 100 } }
    then: [{ pay: {} }]
  - on: cashin.created
    where: { amount: { gte: 200 }, currency: BRL }
    then: [{ cancel: {} }]`;
const neverMatches = "above takes all that it matches; put it first, or narrow that one";

/** TABLE: what is a well-formed scenario, and cannot be in the service: no editor knows it. */
const impossible = rows("check", [
  [
    "an error beside the status of a success",
    withScript("call: GET /v2/account/balance\n    expect: { status: 200, error: INVALID_REQUEST }"),
    "4:28: error cannot stand beside status 200: a success has none",
  ],
  ...[
    ["422, error: RATE_LIMIT_EXCEEDED", "422: RATE_LIMIT_EXCEEDED comes with 429"],
    ["400, error: DUPLICATE_EXTERNAL_ID", "400: DUPLICATE_EXTERNAL_ID comes with 409 or 422"],
    ["418, error: INTERNAL_ERROR", "418: INTERNAL_ERROR comes with 500"],
  ].map(
    ([pair = "", told = ""]): Row => [
      `an error with another status than its own: ${pair}`,
      withScript(`${call}\n    expect: { status: ${pair} }`),
      `4:28: error cannot stand beside status ${told}`,
    ],
  ),
  [
    "an amount with a zero before it",
    withStep("{ pay: { amount: 010 } }"),
    '5:26: amount must be a number; did you mean "10"?',
  ],
  [
    "an amount that begins with its point",
    withStep("{ pay: { amount: .5 } }"),
    '5:26: amount must be a number; did you mean "0.5"?',
  ],
  [
    "a method that the call of a fault does not have",
    "scenario: x\nrules:\n  - request: GET /v2/account/*\n    where: { method: POST }\n    inject: { status: 503 }\n",
    '4:22: "GET /v2/account/*" has no method "POST"; known is GET',
  ],
  [
    "an event that the glob of a step's fault leaves out",
    withOwnRule(
      "on: cashin.created\n    then: [{ fault: { delivery: cashin.*, where: { event: cashout.failed }, inject: { drop: true } } }]",
    ),
    '4:59: "cashin.*" has no event "cashout.failed"; known are cashin.confirmed, cashin.refunded and cashin.expired',
  ],
  [
    "a balance with a decimal comma",
    withExpectation("{ balance: { BRL: 10,50 } }"),
    '3:26: there is no currency "50"; within { } a comma ends a value: ten and a half is written 10.5',
  ],
  [
    "an amount with a decimal comma, in a body",
    withScript(`{ ${call}, body: { currency: BRL, amount: 10,50 } }`),
    '3:77: body has a field "50" without a value; within { } a comma ends a value: ten and a half is written 10.5',
  ],
  [
    "a field that is described twice",
    withExpectation("{ transaction: { status: expired }, where: { status: confirmed } }"),
    '3:50: where names "status", which transaction names already',
  ],
  [
    "a duration that is too long",
    withStep("{ after: 99999999w, pay: {} }"),
    "5:18: after is too long; the longest duration is 104249991d",
  ],
  [
    "a setting of a duration that is too long",
    withLines("settings: { quote_ttl: 104249992d }"),
    "2:24: quote_ttl is too long; the longest duration is 104249991d",
  ],
  [
    "a currency that is near none",
    withRule("where: { currency: EUR }"),
    '4:24: there is no currency "EUR"; known are BRL, MXN, USDT, USDC, BTC, ETH, SOL, BNB and POL',
  ],
  ["a currency", withRule("where: { currency: BRLL }"), '4:24: there is no currency "BRLL"; did you mean "BRL"?'],
  [
    "an account that the file does not have",
    `${withRule("where: { username: acm }")}accounts: [{ username: acme }]\n`,
    '4:24: there is no username "acm"; did you mean "acme"?',
  ],
  [
    "a counterparty that the file does not have",
    `${withExpectation("{ no_event: transfer.confirmed, where: { counterparty: { not: shop } } }")}accounts: [{ username: acme }]\n`,
    '3:67: there is no counterparty "shop"',
  ],
  [
    "a key type in capitals",
    withExpectation("{ no_event: cashout.confirmed, where: { key_type: CPF } }"),
    '3:55: there is no key_type "CPF"; did you mean "cpf"?',
  ],
  [
    "a key type that a currency does not have",
    withExpectation("{ no_event: cashout.confirmed, where: { currency: BRL, key_type: clabe } }"),
    '3:70: BRL has no key_type "clabe"; it has cpf, cnpj, email, phone, evp',
  ],
  [
    "a key type that a currency of a chain does not have",
    withRule("where: { currency: USDT, key_type: cpf }", "{ note: hello }").replace("cashin", "cashout"),
    '4:40: USDT has no key_type "cpf"; it has tron, ethereum, bsc, polygon',
  ],
  [
    "a network in small letters",
    withRule("where: { network: pix }"),
    '4:23: there is no network "pix"; did you mean "PIX"?',
  ],
  [
    "a chain that a currency does not have",
    withRule("where: { currency: BTC, chain: tron }"),
    '4:36: BTC has no chain "tron"; it has bitcoin',
  ],
  [
    "a type that a currency does not have",
    withRule("where: { currency: BRL, currency_type: crypto }"),
    "4:44: BRL is fiat, never crypto",
  ],
  [
    "a chain of what has none",
    withRule("where: { currency_type: fiat, chain: tron }"),
    "4:42: what is fiat has no chain",
  ],
  [
    "a list of what is excluded beside it",
    withRule("where: { currency: { in: [BRL], not: BRL } }"),
    "4:24: currency can be none of the values under in: what stands beside them excludes each",
  ],
  [
    "a list of amounts that are excluded beside it",
    withRule('where: { amount: { in: [150, "20.00"], not: "150.00", lt: 10 } }'),
    "4:22: amount can be none of the values under in: what stands beside them excludes each",
  ],
  [
    "a fault that is over before it begins",
    withStep('{ fault: { request: "GET /v2/*", inject: { status: 503 }, from: +10m, for: 10m } }'),
    "5:67: from +10m comes when for 10m is over: the rule never acts",
  ],
  [
    "a fault whose window never opens",
    withStep('{ fault: { request: "GET /v2/*", inject: { status: 503 }, from: +10m, until: +5m } }'),
    "5:79: until +5m is not after from +10m: the rule never acts",
  ],
  [
    "a fault for no time",
    withStep('{ fault: { request: "GET /v2/*", inject: { status: 503 }, for: 0s } }'),
    "5:67: for 0s is over at once: the rule never acts",
  ],
  [
    "a fault that is over before its step comes",
    withLines(
      'rules:\n  - at: "2026-02-01T00:00:00Z"\n    then: [{ fault: { request: "GET /v2/*", inject: { status: 503 }, until: "2026-01-31T00:00:00Z" } }]',
    ),
    "4:70: until 2026-01-31T00:00:00Z is over when the step comes: the rule never acts",
  ],
  [
    "a dispute of what is paid in crypto",
    withRule("where: { currency: BTC }", "{ after: 5s, dispute: {} }"),
    "6:22: only a PIX can be disputed, and where says currency: BTC",
  ],
  [
    "a dispute of what comes over SPEI",
    withRule("where: { network: SPEI }", "{ dispute: {} }"),
    "6:11: only a PIX can be disputed, and where says network: SPEI",
  ],
  [
    "a network that a currency does not go over",
    withRule("where: { currency: BRL, network: SPEI }"),
    "4:38: BRL never goes over SPEI; it goes over PIX",
  ],
  [
    "an amount with a comma",
    withRule('where: { amount: "12,50" }'),
    '4:22: amount is a decimal such as 150.00, never "12,50"; did you mean "12.50"?',
  ],
  [
    "an amount as a hexadecimal number",
    withRule("where: { amount: 0x10 }"),
    '4:22: amount is a decimal such as 150.00, never "0x10"; did you mean "16"?',
  ],
  [
    "an amount as an octal number",
    withRule("where: { amount: { lt: 0o17 } }"),
    '4:28: amount is a decimal such as 150.00, never "0o17"; did you mean "15"?',
  ],
  [
    "an amount with a sign of comparison",
    withRule('where: { amount: ">= 100" }'),
    '4:22: amount is a decimal such as 150.00, never ">= 100"; did you mean { gte: 100 }?',
  ],
  [
    "a wallet of a currency",
    withOwnRule("at: +10m\n    then: [{ deposit: { wallet: EUR, amount: 5 } }]"),
    '4:33: there is no currency "EUR"; known are BRL, MXN,',
  ],
  [
    "a wallet without its chain",
    withOwnRule("at: +10m\n    then: [{ deposit: { wallet: USDC, amount: 5 } }]"),
    '4:33: there is no wallet "USDC"; it is written USDC/',
  ],
  [
    "a wallet on a chain that it does not have",
    withOwnRule("at: +10m\n    then: [{ deposit: { wallet: BRL/tron, amount: 5 } }]"),
    '4:33: there is no wallet "BRL/tron"; it is written BRL',
  ],
  ...["usdt/tron", "usdt / tron", "usdt", "Usdt", "USDT / tron", "USDT/TRON", "USDT/"].map(
    (name): Row => [
      `a wallet written ${name}`,
      withOwnRule(`at: +10m\n    then: [{ deposit: { wallet: "${name}", amount: 5 } }]`),
      `4:33: there is no wallet "${name}"; it is written USDT/`,
    ],
  ),
  [
    "a fiat wallet in lower case",
    withOwnRule("at: +10m\n    then: [{ deposit: { wallet: brl, amount: 5 } }]"),
    '4:33: there is no wallet "brl"; it is written BRL',
  ],
  [
    "a wallet of no currency",
    withOwnRule("at: +10m\n    then: [{ deposit: { wallet: tron/usdt, amount: 5 } }]"),
    '4:33: there is no currency "TRON"; known are',
  ],
  [
    "a text where a field is true or false",
    withOwnRule(
      'on: webhook.delivered\n    where: { manual: "false", duplicate: { not: 1 } }\n    then: [{ note: hello }]',
    ),
    [
      "4:22: manual is true or false, never the text false; take the quotes away",
      "4:49: duplicate is true or false, never the number 1",
    ],
  ],
  ["a truth where a field has words", withRule("where: { currency: true }"), '4:24: there is no currency "true"'],
  [
    "a dispute in a currency that is paid in crypto",
    withOwnRule("on: chargeback.opened\n    where: { currency: USDT }\n    then: [{ note: hello }]"),
    "4:24: only a PIX can be disputed, and USDT never goes over PIX",
  ],
  ...['"12.345"', "12.345"].map(
    (amount): Row => [
      `an amount of ${amount} with more decimals than its currency has`,
      withRule(`where: { currency: BRL, amount: ${amount} }`),
      '4:37: amount has 2 decimals in BRL, never as many as "12.345"',
    ],
  ),
  [
    "bounds of which one is a decimal and one a text",
    withRule('where: { external_id: { gte: "1", lt: z } }'),
    '4:27: external_id has no order to both the decimal "1" and the text "z"',
  ],
  [
    "a rule for a network below one for its only currency",
    withLines(
      "rules:\n  - on: cashin.created\n    where: { currency: BRL }\n    then: [{ pay: {} }]\n  - on: cashin.created\n    where: { network: PIX, amount: 5 }\n    then: [{ cancel: {} }]",
    ),
    `6:5: this rule can never match: rule number 1 ${neverMatches}`,
  ],
  [
    "bounds that leave the one number out that is between them",
    withExpectation("{ transaction: { amount: { gte: 5, lte: 9, lt: 5 } } }"),
    "3:30: amount is never both from 5 and up to 5",
  ],
  [
    "bounds that exclude each other",
    withRule("where: { amount: { gte: 100, lt: 50 } }"),
    "4:22: amount is never both from 100 and up to 50",
  ],
  [
    "bounds that exclude each other by the smallest unit of a currency",
    withRule('where: { currency: BTC, amount: { gt: "0.00000002", lte: "0.00000001" } }'),
    "4:37: amount is never both from 0.00000002 and up to 0.00000001",
  ],
  [
    "bounds of many digits",
    withExpectation("{ balance: { BRL: { gte: 12345678901234567.02, lt: 12345678901234567.01 } } }"),
    "3:23: the balance in BRL is never both from 12345678901234567.02 and up to 12345678901234567.01",
  ],
  [
    "instants that exclude each other, in two zones",
    withRule('where: { created_at: { gt: "2026-01-01T12:00:00Z", lt: "2026-01-01T12:30:00+01:00" } }'),
    "4:26: created_at is never both from 2026-01-01T12:00:00Z and up to 2026-01-01T12:30:00+01:00",
  ],
  [
    "a day that begins when its bound ends",
    withRule('where: { created_at: { gte: 2026-01-02, lt: "2026-01-02T00:00:00Z" } }'),
    "4:26: created_at is never both from 2026-01-02 and up to 2026-01-02T00:00:00Z",
  ],
  ...["lt: 0", "lte: -1"].map(
    (bound): Row => [
      `fewer attempts than none: ${bound}`,
      withExpectation(`{ webhook: cashin.confirmed, where: { attempts: { ${bound} } } }`),
      "3:53: attempts is never below 0",
    ],
  ),
  [
    "an attempt before the first",
    withLines("rules:\n  - on: webhook.failed\n    where: { attempt: { lt: 1 } }\n    then: [{ note: hello }]"),
    "4:23: attempt is never below 1",
  ],
  [
    "a time before its window",
    withLines("rules:\n  - { at: +5m, from: +10m, then: [{ note: hello }] }"),
    "3:7: at +5m is before from +10m: the rule never acts",
  ],
  [
    "a time behind its window, in another zone",
    withLines(
      'rules:\n  - { at: "2026-01-01T03:00:00Z", until: "2026-01-01T00:00:00-03:00", then: [{ note: hello }] }',
    ),
    "3:7: at 2026-01-01T03:00:00Z is not before until 2026-01-01T00:00:00-03:00: the rule never acts",
  ],
  [
    "one time that is let go by",
    withLines("rules:\n  - { at: +5m, skip: 1, from: +5m, then: [{ note: hello }] }"),
    "3:16: skip 1 lets the one time go by: the rule never acts",
  ],
  [
    "a window that is over when it is loaded",
    withRule("until: +0s"),
    "4:5: until +0s is over when the rule begins: the rule never acts",
  ],
  [
    "a window that never opens",
    withRule("from: +10m\n    until: +5m"),
    "5:5: until +5m is not after from +10m: the rule never acts",
  ],
  [
    "a rule below one that takes all",
    withLines(
      "rules:\n  - on: cashin.created\n    then: [{ pay: {} }]\n  - on: cashin.created\n    where: { currency: BRL }\n    then: [{ cancel: {} }]",
    ),
    `5:5: this rule can never match: rule number 1 ${neverMatches}`,
  ],
  [
    "a rule below one whose filters leave nothing over",
    withLines(
      "rules:\n  - on: cashin.created\n    skip: 0\n    chance: 100%\n    from: +0s\n    then: [{ pay: {} }]\n  - on: cashin.created\n    then: [{ cancel: {} }]",
    ),
    `8:5: this rule can never match: rule number 1 ${neverMatches}`,
  ],
  [
    "a rule below one whose name has two lines",
    withLines(
      "rules:\n  - name: |\n      all\n      of them\n    on: cashin.created\n    then: [{ pay: {} }]\n  - on: cashin.created\n    then: [{ cancel: {} }]",
    ),
    `8:5: this rule can never match: rule "all of them " ${neverMatches}`,
  ],
  [
    "a rule below one with a wider bound",
    withLines(bigOnesFirst),
    `7:5: this rule can never match: rule "the big ones" ${neverMatches}`,
  ],
  [
    "a rule below one for the same amount and payer",
    withLines(
      'rules:\n  - on: cashin.created\n    where: { amount: { in: ["1.50"] }, payer.name: { in: [Ann] } }\n    then: [{ pay: {} }]\n  - on: cashin.created\n    where: { amount: { in: [1.5] }, payer.name: Ann }\n    then: [{ cancel: {} }]',
    ),
    `6:5: this rule can never match: rule number 1 ${neverMatches}`,
  ],
  [
    "a rule below one for the same amount, written otherwise",
    withLines(
      'rules:\n  - on: cashin.created\n    where: { amount: 5, currency: BRL }\n    then: [{ pay: {} }]\n  - on: cashin.created\n    where: { currency: BRL, amount: "5.00" }\n    then: [{ cancel: {} }]',
    ),
    `6:5: this rule can never match: rule number 1 ${neverMatches}`,
  ],
  [
    "a rule below one with a glob",
    withLines(
      "rules:\n  - on: cashin.created\n    where: { external_id: magic-* }\n    then: [{ pay: {} }]\n  - on: cashin.created\n    where: { external_id: magic-pay }\n    then: [{ cancel: {} }]",
    ),
    `6:5: this rule can never match: rule number 1 ${neverMatches}`,
  ],
  [
    "a fault rule below one for all",
    withLines(
      'rules:\n  - delivery: "*"\n    inject: { drop: true }\n  - delivery: cashin.confirmed\n    inject: { delay: 5s }',
    ),
    `5:5: this rule can never match: rule number 1 ${neverMatches}`,
  ],
  [
    "an amount of an action with a comma",
    withStep('{ pay: { amount: "12,50" } }'),
    '5:26: amount must be a plain decimal such as 150.00; did you mean "12.50"?',
  ],
  [
    "an amount of an action in thousands",
    withStep('{ pay: { amount: "1.000,00" } }'),
    '5:26: amount must be a plain decimal such as 150.00; did you mean "1000.00"?',
  ],
  ["an amount below zero", withStep("{ pay: { amount: -5 } }"), "5:26: amount must be above zero"],
  [
    "an amount with too many decimals",
    withRule("where: { currency: BRL }", "{ pay: { amount: 5.001 } }"),
    "6:26: amount must have at most 2 decimals",
  ],
  [
    "a currency of a rate",
    withStep('{ set_rate: { BRLL: "0.2" } }'),
    '5:23: there is no currency "BRLL"; did you mean "BRL"?',
  ],
  ["a rate that is none", withStep("{ set_rate: { BRL: abc } }"), "5:28: BRL must be a decimal above zero"],
  [
    "an account of a step",
    `${withStep("{ set_account: { status: active, username: acmee } }")}accounts: [{ username: acme }]\n`,
    '5:52: there is no account "acmee"; did you mean "acme"?',
  ],
  [
    "an account of nothing",
    withOwnRule("at: +10m\n    then: [{ set_account: { status: active } }]"),
    "4:27: username is missing: a rule on the clock is about no account of its own",
  ],
  ["no rates at all", withStep("{ set_rate: {} }"), '5:21: set_rate must be an object such as {BRL: "0.19"}'],
  ["an address", withStep("{ block_ip: localhost }"), "5:21: block_ip must be an IP address"],
  [
    "a sender",
    withOwnRule("delivery: cashin.*\n    inject: { source: localhost }"),
    "4:23: source must be an IP address",
  ],
  [
    "a glob that names nothing",
    withOwnRule("delivery: cashn.*\n    inject: { drop: true }"),
    '3:15: delivery names no event kind; did you mean "cashin.*"?',
  ],
  [
    "a cron pattern",
    withOwnRule('every: "61 9 * * *"\n    then: [{ note: x }]'),
    '3:12: every must be a cron pattern such as "0 9 * * MON-FRI"; the minute cannot be "61": it takes * and 0-59, lists, rising ranges and steps',
  ],
  [
    "a day of a cron pattern",
    withOwnRule('every: "0 9 * * MON-FRY"\n    then: [{ note: x }]'),
    '3:12: every must be a cron pattern such as "0 9 * * MON-FRI"; the day of the week cannot be "MON-FRY": it takes * and 0-7 or SUN-SAT,',
  ],
  [
    "an hour of a cron pattern with seconds",
    withOwnRule('every: "0 0 24 * * *"\n    then: [{ note: x }]'),
    '3:12: every must be a cron pattern such as "0 9 * * MON-FRI"; the hour cannot be "24"',
  ],
  [
    "an instant for a cron pattern",
    withOwnRule('every: "2026-02-01T09:00:00"\n    then: [{ note: x }]'),
    '3:12: every must be a cron pattern such as "0 9 * * MON-FRI"; once, at an instant, is "at: 2026-02-01T09:00:00Z"',
  ],
  [
    "a duration for a cron pattern",
    withOwnRule("every: 5m\n    then: [{ note: x }]"),
    '3:12: every must be a cron pattern such as "0 9 * * MON-FRI": minute, hour, day of the month, month and day of the',
  ],
  [
    "a day that never comes",
    withOwnRule('every: "0 0 31 2 *"\n    then: [{ note: x }]'),
    '3:12: every "0 0 31 2 *" names no time that ever comes',
  ],
  [
    "a time zone",
    withOwnRule('every: "0 9 * * *"\n    timezone: America/SaoPaulo\n    then: [{ note: x }]'),
    '4:15: timezone must be a time zone such as America/Sao_Paulo; did you mean "America/Sao_Paulo"?',
  ],
  [
    "an instant of a month that is none",
    withRule("until: 2026-13-01T00:00:00Z"),
    "4:12: until must be an instant such as 2026-01-01T12:00:00Z",
  ],
  [
    "an instant without its zone",
    withOwnRule('on: cashin.confirmed\n    where: { confirmed_at: "2026-01-01T12:00:05" }\n    then: [{ note: x }]'),
    '4:28: confirmed_at is an instant such as 2026-01-01T12:00:00Z, never "2026-01-01T12:00:05"; did you mean "2026-01-01T12:00:05Z"?',
  ],
  [
    "a bound without its zone",
    withExpectation('{ transaction: { created_at: { gt: "2026-01-01T12:00:00" } } }'),
    '3:40: created_at is an instant such as 2026-01-01T12:00:00Z, never "2026-01-01T12:00:00"; did you mean "2026-01-01T12:00:00Z"?',
  ],
  [
    "a word in place of an instant",
    withExpectation("{ transaction: { created_at: { gt: yesterday } } }"),
    '3:40: created_at is an instant such as 2026-01-01T12:00:00Z, never "yesterday"',
  ],
  [
    "a payer as a text",
    withRule("where: { payer: Maria }"),
    "4:21: payer is no value: it has fields of its own, such as payer.name",
  ],
  [
    "an advance to what was not saved",
    withScript(`{ advance: "\${charge.expires_at}" }`),
    `3:16: \${charge.expires_at}: nothing is saved as "charge" before; no call before it has a save`,
  ],
  [
    "an advance to the counter of a repetition",
    withScript(`{ advance: "\${index}s" }`),
    `3:16: \${index}: nothing is saved as "index" before; no call before it has a save`,
  ],
  [
    "the counter of a repetition, misspelt",
    withScript(`{ ${call}, body: { external_id: "order-\${indx}" }, repeat: 3 }`),
    `3:64: \${indx}: nothing is saved as "indx" before; did you mean "index"?`,
  ],
  [
    "a reference that nothing saved",
    withScript(`{ ${call}, body: { external_id: "\${charge.id}" } }`),
    `3:64: \${charge.id}: nothing is saved as "charge" before; no call before it has a save`,
  ],
  [
    "a reference to another name",
    withScript(`{ ${call}, save: charge }\n  - { ${call}, body: { split: [{ username: "\${chrge.id}" }] } }`),
    `4:71: \${chrge.id}: nothing is saved as "chrge" before; did you mean "charge"?`,
  ],
  [
    "a reference in an expectation",
    withExpectation(`{ event: cashin.confirmed, where: { transaction_id: "\${charge.id}" } }`),
    `3:57: \${charge.id}: nothing is saved as "charge" before`,
  ],
  [
    "a reference that is not closed",
    withScript(`{ ${call}, body: { external_id: "\${charge" } }`),
    `3:64: \${ is opened in "\${charge" and not closed; } is missing`,
  ],
  [
    "a reference to an account that nothing saved",
    withScript(`{ ${call}, as: "\${shop}" }`),
    `3:47: \${shop}: nothing is saved as "shop" before`,
  ],
  [
    "a reference in a rule",
    withRule(`where: { external_id: "\${charge.id}" }`, `{ note: "for \${charge.id}" }`),
    [
      `4:27: \${charge.id} stays as it is here: variables stand in merchant and expect alone`,
      `6:17: \${charge.id} stays as it is here`,
    ],
  ],
  [
    "a reference in an account",
    withLines(`accounts: [{ username: acme, name: "\${who}" }]`),
    `2:36: \${who} stays as it is here: variables stand in merchant and expect alone`,
  ],
  [
    "a name that the counter of repetitions has",
    withScript(`{ ${call}, save: index }`),
    `3:49: save cannot be index: \${index} counts how often a step is repeated`,
  ],
  [
    "an external id where an id is expected",
    withLines("expect: [{ transaction: order-1 }]"),
    '2:25: an id has 32 hexadecimal characters; by its external_id it is { external_id: "order-1" }',
  ],
  [
    "a file that is no list",
    withScript("{ call: POST /v2/account/infractions/reply, form: { files: real.pdf } }"),
    "3:64: files must be a list: [real.pdf]",
  ],
  [
    "the id of a payment where that of a dispute is expected",
    withLines("expect: [{ dispute: order-1 }]"),
    '2:21: an id is inf_ and 24 letters or digits; by its transaction_id it is { transaction_id: "order-1" }',
  ],
  [
    "an amount of a named wallet with too many decimals",
    withRule("where: { currency: BRL }", '{ deposit: { wallet: USDT/tron, amount: "0.1234567" } }'),
    "6:49: amount must have at most 6 decimals",
  ],
  [
    "a currency of a body",
    withScript(`{ ${call}, body: { currency: BLR, amount: 5 } }`),
    '3:61: there is no currency "BLR"; did you mean "BRL"?',
  ],
  [
    "a chain of a body",
    withScript(`{ ${call}, body: { currency: BTC, chain: tron, amount: 5 } }`),
    '3:73: BTC has no chain "tron"; it has bitcoin',
  ],
  [
    "an amount of a body with a comma",
    withScript(`{ ${call}, body: { currency: BRL, amount: "12,50" } }`),
    '3:74: amount must be a plain decimal such as 150.00; did you mean "12.50"?',
  ],
  [
    "an account that is nearly one that every world has",
    withScript(`{ ${call}, as: globx }`),
    '3:47: there is no account "globx"; did you mean "globex"?',
  ],
  [
    "a value of digits, which no comma has split",
    withExpectation('{ event: cashin.confirmed, where: { currency: "12" } }'),
    '3:51: there is no currency "12"; known are BRL, MXN,',
  ],
  [
    "an account that calls",
    withScript(`{ ${call}, as: acmee }`),
    '3:47: there is no account "acmee"; did you mean "acme"?',
  ],
  [
    "a field of webhooks",
    withExpectation("{ webhook: cashin.confirmed, where: { expired_at: x } }"),
    '3:43: "cashin.confirmed" has no field "expired_at"',
  ],
  [
    "a glob of webhooks",
    withExpectation("{ webhook: cashn.* }"),
    '3:16: webhook names no event kind; did you mean "cashin.*"?',
  ],
  [
    "a slip behind the star of an event glob",
    withExpectation('{ webhook: "*.confrmed", count: 0 }'),
    '3:16: webhook names no event kind; did you mean "*.confirmed"?',
  ],
  [
    "a count that any number meets",
    withExpectation("{ event: cashin.confirmed, count: { gte: 0 } }"),
    "3:39: count holds of any number of them: it can make no difference",
  ],
  [
    "a count that none meets",
    withExpectation("{ no_event: cashin.confirmed, count: { lt: 0 } }"),
    "3:42: count holds of no number of them",
  ],
  [
    "a glob of currencies that there are not",
    withExpectation('{ no_event: cashin.confirmed, where: { currency: "brl*" } }'),
    '3:54: there is no currency "brl*"; did you mean "BRL"?',
  ],
  [
    "a currency of a balance",
    withExpectation('{ balance: { BRLL: "5.00" } }'),
    '3:18: there is no currency "BRLL"; did you mean "BRL"?',
  ],
  [
    "a balance as a hexadecimal number",
    withExpectation("{ balance: { BRL: { gte: 0x10 } } }"),
    '3:30: a balance is a decimal such as 150.00, never "0x10"; did you mean "16"?',
  ],
  [
    "a balance with a comma",
    withExpectation('{ balance: { BRL: "5,00" } }'),
    '3:23: a balance is a decimal such as 150.00, never "5,00"; did you mean "5.00"?',
  ],
  [
    "a balance with more decimals than its currency has",
    withExpectation('{ balance: { BRL: "1.001", MXN: "1.0100" } }'),
    '3:23: a balance has 2 decimals in BRL, never as many as "1.001"',
  ],
  [
    "an account of a balance",
    withExpectation("{ balance: { BRL: 5 }, of: acmee }"),
    '3:32: there is no account "acmee"; did you mean "acme"?',
  ],
  [
    "a count that never is",
    withExpectation("{ no_event: cashin.confirmed, count: { gt: 2, lte: 2 } }"),
    "3:42: count is never both from 2 and up to 2",
  ],
  [
    "a balance that none can be",
    withExpectation('{ balance: { BRL: { gte: "10.00", lt: 5 } } }'),
    "3:23: the balance in BRL is never both from 10.00 and up to 5",
  ],
  [
    "data in place of fixtures",
    withLines("settings: { fixtures: { ratez: {} } }"),
    '2:25: fixtures.ratez: there is no such data; did you mean "rates"?',
  ],
  [
    "data of another shape",
    withLines("settings: { fixtures: { rates: { BRL: 5 } } }"),
    '2:39: fixtures.rates.BRL must be a text; put it in quotes: "5"',
  ],
  [
    "a currency of an account",
    withLines("accounts: [{ username: acme, balances: { BRLL: 5 } }]"),
    '2:42: there is no currency "BRLL"; did you mean "BRL"?',
  ],
  [
    "a balance of an account",
    withLines("accounts: [{ username: acme, balances: { BRL: abc } }]"),
    "2:47: BRL must be a plain decimal such as 150.00",
  ],
  [
    "a balance of an account that is below zero",
    withLines('accounts: [{ username: acme, balances: { BRL: "-1", MXN: "0.00" } }]'),
    "2:47: BRL must not be below zero",
  ],
  [
    "two accounts of a name",
    withLines("accounts: [{ username: acme }, { username: acme }]"),
    '2:44: there is an account "acme" already',
  ],
  [
    "a destination of an account",
    withLines("accounts: [{ username: acme, postback_url: http://example.com }]\nsettings: { webhook_targets: local }"),
    "2:44: postback_url must be an https URL",
  ],
  [
    "a misspelt inbox",
    withLines("accounts: [{ username: acme, postback_url: sandbox://in-box }]"),
    '2:44: postback_url must be an https or http URL; did you mean "sandbox://inbox"?',
  ],
]);

export const brokenFiles: readonly BrokenFile[] = [...unreadable, ...misshapen, ...impossible];

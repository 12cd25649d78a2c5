/** The chapters of the scenario language on the merchant's script and on expectations. */
import { ofAttempts, ofWebhooks } from "../scenarios/expected.ts";
import { type ExpectationKind, expectationKeys } from "../scenarios/script-schema.ts";
import { disputeFieldNames } from "../scenarios/triggers.ts";
import { code, codes, table } from "./markdown.ts";
import { chapter, example } from "./scenario-language-chapters.ts";
import { definition, keyTable, propertiesOf, valuesOf } from "./scenario-language-tables.ts";

const MERCHANT = `\`merchant\` is what the merchant does in a run, one step after the other; in a served world your program is the
merchant, and the script is ignored. The script's merchant fetches tokens, signs and makes nonces by itself. A call is
answered, and everything due at that instant is done, before the next step begins. After an answer that is not as
expected the run fails, and the script goes on all the same. \`\${name.path}\` stands for what was saved before, in every
value of a step and of an expectation but \`save\`, \`name\`, \`note\` and the size of a made-up file; as a whole where the
value is a number, a duration, or one of some words, such as a status or an event; \`\${list.items[0].id}\` reaches into
lists. A value that is only a reference keeps its type. In conditions, a \`*\` in what is filled in is no wildcard.`;

/** The chapter on the merchant's script. */
export function merchant(): string {
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
  webhook: `the same as of an event, and ${codes(["transaction_id", ...ofAttempts])}`,
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

/** The chapter on what must come of a story. */
export function expectations(): string {
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

/** What is filled in of a merchant's script, and what stands as it was written. */
import { expect, test, vi } from "vitest";
import type { LiveWorld } from "../../src/host/live-world.ts";
import { runScenario } from "../../src/runs/run.ts";
import { INBOX_ANSWER } from "../../src/webhooks/attempts.ts";
import { testFolder } from "../support/folder.ts";
import { sendNothing, throwFault } from "../support/runs.ts";

function run(text: string) {
  return runScenario({ file: "script.yaml", text }, { send: sendNothing, onFault: throwFault });
}

const charge = "  - call: POST /v2/transactions/cashin\n";

test("the name of a step is for people: what looks like a reference in it is none", async () => {
  const name = `buys for \${price.total}`;
  const { expectations } = await run(
    `scenario: named\nmerchant:\n${charge}    name: ${name}\n    body: { currency: BRL, amount: 5 }\n`,
  );
  expect(expectations).toMatchObject([{ text: name, verdict: "pass" }]);
});

test("the name of an expectation is for people too, whatever was saved", async () => {
  const saved = `${charge}    body: { currency: BRL, amount: 5 }\n    save: charge\n`;
  const names = [`costs \${price.total}`, `\${charge.external_id} is paid`, `\${charge} is paid`];
  const named = (name: string) => `  - { name: "${name}", event: cashin.confirmed }\n`;
  const rules = "rules:\n  - { on: cashin.created, then: [{ pay: {} }] }\n";
  const { expectations } = await run(
    `scenario: named\n${rules}merchant:\n${saved}expect:\n${names.map(named).join("")}`,
  );
  expect(expectations.slice(1)).toMatchObject(names.map((text) => ({ text, verdict: "pass" })));
});

test("a body is filled in whatever its keys are called", async () => {
  const body = `{ currency: BRL, amount: 5, external_id: "order-\${index}", toJSON: x }`;
  const answered = "    expect: { data: { external_id: order-1 } }\n";
  const { expectations } = await run(`scenario: keyed\nmerchant:\n${charge}    body: ${body}\n${answered}`);
  expect(expectations).toMatchObject([{ verdict: "pass" }]);
});

test("D21: a body of more than 1 MiB is refused as a server refuses it, and a file of a reply above 12 MiB", async () => {
  const large = `${charge}    body: { currency: BRL, amount: 5, padding: ${"x".repeat(1024 * 1024)} }\n`;
  const files = "[{ name: a.pdf, type: application/pdf, size: 12582912 }]";
  const reply = `  - call: POST /v2/account/infractions/reply\n    form: { infraction_id: x, files: ${files} }\n`;
  const refused = "    expect: { status: 413, error: PAYLOAD_TOO_LARGE }\n";
  const { expectations } = await run(`scenario: large\nmerchant:\n${large}${refused}${reply}${refused}`);
  expect(expectations).toMatchObject([{ verdict: "pass" }, { verdict: "pass" }]);
});

test("D21: files that are too large together are refused without being made up", async () => {
  const alloc = vi.spyOn(Buffer, "alloc");
  const files = `[${Array(3).fill("{ name: a.pdf, type: application/pdf, size: 67108864 }").join(", ")}]`;
  const reply = `  - call: POST /v2/account/infractions/reply\n    form: { infraction_id: x, text: y, files: ${files} }\n`;
  const refused = "    expect: { status: 413, error: PAYLOAD_TOO_LARGE }\n";
  const { expectations } = await run(`scenario: huge\nmerchant:\n${reply}${refused}`);
  const sizes = alloc.mock.calls.map(([size]) => size);
  alloc.mockRestore();
  expect(expectations).toMatchObject([{ verdict: "pass" }]);
  expect(sizes.filter((size) => size >= 67_108_864)).toEqual([]);
});

test("an event that came before the step that waits for it is told to have come", async () => {
  const rules = "rules:\n  - { on: cashin.created, then: [{ pay: {} }] }\n";
  const script = `merchant:\n${charge}    body: { currency: BRL, amount: 5 }\n  - advance: cashin.confirmed\n`;
  const { expectations } = await run(`scenario: late\n${rules}${script}`);
  expect(expectations[1]?.detail).toBe(
    "cashin.confirmed came before this step, which waits for another one, and nothing was left that it could have come of",
  );
});

test("an advance to the present instant is no fault", async () => {
  const { expectations } = await run(
    `scenario: present\nmerchant:\n  - advance: 2026-01-01T12:00:00Z\n${charge}    body: { currency: BRL, amount: 5 }\n`,
  );
  expect(expectations).toMatchObject([{ verdict: "pass" }]);
});

test("what strikes the call for a token is not the answer that a step expects", async () => {
  const step = `${charge}    body: { currency: BRL, amount: 5 }\n    expect: { status: 503 }\n`;
  const rules = "rules:\n  - { request: POST /v2/oauth/token, inject: { status: 503 } }\n";
  const { expectations } = await run(`scenario: struck\n${rules}merchant:\n${step}`);
  const detail = expect.stringContaining("the call for its token was answered 503");
  expect(expectations).toMatchObject([{ verdict: "fail", detail }]);
});

test("D51: a file of a reply may have a name with quotes and line breaks in it", async () => {
  const files = '[{ name: "the \\"receipt\\"\\r\\n.pdf", type: application/pdf, size: 100 }]';
  const reply = `  - call: POST /v2/account/infractions/reply\n    form: { infraction_id: x, text: sent, files: ${files} }\n`;
  const { expectations } = await run(`scenario: quoted\nmerchant:\n${reply}    expect: { error: NOT_FOUND }\n`);
  expect(expectations).toMatchObject([{ verdict: "pass" }]);
});

test("D51: a file of a folder beside the scenario is sent by its name alone, as any client sends it", async () => {
  const folder = testFolder({ "evidence/receipt.pdf": "%PDF-1.7" });
  const text = `scenario: answered
rules:
  - { on: cashin.created, then: [{ pay: {} }, { after: 1m, dispute: {} }] }
merchant:
  - { call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 5 } }
  - advance: chargeback.opened
  - { call: GET /v2/account/infractions, save: list }
  - call: POST /v2/account/infractions/reply
    form: { infraction_id: "\${list.items[0].infraction_id}", text: sent, files: [evidence/receipt.pdf] }
`;
  const names: string[] = [];
  const ended = ({ world: { disputes } }: LiveWorld) => {
    for (const { reply_id } of disputes.after(0, 1)) {
      for (const { name } of disputes.filesOf(reply_id ?? 0)) names.push(name);
    }
  };
  const options = { send: async () => INBOX_ANSWER, onFault: () => {}, onWorld: { ended } };
  await runScenario({ file: "answered.yaml", text, folder }, options);
  expect(names).toEqual(["receipt.pdf"]);
});

test("D50 a dispute may be expected by its reply", async () => {
  const dispute = "rules:\n  - { on: cashin.created, then: [{ pay: {} }, { after: 1m, dispute: {} }] }\n";
  const expected = "expect:\n  - { dispute: { reply_id: null } }\n  - { dispute: { reply_id: 1 } }\n";
  const body = "    body: { currency: BRL, amount: 5 }\n";
  const { expectations } = await run(`scenario: silent\n${dispute}merchant:\n${charge}${body}${expected}`);
  expect(expectations.slice(-2)).toMatchObject([{ verdict: "pass" }, { verdict: "fail" }]);
});

test("a condition on what an answer never has fails, though it says only what is not there", async () => {
  const body = "    body: { currency: BRL, amount: 5 }\n";
  const { expectations } = await run(
    `scenario: misspelt\nmerchant:\n${charge}${body}    expect: { data: { statsu: { not: failed } } }\n` +
      `${charge}${body}    expect: { data: { txid: null } }\n${charge}${body}    expect: { data: { chain: null } }\n`,
  );
  const detail = 'the answer of POST /v2/transactions/cashin has no field "statsu"; did you mean "status"?';
  expect(expectations).toMatchObject([{ verdict: "fail", detail }, { verdict: "fail" }, { verdict: "pass" }]);
});

test("a condition within a list without the number of its item fails, as does one within a value", async () => {
  const listed = (data: string) =>
    `  - call: POST /v2/account/transactions/list\n    body: { page: 1 }\n    expect: { data: ${data} }\n`;
  const body = "    body: { currency: BRL, amount: 5 }\n";
  const { expectations } = await run(
    `scenario: lists\nmerchant:\n${charge}${body}${listed("{ items.status: { not: pending } }")}` +
      `${listed("{ items.0.payer.name.first: null }")}${listed('{ "items[0].payer.name": null, items.0.status: pending }')}`,
  );
  const of = "of the answer of POST /v2/account/transactions/list is";
  expect(expectations.slice(1)).toMatchObject([
    { verdict: "fail", detail: `items ${of} a list; its first item is items[0]` },
    { verdict: "fail", detail: `items[0].payer.name ${of} one value, and has no field "first"` },
    { verdict: "pass" },
  ]);
});

test("a condition in quotes on what is true or false fails, though not would hold", async () => {
  const listed = (data: string) =>
    `  - call: POST /v2/account/transactions/list\n    body: { page: 1 }\n    expect: { data: ${data} }\n`;
  const { expectations } = await run(
    `scenario: quoted\nmerchant:\n${listed('{ has_next: "false" }')}${listed('{ has_next: { not: "true" } }')}${listed("{ has_next: false, has_prev: { not: true } }")}`,
  );
  const detail = "has_next is true or false, never the text";
  expect(expectations).toMatchObject([
    { verdict: "fail", detail: `${detail} false; take the quotes away` },
    { verdict: "fail", detail: `${detail} true; take the quotes away` },
    { verdict: "pass" },
  ]);
});

test("a condition on a list or an object as a whole fails, though not would hold", async () => {
  const listed = (data: string) =>
    `  - call: POST /v2/account/transactions/list\n    body: { page: 1 }\n    expect: { data: { ${data} } }\n`;
  const { expectations } = await run(
    `scenario: whole\nmerchant:\n${charge}    body: { currency: BRL, amount: 5 }\n` +
      listed('items.0.payer: { not: "Maria Silva" }') +
      listed('items: ""') +
      listed("items: { not: null }, items.0.payer: null"),
  );
  expect(expectations.slice(1)).toMatchObject([
    { verdict: "fail", detail: "items.0.payer is no value: it has fields of its own, such as items.0.payer.name" },
    { verdict: "fail", detail: "items is a list, and no value: its first item is items[0]" },
    { verdict: "pass" },
  ]);
});

test("a reference to a list or an object is no condition: an empty list would hold for anything", async () => {
  const list = "  - call: POST /v2/account/transactions/list\n    body: { status: failed }\n    save: list\n";
  const again = `  - call: POST /v2/account/transactions/list\n    expect: { data: { items: "\${list.items}" } }\n`;
  const where = `expect:\n  - { transaction: { status: "\${list.items}" } }\n`;
  const { expectations } = await run(`scenario: parts\nmerchant:\n${list}${again}${where}`);
  const detail = `\${list.items}: it is a list, of which a condition takes no more than a part`;
  expect(expectations.slice(1)).toMatchObject([
    { verdict: "fail", detail },
    { verdict: "fail", detail },
  ]);
});

test("a reference to null, a list or an object is neither an account nor a text of a form", async () => {
  const list = "  - { call: POST /v2/account/transactions/list, body: { page: 1 }, save: list }\n";
  const as = (name: string) => `  - { call: GET /v2/account/balance, as: "\${${name}}" }\n`;
  const reply = (form: string) => `  - { call: POST /v2/account/infractions/reply, form: { ${form} } }\n`;
  const script =
    `${charge}    body: { currency: BRL, amount: 5 }\n    save: charge\n${list}` +
    as("charge") +
    as("charge.external_id") +
    reply(`infraction_id: x, text: "\${charge}"`) +
    reply(`infraction_id: x, text: "\${list.items}"`) +
    reply(`infraction_id: "\${charge.external_id}", text: x`) +
    reply(`infraction_id: x, text: x, files: ["\${charge}"]`) +
    reply(`infraction_id: x, text: x, files: [{ name: "\${list.items}", type: image/png, size: 9 }]`);
  const { expectations } = await run(`scenario: parts\nmerchant:\n${script}`);
  expect(expectations.slice(2).map(({ detail }) => detail)).toEqual([
    `\${charge}: it is an object, of which a name takes no more than a part`,
    `\${charge.external_id}: it is null, and not a name`,
    `\${charge}: it is an object, of which a text takes no more than a part`,
    `\${list.items}: it is a list, of which a text takes no more than a part`,
    `\${charge.external_id}: it is null, and not a text`,
    `\${charge}: it is an object, of which a text takes no more than a part`,
    `\${list.items}: it is a list, of which a text takes no more than a part`,
  ]);
});

test("a currency that the account does not have is no balance, whatever it is not to be", async () => {
  const { expectations } = await run("scenario: poorer\nexpect:\n  - balance: { POL: { not: 5 } }\n");
  expect(expectations).toMatchObject([{ verdict: "fail", detail: "acme has POL none" }]);
});

const WILD = `${charge}    body: { currency: BRL, amount: 5, external_id: "order-*" }\n    save: wild\n`;
const TAME = `${charge}    body: { currency: BRL, amount: 5, external_id: order-1 }\n`;

test("interface 5: a * that is filled in stands for itself; what the author wrote is a glob", async () => {
  const answered = (condition: string) => `    expect: { data: { external_id: ${condition} } }\n`;
  const merchant = WILD + TAME + answered(`"\${wild.external_id}"`) + TAME.replace("order-1", "order-12");
  const transactions = (condition: string, count: number) =>
    `  - { transaction: { external_id: ${condition} }, count: ${count} }\n`;
  const text =
    `scenario: wild\nmerchant:\n${merchant}expect:\n` +
    transactions(`"\${wild.external_id}"`, 1) +
    transactions(`{ in: ["\${wild.external_id}", none] }`, 1) +
    transactions(`{ not: "\${wild.external_id}" }`, 2) +
    transactions(`"*\${wild.external_id}"`, 1) +
    transactions(`"o*-\${wild.currency}"`, 0) +
    transactions(`"order-*"`, 3);
  const { expectations } = await run(text);
  const verdicts = expectations.map(({ verdict }) => verdict);
  expect(verdicts).toEqual(["pass", "fail", "pass", ...Array(6).fill("pass")]);
});

test("interface 5: an expectation names a transaction by what a number or true comes to", async () => {
  const list = "  - call: POST /v2/account/transactions/list\n    body: { page: 1 }\n    save: list\n";
  const named = (name: string) => `  - { ${name} }\n`;
  const { expectations } = await run(
    `scenario: named\nmerchant:\n${TAME}${list}expect:\n` +
      named(`transaction: "\${list.page}"`) +
      named(`transaction: "\${list.has_next}"`) +
      named(`transaction: "\${list}"`),
  );
  const details = expectations.slice(2).map(({ detail }) => detail);
  expect(details).toEqual([
    `there is no such transaction; \${list.page} is 1`,
    `there is no such transaction; \${list.has_next} is false`,
    `\${list}: it is an object, of which a name takes no more than a part`,
  ]);
});

test("a failure tells what was filled in, null too", async () => {
  const saved = `${charge}    body: { currency: BRL, amount: 5 }\n    save: charge\n`;
  const where = `expect:\n  - { event: cashin.confirmed, where: { external_id: "\${charge.external_id}" } }\n`;
  const { expectations } = await run(`scenario: told\nmerchant:\n${saved}${where}`);
  expect(expectations[1]?.detail).toBe(`it did not come; there came cashin.expired; \${charge.external_id} is null`);
});

test("what is filled in to a query is one value, whatever stands in it", async () => {
  const transfer = "  - call: POST /v2/internal_transfers/payment\n    save: transfer\n";
  const body = '    body: { username: globex, currency: BRL, amount: 5, description: "x&currency=MXN y" }\n';
  const balance = `  - call: GET /v2/account/balance?currency=\${transfer.description}\n    expect: { error: INVALID_CURRENCY }\n`;
  const plain = `  - call: GET /v2/account/balance?currency=\${transfer.currency}\n`;
  const { expectations } = await run(`scenario: asking\nmerchant:\n${transfer}${body}${balance}${plain}`);
  expect(expectations).toMatchObject([{ verdict: "pass" }, { verdict: "pass" }, { verdict: "pass" }]);
});

test("what is filled in to a query ends no value and begins none", async () => {
  const saved = `${charge}    body: { currency: BRL, amount: 5, external_id: "a&page=none" }\n    save: charge\n`;
  const list = `  - call: GET /v2/account/infractions?transaction_id=\${charge.external_id}\n    expect: { status: 200 }\n`;
  const { expectations } = await run(`scenario: asking\nmerchant:\n${saved}${list}`);
  expect(expectations.at(-1)).toMatchObject({ verdict: "pass" });
});

test.each(["transaction_id=a?b&page=none", "transaction_id=a b&page=none"])(
  "a query is sent to its end: %s",
  async (query) => {
    const list = `  - call: GET /v2/account/infractions?${query}\n    expect: { error: INVALID_REQUEST }\n`;
    const { expectations } = await run(`scenario: asking\nmerchant:\n${list}`);
    expect(expectations).toMatchObject([{ verdict: "pass" }]);
  },
);

test("an expectation on an account that there is not fails: nothing of it ever comes", async () => {
  const expected = [
    "no_event: transfer.confirmed, where: { username: globx }",
    "transaction: { username: { in: [acmee, none] } }, count: 0",
    "webhook: cashin.*, where: { username: { not: acmee } }, count: 0",
    'no_event: transfer.confirmed, where: { counterparty: "nobody*" }',
    "no_event: transfer.confirmed, where: { username: globex }",
  ];
  const { expectations } = await run(
    `scenario: strange\nexpect:\n${expected.map((one) => `  - { ${one} }\n`).join("")}`,
  );
  expect(expectations).toMatchObject([
    { verdict: "fail", detail: 'there is no account "globx"; did you mean "globex"?' },
    { verdict: "fail", detail: 'there is no account "acmee"; did you mean "acme"?' },
    { verdict: "fail", detail: 'there is no account "acmee"; did you mean "acme"?' },
    { verdict: "pass" },
    { verdict: "pass" },
  ]);
});

test("D40b a webhook is found by the transaction_id of its envelope, which the data of some events lacks", async () => {
  const convert = "{ amount: 100, base_currency: BRL, destination_currency: USDT }";
  const { expectations } = await run(`scenario: enveloped
merchant:
  - { call: POST /v2/conversions/new, body: ${convert}, save: conversion }
  - { call: POST /v2/transactions/wallet, body: { currency: BRL } }
expect:
  - { webhook: conversion.confirmed, where: { transaction_id: "\${conversion.conversion_id}" } }
  - { webhook: "*", where: { transaction_id: wallet_1001 }, count: 1 }
  - { webhook: "*", where: { transaction_id: null }, count: 0 }\n`);
  expect(expectations.slice(2).map(({ verdict, detail }) => `${verdict} ${detail}`)).toEqual([
    expect.stringMatching(/^pass 1 is there: evt_/),
    expect.stringMatching(/^pass 1 is there: evt_/),
    expect.stringMatching(/^pass there is no such webhook/),
  ]);
});

test("no_event with a count tells how many came, and without one when the first came", async () => {
  const charges = `rules: [{ on: cashin.created, then: [{ pay: {} }] }]
merchant:\n${charge}    body: { currency: BRL, amount: 5 }\n    repeat: 2\n`;
  const { expectations } = await run(`scenario: counted\n${charges}expect:
  - { no_event: cashin.confirmed, count: 2 }
  - { no_event: cashin.confirmed }
  - { no_event: cashin.confirmed, count: 0 }\n`);
  expect(expectations.slice(1)).toMatchObject([
    { verdict: "fail", detail: expect.stringMatching(/^2 are there: evt_\w+, evt_\w+$/) },
    { verdict: "fail", detail: expect.stringMatching(/^it came at 2026-01-01T12:00:00.000Z: evt_\w+$/) },
    { verdict: "fail", detail: expect.stringMatching(/^it came at 2026-01-01T12:00:00.000Z: evt_\w+$/) },
  ]);
});

test("an answer without data leaves nothing to fill in, and a refusal is told without a stop before what was", async () => {
  const refused = `${charge}    body: { currency: BRL, amount: "5.001" }\n    save: charge\n    expect: { error: INVALID_REQUEST }\n`;
  const taken = `${charge}    body: { currency: BRL, amount: 5, external_id: o-1 }\n    save: made\n`;
  const again = `${charge}    body: { currency: BRL, amount: 6, external_id: o-1 }\n    expect: { data: { amount: { not: "\${made.amount}" } } }\n`;
  const { expectations } = await run(
    `scenario: refused\nmerchant:\n${refused}${taken}${again}expect:\n  - { transaction: "\${charge.transaction_id}" }\n`,
  );
  expect(expectations.slice(2)).toMatchObject([
    {
      verdict: "fail",
      detail: `it was answered 409 DUPLICATE_EXTERNAL_ID: The external_id was used with a different body; \${made.amount} is "5.00"`,
    },
    { verdict: "fail", detail: `\${charge.transaction_id}: "charge" was saved from an answer without data` },
  ]);
});

test("a count may be what was saved, where that is a whole number", async () => {
  const list = "  - call: POST /v2/account/transactions/list\n    body: { page: 1 }\n    save: list\n";
  const made = `${charge}    body: { currency: BRL, amount: 5 }\n    save: made\n`;
  const counts = [
    `"\${list.page}"`,
    `{ gte: "\${list.page}", not: 2 }`,
    `{ gt: "\${list.page}" }`,
    `"\${made.currency}"`,
  ];
  const expected = counts.map((count) => `  - { transaction: { currency: BRL }, count: ${count} }\n`).join("");
  const { expectations } = await run(`scenario: counted\nmerchant:\n${made}${list}expect:\n${expected}`);
  expect(expectations.slice(2)).toMatchObject([
    { verdict: "pass" },
    { verdict: "pass" },
    { verdict: "fail" },
    { verdict: "fail", detail: `\${made.currency}: it is "BRL", and a count is a whole number` },
  ]);
});

test("interface 5: variables stand anywhere in a call's step and in expectations, whatever the field wants", async () => {
  const list = "  - call: POST /v2/account/transactions/list\n    body: { page: 3, limit: 3 }\n    save: list\n";
  const repeated = `${charge}    repeat: "\${list.page}"\n    body: { currency: BRL, amount: 5, external_id: "o-\${index}" }\n`;
  const words = ["INVALID_CURRENCY", "422", "cashin.confirmed", "5s", "delivered", "cashin.*"];
  const saved = words
    .map(
      (word, index) => `${charge}    body: { currency: BRL, amount: 5, external_id: "${word}" }\n    save: s${index}\n`,
    )
    .join("");
  const of = (index: number) => `"\${s${index}.external_id}"`;
  const refused = `${charge}    body: { currency: XXX, amount: 5 }\n    expect: { status: ${of(1)}, error: ${of(0)} }\n`;
  const wrong = `${charge}    body: { currency: BRL, amount: 5 }\n    expect: { status: ${of(3)}, data: { currency: BRL } }\n`;
  const { expectations } = await run(`scenario: anywhere
rules: [{ on: cashin.created, then: [{ after: 5s, pay: {} }] }]
merchant:
${list}${repeated}${saved}${refused}${wrong}  - advance: 1m
expect:
  - { event: ${of(2)}, within: ${of(3)}, count: 9 }
  - { no_event: ${of(2)}, within: ${of(3)} }
  - { webhook: ${of(5)}, status: ${of(4)}, count: 9 }
  - { event: ${of(0)} }
  - { event: cashin.confirmed, within: ${of(5)} }
`);
  const judged = expectations.slice(2 + words.length).map(({ verdict, detail }) => [verdict, detail]);
  expect(judged).toEqual([
    ["pass", "422 INVALID_CURRENCY"],
    ["fail", expect.stringContaining(`\${s3.external_id}: it is "5s", and it must be a status from 200 to 599`)],
    ["pass", expect.stringContaining("9 are there")],
    ["fail", expect.stringContaining("it came at 2026-01-01T12:00:05.000Z")],
    ["pass", expect.stringContaining("9 are there")],
    ["fail", expect.stringContaining(`\${s0.external_id}: it is "INVALID_CURRENCY", and it`)],
    ["fail", expect.stringContaining(`\${s5.external_id}: it is "cashin.*", and it must be a duration`)],
  ]);
});

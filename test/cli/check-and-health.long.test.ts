/** `check` and `health`: exit 0 for yes, 1 for no, 2 where it could not be done (interface, sections 2 and 5). */
import { describe, expect, test } from "vitest";
import { runCommand, startReady, terminate } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { startRaw, startSecure } from "../support/odd-receivers.ts";

const good = "scenario: good\nrules:\n  - on: cashin.created\n    then:\n      - { after: 5s, pay: {} }\n";
const bad = "scenario: bad\nrules:\n  - on: cashin.createdd\n    then:\n      - { after: 5s, pay: {} }\n";

describe("check", () => {
  test("good files, folders and shipped names", async () => {
    const cwd = testFolder({
      "good.yaml": good,
      "more/one.yml": good.replace("good", "one"),
      "more/two.json": '{"scenario": "two", "rules": []}',
    });
    const { code, stdout, stderr } = await runCommand(["check", "good.yaml", "more", "happy-path"], { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "4 files checked, all fine.\n", stderr: "" });
  });

  test("a bad file: its place, what is wrong, the nearest right word, the line and a caret below it", async () => {
    const cwd = testFolder({ "good.yaml": good, "bad.yaml": bad });
    const { code, stdout } = await runCommand(["check", "good.yaml", "bad.yaml"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'bad.yaml:3:9: unknown trigger "cashin.createdd"; did you mean "cashin.created"?',
        "3 |   - on: cashin.createdd",
        "            ^",
        "2 files checked, 1 problem.",
        "",
      ].join("\n"),
    );
  });

  test("the problems of several large files are all counted, though a hundred of each are shown", async () => {
    const keys = Array.from({ length: 130 }, (_, index) => `key${index}: 1\n`);
    const large = `scenario: large\n${keys.join("")}`;
    const above = "scenario: above\nwith: [./large.yaml]\n";
    const cwd = testFolder({ "large.yaml": large, "more.yaml": large, "above.yaml": above });
    const { stdout } = await runCommand(["check", "large.yaml", "more.yaml", "above.yaml"], { cwd });
    expect(stdout.match(/: unknown key/g)).toHaveLength(200);
    expect(stdout).toMatch(/\n3 files checked, 260 problems\.\n$/);
  });

  test("--json", async () => {
    const cwd = testFolder({ "good.yaml": good, "bad.yaml": bad });
    const [fine, wrong] = await Promise.all([
      runCommand(["check", "--json", "good.yaml"], { cwd }),
      runCommand(["check", "good.yaml", "bad.yaml", "--json"], { cwd }),
    ]);
    expect([fine.code, JSON.parse(fine.stdout)]).toEqual([0, { ok: true, files: 1, problems: [], warnings: [] }]);
    const problem = { file: "bad.yaml", line: 3, column: 9, excerpt: "  - on: cashin.createdd" };
    expect(JSON.parse(wrong.stdout)).toMatchObject({ ok: false, files: 2, problems: [problem] });
    expect(wrong.code).toBe(1);
  });

  test("two files of one scenario's name: a warning, for a server takes one of them", async () => {
    const cwd = testFolder({ "one.yaml": good, "two.yaml": good });
    const { code, stdout } = await runCommand(["check", "."], { cwd });
    const [warning] = stdout.split("\n");
    expect(code).toBe(0);
    expect(warning).toMatch(
      /^two.yaml:1:\d+: warning: the scenario of one.yaml is called "\w+" too; a server takes this/,
    );
  });

  const scripted = (charge: string, rest = "") =>
    `scenario: scripted\nmerchant:\n  - call: POST /v2/transactions/cashin\n    body: ${charge}\n${rest}`;

  test("a field that the call does not know, near one that it does: a warning, and exit 0", async () => {
    const cwd = testFolder({ "slip.yaml": scripted("{ currency: BRL, amount: 5, extrenal_id: order-1 }") });
    const { code, stdout } = await runCommand(["check", "slip.yaml"], { cwd });
    expect(code).toBe(0);
    const words = 'POST /v2/transactions/cashin does not know the field "extrenal_id" and ignores it';
    expect(stdout.split("\n")).toEqual([
      `slip.yaml:4:39: warning: ${words}; did you mean "external_id"?`,
      "4 |     body: { currency: BRL, amount: 5, extrenal_id: order-1 }",
      `${" ".repeat(42)}^`,
      "1 file checked, 1 warning.",
      "",
    ]);
  });

  test("a field of a query likewise, which lets everything through", async () => {
    const rest = "  - call: GET /v2/account/infractions?page=1&statuss=open\n";
    const cwd = testFolder({ "slip.yaml": scripted("{ currency: BRL, amount: 5 }", rest) });
    const { code, stdout } = await runCommand(["check", "slip.yaml"], { cwd });
    const words = 'GET /v2/account/infractions does not know the field "statuss" and ignores it';
    expect([code, stdout.split("\n")[0]]).toEqual([0, `slip.yaml:5:11: warning: ${words}; did you mean "status"?`]);
  });

  test("tells of all that is not there under with, and of the files that a call would send", async () => {
    const text = `scenario: lonely
with: [hapy-path, ./beneath.yaml, happy-path, more]
merchant:
  - call: POST /v2/account/infractions/reply
    form: { infraction_id: x, text: y, files: [receipt.pdf] }
`;
    const { code, stdout } = await runCommand(["check", "lonely.yaml"], {
      cwd: testFolder({ "lonely.yaml": text, "more/one.yaml": "scenario: one\n" }),
    });
    expect({ code, told: stdout.split("\n").filter((line) => line.startsWith("lonely.yaml:")) }).toEqual({
      code: 1,
      told: [
        'lonely.yaml:2:8: there is no scenario "hapy-path"; did you mean "happy-path"?',
        'lonely.yaml:2:19: there is no file "./beneath.yaml" beside the scenario, and no shipped one of that name',
        'lonely.yaml:2:47: there is no file "more" beside the scenario, and no shipped one of that name',
        'lonely.yaml:5:48: there is no file "receipt.pdf" beside the scenario',
      ],
    });
  });

  test("a reference to what the saved answer does not have: a warning; --json lists them", async () => {
    const rest = `    save: charge
  - call: GET /v2/account/infractions?page_size=5
    save: list
    expect: { data: { items.0.statsu: { not: lost } } }
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: -5, extrenal_id: order-1 }
    expect: { error: INVALID_REQUEST }
    save: refused
  - note: "\${charge.nothing} is no reference here"
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5, external_id: "\${refused.id}-\${charge.transaction_id}-\${charge.chain}" }
expect:
  - event: cashin.confirmed
    where: { transaction_id: "\${charge.id}", external_id: "\${charge.external_id}" }
  - dispute: { infraction_id: "\${list.items[0].infractionid}", deadline_at: "\${list.items[0].deadline_at}" }
  - dispute: "\${list.items.infraction_id}"
  - transaction: "\${charge[transaction_id]}"
`;
    const cwd = testFolder({ "script.yaml": scripted("{ currency: BRL, amount: 5 }", rest) });
    const { code, stdout } = await runCommand(["check", "--json", "script.yaml"], { cwd });
    const { ok, problems, warnings } = JSON.parse(stdout);
    expect({ code, ok, problems }).toEqual({ code: 0, ok: true, problems: [] });
    expect(warnings.map(({ line, message }: { line: number; message: string }) => `${line}: ${message}`)).toEqual([
      expect.stringMatching(/^8: .* has no field "statsu"; did you mean "status"\?$/),
      expect.stringMatching(/^15: \$\{refused\.id\}: nothing is saved of a call that is refused, or whose answer/),
      expect.stringMatching(/^18: \$\{charge\.id\}: the answer of POST \/v2\/transactions\/cashin has no field "id"/),
      expect.stringMatching(/^19: .* has no field "infractionid"; did you mean "infraction_id"\?$/),
      expect.stringMatching(/^20: .*: items of the answer of GET .* is a list; its first item is items\[0\]$/),
      expect.stringMatching(/^21: .*: a part is written \$\{charge\.field\} or \$\{charge\.list\[0\]\.field\}$/),
    ]);
  });

  test("a word in a condition that a field of the answer never has: a warning at the field", async () => {
    const cashin = "call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 5 }";
    const source = `scenario: words
merchant:
  - { ${cashin}, expect: { data: { status: { not: faild }, type: cashin } } }
  - { ${cashin}, expect: { data: { currency_type: Fiat, status: "pend*", network: PIX } } }
  - { ${cashin}, expect: { data: { status: { not: { in: [failed, null] } }, source: { in: [dynamic_qr, x] } } } }
`;
    const { code, stdout } = await runCommand(["check", "--json", "w.yaml"], { cwd: testFolder({ "w.yaml": source }) });
    expect({ code, told: toldIn(stdout) }).toEqual({
      code: 0,
      told: [
        '3:97: status is never "faild"; did you mean "failed"?',
        '4:97: currency_type is never "Fiat"; did you mean "fiat"?',
        '5:138: source is never "x"; known is dynamic_qr',
      ],
    });
  });

  test("a field for which a call is refused that is to succeed: a warning at its place", async () => {
    const rest = `  - { call: POST /v2/transactions/cashin, body: { currency: BRL } }
  - { call: POST /v2/transactions/cashin, body: { currency: BRL, amuont: 5 } }
  - { call: POST /v2/conversions/new, body: { amount: "5", base_currency: BRL, destination_currency: BTC } }
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5, split: [{ username: globex, percentage: "\${charge.amount}" }] }
  - { call: POST /v2/transactions/cashin, body: { currency: BRL }, expect: { status: 400 } }
`;
    const source = scripted("{ currency: BRL, amount: 5, external_id: 17 }", `    save: charge\n${rest}`);
    const { code, stdout } = await runCommand(["check", "refused.yaml"], {
      cwd: testFolder({ "refused.yaml": source }),
    });
    expect(code).toBe(0);
    const cashin = "POST /v2/transactions/cashin";
    expect(stdout.split("\n").filter((line) => line.includes("warning:"))).toEqual([
      `refused.yaml:4:52: warning: ${cashin} refuses this body: external_id must be a string`,
      `refused.yaml:6:49: warning: ${cashin} refuses this body: amount is missing`,
      `refused.yaml:7:66: warning: ${cashin} does not know the field "amuont" and ignores it; did you mean "amount"?`,
      "refused.yaml:8:55: warning: POST /v2/conversions/new refuses this body: amount must be a JSON number",
    ]);
  });

  test("a call that is to succeed, and that the service refuses for what it sends: in a fresh world, by itself", async () => {
    const posts = [
      ["transactions/cashout", "currency: BRL, amount: 10, key: maria"],
      ["transactions/cashout", "currency: BRL, amount: 10, key: maria@example.com, key_type: cpf"],
      ["transactions/cashin", "currency: BRL, amount: 10, split: [{ username: globex }]"],
      ["transactions/cashin", "currency: BRL, amount: 10, split: [{ username: acme, percentage: 5 }]"],
      ["transactions/cashin", "currency: BRL, amount: 10, postback_url: nix"],
      ["transactions/cashin", "currency: USDT, amount: 10"],
      ["transactions/cashin", "currency: BRL, amount: 10000000"],
      ["transactions/wallet", "currency: USDT"],
      ["conversions/rate", "amount: 10, base_currency: BRL, destination_currency: BRL"],
      ["internal_transfers/payment", "username: acme, currency: BRL, amount: 10"],
      ["transactions/cashin", `currency: BRL, amount: 10, tags: [${"1,".repeat(100_000)}]`],
    ];
    const gets = ["infractions?status=opened", "infractions?page_size=500", "balance?currency=XXX"];
    const fine = [
      "{ call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 1000000 } }",
      "{ call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 1000000 } }",
      "{ call: POST /v2/transactions/cashout, body: { currency: BRL, amount: 9, key: maria }, expect: { status: 400 } }",
      "{ call: GET /v2/account/balance?currency=BRL }",
      `{ call: POST /v2/transactions/cashout, body: { currency: BRL, amount: 9, key: "\${charge.transaction_id}" } }`,
    ];
    const steps = [
      ...posts.map(([path, body]) => `{ call: POST /v2/${path}, body: { ${body} } }`),
      "{ call: POST /v2/transactions/cashin, body: [] }",
      "{ call: POST /v2/transactions/cashin, body: { currency: USDT, amount: 10, chian: tron } }",
      ...gets.map((path) => `{ call: GET /v2/account/${path} }`),
      ...fine,
    ];
    const rest = `    save: charge\n${steps.map((step) => `  - ${step}\n`).join("")}`;
    const cwd = testFolder({ "calls.yaml": scripted("{ currency: BRL, amount: 5 }", rest) });
    const { code, stdout } = await runCommand(["check", "--json", "calls.yaml"], { cwd });
    const told = JSON.parse(stdout).warnings.map(({ message }: { message: string }) => message);
    expect({ code, told }).toEqual({
      code: 0,
      told: [
        'POST /v2/transactions/cashin does not know the field "tags" and ignores it',
        'POST /v2/transactions/cashin does not know the field "chian" and ignores it; did you mean "chain"?',
        "POST /v2/transactions/cashout refuses this body: key must be a PIX key",
        "POST /v2/transactions/cashout refuses this body: key_type contradicts key, which is email",
        "POST /v2/transactions/cashin refuses this body: split[0].percentage is missing",
        "POST /v2/transactions/cashin refuses this body: split[0].username must be another account than your own",
        "POST /v2/transactions/cashin refuses this body: postback_url must be an https URL",
        "POST /v2/transactions/cashin refuses this body: Name a chain for USDT",
        "POST /v2/transactions/cashin refuses this body: The amount is above the maximum of 1000000.00 BRL",
        "POST /v2/transactions/wallet refuses this body: chain is missing; USDT has tron",
        "POST /v2/conversions/rate refuses this body: There is no conversion from BRL to BRL",
        "POST /v2/internal_transfers/payment refuses this body: username must be another account than your own",
        "POST /v2/transactions/cashin refuses this body: The body must be JSON in UTF-8; it has more than 100000 values",
        "POST /v2/transactions/cashin refuses this body: The body must be a JSON object",
        "GET /v2/account/infractions refuses this query: status must be one of open",
        "GET /v2/account/infractions refuses this query: page_size must be a whole number from 1 to 100",
        "GET /v2/account/balance refuses this query: The currency XXX is not supported",
      ].map((words) => expect.stringContaining(words)),
    });
  });

  test("no conversion whose rate a rule changes: what it comes to is known in a run alone", async () => {
    const conversion =
      "  - { call: POST /v2/conversions/new, body: { amount: 1, base_currency: BRL, destination_currency: BTC } }\n";
    const rules = 'rules:\n  - every: "0 0 * * *"\n    then:\n      - { set_rate: { BRL: "1000000" } }\n';
    const dear = 'settings:\n  fixtures:\n    rates: { BRL: "0.000000000001", BTC: "60000" }\n';
    const source = (name: string, rest: string) => `scenario: ${name}\n${dear}merchant:\n${conversion}${rest}`;
    const cwd = testFolder({ "still.yaml": source("still", ""), "moving.yaml": source("moving", rules) });
    const { stdout } = await runCommand(["check", "--json", "still.yaml", "moving.yaml"], { cwd });
    const { warnings, problems } = JSON.parse(stdout);
    const told = warnings.map(({ file, message }: Record<string, string>) => `${file} ${message}`);
    expect(problems).toEqual([]);
    expect(told).toEqual([
      expect.stringMatching(/^still\.yaml .* amount is too small: nothing of it would be left in BTC$/),
    ]);
  });

  test("a form that a call is refused for that is to succeed, as the service judges it", async () => {
    const files = (...types: string[]) => `[${types.map((type) => `{ name: f, type: ${type} }`).join(", ")}]`;
    const pdf = "application/pdf, size: 9";
    const forms = [
      "{}",
      "{ text: y }",
      '{ infraction_id: x, text: "" }',
      `{ infraction_id: x, text: y, files: ${files("text/plain, size: 9")} }`,
      `{ infraction_id: x, text: y, files: ${files(pdf, pdf, pdf, pdf, pdf, pdf)} }`,
      `{ infraction_id: x, text: y, files: ${files("image/png, size: 6000000")} }`,
      `{ infraction_id: x, text: y, files: ${files("image/png, size: 60000000")} }`,
      `{ infraction_id: "\${index}", text: y, files: ${files(`"image/\${index}", size: 1`)} }`,
      `{ infraction_id: x, text: y, files: ${files(pdf)} }`,
    ];
    const reply = "POST /v2/account/infractions/reply";
    const steps = forms.map((form) => `  - call: ${reply}\n    form: ${form}\n`);
    const refused = `  - { call: ${reply}, form: {}, expect: { status: 400 } }\n`;
    const source = `scenario: forms\nmerchant:\n${steps.join("")}${refused}`;
    const { code, stdout } = await runCommand(["check", "--json", "f.yaml"], { cwd: testFolder({ "f.yaml": source }) });
    expect(code).toBe(0);
    expect(toldIn(stdout)).toEqual([
      `4:11: ${reply} refuses this form: infraction_id is missing; text is missing`,
      `6:11: ${reply} refuses this form: infraction_id is missing`,
      `8:11: ${reply} refuses this form: text must not be empty`,
      `10:11: ${reply} refuses this form: files[0] must be a pdf, png or jpeg file`,
      `12:11: ${reply} refuses this form: files must have at most 5 items`,
      `14:11: ${reply} refuses this form: Files may have 5 MiB each and 10 MiB in all`,
      `16:11: ${reply} refuses this form: The body is too large: it may have 12 MiB`,
    ]);
  });

  test("a query of a call that has a body, and a field of an item that would be ignored", async () => {
    const split = "split: [{ username: globex, percentage: 5, tipe: percentage }]";
    const source = `scenario: ignored
merchant:
  - { call: POST /v2/transactions/cashin?external_id=1, body: { currency: BRL, amount: 5, ${split} } }
`;
    const { code, stdout } = await runCommand(["check", "--json", "i.yaml"], { cwd: testFolder({ "i.yaml": source }) });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).warnings.map(({ message }: { message: string }) => message)).toEqual([
      'POST /v2/transactions/cashin does not know the field "split[0].tipe" and ignores it; did you mean "type"?',
      'POST /v2/transactions/cashin ignores the query, "external_id" with it; fields belong into the body',
    ]);
  });

  test("a warning points at the word that is wrong, though its value begins lines below", async () => {
    const source = `scenario: below
rules:
  - on: cashin.expired
    then:
      - pay:

          { amount: 5 }
merchant:
  - call: POST /v2/transactions/cashin
    body:
      currency: BRL
      amount: 5
      splitt:

        - { username: globex, percentage: 5 }
    expect:
      data:
        transction_id:
          not: null
  - call: POST /v2/transactions/cashin
    form:

      currency: BRL
`;
    const { stdout } = await runCommand(["check", "--json", "b.yaml"], { cwd: testFolder({ "b.yaml": source }) });
    const told = JSON.parse(stdout).warnings.map((warning: Record<string, unknown>) => [
      warning.line,
      warning.column,
      warning.excerpt,
    ]);
    expect(told).toEqual([
      [13, 7, "      splitt:"],
      [18, 9, "        transction_id:"],
      [21, 5, "    form:"],
      [5, 9, "      - pay:"],
    ]);
  });

  test("fields that a call does not know, far from all that it does or beside the one that was meant", async () => {
    const source = `scenario: unknown
merchant:
  - { call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 5, external_id: x, externalId: x } }
  - { call: POST /v2/transactions/wallet, body: { currency: BRL, order_id: x } }
  - { call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 5, payer: { name: Ana, document: "52998224725", age: 40 } } }
  - { call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 5, order_id: x }, expect: { error: LIMIT_EXCEEDED } }
  - call: POST /v2/account/infractions/reply
    form: { infractionid: x, text: y, note: z, file: [{ name: a.pdf, type: application/pdf, size: 50 }] }
  - { call: "GET /v2/account/balance?page=1&\${index}=2" }
`;
    const { code, stdout } = await runCommand(["check", "--json", "u.yaml"], { cwd: testFolder({ "u.yaml": source }) });
    expect(code).toBe(0);
    const reply = "POST /v2/account/infractions/reply does not know the field";
    const cashin = "POST /v2/transactions/cashin does not know the field";
    expect(toldIn(stdout)).toEqual([
      `3:93: ${cashin} "externalId" and ignores it; "external_id" is given too`,
      '4:66: POST /v2/transactions/wallet does not know the field "order_id" and ignores it; known are currency and chain',
      `5:122: ${cashin} "payer.age" and ignores it; known are name and document`,
      `8:13: ${reply} "infractionid" and ignores it; did you mean "infraction_id"?`,
      `8:39: ${reply} "note" and ignores it; known are infraction_id, text and files`,
      `8:48: ${reply} "file" and ignores it; did you mean "files"?`,
      '9:13: GET /v2/account/balance does not know the field "page" and ignores it; known is currency',
    ]);
  });

  test("a body, a form or a query of a call that reads none", async () => {
    const source = `scenario: unread
merchant:
  - { call: GET /v2/account/balance, body: { currency: BRL } }
  - { call: GET /v2/account/fees, form: { currency: BRL } }
  - { call: GET /v2/account/fees?currency=BRL }
`;
    const { code, stdout } = await runCommand(["check", "--json", "n.yaml"], { cwd: testFolder({ "n.yaml": source }) });
    expect(code).toBe(0);
    expect(toldIn(stdout)).toEqual([
      "3:38: GET /v2/account/balance takes no body, and ignores it; fields belong into the query",
      "4:35: GET /v2/account/fees takes no form, and ignores it",
      '5:13: GET /v2/account/fees ignores the query, "currency" with it',
    ]);
  });

  /** The warnings of `check --json`, each with its line and column. */
  const toldIn = (stdout: string): string[] =>
    JSON.parse(stdout).warnings.map(
      ({ line, column, message }: { line: number; column: number; message: string }) => `${line}:${column}: ${message}`,
    );

  test("steps that no state allows any more, unless they name another resource", async () => {
    const source = `scenario: over
rules:
  - { on: cashin.expired, then: [{ note: late }, { pay: {} }] }
  - { on: chargeback.won, then: [{ lose: {} }] }
  - { on: cashout.failed, then: [{ refund: {} }] }
  - { on: cashin.expired, also: true, then: [{ pay: { transaction: order-2 } }] }
  - { on: cashin.confirmed, then: [{ refund: {} }, { after: 1d, dispute: {} }] }
  - { on: chargeback.opened, then: [{ lose: {} }] }
  - { on: cashin.created, then: [{ expire: {} }, { pay: {} }] }
  - { on: wallet_deposit, then: [{ refund: {} }, { pay: {} }] }
`;
    const { code, stdout } = await runCommand(["check", "--json", "o.yaml"], { cwd: testFolder({ "o.yaml": source }) });
    expect(code).toBe(0);
    const told = JSON.parse(stdout).warnings.map(({ line, message }: { line: number; message: string }) => [
      line,
      message,
    ]);
    expect(told).toEqual([
      [3, 'what is expired allows no "pay" any more: the step is skipped each time'],
      [4, 'what is won allows no "lose" any more: the step is skipped each time'],
      [5, 'what is failed allows no "refund" any more: the step is skipped each time'],
      [10, 'what is confirmed allows no "pay" any more: the step is skipped each time'],
    ]);
  });

  test("calls that send nothing, or a form where a body is taken, a body where a form is, and an advance to what is over", async () => {
    const source = `scenario: refused
merchant:
  - { call: POST /v2/transactions/cashin }
  - { call: POST /v2/transactions/cashin, form: { currency: BRL } }
  - { call: POST /v2/account/infractions/reply, body: { text: x } }
  - { call: POST /v2/account/infractions/reply }
  - { call: POST /v2/transactions/cashin, expect: { status: 415 } }
  - { advance: "2025-01-01T00:00:00Z" }
`;
    const { code, stdout } = await runCommand(["check", "--json", "r.yaml"], { cwd: testFolder({ "r.yaml": source }) });
    expect(code).toBe(0);
    const [cashin, reply] = ["POST /v2/transactions/cashin", "POST /v2/account/infractions/reply"];
    expect(JSON.parse(stdout).warnings.map(({ message }: { message: string }) => message)).toEqual([
      `${cashin} takes a body, and has none here`,
      `${cashin} takes a body, no form`,
      `${reply} takes a form, no body`,
      `${reply} takes a form, and has none here`,
      "advance 2025-01-01T00:00:00Z is over when a run begins, at 2026-01-01T12:00:00.000Z",
    ]);
  });

  test("a misspelt account in a script and in what is expected, in a file that says nothing of accounts", async () => {
    const transfer = (username: string) => `  - call: POST /v2/internal_transfers/payment
    body: { username: ${username}, currency: BRL, amount: 5 }\n`;
    const rest = `${transfer("globx")}    expect: { data: { username: { not: acmee } } }
${transfer("nobody")}    expect: { error: NOT_FOUND }
expect:
  - { no_event: transfer.confirmed, where: { username: globx } }
  - { transaction: { username: { in: [acme, "glob*", acmee] } } }
  - { event: transfer.confirmed, where: { counterparty: shop } }
rules:
  - { on: cashin.created, where: { username: { not: globx } }, then: [{ set_account: { username: acmee, status: active } }] }
`;
    const split = "{ currency: BRL, amount: 5, split: [{ username: gloobex, percentage: 5 }] }";
    const cwd = testFolder({ "script.yaml": scripted(split, rest) });
    const { code, stdout } = await runCommand(["check", "script.yaml"], { cwd });
    expect(code).toBe(0);
    const told = stdout.split("\n").filter((line) => line.includes("warning:"));
    const slip = (place: string, name: string, meant: string) =>
      `script.yaml:${place}: warning: there is no account "${name}"; did you mean "${meant}"?`;
    expect(told).toEqual([
      slip("4:59", "gloobex", "globex"),
      slip("6:23", "globx", "globex"),
      slip("7:40", "acmee", "acme"),
      slip("12:56", "globx", "globex"),
      slip("13:54", "acmee", "acme"),
      'script.yaml:14:57: warning: there is no account "shop"; known are acme and globex, unless the file has others under accounts',
      slip("16:53", "globx", "globex"),
      slip("16:98", "acmee", "acme"),
    ]);
    const own =
      "scenario: own\nmerchant:\n  - { call: GET /v2/account/fees, as: shop }\nexpect:\n  - { balance: { BRL: 0 }, of: shop }\n";
    const stranger = await runCommand(["check", "--json", "own.yaml"], { cwd: testFolder({ "own.yaml": own }) });
    expect(stranger.code).toBe(1);
    expect(JSON.parse(stranger.stdout).problems).toMatchObject(
      [3, 5].map((line) => ({
        line,
        message: 'there is no account "shop"; known are acme and globex, unless the file has others under accounts',
      })),
    );
    const rules =
      "scenario: served\nrules:\n  - { on: cashin.created, where: { username: shop }, then: [{ pay: {} }] }\n";
    const served = await runCommand(["check", "served.yaml"], { cwd: testFolder({ "served.yaml": rules }) });
    expect(served.stdout).toBe("1 file checked, all fine.\n");
  });

  test("a rule whose time is over when a run begins: a warning, by the clock of the file", async () => {
    const rules = `rules:
  - { every: "0 0 9 * * * 2020-2024", then: [{ set_rate: { BRL: "0.2" } }] }
  - { at: "2025-12-31T23:00:00-03:00", then: [{ note: over }] }
  - { at: "2026-01-01T12:00:00Z", then: [{ note: at the beginning }] }
  - { on: cashin.created, until: "2026-01-01T12:00:00Z", then: [{ pay: {} }] }
  - { on: cashout.created, until: +1h, then: [{ confirm: {} }] }
`;
    const cwd = testFolder({
      "over.yaml": `scenario: over\n${rules}`,
      "early.yaml": `scenario: early\nclock: { start: "2020-01-01T00:00:00Z" }\n${rules}`,
    });
    const { code, stdout } = await runCommand(["check", "over.yaml", "early.yaml"], { cwd });
    const told = stdout.split("\n").filter((line) => line.includes("warning:"));
    const begins = "when a run begins, at 2026-01-01T12:00:00.000Z: the rule never acts there";
    expect([code, told]).toEqual([
      0,
      [
        `over.yaml:3:14: warning: every "0 0 9 * * * 2020-2024" names no time that is still to come ${begins}`,
        `over.yaml:4:11: warning: at 2025-12-31T23:00:00-03:00 is over ${begins}`,
        `over.yaml:6:34: warning: until 2026-01-01T12:00:00Z is over ${begins}`,
      ],
    ]);
  });

  test.each([
    ["nothing to check", [], "file"],
    ["a file that is not there", ["nope.yaml"], 'There is no scenario, file or folder "nope.yaml".\n'],
    ["a slip in a shipped name", ["happy-pth"], '"happy-pth"; did you mean "happy-path"?'],
    ["a folder without scenarios", ["."], 'There is no scenario file in the folder ".".\n'],
    ["an unknown option", ["--jsn", "x.yaml"], "--json"],
  ])("%s: 2", async (_what, args, word) => {
    const { code, stdout, stderr } = await runCommand(["check", ...args], { cwd: testFolder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^payments-sandbox: [^\n]+\n$/);
    expect(stderr).toContain(word);
  });
});

describe("health", () => {
  test("up: 0, by its address, its address with a slash, or the variable of the port; down: 2", async () => {
    const running = await startReady();
    const { base_url: url } = running.ready;
    const env = { PAYMENTS_SANDBOX_PORT: new URL(url).port };
    const up = await Promise.all([
      runCommand(["health", "--url", url]),
      runCommand(["health", "--url", `${url}/`]),
      runCommand(["health"], { env }),
    ]);
    for (const { code, stdout } of up) expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: "ok" }]);

    await terminate(running);
    const { code, stdout, stderr } = await runCommand(["health", "--url", url]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: `payments-sandbox: Nothing answers at ${url}.\n`,
    });
  });

  test("the variable of the address is obeyed, and the option counts before it", async () => {
    const { ready } = await startReady();
    const env = { PAYMENTS_SANDBOX_URL: ready.base_url };
    expect((await runCommand(["health"], { env })).code).toBe(0);
    const { code, stderr } = await runCommand(["health", "--url", "http://127.0.0.1:9"], { env });
    expect([code, stderr]).toEqual([2, "payments-sandbox: Nothing answers at http://127.0.0.1:9.\n"]);
  });

  test.each([" ", "/\r\n"])("blanks behind an address do no harm: %j", async (blanks) => {
    const { ready } = await startReady();
    const url = ready.base_url + blanks;
    expect((await runCommand(["health", "--url", url])).code).toBe(0);
    expect(await runCommand(["advance", "1s", "--url", url])).toMatchObject({ code: 0, stderr: "" });
  });

  test.each(["?x=1", "/#top"])("an address with more behind it than a path is refused: %s", async (more) => {
    const url = `http://127.0.0.1:4400${more}`;
    const { code, stderr } = await runCommand(["health", "--url", url]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`such as http://127.0.0.1:4400, not "${url}".`)]);
  });

  test.each([
    [["--url", "foo"], {}, "--url"],
    [[], { PAYMENTS_SANDBOX_URL: "foo" }, "PAYMENTS_SANDBOX_URL (--url)"],
  ])("what is no address is refused: 2 (%j %j)", async (args, env, name) => {
    const { code, stderr } = await runCommand(["health", ...args], { env });
    const words = `${name} must be an address such as http://127.0.0.1:4400, not "foo".`;
    expect([code, stderr]).toEqual([2, `payments-sandbox: ${words}\n`]);
  });

  test.each(["127.0.0.2", "[::1]"])(
    "in the environment of the server it asks the address that the server listens on: %s",
    async (host) => {
      const { ready } = await startReady(["--host", host]);
      const env = { PAYMENTS_SANDBOX_HOST: host, PAYMENTS_SANDBOX_PORT: new URL(ready.base_url).port };
      expect((await runCommand(["health"], { env })).code).toBe(0);
      expect((await runCommand(["coverage"], { env })).code).toBe(0);
      const document = JSON.parse((await runCommand(["openapi"], { env })).stdout);
      expect(document.servers[0].url).toContain(ready.base_url);
    },
  );

  test("a proxy with a certificate that Node does not trust is told as such", async () => {
    await using proxy = await startSecure("self-signed.pem");
    const { origin } = new URL(proxy.url);
    const { code, stderr } = await runCommand(["health", "--url", origin]);
    expect([code, stderr]).toEqual([2, `payments-sandbox: The certificate of ${origin} is not trusted.\n`]);
  });

  test("it needs no control token", async () => {
    const { ready } = await startReady(["--control-token", "let-me-in"]);
    expect((await runCommand(["health", "--url", ready.base_url])).code).toBe(0);
  });

  test.each([
    [
      "is no sandbox",
      "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>",
      1,
      /: No sandbox answers at \S+, but something else\.\n$/,
    ],
    ["breaks off", 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"status":"ok"', 2, /: Nothing answers at \S+\.\n$/],
  ])("what answers there %s: no health", async (_what, bytes, exit, words) => {
    await using other = await startRaw((socket) => socket.once("data", () => socket.end(bytes)));
    const { code, stdout, stderr } = await runCommand(["health", "--url", other.url]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toMatch(words);
    expect(stderr.split("\n")).toHaveLength(2);
  });

  test("a redirect is not followed, wherever it leads: 1", async () => {
    const { ready } = await startReady();
    for (const [status, location] of [
      [308, `${ready.base_url}/_sandbox/health`],
      [302, "/login"],
    ]) {
      const bytes = `HTTP/1.1 ${status} Elsewhere\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;
      await using other = await startRaw((socket) => socket.once("data", () => socket.end(bytes)));
      const { origin } = new URL(other.url);
      const { code, stderr } = await runCommand(["health", "--url", origin]);
      expect([code, stderr]).toEqual([1, `payments-sandbox: ${origin} answered ${status}.\n`]);
    }
  });

  test("a port that is none is told by its variable: 2", async () => {
    const { code, stderr } = await runCommand(["health"], { env: { PAYMENTS_SANDBOX_PORT: "abc" } });
    const words = 'PAYMENTS_SANDBOX_PORT must be a whole number from 0 to 65535, not "abc".';
    expect([code, stderr]).toEqual([2, `payments-sandbox: ${words}\n`]);
  });

  test("something else answers there: 1", async () => {
    const { ready } = await startReady();
    const { code, stderr } = await runCommand(["health", "--url", `${ready.base_url}/v2`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^payments-sandbox: [^\n]+404[^\n]*\n$/);
  });
});

test.each([["health"], ["report"], ["openapi"], ["tail"]])(
  "%s refuses credentials, and shows none",
  async (command) => {
    const { code, stderr } = await runCommand([command, "--url", "http://me:secret@127.0.0.1:4400"]);
    const words = 'such as http://127.0.0.1:4400, not one with credentials, "http://***@127.0.0.1:4400".';
    expect([code, stderr]).toEqual([2, `payments-sandbox: --url must be an address ${words}\n`]);
  },
);

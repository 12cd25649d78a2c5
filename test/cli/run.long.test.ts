/** `run` beyond a single scenario: where files lie, what cannot be run, and a receiver that takes nothing. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";

const missing = "scenario: missing\nrules: []\nexpect:\n  - event: cashin.confirmed\n";
const broken = "scenario: broken\nrulez: []\n";
const charging = `scenario: charging
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 150, external_id: order-1 }
    save: charge
rules:
  - on: cashin.created
    then: [{ after: 5s, pay: {} }]
  - on: cashout.created
    then: [{ note: never }]
expect:
  - event: cashin.confirmed
`;

test("a file outside the working folder is named by the path that was given, in all that is there to be found", async () => {
  const folder = testFolder({ "mine/missing.yaml": missing, "mine/charging.yaml": charging, "empty/.keep": "" });
  const cwd = join(folder, "empty");
  const pretty = await runCommand(["run", "../mine"], { cwd });
  expect(pretty.code).toBe(1);
  expect(pretty.stdout).toContain("✗ missing ../mine/missing.yaml\n");
  expect(pretty.stdout).toContain("cashin.confirmed ../mine/missing.yaml:4\n");
  expect(pretty.stdout).toContain("! ../mine/charging.yaml:9: this rule never matched");
  const { scenarios } = JSON.parse((await runCommand(["run", "../mine", "--json"], { cwd })).stdout);
  expect(scenarios).toMatchObject([
    {
      file: "../mine/charging.yaml",
      rules: [{ at: "../mine/charging.yaml:7" }, {}],
      expectations: [{}, { at: "../mine/charging.yaml:12" }],
    },
    { file: "../mine/missing.yaml", expectations: [{ at: "../mine/missing.yaml:4" }] },
  ]);
});

test("what check warns of is told on stderr, whatever the reporter, and the run goes on", async () => {
  const cwd = testFolder({ "slip.yaml": charging.replace("external_id", "extrenal_id") });
  const { code, stdout, stderr } = await runCommand(["run", "slip.yaml", "--json"], { cwd });
  expect({ code, verdict: JSON.parse(stdout).verdict }).toEqual({ code: 0, verdict: "pass" });
  expect(stderr).toMatch(/^slip\.yaml:4:\d+: warning: .+ "extrenal_id" .+; did you mean "external_id"\?\n$/);
});

test("what is expected of an answer is told in words", async () => {
  const call = "  - call: GET /v2/account/balance\n    expect: ";
  const expected = [
    "{ status: 200, data: { balances.0.balance: { gt: 5, lte: 6 } } }",
    "{ status: 200, data: {} }",
    "{}",
  ];
  const source = `scenario: asking\nmerchant:\n${expected.map((one) => `${call}${one}\n`).join("")}`;
  const { stdout } = await runCommand(["run", "asking.yaml"], { cwd: testFolder({ "asking.yaml": source }) });
  expect(stdout).toContain(
    "✗ GET /v2/account/balance is answered 200 with balances.0.balance > 5 and ≤ 6 asking.yaml:3\n",
  );
  expect(stdout).toContain("✓ GET /v2/account/balance is answered 200\n");
  expect(stdout).toContain("✓ GET /v2/account/balance is carried out\n");
});

test("what is not as expected is told with its reason, and with the nearest that there is", async () => {
  const source = `scenario: unlucky
with: [happy-path]
accounts:
  - { username: shop, postback_url: "sandbox://inbox" }
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amout: 5 }
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5, external_id: paid }
  - advance: 10s
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5, external_id: unpaid }
for: 1s
expect:
  - { transaction: { external_id: unpaid, status: confirmed } }
  - { webhook: cashin.confirmed, status: exhausted }
  - { webhook: cashin.expired }
`;
  const { stdout } = await runCommand(["run", "unlucky.yaml"], { cwd: testFolder({ "unlucky.yaml": source }) });
  expect(stdout).toContain(
    'it was answered 400 INVALID_REQUEST: amount is missing. The field "amout" is not known and was ignored; did you mean amount?\n',
  );
  expect(stdout).toMatch(/there is no such transaction; the nearest, \w+, has status "pending"\n/);
  expect(stdout).toMatch(/there is no such webhook; the nearest, evt_\w+, has status "delivered"\n/);
  expect(stdout).toContain("there is no such webhook\n");
});

test("a call that was not made is told with the call for its token", async () => {
  const source = `scenario: no-token
rules:
  - { request: POST /v2/oauth/token, inject: { status: 503 }, times: 1 }
merchant:
  - call: GET /v2/account/balance
`;
  const { stdout } = await runCommand(["run", "no-token.yaml"], { cwd: testFolder({ "no-token.yaml": source }) });
  expect(stdout).toContain("    the call for its token was answered 503 SERVICE_UNAVAILABLE");
});

test.each([
  ["lost", "disconnect: after", "status: lost"],
  ["refused", "status: 503", "status: 503"],
  ["malformed", "malformed: true", "status: malformed"],
])("what is expected of a call is not met by the call for its token: %s", async (_name, inject, expected) => {
  const source = `scenario: token-struck
rules:
  - { request: "* /v2/*", inject: { ${inject} }, times: 1 }
merchant:
  - call: GET /v2/account/balance
    expect: { ${expected} }
`;
  const cwd = testFolder({ "token-struck.yaml": source });
  const { code, stdout } = await runCommand(["run", "token-struck.yaml"], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringContaining("    the call for its token was answered ")]);
});

test("a repeated call has one verdict, which says at which call it failed", async () => {
  const source = `scenario: third
rules:
  - { request: POST /v2/transactions/cashin, inject: { status: 502 }, skip: 2, times: 1 }
merchant:
  - name: five orders
    call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5 }
    repeat: 5
`;
  const { stdout } = await runCommand(["run", "third.yaml", "--json"], { cwd: testFolder({ "third.yaml": source }) });
  expect(JSON.parse(stdout).scenarios[0].expectations).toMatchObject([
    { text: "five orders", verdict: "fail", detail: expect.stringMatching(/^call 3 of 5: it was answered 502 /) },
  ]);
});

test("interface 5: the settings of what stands beneath a scenario count, but for those that it says itself", async () => {
  const calls = [5, 6].map((amount) => {
    return `  - call: POST /v2/transactions/cashin\n    body: { currency: BRL, amount: ${amount}, external_id: order-1 }\n`;
  });
  const expecting = (status: number) => `merchant:\n${calls.join("")}    expect: { status: ${status} }\n`;
  const files = {
    "beneath.yaml": "scenario: beneath\nseed: 7\nwith: [lowest.yaml]\nsettings: { webhook_targets: any }\n",
    "lowest.yaml": "scenario: lowest\nsettings: { duplicate_status: 422, webhook_targets: strict }\n",
    "takes.yaml": `scenario: takes\nwith: [beneath.yaml]\n${expecting(422)}`,
    "says.yaml": `scenario: says\nwith: [beneath.yaml]\nsettings: { duplicate_status: 409 }\n${expecting(409)}`,
    "hooked.yaml":
      'scenario: hooked\nwith: [beneath.yaml]\naccounts: [{ username: shop, postback_url: "http://shop.example.com" }]\n',
    "strict.yaml":
      'scenario: strict\nwith: [lowest.yaml]\naccounts: [{ username: shop, postback_url: "http://localhost:1" }]\n',
  };
  const cwd = testFolder(files);
  const { code, stdout } = await runCommand(["run", "takes.yaml", "says.yaml", "hooked.yaml", "--json"], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).scenarios).toMatchObject([{ seed: 1 }, { seed: 1 }, { seed: 1 }]);
  const strict = await runCommand(["check", "strict.yaml"], { cwd });
  expect(strict.stdout).toContain("strict.yaml:3:44: postback_url ");
});

test("a rule on the clock whose time did not come is told of by its place", async () => {
  const source = 'scenario: early\nfor: 1h\nrules:\n  - at: "+2h"\n    then: [{ note: late }]\n';
  const { stdout } = await runCommand(["run", "early.yaml"], { cwd: testFolder({ "early.yaml": source }) });
  expect(stdout).toContain("! early.yaml:4: this rule never matched\n");
});

test("a rule that was stopped as it set itself off for ever is told of, also in brief", async () => {
  const source = [
    "scenario: endless",
    "rules:",
    "  - on: cashin.created",
    "    then: [{ pay: {} }]",
    "  - on: cashin.confirmed",
    "    then: [{ refund: { amount: 0.01 } }]",
    "  - on: cashin.refunded",
    "    then: [{ refund: { amount: 0.01 } }]",
    "merchant:",
    "  - call: POST /v2/transactions/cashin",
    "    body: { currency: BRL, amount: 20 }",
    "expect:",
    "  - event: cashin.refunded",
  ].join("\n");
  const cwd = testFolder({ "endless.yaml": source });
  const { stdout, code } = await runCommand(["run", "endless.yaml", "--brief"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain("! endless.yaml:7: this rule was stopped: it sets itself off without time passing\n");
});

test("the timeline, which is the journal of the world, tells nothing of where the file lies", async () => {
  const folder = testFolder({ "mine/charging.yaml": charging, "empty/.keep": "" });
  const args = ["run", join(folder, "mine/charging.yaml"), "--json"];
  const { stdout } = await runCommand(args, { cwd: join(folder, "empty") });
  const [{ file, timeline }] = JSON.parse(stdout).scenarios;
  expect(file).toBe(join(folder, "mine/charging.yaml"));
  expect(JSON.stringify(timeline)).not.toContain(folder);
  expect(JSON.stringify(timeline)).toContain('"charging.yaml:8"');
});

describe("a file that is no scenario among others: 2, and none of them is run", () => {
  const files = { "charging.yaml": charging, "broken.yaml": broken, "other.yaml": broken };
  const problem = '.yaml:2:1: unknown key "rulez"; did you mean "rules"?\n';

  test("all that is wrong is told at once", async () => {
    const { code, stdout, stderr } = await runCommand(["run", "."], { cwd: testFolder(files) });
    expect([code, stdout, stderr]).toEqual([2, "", `payments-sandbox: broken${problem}other${problem}`]);
  });

  test.each([
    ["large.yaml", "broken.yaml"],
    ["broken.yaml", "large.yaml"],
  ])("of %s and %s all problems are counted, those that are not told included", async (...names) => {
    const keys = Array.from({ length: 500 }, (_, index) => `key${index}: 1\n`).join("");
    const folder = testFolder({ ...files, "large.yaml": `scenario: large\n${keys}` });
    const { code, stderr } = await runCommand(["run", ...names], { cwd: folder });
    const lines = stderr.trimEnd().split("\n");
    expect([code, lines.length]).toEqual([2, 100]);
    expect(lines.at(-1)).toMatch(/^large\.yaml:\d+:1: unknown key "key\d+"[^(]* \(and 401 more problems\)$/);
  });

  test.each(["json", "junit"])("%s: it is said that there is no report", async (reporter) => {
    const args = ["run", "broken.yaml", "--reporter", reporter];
    const { code, stdout, stderr } = await runCommand(args, { cwd: testFolder(files) });
    const words = `No scenario was run, so there is no ${reporter} report.\n`;
    expect([code, stdout, stderr]).toEqual([2, "", `payments-sandbox: broken${problem}${words}`]);
  });
});

test.each([
  ["30 days", 'must be a duration such as 30d, not "30 days"; did you mean "30d"?'],
  ["soon", 'must be a duration such as 30d, not "soon".'],
  ["104249992d", "104249992d is too long; the longest duration is 104249991d."],
])("--for %s is refused with what would be right: 2", async (given, words) => {
  const { code, stdout, stderr } = await runCommand(["run", "happy-path", "--for", given]);
  expect([code, stdout, stderr]).toEqual([2, "", `payments-sandbox: --for ${words}\n`]);
});

describe("the timeline", () => {
  const timeline = /\n {2}2026-01-01\n {2}12:00:00\.000 .+\n/;

  test("is printed of what held, too", async () => {
    const { code, stdout } = await runCommand(["run", "happy-path"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(timeline)]);
  });

  test("names the resource that a line is about where there are several", async () => {
    const two = charging.replace(
      "rules:",
      "  - call: POST /v2/transactions/cashin\n    body: { currency: BRL, amount: 5 }\nrules:",
    );
    const files = { "one.yaml": charging, "two.yaml": two };
    const { stdout } = await runCommand(["run", "one.yaml", "two.yaml"], { cwd: testFolder(files) });
    const paid = stdout.split("\n").filter((line) => line.includes("The payer paid"));
    expect(paid).toEqual([
      expect.stringMatching(/The payer paid 150\.00 BRL\.$/),
      expect.stringMatching(/The payer paid 150\.00 BRL\. \[order-1\]$/),
      expect.stringMatching(/The payer paid 5\.00 BRL\. \[[0-9a-f]{32}\]$/),
    ]);
  });

  test.each(["pretty", "junit"])(
    "has a line for each entry, whatever breaks are in notes and ids: %s",
    async (reporter) => {
      const said = '"one\\n  12:00:00.000 two"';
      const broken = `scenario: broken
rules:
  - { on: cashin.created, then: [{ note: ${said} }] }
  - { on: cashout.created, name: ${said}, then: [{ note: x }] }
merchant:
  - { call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 5, external_id: ${said} } }
  - { call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 5 } }
expect: [{ event: cashin.expired, where: { external_id: ${said} } }]
`;
      const args = ["run", "broken.yaml", "--reporter", reporter];
      const { code, stdout } = await runCommand(args, { cwd: testFolder({ "broken.yaml": broken }) });
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/^ +12:00:00\.000 two/m);
      // The note, the id behind what is told of it, the remark on the second rule and what was expected.
      expect(stdout).toContain("was carried out: one 12:00:00.000 two.");
      expect(stdout).toContain("The charge was created. [one 12:00:00.000 two]");
      expect(stdout).toContain("this rule never matched (one 12:00:00.000 two)");
    },
  );

  test("is left out by --brief", async () => {
    const { code, stdout } = await runCommand(["run", "happy-path", "--brief"]);
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(timeline)]);
  });

  test("is left out of the other reports too, but where something failed", async () => {
    const failing = `${charging}    where: { amount: "1.00" }\n`;
    const args = ["run", "happy-path", "a.yaml", "--brief"];
    const { code, stdout } = await runCommand([...args, "--json"], { cwd: testFolder({ "a.yaml": failing }) });
    const { scenarios } = JSON.parse(stdout) as { scenarios: { timeline: { kind: string }[] }[] };
    const told = scenarios.map(({ timeline }) => timeline.length > 0);
    expect([code, told]).toEqual([1, [false, true]]);
  });
});

describe("a reference to what was saved", () => {
  const expecting = (path: string) =>
    `${charging.replace(", external_id: order-1", "")}    where: { external_id: "\${charge.${path}}" }\n`;

  test("to a part that is not there", async () => {
    const { stdout } = await runCommand(["run", "a.yaml"], { cwd: testFolder({ "a.yaml": expecting("order_id") }) });
    expect(stdout).toContain(`    \${charge.order_id}: "charge" has no such part\n`);
  });

  test("to null: it is null as a condition and in a body, and no part of a text", async () => {
    const source = `scenario: nothing
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5 }
    save: charge
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 6, external_id: "\${charge.external_id}" }
    expect: { data: { external_id: "\${charge.external_id}" } }
expect:
  - { transaction: { external_id: "\${charge.external_id}", amount: 5 }, count: 1 }
  - { transaction: { external_id: "order \${charge.external_id}" } }
`;
    const { stdout } = await runCommand(["run", "a.yaml", "--json"], { cwd: testFolder({ "a.yaml": source }) });
    const { expectations } = JSON.parse(stdout).scenarios[0];
    expect(expectations.map(({ verdict }: { verdict: string }) => verdict)).toEqual(["pass", "pass", "pass", "fail"]);
    expect(expectations[3].detail).toBe(`\${charge.external_id}: it is null, and not a text`);
  });
});

test("what failed is told with what its references stand for", async () => {
  const text = `scenario: two
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5, external_id: first }
    save: first
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5, external_id: second }
    expect: { data: { transaction_id: "\${first.transaction_id}" } }
expect:
  - event: cashin.expired
    where: { external_id: "\${first.external_id}", amount: "6.00" }
  - transaction: { external_id: "\${first.external_id}" }
`;
  const { stdout } = await runCommand(["run", "a.yaml", "--json"], { cwd: testFolder({ "a.yaml": text }) });
  const came = /^it did not come; the nearest of 2 .+; \$\{first\.external_id\} is "first"$/;
  expect(JSON.parse(stdout).scenarios[0].expectations).toMatchObject([
    { verdict: "pass" },
    {
      verdict: "fail",
      detail: expect.stringMatching(/^transaction_id is "\w+"; \$\{first\.transaction_id\} is "\w+"$/),
    },
    { verdict: "fail", detail: expect.stringMatching(came) },
    { verdict: "pass" },
  ]);
});

test("what references come to is judged, and stops no run: an account, a file, a part of a text", async () => {
  const text = `scenario: filled
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5 }
    save: charge
  - call: GET /v2/account/balance
    as: "\${charge.currency}"
  - call: POST /v2/account/infractions/reply
    form: { infraction_id: x, text: y, files: ["\${charge.currency}.pdf"] }
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 5, external_id: "of \${charge}" }
expect:
  - balance: { BRL: 0 }
    of: "\${charge.currency}"
`;
  const { code, stdout } = await runCommand(["run", "a.yaml", "--json"], { cwd: testFolder({ "a.yaml": text }) });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).scenarios[0].expectations).toMatchObject([
    { verdict: "pass" },
    { verdict: "fail", detail: 'there is no account "BRL"; known are acme and globex' },
    {
      verdict: "fail",
      detail: expect.stringContaining('the file "BRL.pdf" beside the scenario cannot be read: ENOENT'),
    },
    { verdict: "fail", detail: `\${charge}: it is an object, of which a text takes no more than a part` },
    { verdict: "fail", detail: 'there is no account "BRL"; known are acme and globex' },
  ]);
});

describe("an advance to what was saved", () => {
  const charge = "  - call: POST /v2/transactions/cashin\n    body: { currency: BRL, amount: 5 }\n    save: charge\n";
  const advancing = (target: string, expected: string) =>
    `scenario: advancing\nmerchant:\n${charge}  - advance: ${target}\nexpect:\n  - ${expected}\n`;
  const played = async (text: string) => {
    const { stdout } = await runCommand(["run", "saved.yaml", "--json"], { cwd: testFolder({ "saved.yaml": text }) });
    return JSON.parse(stdout).scenarios[0].expectations;
  };

  test("goes to that instant", async () => {
    const expected = "{ event: cashin.expired, within: 30m }";
    expect(await played(advancing(`\${charge.expires_at}`, expected))).toMatchObject([{}, { verdict: "pass" }]);
  });

  test.each([
    [
      `\${charge.currency}`,
      `\${charge.currency} is "BRL"; it must be a duration, an instant, next, idle or an event kind`,
    ],
    [`\${charge.external_id}`, `\${charge.external_id}: it is null`],
    [`\${charge.expires}`, `\${charge.expires}: "charge" has no such part`],
  ])("that is none, such as %s, fails", async (target, detail) => {
    const expectations = await played(advancing(target, "{ no_event: cashin.confirmed }"));
    expect(expectations).toMatchObject([{}, { verdict: "fail", at: "saved.yaml:6" }, { verdict: "pass" }]);
    expect(expectations[1].detail).toContain(detail);
  });
});

test("control characters of a file are shown, not obeyed", async () => {
  const said = '"\\e[31mred\\x9b\\r"';
  const source = `scenario: red
rules:
  - { at: +1s, name: ${said}, then: [{ note: ${said} }] }
  - { on: cashout.created, name: ${said}, then: [{ note: x }] }
expect: [{ event: cashin.confirmed, where: { external_id: ${said} } }]
`;
  const { stdout } = await runCommand(["run", "red.yaml"], { cwd: testFolder({ "red.yaml": source }) });
  expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  // Once each: the note, the rule that never matched, and what was expected.
  expect(stdout.split("\\u001b[31mred\\u009b\\u000d").length).toBeGreaterThan(3);
});

test("steps that were never carried out are remarked on, with the reason, and leave the verdict as it is", async () => {
  const source = `scenario: late
rules:
  - on: cashin.expired
    then:
      - { pay: {} }
  - { on: cashin.created, where: { currency: BTC }, then: [{ cancel: {} }, { refund: {} }] }
merchant:
  - { call: POST /v2/transactions/cashin, body: { currency: BRL, amount: 5 } }
  - { call: POST /v2/transactions/cashin, body: { currency: BTC, amount: 0.01 } }
settings: { expired_event: all }
`;
  const { code, stdout } = await runCommand(["run", "late.yaml"], { cwd: testFolder({ "late.yaml": source }) });
  expect(code).toBe(0);
  const remarks = stdout.split("\n").filter((line) => line.startsWith("  ! "));
  expect(remarks).toEqual([
    expect.stringMatching(/^ {2}! late\.yaml:6 \(refund\) was skipped: A cashin that is canceled/),
    expect.stringMatching(/^ {2}! late\.yaml:5 \(pay\) was skipped: A cashin that is expired/),
  ]);
});

describe("a receiver of the run's own", () => {
  test("one that takes nothing is told of, and leaves the verdict as it is", async () => {
    const receiver = "http://127.0.0.1:9/hooks";
    const args = ["run", "charging.yaml", "--postback-url", receiver];
    const { code, stdout } = await runCommand(args, { cwd: testFolder({ "charging.yaml": charging }) });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\n {2}! http:\/\/127\.0\.0\.1:9\/hooks took no webhook: all \d+ attempts to deliver one failed\n/,
    );
    expect(stdout).toMatch(/1 scenario, all as expected\.\n$/);
    const cwd = testFolder({ "charging.yaml": charging });
    const json = JSON.parse((await runCommand([...args, "--json", "--brief"], { cwd })).stdout);
    const remarks = ["charging.yaml:9: this rule never matched", `${receiver} took no webhook: all `];
    expect(json.scenarios[0].remarks).toEqual(remarks.map((remark) => expect.stringContaining(remark)));
    const junit = await runCommand([...args, "--reporter", "junit"], { cwd });
    const [, output = ""] = /<system-out>(.*)<\/system-out>/s.exec(junit.stdout) ?? [];
    for (const remark of remarks) expect(output).toContain(`\n! ${remark}`);
  });

  test("it counts before the one that the file's default account has", async () => {
    const receiver = "http://127.0.0.1:9/hooks";
    const own = `${charging}accounts: [{ username: shop, postback_url: "sandbox://inbox" }]\n`;
    const cwd = testFolder({ "own.yaml": own });
    const { stdout } = await runCommand(["run", "own.yaml", "--postback-url", receiver], { cwd });
    expect(stdout).toContain(`\n  ! ${receiver} took no webhook: all `);
  });

  test("the inbox takes them all: there is nothing to tell", async () => {
    const args = ["run", "charging.yaml", "--postback-url", "sandbox://inbox"];
    const { code, stdout } = await runCommand(args, { cwd: testFolder({ "charging.yaml": charging }) });
    expect(code).toBe(0);
    expect(stdout).not.toContain("took no webhook");
    expect(stdout).toMatch(/1 scenario, all as expected\.\n$/);
  });

  test("what is no URL is refused with all that it may be: 2", async () => {
    const { code, stderr } = await runCommand(["run", "happy-path", "--postback-url", "foo"]);
    const words = '--postback-url must be an https or http URL, or sandbox://inbox, not "foo".';
    expect([code, stderr]).toEqual([2, `payments-sandbox: ${words}\n`]);
  });

  test("what the settings of a file keep it from is told of the option, before anything is played: 2", async () => {
    const cwd = testFolder({ "any.yaml": `settings: { webhook_targets: any }\n${charging}`, "local.yaml": charging });
    const url = "http://shop.example/x";
    const { code, stdout, stderr } = await runCommand(["run", "any.yaml", "local.yaml", "--postback-url", url], {
      cwd,
    });
    const rule = "must be an https URL, an http URL on this machine or a private network, or sandbox://inbox";
    const words = `--postback-url ${rule}, not "${url}": webhook_targets of local.yaml is local.`;
    expect([code, stdout, stderr]).toEqual([2, "", `payments-sandbox: ${words}\n`]);
  });
});

/** Scenarios of a world: loaded, looked at, replaced, taken out. */
import { describe, expect, test } from "vitest";
import { makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";

const file = useSandbox();

const YAML = `scenario: from-yaml
description: A charge is paid after a minute.
rules:
  - name: the payer takes a minute
    on: cashin.created
    then:
      - { after: 1m, pay: {} }
`;
const asYaml = { "Content-Type": "application/yaml" };

describe("POST /scenarios", () => {
  test.each(["application/yaml", "text/yaml", "application/x-yaml; charset=utf-8"])("takes %s", async (media) => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/scenarios", YAML, { "Content-Type": media });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: "from-yaml",
      description: "A charge is paid after a minute.",
      status: "running",
      rules: [{ name: "the payer takes a minute", at: "posted.yaml:4", matched: 0, fired: 0 }],
      expectations: [],
    });
  });

  test("JSON is a file too: rules and mistakes stand where they were written, and no key twice", async () => {
    const world = await file.world();
    const post = (text: string) => control(world, "POST", "/scenarios", text, { "Content-Type": "application/json" });
    const lines = [
      '{ "scenario": "from-json", "rules": [',
      '  { "on": "cashin.created", "then": [{ "note": "x" }] },',
      '  { "on": "cashin.expired", "then": [{ "note": "y" }] }',
      "] }",
    ];
    const { body } = await post(lines.join("\n"));
    expect(body.rules.map(({ at }: { at: string }) => at)).toEqual(["posted.json:2", "posted.json:3"]);
    const wrong = await post(lines.join("\n").replace("cashin.expired", "cashin.expire"));
    expect(wrong.body.error.details.problems).toMatchObject([{ file: "posted.json", line: 3, column: 11 }]);
    const twice = await post('{ "scenario": "one", "scenario": "two", "rules": [] }');
    expect([twice.status, twice.body.error.details.problems[0].line]).toEqual([422, 1]);
    const onOneLine = await post(lines.join(""));
    expect(new Set(onOneLine.body.rules.map(({ at }: { at: string }) => at)).size).toBe(2);
    const onTwoLines = await post(lines.join("").replace('"rules"', '\n"rules"'));
    expect(new Set(onTwoLines.body.rules.map(({ at }: { at: string }) => at)).size).toBe(2);
    expect((await post(lines.join("\r"))).body.rules[1].at).toBe("posted.json:3");
  });

  test.each(["", "application/x-www-form-urlencoded", "text/plain"])(
    "YAML sent as %j is told how to be sent",
    async (media) => {
      const { status, body } = await control(await file.world(), "POST", "/scenarios", YAML, { "Content-Type": media });
      const told = "The body must be JSON, with Content-Type: application/json, or YAML, with application/yaml.";
      expect([status, body.error.message]).toEqual([415, told]);
    },
  );

  test("YAML sent as JSON is told how to be sent", async () => {
    const json = { "Content-Type": "application/json" };
    const { status, body } = await control(await file.world(), "POST", "/scenarios", YAML, json);
    expect([status, body.error.message]).toEqual([422, expect.stringContaining("is posted as application/yaml")]);
  });

  test("each rule says in at where it stands, and beside it what sets it off", async () => {
    const source = `scenario: places
rules:
  - { on: cashin.created, then: [{ note: x }] }
  - { every: "0 9 * * *", then: [{ note: x }] }
  - { at: "+10m", then: [{ note: x }] }
  - { request: GET /v2/account/balance, inject: { status: 503 } }
  - { delivery: cashin.*, inject: { drop: true } }
`;
    const { body } = await control(await file.world(), "POST", "/scenarios", source, asYaml);
    expect(body.rules).toMatchObject([
      { at: "posted.yaml:3", on: "cashin.created" },
      { at: "posted.yaml:4", every: "0 9 * * *" },
      { at: "posted.yaml:5", due: "+10m" },
      { at: "posted.yaml:6", request: "GET /v2/account/balance" },
      { at: "posted.yaml:7", delivery: "cashin.*" },
    ]);
  });

  test("takes a JSON document", async () => {
    const world = await file.world();
    const { status, body } = await control(
      world,
      "POST",
      "/scenarios",
      scenario("mine", rule("cashin.created", [{ note: "x" }])),
    );
    expect([status, body.name]).toEqual([201, "mine"]);
    expect(body.rules[0].at).toMatch(/^posted\.json:\d+$/);
  });

  test("takes in a document whatever signs a JSON text may hold", async () => {
    const note = "\u0007 \u007f \u0085 \u2028 \ufffd \ufeff \\u0085 \u{1f600}";
    const document = scenario("signs", rule("cashin.created", [{ note }]));
    const world = await file.world({ scenarios: [document] });
    const other = await file.world({ scenarios: [] });
    expect((await control(other, "POST", "/scenarios", document)).status).toBe(201);
    for (const one of [world, other]) {
      await makeCharge(one);
      expect((await one.waitForEntry("step", {}, { timeoutMs: 0 })).data.note).toBe(note);
    }
  });

  test("takes the name of a shipped one, and tells the nearest where there is none of it", async () => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/scenarios", { name: "happy-path" });
    expect([status, body.name, body.rules[0].at]).toEqual([
      201,
      "happy-path",
      expect.stringMatching(/^scenarios\/happy-path\.yaml:/),
    ]);
    for (const [slip, message] of [
      [{ name: "chargeback-lost", x: 1 }, 'unknown field "x"; known is name.'],
      [{ nme: "chargeback-lost" }, 'did you mean "name"?'],
      [{ name: 5 }, "name must be the name of a shipped scenario."],
    ] as const) {
      const { status: refused, body: told } = await control(world, "POST", "/scenarios", slip);
      expect([refused, told.error.code]).toEqual([400, "INVALID_REQUEST"]);
      expect(told.error.message).toContain(message);
    }
    const misspelt = await control(world, "POST", "/scenarios", { scenaro: "x", rulez: [] });
    expect([misspelt.status, misspelt.body.error.message]).toEqual([
      422,
      expect.stringContaining('did you mean "scenario"?'),
    ]);
    const wrong = await control(world, "POST", "/scenarios", { name: "hapy-path" });
    expect([wrong.status, wrong.body.error.message]).toEqual([
      422,
      expect.stringContaining('did you mean "happy-path"?'),
    ]);
  });

  test("answers 200 where it replaces one of the same name, whose counts begin anew", async () => {
    const world = await file.world();
    await control(world, "POST", "/scenarios", YAML, asYaml);
    await makeCharge(world);
    expect((await control(world, "GET", "/scenarios/from-yaml")).body.rules[0]).toMatchObject({ matched: 1, fired: 1 });
    const again = await control(world, "POST", "/scenarios", YAML.replace("1m", "2m"), asYaml);
    expect([again.status, again.body.rules[0].matched]).toEqual([200, 0]);
    expect((await control(world, "GET", "/scenarios")).body.items).toHaveLength(1);
  });

  test("names several apart, so that lines are not taken for those of others; one that is replaced keeps its own", async () => {
    const world = await file.world();
    const post = async (name: string, body: unknown, headers = {}) => {
      const answer = await control(world, "POST", "/scenarios", body, headers);
      expect(answer.body.name).toBe(name);
      return answer.body.rules[0].at;
    };
    const other = scenario("other", rule("cashin.created", [{ note: "other" }]));
    expect(await post("from-yaml", YAML, asYaml)).toBe("posted.yaml:4");
    expect(await post("second", YAML.replace("from-yaml", "second"), asYaml)).toBe("posted-2.yaml:4");
    expect(await post("other", other)).toMatch(/^posted\.json:\d+$/);
    expect(await post("third", YAML.replace("from-yaml", "third"), asYaml)).toBe("posted-3.yaml:4");
    expect(await post("second", YAML.replace("from-yaml", "second").replace("1m", "2m"), asYaml)).toBe(
      "posted-2.yaml:4",
    );
    expect(await post("from-yaml", YAML, asYaml)).toBe("posted.yaml:4");
  });

  test("of addresses in it, those of a list too, the journal keeps only the path", async () => {
    const world = await file.world();
    const accounts = [{ username: "initech", postback_url: "https://merchant.example:8443/hook" }];
    expect((await control(world, "POST", "/scenarios", { ...scenario("hooked"), accounts })).status).toBe(201);
    const [entry] = (await world.journal()).filter(({ kind }) => kind === "control");
    expect(entry?.data.input).toMatchObject({ accounts: [{ username: "initech", postback_url: "…/hook" }] });
  });

  test("works from the next charge on, at a world's address and at the root", async () => {
    const world = await file.world();
    await makeCharge(world);
    await control(world, "POST", "/scenarios", YAML, asYaml);
    await makeCharge(world);
    await world.advance("1m");
    expect((await world.webhooks()).map(({ event }) => event)).toEqual(["cashin.confirmed"]);
    const root = await control(file.sandbox, "POST", "/scenarios", YAML, asYaml);
    expect(root.status).toBe(201);
    await control(file.sandbox, "DELETE", "/scenarios/from-yaml");
  });

  test.each([
    ["no scenario", "rules: []", "1:1: scenario is missing"],
    ["no YAML", "scenario: [", "posted.yaml:1:"],
    ["an empty text", "", "1:1: the file must be"],
    [
      "others of a folder that it has not",
      "{ scenario: x, with: [mine] }",
      '1:23: there is no shipped scenario "mine", and',
    ],
  ])("refuses %s with 422, place and reason", async (_what, text, message) => {
    const world = await file.world();
    const { status, body } = await control(world, "POST", "/scenarios", text, asYaml);
    expect([status, body.error.code]).toEqual([422, "INVALID_SCENARIO"]);
    expect(body.error.message).toContain(message);
    expect(body.error.details.problems[0]).toMatchObject({ file: "posted.yaml", line: 1 });
  });
});

test("JSON that is none is told with line and column, like any other mistake in a scenario", async () => {
  const text = '{\n "scenario": "x",\n "rules": [],\n}';
  const { status, body } = await control(await file.world(), "POST", "/scenarios", text);
  expect([status, body.error.code]).toEqual([422, "INVALID_SCENARIO"]);
  expect(body.error.details.problems[0]).toMatchObject({ file: "posted.json", line: 3, column: 13 });
});

test("JSON that is no UTF-8 is refused as a body, and a byte order mark before it is none of its business", async () => {
  const world = await file.world();
  const post = (body: Buffer) =>
    fetch(`${world.baseUrl}/_sandbox/scenarios`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: new Uint8Array(body),
    });
  const latin = await post(Buffer.from('{"scenario":"latin","description":"caf\u00e9","rules":[]}', "latin1"));
  expect([latin.status, (await latin.json()).error.code]).toEqual([400, "INVALID_REQUEST"]);
  const rules = [rule("cashin.created", [{ pay: {} }]), rule("cashout.created", [{ confirm: {} }])];
  const marked = await post(Buffer.from(`\ufeff${JSON.stringify(scenario("marked", ...rules))}`));
  expect([marked.status, (await marked.json()).name]).toEqual([201, "marked"]);
  expect((await post(Buffer.from('\ufeff{"name":"chargeback-lost"}'))).status).toBe(201);
});

describe("interface 4: expectations of a served world", () => {
  const CONFIRMED = "cashin.confirmed";
  const EXPIRED = "cashin.expired";

  /**
   * Charges that are paid one after another, a second apart, beside one that expires after 30 minutes.
   * @returns the verdicts after each payment and each advance, with the status of the scenario.
   */
  async function verdictsOf(expected: object, payments: number, ...advances: string[]): Promise<string[]> {
    const world = await file.world({ scenarios: [{ ...scenario("judged"), expect: [expected] }] });
    const verdict = async () => {
      const { body } = await control(world, "GET", "/scenarios/judged");
      return `${body.expectations[0].verdict} ${body.status}`;
    };
    await makeCharge(world);
    const verdicts = [await verdict()];
    for (let count = 0; count < payments; count++) {
      await world.act(await makeCharge(world), "pay");
      await world.advance("1s");
      verdicts.push(await verdict());
    }
    for (const advance of advances) {
      await world.advance(advance);
      verdicts.push(await verdict());
    }
    return verdicts;
  }

  test("what happened before the loading does not count, not at its very instant either", async () => {
    const world = await file.world();
    const verdicts = async () => (await world.scenarios.get("judged")).expectations.map(({ verdict }) => verdict);
    for (let round = 0; round < 2; round++) {
      const expected = [{ event: CONFIRMED, count: 1 }, { no_event: CONFIRMED }, { webhook: CONFIRMED }];
      await control(world, "POST", "/scenarios", { ...scenario("judged"), expect: expected });
      expect(await verdicts()).toEqual(["pending", "pass", "pending"]);
      await world.act(await makeCharge(world), "pay");
      expect(await verdicts()).toEqual(["pass", "fail", "pass"]);
    }
  });

  test("what the merchant's script would save stays open, and does not keep the scenario from passing", async () => {
    const expected = [
      { event: CONFIRMED },
      { event: CONFIRMED, where: { transaction_id: `\${charge.transaction_id}` } },
    ];
    const merchant = [{ call: "POST /v2/transactions/cashin", body: { currency: "BRL", amount: 5 }, save: "charge" }];
    const world = await file.world({ scenarios: [{ ...scenario("judged"), merchant, expect: expected }] });
    expect(await world.scenarios.get("judged")).toMatchObject({ status: "running" });
    await world.act(await makeCharge(world), "pay");
    const { status, expectations } = await world.scenarios.get("judged");
    expect([status, expectations.map(({ verdict }) => verdict)]).toEqual(["passed", ["pass", "pending"]]);
    expect(expectations.map(({ needs_run }) => needs_run)).toEqual([undefined, true]);
    expect(expectations[1]?.detail).toContain('nothing is saved as "charge" here');
  });

  test("an account that may still come leaves the verdict open, and is told beside it until it is there", async () => {
    const strange = { username: "globx" };
    const expected = [
      { no_event: CONFIRMED, where: strange },
      { event: CONFIRMED, where: strange },
      { transaction: strange },
    ];
    const world = await file.world({ scenarios: [{ ...scenario("strange"), expect: expected }] });
    const judged = async () => (await world.scenarios.get("strange")).expectations;
    const told = '; there is no account "globx"; did you mean "globex"?';
    expect(await judged()).toMatchObject([
      { verdict: "pass", detail: `it has not come so far${told}` },
      { verdict: "pending", detail: `it did not come; there came nothing${told}` },
      { verdict: "pending", detail: `there is no such transaction${told}` },
    ]);
    await world.accounts.create({ username: "globx" });
    expect(await judged()).toMatchObject([{ verdict: "pass", detail: "it has not come so far" }, {}, {}]);
  });

  test.each([
    [{ event: EXPIRED, count: { gte: 2, lte: 3 } }, "cashin.expired ≥ 2 and ≤ 3 times"],
    [{ event: EXPIRED, count: { in: [1, 2] } }, "cashin.expired in (1, 2) times"],
    [{ event: EXPIRED, count: 1, within: "1h" }, "cashin.expired once within 1h"],
    [{ no_event: EXPIRED, where: { amount: { not: 5 } } }, "no cashin.expired where amount not 5"],
    [{ no_event: EXPIRED, count: 2, within: "1h" }, "no cashin.expired 2 times within 1h"],
    [{ balance: { BRL: { gte: 1, lt: 5 } }, of: "acme" }, "balance of acme BRL ≥ 1 and < 5"],
    [{ transaction: { status: { not: { in: ["expired"] } } } }, "transaction where status not in (expired)"],
    [{ transaction: { amount: { not: { gt: 1, lt: 3 } } } }, "transaction where amount not (> 1 and < 3)"],
    [
      { transaction: { currency: { in: ["BRL", "MXN"] }, chain: null, amount: { not: { gte: 5 } } } },
      "transaction where currency in (BRL, MXN), chain = null, amount not ≥ 5",
    ],
  ])("%j is told in words: %s", async (expected, words) => {
    const world = await file.world({ scenarios: [{ ...scenario("told"), expect: [expected] }] });
    expect((await control(world, "GET", "/scenarios/told")).body.expectations[0].text).toBe(words);
  });

  const [passed, failed, open] = ["pass passed", "fail failed", "pending running"];

  test.each<[expected: object, payments: number, advances: string[], verdicts: string[]]>([
    [{ event: CONFIRMED }, 1, ["2d"], [open, passed, passed]],
    [{ event: CONFIRMED, within: "10s" }, 1, ["2d"], [open, passed, passed]],
    [{ event: CONFIRMED, within: "10s", where: { amount: 5 } }, 2, ["8s", "1s"], [open, open, open, open, failed]],
    [{ event: CONFIRMED, count: 2 }, 3, [], [open, open, passed, failed]],
    [{ event: CONFIRMED, count: 1 }, 2, ["2d"], [open, passed, failed, failed]],
    [{ event: CONFIRMED, count: 1, within: "10s" }, 1, ["9s", "1s"], [open, open, open, passed]],
    [{ event: CONFIRMED, count: 1, within: "10s" }, 2, [], [open, open, failed]],
    [{ event: CONFIRMED, count: { gte: 2 }, within: "10s" }, 2, [], [open, open, passed]],
    [{ event: CONFIRMED, count: { lte: 1 } }, 2, [], [passed, passed, failed]],
    [{ event: CONFIRMED, count: { in: [1, 3] } }, 4, [], [open, passed, open, passed, failed]],
    [{ event: CONFIRMED, count: { not: 1 } }, 2, [], [passed, open, passed]],
    [{ event: EXPIRED, count: 0 }, 0, ["29m", "1m"], [passed, passed, failed]],
    [{ no_event: EXPIRED }, 0, ["29m", "1m"], [passed, passed, failed]],
    [{ event: EXPIRED, count: 0, within: "1m" }, 0, ["1m", "1ms", "2d"], [open, open, passed, passed]],
    [{ no_event: EXPIRED, count: 0 }, 0, ["29m", "1m"], [passed, passed, failed]],
    [{ no_event: CONFIRMED, count: 2 }, 3, [], [passed, passed, open, passed]],
    [{ no_event: CONFIRMED, count: { gte: 2 } }, 3, [], [passed, passed, failed, failed]],
    [{ no_event: EXPIRED, within: "1m" }, 0, ["1m", "1ms", "2d"], [open, open, passed, passed]],
    [{ no_event: EXPIRED, within: "1h" }, 0, ["30m", "2d"], [open, failed, failed]],
    [{ webhook: CONFIRMED, count: 1 }, 2, [], [open, passed, failed]],
    [{ webhook: CONFIRMED, status: "undeliverable", count: 1 }, 2, [], [open, passed, open]],
    [{ webhook: CONFIRMED, where: { attempts: 0 }, count: 0 }, 1, [], [passed, open]],
    [{ transaction: { status: "pending" }, count: 1 }, 0, ["30m"], [passed, open]],
    [{ balance: { BRL: 10_000 } }, 1, [], [passed, open]],
  ])("%j: %i payments, then %j: %j", async (expected, payments, advances, verdicts) => {
    expect(await verdictsOf(expected, payments, ...advances)).toEqual(verdicts);
  });
});

describe("GET and DELETE", () => {
  test("list them in the order of loading, show one, take one out", async () => {
    const world = await file.world({ scenarios: ["happy-path"] });
    await control(world, "POST", "/scenarios", YAML, asYaml);
    const { body } = await control(world, "GET", "/scenarios");
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(["happy-path", "from-yaml"]);
    expect((await control(world, "GET", "/scenarios/from-yaml")).body).toEqual(body.items[1]);
    expect((await control(world, "DELETE", "/scenarios/happy-path")).status).toBe(204);
    expect((await world.info()).scenarios).toEqual(["from-yaml"]);
  });

  test("interface 4: what is taken out meanwhile moves nothing behind the cursor of the list", async () => {
    const world = await file.world({ scenarios: ["a", "b", "c", "d"].map((name) => scenario(name)) });
    const { body: first } = await control(world, "GET", "/scenarios?limit=2");
    for (const name of ["a", "b"]) await control(world, "DELETE", `/scenarios/${name}`);
    const { body: second } = await control(world, "GET", `/scenarios?limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ name }: { name: string }) => name)).toEqual(["a", "b", "c", "d"]);
  });

  test.each(["GET", "DELETE"])("%s of one that is not loaded: 404", async (method) => {
    const { status, body } = await control(await file.world(), method, "/scenarios/happy-path");
    expect([status, body.error.message]).toEqual([404, "There is no scenario happy-path."]);
  });
});

test("the balance of an account that the world has is expected, though a run of the file would not have it", async () => {
  const world = await file.world({ accounts: [{ username: "shop", balances: { BRL: "5.00" } }] });
  const document = (of: string) => ({ scenario: `balance-of-${of}`, expect: [{ balance: { BRL: "5.00" }, of }] });
  const verdictsOf = async (of: string) => {
    const loaded = await control(world, "POST", "/scenarios", document(of));
    return loaded.body.expectations.map(({ verdict }: { verdict: string }) => verdict);
  };
  expect(await verdictsOf("shop")).toEqual(["pass"]);
  expect(await verdictsOf("sup")).toEqual(["pending"]);
});

/** Runs whose rules set each other off for ever, with time passing in between: no `for` says where they end. */
import { expect, test } from "vitest";
import { prettyRun } from "../../src/runs/reporters/pretty.ts";
import { type RunOptions, type RunResult, runScenario } from "../../src/runs/run.ts";
import { sendNothing, throwFault } from "../support/runs.ts";

const text = `scenario: restless
merchant:
  - call: POST /v2/transactions/wallet
    body: { currency: BRL }
rules:
  - name: pay again
    on: wallet_deposit
    then: [{ after: 1s, deposit: { wallet: BRL, amount: 5 } }]
  - at: +1m
    then: [{ deposit: { wallet: BRL, amount: 5 } }]
`;

function run(source: string, more: Partial<RunOptions> = {}): Promise<RunResult> {
  const options = { send: sendNothing, onFault: throwFault, ...more };
  return runScenario({ file: "restless.yaml", text: source }, options);
}

test("a run without for ends after so many timers, and tells the rule that goes on and on", async () => {
  const told: number[] = [];
  const onProgress = ({ timers }: { timers: number }) => told.push(timers);
  const { verdict, expectations } = await run(text, { timersToRest: 3_000, onProgress });
  expect(told).toEqual([1_000, 2_000]);
  expect(verdict).toBe("fail");
  expect(expectations.at(-1)).toMatchObject({
    at: "restless.yaml:6",
    text: "the world comes to rest",
    verdict: "fail",
  });
  expect(expectations.at(-1)?.detail).toMatch(
    /^after 3000 timers, at 2026-01-01T1\d:\S+Z, there was still more to come: rule "pay again" at restless\.yaml:6 has acted \d{2,} times; say how long the run lasts, as in for: 30d or --for 30d$/,
  );
});

test("a run that says how long it lasts ends then, however many timers that takes", async () => {
  const { verdict, timeline } = await run(`${text}for: 5m\n`, { timersToRest: 1_000 });
  expect(verdict).toBe("pass");
  expect(timeline.length).toBeGreaterThan(1_000);
});

test.each(["idle", "cashin.refunded"])("a script that advances to %s ends there, as does its run", async (target) => {
  const restless = text.replace("rules:", `  - advance: 1m\n  - advance: ${target}\n  - advance: 1d\nrules:`);
  const { verdict, expectations } = await run(restless, { timersToRest: 3_000 });
  expect(verdict).toBe("fail");
  expect(expectations.at(-1)).toMatchObject({
    at: "restless.yaml:6",
    text: `advance to ${target}`,
    detail: expect.stringMatching(
      /^after 3000 timers, at \S+Z, there was still more to come: rule "pay again" at restless\.yaml:9 has acted \d{2,} times; advance by a duration, as in advance: 1d$/,
    ),
  });
});

test.each([
  ["wallet_deposit", "2026-01-01T13:00:00.000Z"],
  ["next", "2026-01-01T13:00:00.000Z"],
])("a script that advances to %s ends at that instant, however many timers it has", async (target, at) => {
  const crowded = `scenario: crowded
merchant:
  - call: POST /v2/transactions/wallet
    body: { currency: BRL }
  - advance: 30m
  - advance: ${target}
  - call: GET /v2/account/balance
rules:
${`  - at: +1h
    then:
${"      - note: crowded\n".repeat(100)}`.repeat(11)}  - at: +1h
    then: [{ deposit: { wallet: BRL, amount: 1, instant: true } }]
  - at: +2h
    then: [{ note: later }]
`;
  const { verdict, timeline } = await run(crowded);
  expect(verdict).toBe("pass");
  expect(timeline.findLast(({ kind }) => kind === "request")?.at).toBe(at);
});

test("a timeline of any length is printed", () => {
  const entry = { sequence: 1, at: "2026-01-01T12:00:00.000Z", kind: "note", subject: null, text: "again", rule: null };
  const timeline = Array.from({ length: 300_000 }, () => entry);
  const result = {
    file: "a.yaml",
    name: "a",
    verdict: "pass",
    seed: 1,
    timeline,
    rules: [],
    expectations: [],
    remarks: [],
  } as const;
  expect(prettyRun(result, { colours: false }).split("\n")).toHaveLength(300_003);
});

/** Which expectations of a scenario can be judged while it is served. */
import { expect, test } from "vitest";
import type { Expectation } from "../../src/dashboard/wire/answers.ts";
import { partedByRun } from "../../src/dashboard/words/expectations.ts";

const expectation = (text: string, verdict: Expectation["verdict"], detail: string) => ({
  at: "own.yaml:1",
  text,
  verdict,
  detail,
});
const ofTheScript = { ...expectation("paid", "pending", "nothing is saved here"), needs_run: true } as const;
const balance = expectation("balance", "pending", "acme has BRL 10000.00");
const failed = expectation("nothing fails", "fail", "it came");
const texts = (all: readonly { text: string }[]) => all.map(({ text }) => text);

test("where one waits for the merchant of the file, all that is open does, and what is decided is shown", () => {
  const { judged, whenRun } = partedByRun([ofTheScript, failed, balance]);
  expect([texts(judged), texts(whenRun)]).toEqual([["nothing fails"], ["paid", "balance"]]);
});

test("where none does, all of them are shown", () => {
  const { judged, whenRun } = partedByRun([balance, failed, expectation("open", "pending", "")]);
  expect([texts(judged), texts(whenRun)]).toEqual([["balance", "nothing fails", "open"], []]);
});
